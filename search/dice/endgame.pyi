"""Exact values of endings (see endgame.pyx)."""

from shelfie.engine.dice.game import DiceGame
from shelfie.engine.dice.position import DicePosition
from shelfie.search.dice.leaf import Leaf

class Endgame(Leaf):
    def __init__(
        self,
        game: DiceGame,
        turns: int,
        *,
        margin: bool = False,
        budget: int = 4000,
        seconds: float = ...,
    ) -> None: ...
    @property
    def states(self) -> int: ...
    @property
    def depth(self) -> int: ...

def open_items(position: DicePosition) -> int: ...
def turns_after(position: DicePosition) -> int: ...
