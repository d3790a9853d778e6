"""The rules of the dice game over the C-level interface."""

from libc.stdint cimport uint32_t

from shelfie.engine.dice.marks cimport MarkTable
from shelfie.engine.dice.state cimport DiceState
from shelfie.engine.game cimport Game


cdef class DiceGame(Game):
    cdef readonly MarkTable marks
    cdef readonly tuple values            # five shelves of five item values
    cdef int[5][5] value
    cdef int[5][32] shelf_points          # of a shelf's marked items as bits by column
    cdef int[5][32] column_points         # of a column's marked items as bits by shelf

    cdef int points(self, uint32_t marked) noexcept nogil
    cdef void win_shares(self, const double* score, double* win_share) noexcept nogil
