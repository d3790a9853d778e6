"""The judgement of one game, as the tree search sees it. Vectors are per seat."""

from shelfie.engine.game cimport MAX_PLAYERS, Game, move_t

cdef enum Objective:
    WIN = 0         # win share
    SCORE = 1       # margin to the best opponent, in MARGIN_UNIT points

cdef enum:
    MARGIN_UNIT = 20


cdef extern from *:
    """
    #define SHELFIE_POINT_SHARE 0.001f
    """
    # What a point of margin counts beside the win share, so that won and lost games are still
    # played for points.
    float POINT_SHARE "SHELFIE_POINT_SHARE"


cdef struct Value:
    float[MAX_PLAYERS] win          # win shares, summing to 1
    float[MAX_PLAYERS] score        # expected final scores


cdef struct Candidate:
    move_t move
    float value                     # utility of the mover after the move, before any search


cdef inline float utility(const Value* v, int seat, int n_players, int objective) noexcept nogil:
    """What `seat` plays for: its win share, or its margin in units that suit the same search."""
    cdef int q
    cdef float best = -1e9
    for q in range(n_players):
        if q != seat:
            best = max(best, v.score[q])
    if objective == WIN:
        return v.win[seat] + POINT_SHARE * (v.score[seat] - best)
    return (v.score[seat] - best) * (1.0 / MARGIN_UNIT)


cdef class Evaluator:
    """One per search: it may keep scratch memory and caches that never change an answer."""

    cdef readonly Game game
    cdef readonly int objective

    # Terminal nodes: the exact result (expected over what stays hidden).
    cdef void result(self, const void* state, Value* value) noexcept nogil
    # Decision nodes: writes the `limit` best moves by static value, best first, and the value of
    # the best; the number written. The same state gives the same order for every limit.
    cdef int expand(self, const void* state, int limit, Candidate* out, Value* value) noexcept nogil
