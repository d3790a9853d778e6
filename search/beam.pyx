"""A plain search to compare with: a few moves ahead, each player for itself (max^n), in a beam.

Luckhardt, Irani 1986 for max^n. Nodes keep the best moves by static value; a chance node on the
way is drawn once.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from shelfie.engine.game cimport CHANCE, TERMINAL, Game, move_t
from shelfie.engine.position cimport Position
from shelfie.engine.rng cimport rng_make, rng_t
from shelfie.search.evaluator cimport Candidate, Evaluator, Value, utility

cdef enum:
    STATE_BYTES = 1024
    MOST_DEPTH = 8


cdef class Beam:
    """Looks `depth` moves ahead over an evaluator, at the `width` best moves of a node."""

    cdef Evaluator evaluator
    cdef Game game
    cdef int depth, width
    cdef Candidate* candidates          # [depth][max_moves]
    cdef rng_t rng

    def __cinit__(self, Evaluator evaluator not None, int depth, int width):
        if not 1 <= depth <= MOST_DEPTH or width < 1:
            raise ValueError(f"depth 1 to {MOST_DEPTH} and width 1 or more")
        if evaluator.game.state_size > STATE_BYTES:
            raise ValueError("the states of this game are too large")
        self.evaluator, self.game = evaluator, evaluator.game
        self.depth, self.width = depth, width
        self.candidates = <Candidate*>malloc(depth * self.game.max_moves * sizeof(Candidate))
        if self.candidates == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.candidates)

    def best(self, Position position not None, unsigned long long seed):
        """The packed move of the highest value, the first by static value of equals."""
        cdef Value value
        cdef move_t chosen = 0
        if position.node != "decision" or position.game is not self.game:
            raise ValueError("a decision of the evaluator's game")
        self.rng = rng_make(seed, 5)
        with nogil:
            self.look(position.state, self.depth, &value, &chosen)
        return chosen

    cdef void look(self, const void* state, int depth, Value* value,
                   move_t* chosen) noexcept nogil:
        """The value of a decision node under the best move, which goes to `chosen`."""
        cdef char[STATE_BYTES] after
        cdef Candidate* out = self.candidates + (depth - 1) * self.game.max_moves
        cdef Value found
        cdef move_t ignored
        cdef int i, n, seat = self.game.to_move(state)
        cdef float worth, highest = 0
        n = self.evaluator.expand(state, self.width, out, value)
        chosen[0] = out[0].move
        if depth == 1:
            return
        for i in range(n):
            memcpy(after, state, self.game.state_size)
            self.game.apply(after, out[i].move)
            while self.game.node_kind(after) == CHANCE:
                self.game.sample_chance(after, &self.rng)
            if self.game.node_kind(after) == TERMINAL:
                self.evaluator.result(after, &found)
            else:
                self.look(after, depth - 1, &found, &ignored)
            worth = utility(&found, seat, self.game.n_players, self.evaluator.objective)
            if i == 0 or worth > highest:
                highest = worth
                value[0] = found
                chosen[0] = out[i].move
