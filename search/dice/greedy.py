"""Simple players to measure others against."""

from shelfie.engine.dice.position import DicePosition
from shelfie.engine.position import Position
from shelfie.search.dice.leaf import MoverScore
from shelfie.search.dice.solution import TurnSolution

EPSILON = 1e-9


def greedy_move(position: Position) -> str:
    """The move of greatest expected own points after this turn, re-rolls planned exactly.

    Of equal moves a final one, then the first in the engine's order. ValueError when the
    position is no decision.
    """
    moves = position.moves()
    if not moves:
        raise ValueError("no decision to make")
    if len(moves) == 1:
        return position.format_move(moves[0])
    assert isinstance(position, DicePosition)
    solution = TurnSolution(MoverScore(position.game), position)
    values = [solution.judge_move(move)[0] for move in moves]
    best = [m for m, v in zip(moves, values, strict=True) if v >= max(values) - EPSILON]
    final = [m for m in best if position.move_detail(m)["type"] != "keep"]
    return position.format_move((final or best)[0])


def hasty_move(position: Position) -> str:
    """The final move that gains most points at once, never a re-roll; of equals the first."""
    final = [m for m in position.moves() if position.move_detail(m)["type"] != "keep"]
    if not final:
        raise ValueError("no decision to make")
    seat = position.to_move

    def points(move: int) -> int:
        after, _ = position.apply(position.format_move(move))
        total: int = after.scores()[seat]["total"]
        return total

    return position.format_move(max(final, key=points))
