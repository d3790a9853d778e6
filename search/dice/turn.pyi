"""The exact turn (see turn.pxd)."""

from shelfie.engine.dice.game import DiceGame
from shelfie.search.dice.leaf import Leaf

class TurnSolver:
    def __init__(self, leaf: Leaf, *rest: object) -> None: ...
    game: DiceGame
    leaf: Leaf
    n_after: int
    n_marks: int
    all_final: bool
