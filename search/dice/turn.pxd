"""The exact turn: nothing of it is sampled.

E(K) is the value of rolling what the multiset K of kept dice lacks: the mean of E(K + face)
over the six faces, where E of a full roll is the value of the best way to go on from it. Three
ways to go on are known in turn: with no re-roll left only final moves, then also the keeps.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from shelfie.engine.dice.game cimport DiceGame
from shelfie.engine.dice.state cimport DiceState
from shelfie.search.dice.leaf cimport Leaf

cdef enum:
    SLOTS = 925              # one for each multiset, and one of minus infinity for "none"
    MAX_AFTER = 2930         # mark sets or crosses of one turn
    MAX_CHANNELS = 8         # win share and score of four seats


cdef class TurnSolver:
    cdef readonly DiceGame game
    cdef readonly Leaf leaf
    # Set by `solve`; a solver serves one thread at a time.
    cdef readonly int n_after        # after-states of the turn, marks first
    cdef readonly int n_marks
    cdef readonly bint all_final     # every one of them ends the game: values are proven
    cdef int mover
    cdef int rerolls
    cdef int* mark_set               # number of each mark's set in the mark table
    cdef uint32_t* items             # the marked items, or the crossed shelf, of each
    cdef DiceState* after
    cdef double* value               # the mover's objective
    # best[r][K]: K a full roll: value with r re-rolls left; smaller: the best final move or keep
    # within K alone. expected[r][K]: value of keeping K and rolling the rest, r re-rolls left.
    cdef double[3][925] best
    cdef double[3][925] expected
    # Set by `choose`: after-state number of the best final move of each full roll, and, with one
    # or two re-rolls left, the best keep, or -1 to stop.
    cdef int16_t[924] final_choice
    cdef int16_t[3][924] keep_choice
    # Set by `outlook`: per seat win shares, then scores, laid out as `best` and `expected`.
    cdef readonly int n_channels
    cdef double* channel_after       # [n_channels][n_after]
    cdef double* channel_best        # [n_channels][3][925], full rolls only
    cdef double* channel_expected    # [n_channels][3][925]
    cdef double* chance              # weights of multisets, for `final_chances`
    cdef uint8_t* wanted             # after-states that `outlook` looks at

    cdef double solve(self, const DiceState* state) noexcept nogil
    cdef void choose(self) noexcept nogil
    cdef void outlook(self, bint whole) noexcept nogil
    cdef double root_value(self, const DiceState* state) noexcept nogil
    cdef double root_channel(self, const DiceState* state, int channel) noexcept nogil
    cdef int after_index(self, bint mark, uint32_t rest) noexcept nogil
    cdef void final_chances(self, int keep, int rerolls, double* weight) noexcept nogil
    # Steps of `solve`.
    cdef void list_after(self, const DiceState* state) noexcept nogil
    cdef void judge(self) noexcept nogil
    cdef void spread(self) noexcept nogil
    cdef double crossing(self) noexcept nogil
    cdef void choose_final(self) noexcept nogil
    cdef void choose_keep(self, int r) noexcept nogil


cdef void expect(const double* value, double* expected) noexcept nogil
cdef void best_within(double* best) noexcept nogil
cdef bint skip_passes(int n_players, DiceState* state) noexcept nogil
