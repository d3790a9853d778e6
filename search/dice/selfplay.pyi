"""Self-play and learning of the dice game (see selfplay.pyx)."""

from typing import Any

from shelfie.engine.dice.game import DiceGame
from shelfie.engine.dice.position import DicePosition
from shelfie.search.dice.learned import Learned

class Games:
    games: int
    def __init__(self, games: int) -> None: ...
    def index(self) -> Any: ...
    def targets(self) -> list[tuple[int, list[float], list[float]]]: ...

class Player:
    def __init__(self, leaf: Learned) -> None: ...
    def play(
        self,
        games: Games,
        start: DicePosition,
        seed: int,
        first: int,
        part: int,
        step: int,
        wild: float,
        trace: float,
        score_trace: float,
    ) -> None: ...

class Learner:
    weights: Any
    first_moment: Any
    second_moment: Any
    views: dict[str, Any]
    steps: int
    def __init__(self, game: DiceGame, arrays: dict[str, Any]) -> None: ...
    def learn(self, games: Games, order: Any, batch: int, rate: float) -> tuple[float, float]: ...
