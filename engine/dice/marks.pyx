"""Mark sets and the dice they need.

A combination marks an item of column c with exactly columns[c] dice of the shelf's icon, at
most one of them a joker and at least one real. So the items of one shelf together need the sum
of their columns; what the icons lack, jokers fill, at most one for each of these items whose
column needs two dice or more. A set is possible when no shelf lacks more than that and the
jokers suffice for all shelves. Six jokers mark any single item.
"""

from functools import lru_cache

from libc.stdlib cimport free, malloc, realloc

from shelfie.engine.dice.state cimport N_ITEMS, N_LINES, bit_count
from shelfie.engine.dice.tables cimport (
    DICE, FIRST_ROLL, JOKER, N_DICE, N_ROLLS)

cdef enum:
    MAX_SETS = 2925       # 25 + 300 + 2300: all sets of one to three items
    MAX_NEEDS = 8         # smallest multisets of one set: a joker or not in three combinations


cdef class MarkTable:
    """The mark sets of a sheet whose columns need these five numbers of dice (1..6)."""

    def __cinit__(self, tuple columns):
        cdef int i
        self.columns = columns
        for i in range(N_LINES):
            self.column[i] = columns[i]
        self.masks = <uint32_t*>malloc(MAX_SETS * sizeof(uint32_t))
        self.needs_first = <int*>malloc((MAX_SETS + 1) * sizeof(int))
        self.needs = <uint16_t*>malloc(MAX_SETS * MAX_NEEDS * sizeof(uint16_t))
        if self.masks == NULL or self.needs_first == NULL or self.needs == NULL:
            raise MemoryError
        self.list_sets()
        self.list_needs()
        self.list_rolls()

    def __dealloc__(self):
        free(self.masks)
        free(self.needs_first)
        free(self.needs)
        free(self.roll_masks)

    cdef void list_sets(self) noexcept:
        """Every set of one to three items that needs at most six dice."""
        cdef int items, i, j, k, n = 0
        for items in range(1, MAX_TOGETHER + 1):
            for i in range(N_ITEMS):
                if items == 1:
                    n = self.add_set(n, <uint32_t>1 << i)
                    continue
                for j in range(i + 1, N_ITEMS):
                    if items == 2:
                        n = self.add_set(n, <uint32_t>1 << i | <uint32_t>1 << j)
                        continue
                    for k in range(j + 1, N_ITEMS):
                        n = self.add_set(n, <uint32_t>1 << i | <uint32_t>1 << j | <uint32_t>1 << k)
        self.n_sets = n

    cdef int add_set(self, int n, uint32_t mask) noexcept:
        if self.demand(mask).total > N_DICE:
            return n
        self.masks[n] = mask
        return n + 1

    cdef Demand demand(self, uint32_t mask) noexcept nogil:
        """What the dice of a set must give, shelf by shelf."""
        cdef Demand d
        cdef int item, shelf, need
        d.total = 0
        for shelf in range(N_LINES):
            d.need[shelf] = d.joker_room[shelf] = 0
        for item in range(N_ITEMS):
            if mask >> item & 1:
                shelf, need = item // N_LINES, self.column[item % N_LINES]
                d.total += need
                d.need[shelf] += need
                d.joker_room[shelf] += need > 1
        return d

    cdef bint allows(self, int dice, uint32_t mask) noexcept nogil:
        """True when the full roll `dice` can mark exactly the items of `mask` together."""
        cdef Demand d = self.demand(mask)
        if dice == DICE.all_jokers:
            return bit_count(mask) == 1
        return bit_count(mask) <= MAX_TOGETHER and fits(dice, &d)

    cdef void list_needs(self) noexcept:
        """The smallest multisets: icons as needed, with any choice of combinations jokered."""
        cdef int s, n = 0
        for s in range(self.n_sets):
            self.needs_first[s] = n
            n = self.add_needs(n, self.demand(self.masks[s]), 0, 0)
        self.needs_first[self.n_sets] = n

    cdef int add_needs(self, int n, Demand d, int shelf, int dice) noexcept:
        cdef int jokers, k
        if shelf == N_LINES:
            self.needs[n] = dice
            return n + 1
        for jokers in range(d.joker_room[shelf] + 1):
            lower = dice
            for k in range(jokers):  # no-cython-lint
                lower = DICE.plus[lower][JOKER]
            for k in range(d.need[shelf] - jokers):  # no-cython-lint
                lower = DICE.plus[lower][shelf]
            n = self.add_needs(n, d, shelf + 1, lower)
        return n

    cdef int list_rolls(self) except -1:
        """The sets each full roll allows, in the order of the sets."""
        cdef int r, s, n = 0, room = 1 << 14
        cdef uint32_t* larger
        demands = <Demand*>malloc(self.n_sets * sizeof(Demand))
        self.roll_masks = <uint32_t*>malloc(room * sizeof(uint32_t))
        if demands == NULL or self.roll_masks == NULL:
            free(demands)
            raise MemoryError
        for s in range(self.n_sets):
            demands[s] = self.demand(self.masks[s])
        for r in range(N_ROLLS):
            self.roll_first[r] = n
            self.single_items[r] = 0
            if n + self.n_sets > room:
                room *= 2
                larger = <uint32_t*>realloc(self.roll_masks, room * sizeof(uint32_t))
                if larger == NULL:
                    free(demands)
                    raise MemoryError
                self.roll_masks = larger
            for s in range(self.n_sets):
                if FIRST_ROLL + r == DICE.all_jokers:
                    if s >= N_ITEMS:
                        break
                elif not fits(FIRST_ROLL + r, &demands[s]):
                    continue
                self.roll_masks[n] = self.masks[s]
                n += 1
                if s < N_ITEMS:
                    self.single_items[r] |= self.masks[s]
            self.max_marks = max(self.max_marks, n - self.roll_first[r])
        self.roll_first[N_ROLLS] = n
        free(demands)
        return 0


cdef bint fits(int dice, const Demand* d) noexcept nogil:
    """True when these dice, not six jokers, satisfy the demand."""
    cdef int shelf, lack, jokers = DICE.counts[dice][JOKER]
    for shelf in range(N_LINES):
        lack = d.need[shelf] - DICE.counts[dice][shelf]
        if lack > 0:
            if lack > d.joker_room[shelf]:
                return False
            jokers -= lack
    return jokers >= 0


@lru_cache(maxsize=32)
def mark_table(tuple columns):
    """The mark table of these columns; built in a few milliseconds, then kept."""
    return MarkTable(columns)
