"""Finds moves for the games of `shelfie.engine`; knows no HTTP."""
