"""Which items may be marked together: everything that depends on a sheet's columns alone."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from shelfie.engine.dice.state cimport N_ITEMS, N_LINES

cdef enum:
    MAX_TOGETHER = 3      # items marked in one turn

cdef struct Demand:
    int total             # dice of the whole set
    int[5] need           # dice of each shelf's icon, jokers included
    int[5] joker_room     # combinations of the shelf that may take a joker


cdef class MarkTable:
    cdef readonly tuple columns
    cdef int[5] column        # dice that an item of each column needs
    # The mark sets that six dice can satisfy, fewest items first.
    cdef readonly int n_sets
    cdef uint32_t* masks      # items of each set
    # The smallest dice multisets that allow set s: needs[needs_first[s] .. needs_first[s + 1]).
    cdef int* needs_first
    cdef uint16_t* needs
    # The sets that full roll r allows: roll_masks[roll_first[r] .. roll_first[r + 1]).
    cdef int[463] roll_first
    cdef uint32_t* roll_masks
    cdef uint32_t[462] single_items    # the items that roll r can mark alone
    cdef readonly int max_marks        # most sets that one roll allows

    cdef Demand demand(self, uint32_t mask) noexcept nogil
    cdef bint allows(self, int dice, uint32_t mask) noexcept nogil
    # Steps of the construction.
    cdef void list_sets(self) noexcept
    cdef int add_set(self, int n, uint32_t mask) noexcept
    cdef void list_needs(self) noexcept
    cdef int add_needs(self, int n, Demand d, int shelf, int dice) noexcept
    cdef int list_rolls(self) except -1
