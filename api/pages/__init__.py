"""Pages for people, as package data."""
