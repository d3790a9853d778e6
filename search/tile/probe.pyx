"""Lets tests look at the C-level judgement of a shelf."""

from libc.stdint cimport uint32_t

from shelfie.engine.tile.game cimport TileGame
from shelfie.engine.tile.position cimport TilePosition
from shelfie.engine.tile.state cimport TileState
from shelfie.search.tile.distance cimport distance_to_goal
from shelfie.search.tile.features cimport Features, shelf_features

from shelfie.engine.tile.data import COMMON_GOALS

EMPTY_BOARD = ["." * 9] * 9
EMPTY_SHELF = ["." * 5] * 6


def distance(goal, rows):
    """Tiles that a shelf (six rows, top first) lacks for a goal; 9: impossible."""
    cdef TilePosition position = _crowded(rows)
    cdef TileState* s = <TileState*>position.state
    return distance_to_goal(COMMON_GOALS.index(goal), s.shelf[0], s.height[0])


def features(rows):
    """{feature: value} of a shelf in a game without personal goals."""
    cdef TilePosition position = _crowded(rows)
    cdef Features f
    cdef int i
    shelf_features(<TileGame>position.game, <TileState*>position.state, 0, &f)
    return {f.id[i]: f.value[i] for i in range(f.n)}


cdef TilePosition _crowded(rows):
    """A position with this shelf for seat 0; more than 22 tiles of a type are let pass."""
    cdef TilePosition position = TilePosition.read({
        "players": 2, "to_move": 0, "first_player": 0, "board": EMPTY_BOARD,
        "shelves": [EMPTY_SHELF, EMPTY_SHELF],
        "common_goals": [{"goal": "staircase", "claimed_by": []}],
        "personal_goals": [], "end_token": None,
    })
    cdef TileState* s = <TileState*>position.state
    cdef int r, c
    for r in range(6):
        for c in range(5):
            if rows[r][c] != ".":
                s.shelf[0]["CBGFTP".index(rows[r][c])] |= <uint32_t>1 << (6 * c + 5 - r)
                s.height[0][c] += 1
                s.filled[0] += 1
    return position
