from shelfie.engine.game cimport move_t
from shelfie.engine.tile.game cimport TileGame
from shelfie.engine.tile.state cimport TileState
from shelfie.search.evaluator cimport Evaluator, Value


cdef class HandEvaluator(Evaluator):
    cdef TileGame tile
    cdef move_t* moves

    cdef void value(self, const TileState* s, Value* value) noexcept nogil
    cdef float promise(self, const TileState* s, int player) noexcept nogil
