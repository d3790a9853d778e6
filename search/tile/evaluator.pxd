from libc.stdint cimport int16_t, uint64_t

from shelfie.engine.game cimport move_t
from shelfie.engine.tile.game cimport TileGame
from shelfie.engine.tile.state cimport TileState
from shelfie.search.evaluator cimport Candidate, Evaluator, Value
from shelfie.search.tile.features cimport Features
from shelfie.search.tile.model cimport HIDDEN, TileModel, Weights

cdef enum:
    N_RESULTS = (6 + 36 + 216) * 5      # type sequences of 1, 2, 3 tiles x columns

cdef struct Sums:
    uint64_t key
    float[HIDDEN] own               # what the shelf adds for its owner
    float[HIDDEN] other             # what it adds for each other player


ctypedef const Sums* sums_p


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
    cdef void value_from(self, const TileState* s, const sums_p* sums, Value* value) noexcept nogil
    cdef void order_repeats(self, const TileState* s, Candidate* out, int n) noexcept nogil
