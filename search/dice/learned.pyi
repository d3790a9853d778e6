"""The learned judgement of after-states (see learned.pyx)."""

from shelfie.engine.dice.game import DiceGame
from shelfie.search.dice.leaf import Leaf
from shelfie.search.dice.model import DiceModel

class Learned(Leaf):
    model: DiceModel
    def __init__(self, game: DiceGame, model: DiceModel, *, margin: bool = False) -> None: ...
