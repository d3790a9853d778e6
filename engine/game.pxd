"""The C-level interface of a stochastic game. Read this first.

A state is a plain struct without pointers in a buffer of `state_size` bytes: copying it is one
memcpy, so search needs no undo. A node is a decision (somebody moves), a chance node (dice or
the bag decide) or terminal. A Game object holds what stays fixed for one game (players, rule
switches, sheet), is immutable after construction and may be shared between threads.

Methods trust their caller: moves must be legal, kinds must fit. `Position` does the checking.
"""

from libc.stdint cimport uint64_t

from shelfie.engine.rng cimport rng_t

ctypedef uint64_t move_t          # packed; the layout is each game's own

cdef enum:
    MAX_PLAYERS = 4

cdef enum NodeKind:
    DECISION = 0
    CHANCE = 1
    TERMINAL = 2


cdef class Game:
    cdef readonly str id          # "tile" or "dice"
    cdef readonly int n_players   # seats, 2..4
    cdef readonly size_t state_size   # bytes of one state
    cdef readonly int max_moves   # bound on what legal_moves writes

    cdef int node_kind(self, const void* state) noexcept nogil
    # The seat that moves; at a chance node the seat that moves after it.
    cdef int to_move(self, const void* state) noexcept nogil
    # Decision nodes: writes every legal move once, in an order fixed by the state; the count.
    cdef int legal_moves(self, const void* state, move_t* moves) noexcept nogil
    # Decision nodes: makes the move in place.
    cdef void apply(self, void* state, move_t move) noexcept nogil
    # Chance nodes: how many outcomes can be listed; 0 when they are too many and only drawn.
    cdef int n_chance_outcomes(self, const void* state) noexcept nogil
    # Chance nodes: puts outcome number `index` into effect in place; its probability.
    cdef double chance_outcome(self, void* state, int index) noexcept nogil
    # Chance nodes: draws an outcome and puts it into effect in place.
    cdef void sample_chance(self, void* state, rng_t* rng) noexcept nogil
    # Draws anew, in place, what `seat` cannot see and the rules leave open.
    cdef void redeal(self, void* state, int seat, rng_t* rng) noexcept nogil
    # Points as if the game ended now, and win shares (they sum to 1): arrays of n_players.
    cdef void returns(self, const void* state, double* win_share, double* score) noexcept nogil
    # A 64-bit hash of the state; equal states have equal keys.
    cdef uint64_t key(self, const void* state) noexcept nogil
