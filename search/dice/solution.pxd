from shelfie.engine.dice.state cimport DiceState
from shelfie.engine.game cimport move_t
from shelfie.search.dice.turn cimport TurnSolver


cdef class TurnSolution(TurnSolver):
    cdef DiceState state

    cdef tuple channels(self, const double* first, Py_ssize_t step)
