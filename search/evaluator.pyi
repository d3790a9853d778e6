from shelfie.engine.game import Game

class Evaluator:
    game: Game
    objective: int
