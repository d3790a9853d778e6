from shelfie.engine.position import Position

def solve(
    position: Position, moves: list[int], max_nodes: int
) -> list[tuple[list[float], list[float]]] | None: ...
