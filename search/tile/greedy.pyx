"""The plain opponent of the tile game: most points at once, ties drawn from a seed."""

from libc.stdlib cimport free, malloc

from shelfie.engine.game cimport move_t
from shelfie.engine.rng cimport rng_below, rng_make, rng_t
from shelfie.engine.tile.game cimport TileGame
from shelfie.engine.tile.position cimport TilePosition
from shelfie.engine.tile.state cimport TileState


def greedy_move(TilePosition position, unsigned long long seed):
    """The packed move after which the mover's score is highest."""
    cdef TileGame game = position.game
    cdef TileState* s = <TileState*>position.state
    cdef TileState after
    cdef move_t* moves = <move_t*>malloc(game.max_moves * sizeof(move_t))
    cdef rng_t rng = rng_make(seed, 3)
    cdef int[4] parts
    cdef int i, points, best = -1, ties = 0, me = s.to_move
    cdef move_t chosen = 0
    if moves == NULL:
        raise MemoryError
    for i in range(game.legal_moves(s, moves)):
        after = s[0]
        game.take(&after, moves[i])
        game.scores(&after, me, parts)
        points = parts[0] + parts[1] + parts[2] + parts[3]
        if points > best:
            best, ties = points, 0
        if points == best:
            ties += 1
            if rng_below(&rng, ties) == 0:
                chosen = moves[i]
    free(moves)
    return chosen
