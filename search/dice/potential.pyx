"""A handcrafted potential: what the sheets are expected to be worth at the end.

1. How many turns each player still has: exact once the end is triggered, else estimated from
   the open items of the two shelves that are nearest to being closed.
2. How far those turns reach: each open item is got with the chance 1 - exp(-effort * ease),
   where ease comes from the dice its column needs, and the effort of a player is such that the
   expected marks fit the turns.
3. What that makes of each shelf and column: the exact expectation of its points when its items
   are got independently, and the chance that it is completed; tables over line states.
4. What opponents' completions take away: for each line, their chance to be first times what
   the open items there are still worth.
5. Win shares: a softmax of these points over the spread of the margin.
6. Expected scores: the points to come are stretched, because players choose what to get while
   step 2 treats all items alike.

Works for any sheet and two to four players; nothing in it is learned from games but a
handful of numbers.
"""

from libc.math cimport INFINITY, cbrt, exp, log, sqrt
from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free

from shelfie.engine.dice.game cimport DiceGame
from shelfie.engine.dice.state cimport (
    N_LINES, bit_count, column_bits, end_triggered, shelf_bits)
from shelfie.engine.game cimport MAX_PLAYERS
from shelfie.search.dice.leaf cimport lead

from shelfie.search.dice.targets import turn_chance

# Fitted on self-play of this leaf with the default sheet; see docs/search.
KNOBS = {
    "effort": 0.08,
    "rounds_base": 1.25,
    "rounds_slope": 0.8,
    "block": 1.6,
    "spread_base": 5.0,
    "spread_slope": 5.0,
    "gain_base": 0.5,
    "gain_slope": 0.5,
    "gain_most": 1.5,
}
cdef double MOST_EFFORT = 16.0
cdef int[32] TERNARY      # bits to digits of base 3


