"""Defaults of the game interface; see game.pxd for the promises."""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from shelfie.engine.rng cimport mix64


cdef class Game:
    """Base of every game. See game.pxd."""

    cdef int node_kind(self, const void* state) noexcept nogil:
        return TERMINAL

    cdef int to_move(self, const void* state) noexcept nogil:
        return 0

    cdef int legal_moves(self, const void* state, move_t* moves) noexcept nogil:
        return 0

    cdef void apply(self, void* state, move_t move) noexcept nogil:
        pass

    cdef int n_chance_outcomes(self, const void* state) noexcept nogil:
        return 0

    cdef double chance_outcome(self, void* state, int index) noexcept nogil:
        return 0.0

    cdef void sample_chance(self, void* state, rng_t* rng) noexcept nogil:
        pass

    cdef void redeal(self, void* state, int seat, rng_t* rng) noexcept nogil:
        pass

    cdef void returns(self, const void* state, double* win_share, double* score) noexcept nogil:
        pass

    cdef uint64_t key(self, const void* state) noexcept nogil:
        # States are made from zeroed memory, so padding bytes are equal too.
        cdef uint64_t h = 0, word
        cdef size_t done = 0
        while done < self.state_size:
            word = 0
            memcpy(&word, <const uint8_t*>state + done, min(8, self.state_size - done))
            h = mix64(h ^ word) + done
            done += 8
        return h
