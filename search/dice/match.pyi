"""Whole games between leaves (see match.pyx)."""

from typing import NamedTuple

from shelfie.engine.dice.position import DicePosition
from shelfie.search.dice.leaf import Leaf

def play_games(
    start: DicePosition,
    leaves: list[Leaf],
    seed: str,
    games: int,
    *,
    first: int = 0,
    judge: Leaf | None = None,
) -> list[tuple[list[float], list[float], int]]: ...

class Forecast(NamedTuple):
    game: int
    turn: int
    turns: int
    open_items: int
    points: list[int]
    shares: list[float]
    expected: list[float]
    win: list[float]
    scores: list[float]

def forecast(start: DicePosition, leaf: Leaf, seed: str, games: int) -> list[Forecast]: ...
