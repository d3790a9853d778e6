"""What judges an after-state: the state once a turn is over, before the next player rolls."""

from shelfie.engine.dice.game cimport DiceGame
from shelfie.engine.dice.state cimport DiceState


cdef class Leaf:
    cdef readonly DiceGame game
    cdef readonly str name
    cdef readonly bint margin     # the objective: points above the best other, not the win share
    cdef readonly bint stopped    # out of time: the values given since mean nothing
    cdef readonly bint proven     # a deeper search that met nothing but ends of the game

    # The mover's objective for `n` after-states of one turn, none of them the end of the game.
    cdef void values(self, int mover, const DiceState* after, int n, double* value) noexcept nogil
    # The same of a finished game.
    cdef double final_value(self, int mover, const DiceState* after) noexcept nogil
    # Expected win share (sums to 1) and score per seat of an after-state, finished or not.
    cdef void outlook(self, const DiceState* after, double* win, double* score) noexcept nogil


cdef class MoverScore(Leaf):
    pass


cdef class Trivial(Leaf):
    pass


cdef double lead(const double* points, int n, int seat) noexcept nogil
