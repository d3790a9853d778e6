"""The base of all leaves, and the two simplest."""

from libc.math cimport INFINITY

from shelfie.engine.game cimport MAX_PLAYERS


cdef class Leaf:
    """Judge of after-states; the base takes the points as they stand for the final ones.

    Subclasses override `values` and, unless points as they stand will do, `outlook`. A leaf
    that judges keeps nothing between calls that could change a value, so that threads may
    share it. margin: the objective is the expected margin instead of the win share.
    """

    def __init__(self, DiceGame game not None, *, bint margin=False):
        self.game = game
        self.margin = margin
        self.name = type(self).__name__

    cdef void values(self, int mover, const DiceState* after, int n, double* value) noexcept nogil:
        cdef int i
        for i in range(n):
            value[i] = self.final_value(mover, &after[i])

    cdef double final_value(self, int mover, const DiceState* after) noexcept nogil:
        cdef double[MAX_PLAYERS] win
        cdef double[MAX_PLAYERS] score
        self.game.returns(after, win, score)
        return lead(score, self.game.n_players, mover) if self.margin else win[mover]

    cdef void outlook(self, const DiceState* after, double* win, double* score) noexcept nogil:
        self.game.returns(after, win, score)


cdef class MoverScore(Leaf):
    """The mover's points as they stand after the turn: play for the own score, one turn deep."""

    cdef void values(self, int mover, const DiceState* after, int n, double* value) noexcept nogil:
        cdef int i
        for i in range(n):
            value[i] = self.game.points(after[i].marked[mover])

    cdef double final_value(self, int mover, const DiceState* after) noexcept nogil:
        return self.game.points(after.marked[mover])


cdef class Trivial(Leaf):
    """The number of the mover's marked items: next to no work, for the speed report."""

    cdef void values(self, int mover, const DiceState* after, int n, double* value) noexcept nogil:
        cdef int i
        for i in range(n):
            value[i] = after[i].marked[mover] & 31

    cdef double final_value(self, int mover, const DiceState* after) noexcept nogil:
        return after.marked[mover] & 31


cdef double lead(const double* points, int n, int seat) noexcept nogil:
    """Points of a seat above the best other."""
    cdef double best = -INFINITY
    cdef int p
    for p in range(n):
        if p != seat:
            best = max(best, points[p])
    return points[seat] - best
