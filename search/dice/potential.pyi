"""The handcrafted judgement of after-states (see potential.pyx)."""

from shelfie.engine.dice.game import DiceGame
from shelfie.search.dice.leaf import Leaf

KNOBS: dict[str, float]

class Potential(Leaf):
    def __init__(
        self, game: DiceGame, *, margin: bool = False, knobs: dict[str, float] | None = None
    ) -> None: ...
