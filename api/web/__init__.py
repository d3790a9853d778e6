"""The page to play and analyse in a browser, as package data."""
