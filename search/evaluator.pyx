"""Defaults of the evaluator interface; see evaluator.pxd."""


cdef class Evaluator:
    """Base of every evaluator."""

    cdef void result(self, const void* state, Value* value) noexcept nogil:
        cdef double[MAX_PLAYERS] win
        cdef double[MAX_PLAYERS] score
        cdef int p
        self.game.returns(state, win, score)
        for p in range(self.game.n_players):
            value.win[p] = win[p]
            value.score[p] = score[p]

    cdef int expand(self, const void* state, int limit, Candidate* out,
                    Value* value) noexcept nogil:
        return 0
