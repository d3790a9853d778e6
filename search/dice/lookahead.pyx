"""One turn more: an after-state is worth what the next player's exact turn makes of it."""

from libc.math cimport INFINITY
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from shelfie.engine.dice.state cimport DiceState, end_triggered
from shelfie.engine.game cimport MAX_PLAYERS
from shelfie.search.dice.leaf cimport lead


cdef class Lookahead(Leaf):
    """Solves the next turn over `inner` for every after-state; every player plays for himself.

    seconds: of work, from now on, after which `stopped` is set and values mean nothing. Serves
    one thread and one question. `proven` stays true as long as every inner turn ended the game.
    """

    def __init__(self, Leaf inner not None, double seconds=INFINITY):
        super().__init__(inner.game, margin=inner.margin)
        self.inner = inner
        self.name = inner.name
        self.solver = TurnSolver(inner)
        self.proven = True
        self.stop = now() + seconds

    cdef bint out_of_time(self) noexcept nogil:
        if self.inner.stopped or (self.stop < INFINITY and now() >= self.stop):
            self.stopped = True
        return self.stopped

    cdef void values(self, int mover, const DiceState* after, int n, double* value) noexcept nogil:
        cdef double[MAX_PLAYERS] score
        cdef int i, p, seats = self.game.n_players
        cdef double next_value
        for i in range(n):
            value[i] = 0.0
            if self.out_of_time():
                continue
            next_value = self.solver.solve(&after[i])
            self.turns = self.turns + 1
            self.proven = self.proven and (self.solver.all_final or self.inner.proven)
            if seats == 2:
                value[i] = -next_value if self.margin else 1.0 - next_value
                continue
            self.solver.outlook(False)
            if self.margin:
                for p in range(seats):
                    score[p] = self.solver.root_channel(&after[i], seats + p)
                value[i] = lead(score, seats, mover)
            else:
                value[i] = self.solver.root_channel(&after[i], mover)

    cdef void outlook(self, const DiceState* after, double* win, double* score) noexcept nogil:
        cdef int p, seats = self.game.n_players
        if after.to_move == after.first and end_triggered(after, seats):
            self.game.returns(after, win, score)
        elif self.out_of_time():
            self.inner.outlook(after, win, score)
        else:
            self.solver.solve(after)
            self.solver.outlook(False)
            for p in range(seats):
                win[p] = self.solver.root_channel(after, p)
                score[p] = self.solver.root_channel(after, seats + p)


cdef double now() noexcept nogil:
    """Seconds of the monotonic clock."""
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return t.tv_sec + 1e-9 * t.tv_nsec
