"""Loops that time the exact turn (see timing.pyx)."""

from shelfie.engine.dice.position import DicePosition
from shelfie.search.dice.leaf import Leaf

def solve_turns(position: DicePosition, leaf: Leaf, times: int) -> float: ...
