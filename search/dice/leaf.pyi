"""What judges an after-state (see leaf.pxd)."""

from shelfie.engine.dice.game import DiceGame

class Leaf:
    game: DiceGame
    name: str
    def __init__(self, game: DiceGame) -> None: ...

class MoverScore(Leaf): ...
class Trivial(Leaf): ...