cdef class Potential(Leaf):
    """See the top of this file. `margin`: value the expected margin instead of the win share."""

    def __cinit__(self, DiceGame game not None, *, bint margin=False, dict knobs=None):
        cdef int level, column
        self.knobs = KNOBS | (knobs or {})
        for column in range(6):
            self.ease[column] = -log(1.0 - turn_chance(column + 1))
        for level in range(N_EFFORTS):
            self.effort[level] = MOST_EFFORT * (<double>level / (N_EFFORTS - 1)) ** 3
            for column in range(N_LINES):
                self.reach[level][column] = 1.0 - exp(
                    -self.effort[level] * self.ease[game.marks.column[column] - 1])
        self.points = <double*>calloc(2 * N_LINES * N_LINE_STATES * N_EFFORTS, sizeof(double))
        self.completion = <double*>calloc(2 * N_LINES * N_LINE_STATES * N_EFFORTS, sizeof(double))
        if self.points == NULL or self.completion == NULL:
            raise MemoryError

    def __init__(self, DiceGame game not None, *, bint margin=False, dict knobs=None):
        super().__init__(game, margin=margin)
        self.name = "potential"
        for line in range(2 * N_LINES):
            for state in range(N_LINE_STATES):
                self.fill_line(line, state)

    def __dealloc__(self):
        free(self.points)
        free(self.completion)

    cdef void fill_line(self, int line, int state) noexcept:
        """Expected points and completion of a line (shelves 0..4, columns 5..9) at every level.

        The number of items got among the others of the line is followed by its distribution.
        """
        cdef int at = (line * N_LINE_STATES + state) * N_EFFORTS
        cdef int level, i, j, column, digits = state, marked = 0, shelf
        cdef int[5] digit
        cdef double[5] got
        cdef double all_got, none, one
        for i in range(N_LINES):
            digit[i] = digits % 3
            digits //= 3
            marked += digit[i] == 1
        for level in range(N_EFFORTS):
            all_got = 1.0
            for i in range(N_LINES):
                column = i if line < N_LINES else line - N_LINES
                got[i] = 1.0 if digit[i] == 1 else (
                    self.reach[level][column] if digit[i] == 2 else 0.0)
                all_got *= got[i]
            self.completion[at + level] = all_got
            for i in range(N_LINES):
                # Chance that at least two of the other four are got.
                none = 1.0
                one = 0.0
                for j in range(N_LINES):
                    if j != i:
                        one = one * (1.0 - got[j]) + none * got[j]
                        none *= 1.0 - got[j]
                shelf = line if line < N_LINES else i
                column = i if line < N_LINES else line - N_LINES
                self.points[at + level] += (
                    self.game.value[shelf][column] * got[i] * (1.0 - none - one))

    cdef void turns_left(self, const DiceState* after, double* turns) noexcept nogil:
        """Expected turns of each seat, the one that comes next included."""
        cdef int n = self.game.n_players, p, seat, items, first, second, r, fewest = 10
        cdef double rounds = 0.0
        if not end_triggered(after, n):
            for p in range(n):
                first = second = 5
                for r in range(N_LINES):
                    items = bit_count(shelf_bits(after.open[p], r))
                    if items < first:
                        second = first
                        first = items
                    elif items < second:
                        second = items
                fewest = min(fewest, first + second)
            rounds = self.knobs.rounds_base + self.knobs.rounds_slope * fewest
        for p in range(n):
            turns[p] = rounds
        seat = after.to_move
        while True:       # those who still move in this round
            turns[seat] += 1.0
            seat = seat + 1 if seat + 1 < n else 0
            if seat == after.first:
                break

    cdef double effort_level(self, double turns) noexcept nogil:
        """Level (a place between table rows) of the effort that so many turns allow."""
        cdef double effort = min(self.knobs.effort * turns, MOST_EFFORT)
        return cbrt(effort / MOST_EFFORT) * (N_EFFORTS - 1)

    cdef Outlook foresee(self, const DiceState* after) noexcept nogil:
        """Expected final points per seat."""
        cdef Outlook out
        cdef int n = self.game.n_players, p, q, line, low, at, none_open
        cdef uint32_t marked, open
        cdef double level, part, keep, now, gain, most = 0.0
        cdef double[4] turns
        cdef double[4][10] worth
        cdef double[4][10] sure
        cdef double[4][10] done
        self.turns_left(after, turns)
        for p in range(n):
            level = self.effort_level(turns[p])
            low = min(<int>level, N_EFFORTS - 2)
            part = level - low
            most = max(most, turns[p])
            for line in range(2 * N_LINES):
                if line < N_LINES:
                    marked = shelf_bits(after.marked[p], line)
                    open = shelf_bits(after.open[p], line)
                else:
                    marked = column_bits(after.marked[p], line - N_LINES)
                    open = column_bits(after.open[p], line - N_LINES)
                none_open = (line * N_LINE_STATES + TERNARY[marked]) * N_EFFORTS
                at = none_open + 2 * TERNARY[open] * N_EFFORTS + low
                worth[p][line] = self.points[at] + part * (self.points[at + 1] - self.points[at])
                done[p][line] = self.completion[at] + part * (
                    self.completion[at + 1] - self.completion[at])
                sure[p][line] = self.points[none_open]
        for p in range(n):
            out.points[p] = 0.0
            now = 0.0
            for line in range(2 * N_LINES):
                keep = 1.0
                for q in range(n):
                    if q != p:
                        keep *= 1.0 - done[q][line] * (1.0 - 0.5 * done[p][line])
                now += sure[p][line]
                out.points[p] += worth[p][line] - self.knobs.block * (1.0 - keep) * (
                    worth[p][line] - sure[p][line])
            gain = min(self.knobs.gain_most,
                       self.knobs.gain_base + self.knobs.gain_slope * turns[p])
            out.score[p] = now + gain * (out.points[p] - now)
        out.spread = self.knobs.spread_base + self.knobs.spread_slope * sqrt(most)
        return out

    cdef void shares(self, const Outlook* out, double* win) noexcept nogil:
        cdef double top = -INFINITY, total = 0.0
        cdef int p
        for p in range(self.game.n_players):
            top = max(top, out.points[p])
        for p in range(self.game.n_players):
            win[p] = exp((out.points[p] - top) / out.spread)
            total += win[p]
        for p in range(self.game.n_players):
            win[p] /= total

    cdef void values(self, int mover, const DiceState* after, int n, double* value) noexcept nogil:
        cdef double[MAX_PLAYERS] win
        cdef Outlook out
        cdef int i
        for i in range(n):
            out = self.foresee(&after[i])
            if self.margin:
                value[i] = lead(out.score, self.game.n_players, mover)
            else:
                self.shares(&out, win)
                value[i] = win[mover]

    cdef void outlook(self, const DiceState* after, double* win, double* score) noexcept nogil:
        cdef Outlook out
        cdef int p
        if after.to_move == after.first and end_triggered(after, self.game.n_players):
            self.game.returns(after, win, score)
            return
        out = self.foresee(after)
        self.shares(&out, win)
        for p in range(self.game.n_players):
            score[p] = out.score[p]


cdef int bits_, i_
for bits_ in range(32):
    TERNARY[bits_] = sum([3 ** i_ for i_ in range(5) if bits_ >> i_ & 1])
