"""What the value model sees of one player: sparse features of shelf, goals, tokens.

Every block below is one-hot or a count; `feature_count` numbers follow each other. The model
adds a row of weights for each, so a shelf is a sum that can be computed once and kept.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from shelfie.engine.tile.game cimport TileGame
from shelfie.engine.tile.state cimport TileState

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
    N_FEATURES = F_LAST + 4
    MAX_ACTIVE = 128

cdef struct Features:
    int n
    uint16_t[MAX_ACTIVE] id
    float[MAX_ACTIVE] value

# The part that depends on the shelf, the card and the tokens (not on whose turn it is).
cdef void shelf_features(TileGame game, const TileState* s, int player, Features* f) noexcept nogil
# The part that depends on the turn.
cdef void turn_features(TileGame game, const TileState* s, int player, Features* f) noexcept nogil
# How likely each card 1..12 is the player's: one for a known card; what the shelf tells else.
cdef void card_posterior(const TileState* s, int n_players, int player, float* p) noexcept nogil
# Tiles missing to the pattern of goal 0..11; 9: impossible.
cdef int goal_distance(int goal, const uint32_t* shelf, const uint8_t* height) noexcept nogil
