"""My Shelfie, the tile game."""
