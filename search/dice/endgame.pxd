"""Exact values of endings, every reachable state solved once."""

from libc.stdint cimport uint64_t

from shelfie.engine.dice.game cimport DiceGame
from shelfie.engine.dice.state cimport DiceState
from shelfie.search.dice.leaf cimport Leaf
from shelfie.search.dice.turn cimport TurnSolver

cdef struct Known:
    bint used
    bint followed                 # win and score are known too
    DiceState state
    double value                  # the objective of the seat to move
    double[4] win
    double[4] score


cdef class Memo:
    cdef DiceGame game
    cdef Known* known
    cdef uint64_t mask            # slots less one; a power of two
    cdef readonly long turns      # states solved, or begun
    cdef readonly int deepest     # turns beyond the one asked about
    cdef long budget
    cdef double stop              # seconds of the monotonic clock; infinity for never
    cdef readonly bint stopped
    cdef bint[5][5] alike         # shelves that may change places

    cdef void sort_shelves(self, DiceState* state) noexcept nogil
    cdef Known* slot(self, const DiceState* state) noexcept nogil
    cdef bint spend(self, int level) noexcept nogil


cdef class Endgame(Leaf):
    cdef readonly Memo memo
    cdef Endgame below            # the leaf of the next turn
    cdef TurnSolver solver
    cdef int level                # of the turn that `solver` solves; the one asked about is 0

    cdef const Known* look_up(self, const DiceState* after, bint follow) noexcept nogil
    cdef Known* store(self, const DiceState* state, double value, bint follow) noexcept nogil
