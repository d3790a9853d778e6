"""Exact values of endings, every reachable state solved once (see endgame.pxd).

A state is worth what its mover's exact turn makes of it, and so on to the end of the game.
Every turn closes an item, so nothing repeats along a line; many lines meet in the same state,
though, more so as shelves of equal values can change places together with their dice faces.
"""

from libc.math cimport INFINITY
from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from shelfie.engine.dice.position cimport DicePosition
from shelfie.engine.dice.state cimport (
    N_LINES, SHELF_0, bit_count, end_triggered, shelf_bits)
from shelfie.engine.rng cimport mix64
from shelfie.search.dice.leaf cimport lead


cdef class Memo:
    """The states solved so far, at most `budget`; `stopped` once more would be needed."""

    def __cinit__(self, DiceGame game not None, long budget, double seconds):
        cdef int r, s
        cdef uint64_t slots = 16
        while slots < 2 * <uint64_t>budget:
            slots *= 2
        self.game = game
        self.mask = slots - 1
        self.budget = budget
        self.stop = now() + seconds
        self.known = <Known*>calloc(slots, sizeof(Known))
        if self.known == NULL:
            raise MemoryError
        for r in range(N_LINES):
            for s in range(N_LINES):
                self.alike[r][s] = game.values[r] == game.values[s]

    def __dealloc__(self):
        free(self.known)

    cdef bint spend(self, int level) noexcept nogil:
        """True when one more state may be solved."""
        if self.turns >= self.budget or (self.stop < INFINITY and now() >= self.stop):
            self.stopped = True
        if not self.stopped:
            self.turns += 1
            self.deepest = max(self.deepest, level)
        return not self.stopped

    cdef void sort_shelves(self, DiceState* state) noexcept nogil:
        """Bring shelves of equal values into a fixed order: states then equal more often."""
        cdef uint64_t[5] word
        cdef uint64_t spare
        cdef int n = self.game.n_players, p, i, j
        for i in range(N_LINES):
            word[i] = 0
            for p in range(n):
                word[i] = (word[i] << 10 | shelf_bits(state.marked[p], i) << 5
                           | shelf_bits(state.open[p], i))
        for i in range(N_LINES):
            for j in range(i + 1, N_LINES):
                if word[j] < word[i] and self.alike[i][j]:
                    spare = word[i]
                    word[i] = word[j]
                    word[j] = spare
        for p in range(n - 1, -1, -1):
            state.marked[p] = state.open[p] = 0
            for i in range(N_LINES):
                state.open[p] |= <uint32_t>(word[i] & SHELF_0) << 5 * i
                state.marked[p] |= <uint32_t>(word[i] >> 5 & SHELF_0) << 5 * i
                word[i] >>= 10

    cdef Known* slot(self, const DiceState* state) noexcept nogil:
        """Where a sorted state before its first roll stands, or would stand."""
        cdef uint64_t at = state.to_move
        cdef int p
        for p in range(self.game.n_players):
            at = mix64(at ^ (<uint64_t>state.marked[p] << 32 | state.open[p]))
        at &= self.mask
        while self.known[at].used and not same(&self.known[at].state, state):
            at = (at + 1) & self.mask
        return &self.known[at]


cdef class Endgame(Leaf):
    """Judges after-states by solving all that can follow, each state once.

    turns: most that can follow the one asked about (see `turns_after`); budget: states to
    solve at most; seconds: of work from now on. Beyond either limit `stopped` is set and values
    mean nothing. Serves one thread and one question.
    """

    def __init__(self, DiceGame game not None, int turns, *, bint margin=False, long budget=4000,
                 double seconds=INFINITY, Memo memo=None, int level=1):
        super().__init__(game, margin=margin)
        self.name = "exact"
        self.proven = True
        self.memo = memo if memo is not None else Memo(game, budget, seconds)
        self.level = level
        if turns > 0:
            self.below = Endgame(game, turns - 1, margin=margin, memo=self.memo, level=level + 1)
            self.solver = TurnSolver(self.below)

    @property
    def states(self):
        """How many were solved."""
        return self.memo.turns

    @property
    def depth(self):
        """Turns looked ahead, the one asked about included."""
        return 1 + self.memo.deepest

    cdef const Known* look_up(self, const DiceState* after, bint follow) noexcept nogil:
        """The values of an after-state that does not end the game; NULL beyond the limits.

        follow: its win shares and scores too, which take a second look along the best play.
        """
        cdef DiceState state = after[0]
        cdef const Known* known
        cdef double value
        self.memo.sort_shelves(&state)
        known = self.memo.slot(&state)
        if known.used and known.followed >= follow:
            return known
        if known.used or self.memo.spend(self.level):
            value = self.solver.solve(&state)
            if follow and not self.memo.stopped:
                self.solver.outlook(False)
        if self.memo.stopped:
            self.stopped = True
            self.proven = False
            return NULL
        return self.store(&state, value, follow)

    cdef Known* store(self, const DiceState* state, double value, bint follow) noexcept nogil:
        cdef Known* known = self.memo.slot(state)
        cdef int p, n = self.game.n_players
        known.used = True
        known.followed = follow
        known.state = state[0]
        known.value = value
        for p in range(n if follow else 0):
            known.win[p] = self.solver.root_channel(state, p)
            known.score[p] = self.solver.root_channel(state, n + p)
        return known

    cdef void values(self, int mover, const DiceState* after, int n, double* value) noexcept nogil:
        cdef const Known* known
        cdef bint two = self.game.n_players == 2
        cdef int i
        for i in range(n):
            known = self.look_up(&after[i], not two)
            if known == NULL:
                value[i] = 0.0
            elif two and self.margin:
                value[i] = known.value if after[i].to_move == mover else -known.value
            elif two:
                value[i] = known.value if after[i].to_move == mover else 1.0 - known.value
            elif self.margin:
                value[i] = lead(known.score, self.game.n_players, mover)
            else:
                value[i] = known.win[mover]

    cdef void outlook(self, const DiceState* after, double* win, double* score) noexcept nogil:
        cdef const Known* known
        cdef int p
        self.game.returns(after, win, score)
        if after.to_move == after.first and end_triggered(after, self.game.n_players):
            return
        known = self.look_up(after, True)
        for p in range(self.game.n_players if known != NULL else 0):
            win[p] = known.win[p]
            score[p] = known.score[p]


def open_items(DicePosition position not None):
    """Open items on all sheets: a bound on the turns to come, and on the work of an ending."""
    cdef DiceState* state = <DiceState*>position.state
    return sum([bit_count(state.open[p]) for p in range(position.game.n_players)])


def turns_after(DicePosition position not None):
    """Most turns that can follow the one at hand: the rest of the round once the end is near."""
    cdef DiceState* state = <DiceState*>position.state
    cdef int n = position.game.n_players
    if end_triggered(state, n):
        return (state.first - state.to_move + n - 1) % n
    return open_items(position) - 1


cdef inline bint same(const DiceState* a, const DiceState* b) noexcept nogil:
    return (memcmp(a.marked, b.marked, sizeof(a.marked)) == 0
            and memcmp(a.open, b.open, sizeof(a.open)) == 0 and a.to_move == b.to_move)


cdef double now() noexcept nogil:
    """Seconds of the monotonic clock."""
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return t.tv_sec + 1e-9 * t.tv_nsec
