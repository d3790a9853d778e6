"""Bit tricks on the living room. cell = 9 * row + column."""

from libc.stdint cimport uint8_t, uint64_t

from shelfie.engine.tile.state cimport cells_t

cdef extern from *:
    """
    #define ROOM_CTZ(x) __builtin_ctzll(x)
    #define ROOM_POPCOUNT(x) __builtin_popcountll(x)
    #define ROOM_LEFT  (((cells_t)0x40201ULL << 54 << 9) | 0x8040201008040201ULL)
    #define ROOM_RIGHT (ROOM_LEFT << 8)
    """
    int ctz64 "ROOM_CTZ"(uint64_t x) noexcept nogil
    int popcount64 "ROOM_POPCOUNT"(uint64_t x) noexcept nogil
    cells_t LEFT_COLUMN "ROOM_LEFT"
    cells_t RIGHT_COLUMN "ROOM_RIGHT"


cdef inline cells_t cell_bit(int cell) noexcept nogil:
    return <cells_t>1 << cell


cdef inline cells_t eastward(cells_t x) noexcept nogil:
    """Cells whose right neighbour is in x."""
    return (x >> 1) & ~RIGHT_COLUMN


cdef inline cells_t surrounded(cells_t x) noexcept nogil:
    """Cells with all four neighbours in x."""
    return (x << 9) & (x >> 9) & ((x << 1) & ~LEFT_COLUMN) & eastward(x)


cdef inline bint touching(cells_t x) noexcept nogil:
    """Whether two cells of x are orthogonal neighbours."""
    return (x & ((x >> 9) | eastward(x))) != 0


cdef inline int list_cells(cells_t x, uint8_t* cells) noexcept nogil:
    """Writes the cells of x in rising order; their number (at most 81)."""
    cdef uint64_t word = <uint64_t>x
    cdef int n = 0
    while word:
        cells[n] = ctz64(word)
        n += 1
        word &= word - 1
    word = <uint64_t>(x >> 64)
    while word:
        cells[n] = 64 + ctz64(word)
        n += 1
        word &= word - 1
    return n
