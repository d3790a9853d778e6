class Game:
    id: str
    n_players: int
    state_size: int
    max_moves: int
