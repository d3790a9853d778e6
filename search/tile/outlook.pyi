from shelfie.engine.position import Position
from shelfie.search.tile.evaluator import TileEvaluator

def final_scores(
    position: Position, evaluator: TileEvaluator, games: int, seed: int, first: int = 0
) -> list[list[int]]: ...
