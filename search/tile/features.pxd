"""What the value model sees of one player: sparse features of shelf, goals, tokens.

Every block below is one-hot or a count; `feature_count` numbers follow each other. The model
adds a row of weights for each, so a shelf is a sum that can be computed once and kept.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from shelfie.engine.tile.game cimport TileGame
from shelfie.engine.tile.state cimport TileState, cells_t

cdef enum:
    F_HEIGHTS = 0                       # columns of height 0..6
    F_FILLED = F_HEIGHTS + 7            # tiles on the shelf, 0..30
    F_ROOM3 = F_FILLED + 31             # columns with room for three, 0..5
    F_ROOM2 = F_ROOM3 + 6               # columns with room for two, 0..5
    F_GROUPS = F_ROOM2 + 6              # groups: (size 1..5) x (open neighbours: 4 kinds)
    F_BIG = F_GROUPS + 20               # groups of six and more; tiles beyond six
    F_COUNTS = F_BIG + 2                # tiles per type, sorted: (place 0..5) x (count 0..8)
    F_CARD = F_COUNTS + 54              # personal goal: (matched 0..6) x (still open 0..6)
    F_CARD_NEAR = F_CARD + 49           # open places of the card by height above the column, 0..5
    F_GOALS = F_CARD_NEAR + 6           # (goal 12) x (missing 0..8, 9 impossible) x (token 4)
    F_TOKENS = F_GOALS + 12 * 10 * 4    # points of tokens so far, 0..8 steps of two
    F_SEAT = F_TOKENS + 9               # turns after the first player, 0..3
    F_TURN = F_SEAT + 4                 # turns until the player moves, 0..3
    F_LAST = F_TURN + 4                 # end token: taken by this player, by another; turns left
    # What the next player can take and wants: per type, tiles of it in one take (0..3) x what
    # its shelf could do with them (14 kinds). Once for the next player's own value, once for the
    # others'. And whether a refill comes first; and how many tiles lie in the living room.
    F_NEXT = F_LAST + 4
    F_NEXT_OTHER = F_NEXT + 56
    F_REFILL = F_NEXT_OTHER + 56
    F_TILES = F_REFILL + 2              # tiles in the living room, in steps of three, 0..15
    N_FEATURES = F_TILES + 16
    MAX_ACTIVE = 128

cdef struct Features:
    int n
    uint16_t[MAX_ACTIVE] id
    float[MAX_ACTIVE] value
    uint8_t[6] wish             # per type: largest group it could join now, 0..6; +7: the card too

cdef struct Room:
    bint refill                 # comes before the next move
    int tiles                   # in the living room
    uint8_t[6] takeable         # per type: tiles of it in one take, 0..3

# The part that depends on the shelf, the card and the tokens (not on whose turn it is).
cdef void shelf_features(TileGame game, const TileState* s, int player, Features* f) noexcept nogil
# The part that depends on whose turn it is.
cdef void turn_features(TileGame game, const TileState* s, int player, Features* f) noexcept nogil
# Added to `f`: what the room offers, seen by the next player (`next`) or by another one.
# `wish` is that of the next player.
cdef void room_features(const Room* room, const uint8_t* wish, bint next,
                        Features* f) noexcept nogil
# What lies in the living room by type, and what of it can be taken (in takes of one type only).
cdef void cells_by_type(const TileState* s, cells_t* of_type) noexcept nogil
cdef void look_at_room(TileGame game, const TileState* s, const cells_t* of_type,
                       Room* room) noexcept nogil
# How likely each card 1..12 is the player's: one for a known card; what the shelf tells else.
cdef void card_posterior(const TileState* s, int n_players, int player, float* p) noexcept nogil
# Tiles missing to the pattern of goal 0..11; 9: impossible.
cdef int goal_distance(int goal, const uint32_t* shelf, const uint8_t* height) noexcept nogil
