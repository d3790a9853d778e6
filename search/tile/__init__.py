"""Search for the tile game: what a shelf is worth, and the tree search over it."""
