from libc.stdint cimport int16_t, uint8_t, uint64_t

from shelfie.engine.game cimport MAX_PLAYERS, move_t
from shelfie.engine.tile.game cimport TileGame
from shelfie.engine.tile.state cimport TileState
from shelfie.search.evaluator cimport Candidate, Evaluator, Value
from shelfie.search.tile.features cimport Features, Room
from shelfie.search.tile.model cimport HIDDEN, TileModel, Weights

cdef enum:
    N_RESULTS = (6 + 36 + 216) * 5      # type sequences of 1, 2, 3 tiles x columns

cdef struct Sums:
    uint64_t key
    float[HIDDEN] own               # what the shelf adds for its owner
    float[HIDDEN] other             # what it adds for each other player
    uint8_t[6] wish                 # what it could do with tiles of each type


# What does not change between the moves of one turn: for each seat, its hidden units without
# the mover's shelf and the room.
cdef struct Fixed:
    float[MAX_PLAYERS][HIDDEN] hidden
    uint8_t[6] wish                 # of the next player


cdef class TileEvaluator(Evaluator):
    cdef readonly TileModel model
    cdef Weights weights
    cdef TileGame tile
    cdef Sums* cache
    cdef uint64_t salt                  # of the goals and rules, for the cache's keys
    cdef move_t* moves
    cdef int16_t[N_RESULTS] seen        # scratch: first candidate of a result

    cdef const Sums* sums(self, const TileState* s, int player) noexcept nogil
    cdef void value(self, const TileState* s, Value* value) noexcept nogil
    # `after`: a state after a move of `me` that claimed nothing and filled no shelf.
    cdef void fix(self, const TileState* after, int me, Fixed* fixed) noexcept nogil
    # Adds what the room offers to `fixed`; `next` moves next.
    cdef void add_room(self, Fixed* fixed, const Room* room, int next) noexcept nogil
    cdef void finish(self, const Fixed* fixed, int me, const Sums* mine,
                     Value* value) noexcept nogil
    cdef void full_value(self, const TileState* after, Value* value) noexcept nogil

# The exact result of a finished game; where a card is unknown, the mean over its points.
cdef void final_value(TileGame game, const TileState* s, Value* value) noexcept nogil
# Brings the `limit` best candidates to the front, best first; how many that are.
cdef int top(Candidate* out, int n, int limit) noexcept nogil
