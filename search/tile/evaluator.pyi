from shelfie.engine.game import Game
from shelfie.engine.position import Position
from shelfie.search.evaluator import Evaluator
from shelfie.search.tile.model import TileModel

class TileEvaluator(Evaluator):
    model: TileModel
    def __init__(self, game: Game, model: TileModel, objective: int = 0) -> None: ...
    def aim(self, game: Game, model: TileModel, objective: int) -> None: ...
    def after(self, position: Position, move: int) -> tuple[list[float], list[float]]: ...
