"""Counts sequences of moves: the classic check of a move generator, and its speed test.

See https://www.chessprogramming.org/Perft for the method. Depth counts the legal moves of
decision nodes. A chance node is a leaf, and so is the end of the game: what happens there is
not a choice, so nothing is counted below it.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from shelfie.engine.game cimport DECISION, Game, move_t
from shelfie.engine.position cimport Position


def perft(Position position, int depth):
    """The number of leaves `depth` moves below `position`; leaves met earlier count once.

    Depth 0 is 1, depth 1 the number of legal moves. ValueError for a negative depth.
    """
    if depth < 0:
        raise ValueError("depth must not be negative")
    cdef Game game = position.game
    # Each level below the root has its own copy of the state; each decision its own moves.
    # A level is a state and its moves, which must stay aligned to eight bytes.
    cdef size_t level_size = ((game.state_size + 7) // 8 * 8) + game.max_moves * sizeof(move_t)
    cdef char* levels = <char*>malloc((depth + 1) * level_size)
    cdef uint64_t leaves
    if levels == NULL:
        raise MemoryError
    try:
        with nogil:
            leaves = count(game, position.state, depth, levels, level_size)
        return leaves
    finally:
        free(levels)


cdef uint64_t count(
    Game game, const void* state, int depth, char* level, size_t level_size
) noexcept nogil:
    """Leaves below `state`; `level` is this call's memory, the callees' lies behind it."""
    cdef move_t* moves = <move_t*>level
    cdef void* child = level + game.max_moves * sizeof(move_t)
    cdef uint64_t leaves = 0
    cdef int n, i
    if depth == 0 or game.node_kind(state) != DECISION:
        return 1
    n = game.legal_moves(state, moves)
    if depth == 1:  # every move is one leaf, whatever it leads to
        return n
    for i in range(n):
        memcpy(child, state, game.state_size)
        game.apply(child, moves[i])
        leaves += count(game, child, depth - 1, level + level_size, level_size)
    return leaves
