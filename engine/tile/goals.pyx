"""The twelve common goals, one function each, in the order of their numbers.

Patterns look at filled places only. `shelf` is six words, one a type, laid out as in shelf.pxd.
"""

from libc.stdint cimport uint8_t, uint32_t

from shelfie.engine.tile.shelf cimport (
    BOTTOM_ROW, COLUMN, TOP_ROW, group_of, lowest, neighbours, popcount32,
)

from shelfie.engine.tile.data import COMMON_GOALS, RULES, TYPES

# No shelf with fewer tiles can show the pattern: saves most of the work early in a game.
cdef int[12] LEAST_TILES
LEAST_TILES[:] = [8, 12, 16, 12, 18, 10, 20, 4, 8, 5, 5, 15]

# Rows of a 6-bit set spread to 4 bits each, so that rows can be counted by adding.
cdef uint32_t[64] ROW_SPREAD
cdef int _rows, _h
for _rows in range(64):
    ROW_SPREAD[_rows] = 0
    for _h in range(6):
        if _rows >> _h & 1:
            ROW_SPREAD[_rows] |= <uint32_t>1 << (4 * _h)

DIAGONALS[:] = [
    sum(1 << (6 * c + c) for c in range(5)),
    sum(1 << (6 * c + c + 1) for c in range(5)),
    sum(1 << (6 * c + 4 - c) for c in range(5)),
    sum(1 << (6 * c + 5 - c) for c in range(5)),
]


# 1
cdef bint two_squares(const uint32_t* shelf, bint same_type) noexcept nogil:
    """Two different groups that each contain a 2x2 square."""
    cdef int t, groups = 0
    cdef uint32_t pairs, squares
    for t in range(6):
        if same_type:
            groups = 0
        pairs = shelf[t] & (shelf[t] >> 1) & ~<uint32_t>TOP_ROW
        squares = pairs & (pairs >> 6)      # lower left corners
        while squares:
            groups += 1
            if groups == 2:
                return True
            squares &= ~group_of(lowest(squares), shelf[t])
    return False


cdef inline uint32_t columns_holding(uint32_t x) noexcept nogil:
    """Columns with a place of x, as bits of the bottom row (each gathers its own column only)."""
    return (x | (x >> 1) | (x >> 2) | (x >> 3) | (x >> 4) | (x >> 5)) & BOTTOM_ROW


cdef inline uint32_t rows_holding(uint32_t x) noexcept nogil:
    """Rows with a place of x, as bits 0..5."""
    return (x | (x >> 6) | (x >> 12) | (x >> 18) | (x >> 24)) & COLUMN


cdef inline uint32_t full_rows(const uint32_t* shelf) noexcept nogil:
    cdef uint32_t x = shelf[0] | shelf[1] | shelf[2] | shelf[3] | shelf[4] | shelf[5]
    return x & (x >> 6) & (x >> 12) & (x >> 18) & (x >> 24)


# 2
cdef bint two_varied_columns(const uint32_t* shelf) noexcept nogil:
    """Two columns of six different types: every type has a place in them."""
    cdef uint32_t columns = BOTTOM_ROW
    cdef int t
    for t in range(6):
        columns &= columns_holding(shelf[t])
    return popcount32(columns) >= 2


cdef bint groups_at_least(const uint32_t* shelf, int size, int count) noexcept nogil:
    cdef int t, found = 0
    cdef uint32_t rest, group
    for t in range(6):
        rest = shelf[t] & neighbours(shelf[t])
        while rest:
            group = group_of(lowest(rest), rest)
            rest &= ~group
            if popcount32(group) >= size:
                found += 1
                if found == count:
                    return True
    return False


# 3
cdef bint four_quads(const uint32_t* shelf) noexcept nogil:
    return groups_at_least(shelf, 4, 4)


# 4
cdef bint six_pairs(const uint32_t* shelf) noexcept nogil:
    return groups_at_least(shelf, 2, 6)


# 5
cdef bint three_uniform_columns(const uint32_t* shelf, const uint8_t* height) noexcept nogil:
    cdef uint32_t types = 0     # per column, six bits: how many types it holds
    cdef int t, c, found = 0
    for t in range(6):
        types += columns_holding(shelf[t])
    for c in range(5):
        if height[c] == 6 and (types >> (6 * c)) & COLUMN <= 3:
            found += 1
    return found >= 3


