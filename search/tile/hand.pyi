from shelfie.engine.game import Game
from shelfie.search.evaluator import Evaluator

class HandEvaluator(Evaluator):
    def __init__(self, game: Game, objective: int = 0) -> None: ...
