"""One turn more over a leaf (see lookahead.pyx)."""

from shelfie.search.dice.leaf import Leaf

class Lookahead(Leaf):
    inner: Leaf
    turns: int
    def __init__(self, inner: Leaf, seconds: float = ...) -> None: ...