# 6
cdef bint two_varied_rows(const uint32_t* shelf) noexcept nogil:
    cdef uint32_t repeated = 0, x
    cdef int t
    for t in range(6):
        x = shelf[t]
        repeated |= x & ((x >> 6) | (x >> 12) | (x >> 18) | (x >> 24))
    return popcount32(full_rows(shelf) & ~rows_holding(repeated)) >= 2


# 7
cdef bint four_uniform_rows(const uint32_t* shelf) noexcept nogil:
    cdef uint32_t full = full_rows(shelf), types = 0
    cdef int t, h, found = 0
    if popcount32(full) < 4:
        return False
    for t in range(6):
        types += ROW_SPREAD[rows_holding(shelf[t])]
    for h in range(6):
        if (full >> h) & 1 and (types >> (4 * h)) & 15 <= 3:
            found += 1
    return found >= 4


# 8
cdef bint four_corners(const uint32_t* shelf) noexcept nogil:
    cdef uint32_t corners = (1 << 0) | (1 << 5) | (1 << 24) | (1 << 29)
    cdef int t
    for t in range(6):
        if shelf[t] & corners == corners:
            return True
    return False


# 9
cdef bint eight_alike(const uint32_t* shelf) noexcept nogil:
    cdef int t
    for t in range(6):
        if popcount32(shelf[t]) >= 8:
            return True
    return False


# 10
cdef bint x_shape(const uint32_t* shelf) noexcept nogil:
    # The lower left corner of the X: heights 0..3 of columns 0..2.
    cdef uint32_t corners = 0x0F | (0x0F << 6) | (0x0F << 12)
    cdef uint32_t x
    cdef int t
    for t in range(6):
        x = shelf[t]
        if x & (x >> 2) & (x >> 7) & (x >> 12) & (x >> 14) & corners:
            return True
    return False


# 11
cdef bint diagonal(const uint32_t* shelf) noexcept nogil:
    cdef int t, d
    for t in range(6):
        for d in range(4):
            if shelf[t] & DIAGONALS[d] == DIAGONALS[d]:
                return True
    return False


# 12
cdef bint staircase(const uint8_t* height) noexcept nogil:
    cdef int step = height[1] - height[0], low = min(height[0], height[4]), c
    if step != 1 and step != -1 or low < 1 or low > 2:
        return False
    for c in range(1, 4):
        if height[c + 1] - height[c] != step:
            return False
    return True


cdef bint goal_achieved(int goal, const uint32_t* shelf, const uint8_t* height, int filled,
                        bint same_squares) noexcept nogil:
    if filled < LEAST_TILES[goal]:
        return False
    if goal == 0:
        return two_squares(shelf, same_squares)
    if goal == 1:
        return two_varied_columns(shelf)
    if goal == 2:
        return four_quads(shelf)
    if goal == 3:
        return six_pairs(shelf)
    if goal == 4:
        return three_uniform_columns(shelf, height)
    if goal == 5:
        return two_varied_rows(shelf)
    if goal == 6:
        return four_uniform_rows(shelf)
    if goal == 7:
        return four_corners(shelf)
    if goal == 8:
        return eight_alike(shelf)
    if goal == 9:
        return x_shape(shelf)
    if goal == 10:
        return diagonal(shelf)
    return staircase(height)


def achieved(str goal, list rows, str squares="any"):
    """Whether a shelf (six strings of five, top row first) shows the pattern of a goal's id.

    Raises ValueError for an unknown goal, rule or letter, and for a shelf of another size.
    """
    cdef uint32_t[6] shelf
    cdef uint8_t[5] height
    cdef int r, c, t, filled = 0
    if squares not in RULES["squares"]:
        raise ValueError(f"squares is one of {RULES['squares']}")
    # The loops below are compiled without bounds checks.
    if len(rows) != 6 or any([len(row) != 5 for row in rows]):
        raise ValueError("a shelf is six rows of five places")
    for t in range(6):
        shelf[t] = 0
    for c in range(5):
        height[c] = 0
    for r in range(6):
        for c in range(5):
            if rows[r][c] != ".":
                shelf[TYPES.index(rows[r][c])] |= <uint32_t>1 << (6 * c + 5 - r)
                height[c] += 1
                filled += 1
    return goal_achieved(COMMON_GOALS.index(goal), shelf, height, filled, squares == "same")
