"""Loops that time the exact turn."""

from shelfie.engine.dice.position cimport DicePosition
from shelfie.engine.dice.state cimport DiceState
from shelfie.search.dice.leaf cimport Leaf
from shelfie.search.dice.turn cimport TurnSolver


def solve_turns(DicePosition position, Leaf leaf, int times):
    """Solve the turn of a position so many times over; the value of the last."""
    cdef TurnSolver solver = TurnSolver(leaf)
    cdef double value = 0.0
    cdef int i
    with nogil:
        for i in range(times):  # no-cython-lint
            value = solver.solve(<const DiceState*>position.state)
    return value
