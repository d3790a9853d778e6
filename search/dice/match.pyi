"""Whole games between leaves (see match.pyx)."""

from typing import Any

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
def forecast(start: DicePosition, leaf: Leaf, seed: str, games: int) -> list[tuple[Any, ...]]: ...
