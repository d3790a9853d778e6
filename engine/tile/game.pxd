"""The rules of the tile game on the C level.

A packed move: cells in drop order in bytes 0, 1, 2 (NO_CELL where fewer), shelf column in byte 3.
"""

from libc.stdint cimport uint8_t, uint32_t

from shelfie.engine.game cimport Game, move_t
from shelfie.engine.rng cimport rng_t
from shelfie.engine.tile.state cimport TileState, cells_t

cdef enum:
    NO_CELL = 255
    # Lines of a full room: 45 singles, 72 pairs in 2 orders, 54 triples in 6 orders; 5 columns
    # each; and 4 more places, since the generator writes five moves at a time.
    MAX_TILE_MOVES = 5 * (45 + 2 * 72 + 6 * 54) + 4


cdef inline int move_cell(move_t move, int i) noexcept nogil:
    return (move >> (8 * i)) & 255


cdef inline int move_column(move_t move) noexcept nogil:
    return (move >> 24) & 255


cdef inline int move_size(move_t move) noexcept nogil:
    """How many tiles the move takes."""
    return 1 + (move_cell(move, 1) != NO_CELL) + (move_cell(move, 2) != NO_CELL)


cdef class TileGame(Game):
    cdef readonly int n_goals         # common goals in play, 1 or 2
    cdef uint8_t[2] goal              # their numbers less one
    cdef readonly bint keep_tiles     # rules.refill == "keep"
    cdef readonly bint same_squares   # rules.squares == "same"
    cdef readonly bint personal_goals  # played with personal goals
    cdef readonly int first_player
    cdef cells_t in_play              # cells of the living room for this number of players

    cdef void take(self, TileState* s, move_t move) noexcept nogil
    cdef bint over(self, const TileState* s) noexcept nogil
    cdef bint refill_due(self, const TileState* s) noexcept nogil
    cdef void start_refill(self, TileState* s) noexcept nogil
    cdef void scores(self, const TileState* s, int player, int* parts) noexcept nogil

cdef int personal_points(int card, const uint32_t* shelf) noexcept nogil
cdef int token_points(int players, int order) noexcept nogil
# Places of the personal goal of `card` (1..12) for `type`; at most one.
cdef uint32_t[13][6] CARD_PLACE
