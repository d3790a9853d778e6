"""Uniformly random games, for the speed report."""

from typing import Any

from shelfie.engine.dice.position import DicePosition

def random_playouts(position: DicePosition, n: int, seed: str) -> dict[str, Any]: ...
