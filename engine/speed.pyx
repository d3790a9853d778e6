"""Loops that `shelfie bench` times, over any game: listing moves, making them, whole games."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from shelfie.engine.game cimport DECISION, MAX_PLAYERS, TERMINAL, Game, move_t
from shelfie.engine.position cimport Position
from shelfie.engine.rng cimport rng_below, rng_make, rng_t


cdef class Scratch:
    """Memory for one walk through a game: a state and a list of moves."""

    cdef void* state
    cdef move_t* moves

    def __cinit__(self, Game game):
        self.state = malloc(game.state_size)
        self.moves = <move_t*>malloc(game.max_moves * sizeof(move_t))
        if self.state == NULL or self.moves == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.state)
        free(self.moves)


cdef Game decision_game(Position position):
    if position.game.node_kind(position.state) != DECISION:
        raise ValueError("the position is no decision node")
    return position.game


def list_moves(Position position not None, long long times):
    """Lists the legal moves `times` times; the number of moves listed in all.

    Raises ValueError unless the position is a decision node.
    """
    cdef Game game = decision_game(position)
    cdef Scratch scratch = Scratch(game)
    cdef long long total = 0, i
    with nogil:
        for i in range(times):  # no-cython-lint
            total += game.legal_moves(position.state, scratch.moves)
    return total


def make_moves(Position position not None, long long times):
    """Makes every legal move on a fresh copy, `times` times over; the number of moves made.

    Raises ValueError unless the position is a decision node.
    """
    cdef Game game = decision_game(position)
    cdef Scratch scratch = Scratch(game)
    cdef long long total = 0, i
    cdef int n, k
    n = game.legal_moves(position.state, scratch.moves)
    with nogil:
        for i in range(times):  # no-cython-lint
            for k in range(n):
                memcpy(scratch.state, position.state, game.state_size)
                game.apply(scratch.state, scratch.moves[k])
            total += n
    return total


def random_playouts(Position position not None, long long times, unsigned long long seed):
    """Plays `times` games to the end by uniformly random legal moves.

    Returns (decisions made, list of summed scores per seat).
    """
    cdef Game game = position.game
    cdef Scratch scratch = Scratch(game)
    cdef rng_t rng
    cdef double[MAX_PLAYERS] win
    cdef double[MAX_PLAYERS] score
    cdef double[MAX_PLAYERS] total
    cdef long long decisions = 0, i
    cdef int kind, n, p
    for p in range(MAX_PLAYERS):
        total[p] = 0
    with nogil:
        for i in range(times):
            rng = rng_make(seed, i)
            memcpy(scratch.state, position.state, game.state_size)
            while True:
                kind = game.node_kind(scratch.state)
                if kind == DECISION:
                    n = game.legal_moves(scratch.state, scratch.moves)
                    game.apply(scratch.state, scratch.moves[rng_below(&rng, n)])
                    decisions += 1
                elif kind == TERMINAL:
                    break
                else:
                    game.sample_chance(scratch.state, &rng)
            game.returns(scratch.state, win, score)
            for p in range(game.n_players):
                total[p] += score[p]
    return decisions, [total[p] for p in range(game.n_players)]
