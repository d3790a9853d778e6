"""The chance to be able to mark an item this turn, when all re-rolls are played for it.

It depends on the dice the item's column needs, on its shelf and on the dice kept, never on the
boards, so all of it is a table of 6 x 5 items and 2 x 462 keeps, filled at import.
"""

from libc.math cimport INFINITY
from libc.string cimport memcpy

from shelfie.engine.dice.tables cimport (
    DICE, FIRST_ROLL, JOKER, N_DICE, N_MULTISETS, N_ROLLS)
from shelfie.search.dice.turn cimport SLOTS, best_within, expect

# [dice needed - 1][shelf][re-rolls left, this one counted, - 1][kept dice]
cdef double[6][5][2][462] KEEP_CHANCE
cdef double[6][5] TURN_CHANCE       # before the first roll


cdef bint can_mark(int roll, int shelf, int need) noexcept nogil:
    """True when these six dice can mark an item of the shelf that needs so many."""
    cdef int icons = DICE.counts[roll][shelf]
    if roll == DICE.all_jokers or icons >= need:
        return True
    return icons >= 1 and icons + 1 == need and DICE.counts[roll][JOKER] >= 1


cdef void fill(int need, int shelf) noexcept nogil:
    """The tables of one kind of item: two sweeps, as for any other value of a full roll."""
    cdef double[SLOTS] now
    cdef double[SLOTS] best
    cdef double[SLOTS] expected
    cdef int k, r
    for k in range(FIRST_ROLL, N_MULTISETS):
        now[k] = best[k] = can_mark(k, shelf, need)
    for r in range(3):
        expect(best, expected)
        if r == 2:
            TURN_CHANCE[need - 1][shelf] = expected[0]
            return
        memcpy(KEEP_CHANCE[need - 1][shelf][r], expected, FIRST_ROLL * sizeof(double))
        memcpy(best, expected, FIRST_ROLL * sizeof(double))
        memcpy(&best[FIRST_ROLL], &now[FIRST_ROLL], N_ROLLS * sizeof(double))
        best[N_MULTISETS] = -INFINITY
        best_within(best)


def keep_chance(int need, int shelf, int rerolls_left, int kept):
    """Chance to be able to mark an item after a keep.

    need: 1..6 dice; shelf: 0..4; rerolls_left: 1 or 2, before the keep; kept: lattice index of
    fewer than six dice.
    """
    if not (1 <= need <= N_DICE and 0 <= shelf < 5 and 1 <= rerolls_left <= 2
            and 0 <= kept < FIRST_ROLL):
        raise ValueError("out of range")
    return KEEP_CHANCE[need - 1][shelf][rerolls_left - 1][kept]


def turn_chance(int need):
    """Chance to be able to mark an item that needs so many dice, before the first roll."""
    if not 1 <= need <= N_DICE:
        raise ValueError("out of range")
    return TURN_CHANCE[need - 1][0]


cdef int need_, shelf_
for need_ in range(1, N_DICE + 1):
    for shelf_ in range(5):
        fill(need_, shelf_)
