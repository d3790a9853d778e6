"""Bit tricks on one shelf. place = 6 * column + height, so a column is six neighbouring bits:

    height 5   5 11 17 23 29        up/down: shift by 1, cut at the ends of a column
       ...     .  .  .  .  .        left/right: shift by 6
    height 0   0  6 12 18 24
"""

from libc.stdint cimport uint8_t, uint32_t

cdef extern from *:
    """
    #define SHELF_POPCOUNT(x) __builtin_popcount(x)
    #define SHELF_CTZ(x) __builtin_ctz(x)
    """
    int popcount32 "SHELF_POPCOUNT"(uint32_t x) noexcept nogil
    int ctz32 "SHELF_CTZ"(uint32_t x) noexcept nogil

cdef enum:
    ALL_PLACES = 0x3FFFFFFF
    BOTTOM_ROW = 0x01041041     # height 0 of every column
    TOP_ROW = 0x20820820        # height 5 of every column
    COLUMN = 0x3F               # column 0; shift by 6 * column


cdef inline uint32_t neighbours(uint32_t x) noexcept nogil:
    """The places beside the places of x (x itself only where its places touch)."""
    return (((x << 1) & ~<uint32_t>BOTTOM_ROW) | ((x >> 1) & ~<uint32_t>TOP_ROW)
            | (x << 6) | (x >> 6)) & ALL_PLACES


cdef inline uint32_t group_of(uint32_t seed, uint32_t tiles) noexcept nogil:
    """The connected group of `tiles` that holds the place(s) of `seed`."""
    cdef uint32_t group = seed, grown
    while True:
        grown = group | (neighbours(group) & tiles)
        if grown == group:
            return group
        group = grown


cdef inline uint32_t lowest(uint32_t x) noexcept nogil:
    return x & (~x + 1)


cdef inline int adjacency_points(const uint32_t* shelf) noexcept nogil:
    """2, 3, 5, 8 points for each group of 3, 4, 5, 6-or-more equal tiles."""
    cdef int t, n, points = 0
    cdef uint32_t rest, group
    for t in range(6):
        # A tile without a neighbour of its type is no group that scores.
        rest = shelf[t] & neighbours(shelf[t])
        while rest:
            group = group_of(lowest(rest), rest)
            rest &= ~group
            n = popcount32(group)
            if n >= 6:
                points += 8
            elif n >= 3:
                points += n - 1 if n < 5 else 5
    return points
