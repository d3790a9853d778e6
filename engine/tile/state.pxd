"""The state of the tile game: one flat struct, and the meaning of its bits.

Living room: cell = 9 * row + column, row 0 at the top; a bitboard of 81 bits, bit = cell.
Shelf: place = 6 * column + height, height 0 at the bottom; 30 bits of a word, one word a type.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from *:
    """
    typedef unsigned __int128 cells_t;
    """
    ctypedef unsigned long long cells_t "cells_t"   # 128 bits in C

cdef enum:
    N_CELLS = 81
    N_TYPES = 6
    N_COLUMNS = 5
    N_ROWS = 6
    N_PLACES = 30
    TILES_PER_TYPE = 22
    EMPTY = 6              # in `tiles`: no tile there
    NOBODY = 255           # in `end_token`
    UNKNOWN_CARD = 0       # in `personal`


cdef struct TileState:
    uint32_t[4][6] shelf        # [player][type]: places that hold this type
    uint64_t occupied_low       # living room, cells 0..63
    uint64_t occupied_high      # cells 64..80
    uint8_t[88] tiles           # type per cell, EMPTY where none
    uint8_t[4][5] height        # [player][column]: tiles in the column
    uint8_t[4] filled           # tiles on the shelf
    uint8_t[6] bag              # tiles of each type left in the bag
    uint8_t bag_total
    uint8_t to_move
    uint8_t end_token           # its holder, or NOBODY
    uint8_t[2] n_claims         # [goal in play]
    uint8_t[2][4] claims        # [goal in play][order of claiming]: player
    uint8_t[4] personal         # card 1..12 or UNKNOWN_CARD


cdef inline cells_t occupied(const TileState* s) noexcept nogil:
    return (<cells_t>s.occupied_high << 64) | s.occupied_low
