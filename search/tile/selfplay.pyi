from typing import Any

from shelfie.engine.game import Game
from shelfie.engine.position import Position
from shelfie.search.tile.evaluator import TileEvaluator

class Buffer:
    size: int
    capacity: int
    def __init__(self, capacity: int) -> None: ...
    def play(
        self,
        position: Position,
        evaluator: TileEvaluator,
        seed: int,
        temperature: float,
        random_share: float,
        trace: float,
        unknown_share: float,
    ) -> tuple[list[float], list[float]]: ...
    def clear(self) -> None: ...

class Trainer:
    arrays: dict[str, Any]
    def gradient(
        self,
        buffer: Buffer,
        order: Any,
        start: int,
        stop: int,
        games: list[Game],
        game_of: Any,
        evaluator: TileEvaluator,
    ) -> tuple[float, float]: ...
