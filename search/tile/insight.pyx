"""What a person would notice about a move of the tile game, in numbers."""

from libc.stdlib cimport free, malloc

from shelfie.engine.game cimport move_t
from shelfie.engine.tile.game cimport TileGame
from shelfie.engine.tile.position cimport TilePosition
from shelfie.engine.tile.shelf cimport group_of, popcount32
from shelfie.engine.tile.state cimport TileState
from shelfie.search.tile.distance cimport distance_to_goal


def best_gain(TilePosition position, int seat):
    """The most points that `seat` could score at once if it were to move now."""
    cdef TileGame game = position.game
    cdef TileState s = (<TileState*>position.state)[0]
    cdef TileState after
    cdef move_t* moves = <move_t*>malloc(game.max_moves * sizeof(move_t))
    cdef int i, best = 0, now
    if moves == NULL:
        raise MemoryError
    s.to_move = seat
    now = total(game, &s, seat)
    for i in range(game.legal_moves(&s, moves)):
        after = s
        game.take(&after, moves[i])
        best = max(best, total(game, &after, seat) - now)
    free(moves)
    return best


def goal_distances(TilePosition position, int seat):
    """Per common goal in play: tiles that the shelf of `seat` lacks, 9 where it is impossible."""
    cdef TileGame game = position.game
    cdef TileState* s = <TileState*>position.state
    return [distance_to_goal(game.goal[g], s.shelf[seat], s.height[seat])
            for g in range(game.n_goals)]


def group_size(TilePosition position, int seat, int place):
    """Size of the group that holds a filled place (6 * column + height) of a shelf."""
    cdef TileState* s = <TileState*>position.state
    cdef int t
    for t in range(6):
        if s.shelf[seat][t] >> place & 1:
            return popcount32(group_of(1 << place, s.shelf[seat][t]))
    return 0


cdef int total(TileGame game, const TileState* s, int seat) noexcept nogil:
    cdef int[4] parts
    game.scores(s, seat, parts)
    return parts[0] + parts[1] + parts[2] + parts[3]
