"""What judges an after-state (see leaf.pxd)."""

from shelfie.engine.dice.game import DiceGame

class Leaf:
    game: DiceGame
    name: str
    margin: bool
    stopped: bool
    proven: bool
    def __init__(self, game: DiceGame, *, margin: bool = False) -> None: ...

class MoverScore(Leaf): ...
class Trivial(Leaf): ...
