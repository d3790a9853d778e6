"""What the value model sees of a state: rows of one table, summed, for one seat's view.

Rows of the table, with (m, o) the numbers of marked and open items of a line:
    OWN          each own shelf as a word of five digits (eliminated, marked, open)
    OTHER        each shelf of an opponent likewise
    SHELF_PAIR   the same shelf here and at an opponent: (m, o) x (m, o)
    COLUMN_PAIR  the same for each column, with rows of its own for every column
    DIFFERENCE   points ahead of the best opponent x whether the end is triggered
    STANDING     seats until the next player and until the first one, closed shelves of the
                 seat and most closed shelves of an opponent
Opponents are summed over, and all shelves use the same rows, so the order of shelves and of
opponents cannot matter.
"""

from libc.stdint cimport uint32_t

from shelfie.engine.dice.game cimport DiceGame
from shelfie.engine.dice.state cimport DiceState

cdef enum:
    N_COUNTS = 21                # (m, o) with m + o at most five
    MOST_AHEAD = 40              # points
    OWN = 0
    OTHER = 243
    SHELF_PAIR = 486
    COLUMN_PAIR = 927            # SHELF_PAIR + 21 * 21
    DIFFERENCE = 3132            # COLUMN_PAIR + 5 * 21 * 21
    STANDING = 3294              # DIFFERENCE + 2 * 81
    MAX_ROWS = 3550              # STANDING + 16 * 4 * 4
    MAX_ACTIVE = 52              # rows that four players sum

cdef int shelf_word(uint32_t marked, uint32_t open, int shelf) noexcept nogil
cdef int shelf_counts(uint32_t marked, uint32_t open, int shelf) noexcept nogil
cdef int column_counts(uint32_t marked, uint32_t open, int column) noexcept nogil
cdef int view_rows(DiceGame game, const DiceState* s, int seat, int* rows) noexcept nogil
cdef int closed_shelves(uint32_t open) noexcept nogil
cdef void whole_rows(int players, const DiceState* s, int seat, const int* points,
                     const int* closed, int* rows) noexcept nogil
