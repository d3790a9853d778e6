"""Sweeps over the lattice of dice multisets; see turn.pxd."""

from libc.math cimport INFINITY, fabs
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from shelfie.engine.dice.state cimport (
    N_LINES, bit_count, cross_shelf, end_triggered, mark_items, shelf_bits, start_next_turn)
from shelfie.engine.dice.tables cimport DICE, FIRST_ROLL, N_FACES, N_MULTISETS, N_ROLLS
from shelfie.engine.game cimport MAX_PLAYERS


cdef void expect(const double* value, double* expected) noexcept nogil:
    """expected[K] for all K of fewer than six dice from the values of the full rolls."""
    cdef int k
    cdef const double* v
    for k in range(FIRST_ROLL - 1, -1, -1):
        v = value if DICE.size[k] == 5 else expected
        expected[k] = (
            (v[DICE.plus[k][0]] + v[DICE.plus[k][1]]) + (v[DICE.plus[k][2]] + v[DICE.plus[k][3]])
            + (v[DICE.plus[k][4]] + v[DICE.plus[k][5]])) * (1.0 / 6.0)


cdef inline double larger(double a, double b) noexcept nogil:
    return a if a > b else b


cdef inline double rounding(double value) noexcept nogil:
    """What rounding in the sweeps can do to a value, and more."""
    return 1e-10 * larger(1.0, fabs(value))


cdef void best_within(double* best) noexcept nogil:
    """best[K] becomes the largest of `best` over all multisets within K; slot 924 is -inf."""
    cdef int k
    cdef double a, b, c
    for k in range(1, N_MULTISETS):
        a = larger(best[DICE.minus[k][0]], best[DICE.minus[k][1]])
        b = larger(best[DICE.minus[k][2]], best[DICE.minus[k][3]])
        c = larger(best[DICE.minus[k][4]], best[DICE.minus[k][5]])
        best[k] = larger(larger(best[k], a), larger(b, c))


cdef bint skip_passes(int n_players, DiceState* state) noexcept nogil:
    """Let players without open items pass, at the start of a turn; True when the game is over."""
    while state.to_move != state.first or not end_triggered(state, n_players):
        if state.open[state.to_move]:
            return False
        state.to_move = state.to_move + 1 if state.to_move + 1 < n_players else 0
    return True


cdef class TurnSolver:
    """Solves turns over one leaf, of the game it judges."""

    def __cinit__(self, Leaf leaf not None, *rest):
        self.game = leaf.game
        self.leaf = leaf
        self.n_channels = 2 * leaf.game.n_players
        self.items = <uint32_t*>calloc(MAX_AFTER, sizeof(uint32_t))
        self.mark_set = <int*>calloc(MAX_AFTER, sizeof(int))
        self.after = <DiceState*>calloc(MAX_AFTER, sizeof(DiceState))
        self.value = <double*>calloc(MAX_AFTER, sizeof(double))
        self.channel_after = <double*>calloc(self.n_channels * MAX_AFTER, sizeof(double))
        self.channel_best = <double*>calloc(self.n_channels * 3 * SLOTS, sizeof(double))
        self.channel_expected = <double*>calloc(self.n_channels * 3 * SLOTS, sizeof(double))
        self.chance = <double*>calloc(2 * SLOTS, sizeof(double))
        self.wanted = <uint8_t*>calloc(MAX_AFTER, sizeof(uint8_t))
        if (self.items == NULL or self.mark_set == NULL or self.after == NULL
                or self.value == NULL
                or self.channel_after == NULL or self.channel_best == NULL
                or self.channel_expected == NULL or self.chance == NULL or self.wanted == NULL):
            raise MemoryError

    def __dealloc__(self):
        free(self.items)
        free(self.mark_set)
        free(self.after)
        free(self.value)
        free(self.channel_after)
        free(self.channel_best)
        free(self.channel_expected)
        free(self.chance)
        free(self.wanted)

    # The turn

    cdef double solve(self, const DiceState* state) noexcept nogil:
        """Solve the turn of a state before its first roll or with six dice on the table.

        Fills n_after to expected; the value of the state for its mover. The mover must have an
        open item.
        """
        cdef int r
        self.mover = state.to_move
        self.rerolls = state.rerolls
        self.list_after(state)
        self.judge()
        self.spread()
        for r in range(1, state.rerolls + 1):
            expect(self.best[r - 1], self.expected[r])
            memcpy(self.best[r], self.expected[r], FIRST_ROLL * sizeof(double))
            memcpy(&self.best[r][FIRST_ROLL], &self.best[0][FIRST_ROLL], N_ROLLS * sizeof(double))
            self.best[r][N_MULTISETS] = -INFINITY
            best_within(self.best[r])
        return self.root_value(state)

    cdef void list_after(self, const DiceState* state) noexcept nogil:
        """Every after-state of the turn, whatever the dice: mark sets, then crosses."""
        cdef DiceState start = state[0]
        cdef uint32_t open = state.open[self.mover]
        cdef const uint32_t* masks = self.game.marks.masks
        cdef int s, n = 0, n_players = self.game.n_players
        start_next_turn(&start, n_players)
        for s in range(self.game.marks.n_sets):
            if not masks[s] & ~open:
                self.items[n] = masks[s]
                self.mark_set[n] = s
                self.after[n] = start
                mark_items(&self.after[n], self.mover, masks[s], n_players)
                n += 1
        self.n_marks = n
        for s in range(N_LINES):
            if shelf_bits(open, s):
                self.items[n] = s
                self.after[n] = start
                cross_shelf(&self.after[n], self.mover, s)
                n += 1
        self.n_after = n

    cdef void judge(self) noexcept nogil:
        """Values of the after-states: finished games exactly, the others by the leaf."""
        cdef int i, first = 0
        self.all_final = True
        for i in range(self.n_after):
            if skip_passes(self.game.n_players, &self.after[i]):
                if first < i:
                    self.leaf.values(self.mover, &self.after[first], i - first, &self.value[first])
                self.value[i] = self.leaf.final_value(self.mover, &self.after[i])
                first = i + 1
            else:
                self.all_final = False
        if first < self.n_after:
            self.leaf.values(
                self.mover, &self.after[first], self.n_after - first, &self.value[first])

    cdef void spread(self) noexcept nogil:
        """best[0]: the best final move of every full roll."""
        cdef double* best = self.best[0]
        cdef const int* first = self.game.marks.needs_first
        cdef const uint16_t* needs = self.game.marks.needs
        cdef int i, k
        cdef double crossed
        for k in range(SLOTS):
            best[k] = -INFINITY
        for i in range(self.n_marks):
            for k in range(first[self.mark_set[i]], first[self.mark_set[i] + 1]):
                best[needs[k]] = larger(best[needs[k]], self.value[i])
        best_within(best)
        for i in range(self.n_marks):
            if bit_count(self.items[i]) > 1:
                break
            best[DICE.all_jokers] = larger(best[DICE.all_jokers], self.value[i])
        crossed = self.crossing()
        for k in range(FIRST_ROLL, N_MULTISETS):
            if best[k] == -INFINITY:
                best[k] = crossed

    cdef double crossing(self) noexcept nogil:
        """Value of the best cross."""
        cdef double crossed = -INFINITY
        cdef int i
        for i in range(self.n_marks, self.n_after):
            crossed = larger(crossed, self.value[i])
        return crossed

    cdef double root_value(self, const DiceState* state) noexcept nogil:
        """Value of the solved state for its mover."""
        if state.dice >= FIRST_ROLL:
            return self.best[state.rerolls][state.dice]
        return rolled(self.best[state.rerolls])

    # What the best play does

    cdef void choose(self) noexcept nogil:
        """The best way to go on from every full roll; of equals the first, stopping before all."""
        cdef int r
        self.choose_final()
        for r in range(1, self.rerolls + 1):
            self.choose_keep(r)

    cdef void choose_keep(self, int r) noexcept nogil:
        """The best keep of every full roll: the first that is worth as much as the best."""
        cdef const double* best = self.best[r]
        cdef int16_t[SLOTS] pick          # the first such keep within each multiset
        cdef int k, face, less, first
        cdef double enough
        for k in range(N_MULTISETS):
            enough = best[k] - rounding(best[k])
            first = -1
            if k >= FIRST_ROLL and self.best[0][k] >= enough:
                self.keep_choice[r][k] = -1
                continue
            for face in range(N_FACES):
                less = DICE.minus[k][face]
                if best[less] >= enough and (first < 0 or pick[less] < first):
                    first = pick[less]
            if k >= FIRST_ROLL:
                self.keep_choice[r][k] = first
            else:
                pick[k] = first if first >= 0 else k

    cdef void choose_final(self) noexcept nogil:
        """The best final move of every full roll, found as `spread` found its value."""
        cdef double* best = self.best[0]
        cdef int16_t* choice = self.final_choice
        cdef int i, k, face, less, crossed = 0
        for k in range(N_MULTISETS):
            choice[k] = -1
        for i in range(self.n_marks):
            for k in range(self.game.marks.needs_first[self.mark_set[i]],
                           self.game.marks.needs_first[self.mark_set[i] + 1]):
                less = self.game.marks.needs[k]
                if choice[less] < 0 and self.value[i] == best[less]:
                    choice[less] = i
        for k in range(1, N_MULTISETS):
            for face in range(N_FACES):
                less = DICE.minus[k][face]
                if (less < N_MULTISETS and choice[less] >= 0 and best[less] == best[k]
                        and (choice[k] < 0 or choice[less] < choice[k])):
                    choice[k] = choice[less]
        for i in range(self.n_after - 1, -1, -1):
            if i >= self.n_marks:
                if self.value[i] == self.crossing():
                    crossed = i
            elif bit_count(self.items[i]) == 1 and self.value[i] == best[DICE.all_jokers]:
                choice[DICE.all_jokers] = i
        for k in range(FIRST_ROLL, N_MULTISETS):
            if choice[k] < 0:
                choice[k] = crossed

    cdef void outlook(self, bint whole) noexcept nogil:
        """Win share and score per seat of what `solve` valued, along the best play.

        whole: of all after-states too, not only those that best play may lead to.
        """
        cdef double[MAX_PLAYERS] win
        cdef double[MAX_PLAYERS] score
        cdef int i, k, p, r, n = self.game.n_players
        cdef double* best
        cdef double* expected
        self.choose()
        memset(self.wanted, whole, self.n_after)
        for k in range(FIRST_ROLL, N_MULTISETS):
            self.wanted[self.final_choice[k]] = True
        for i in range(self.n_after):
            if not self.wanted[i]:
                continue
            self.leaf.outlook(&self.after[i], win, score)
            for p in range(n):
                self.channel_after[p * MAX_AFTER + i] = win[p]
                self.channel_after[(n + p) * MAX_AFTER + i] = score[p]
        for p in range(self.n_channels):
            best = &self.channel_best[p * 3 * SLOTS]
            expected = &self.channel_expected[p * 3 * SLOTS]
            for k in range(FIRST_ROLL, N_MULTISETS):
                best[k] = self.channel_after[p * MAX_AFTER + self.final_choice[k]]
            for r in range(1, self.rerolls + 1):
                expect(&best[(r - 1) * SLOTS], &expected[r * SLOTS])
                for k in range(FIRST_ROLL, N_MULTISETS):
                    i = self.keep_choice[r][k]
                    best[r * SLOTS + k] = best[k] if i < 0 else expected[r * SLOTS + i]

    cdef double root_channel(self, const DiceState* state, int channel) noexcept nogil:
        """Win share or score of a seat from the solved state on."""
        cdef double* best = &self.channel_best[(channel * 3 + self.rerolls) * SLOTS]
        return best[state.dice] if state.dice >= FIRST_ROLL else rolled(best)

    cdef int after_index(self, bint mark, uint32_t rest) noexcept nogil:
        """Number of the after-state of a mark of these items or a cross of this shelf; or -1."""
        cdef int i
        for i in range(0 if mark else self.n_marks, self.n_marks if mark else self.n_after):
            if self.items[i] == rest:
                return i
        return -1

    cdef void final_chances(self, int keep, int rerolls, double* weight) noexcept nogil:
        """How likely each after-state ends the turn when `keep` is rolled with `rerolls` left.

        `rerolls` counts this roll; `weight` takes n_after numbers that sum to 1. Chances are
        pushed up the lattice: rolling one die of K sends a sixth of its weight to each K + face.
        """
        cdef double* now = self.chance
        cdef double* later = self.chance + SLOTS
        cdef double* spare
        cdef int k, r
        memset(weight, 0, self.n_after * sizeof(double))
        memset(now, 0, SLOTS * sizeof(double))
        now[keep] = 1.0
        for r in range(rerolls - 1, -1, -1):
            push(now)
            memset(later, 0, SLOTS * sizeof(double))
            for k in range(FIRST_ROLL, N_MULTISETS):
                if r and self.keep_choice[r][k] >= 0:
                    later[self.keep_choice[r][k]] += now[k]
                else:
                    weight[self.final_choice[k]] += now[k]
            spare = now
            now = later
            later = spare


cdef double rolled(const double* best) noexcept nogil:
    """Mean over the 462 first rolls, in three sums that do not wait for each other."""
    cdef double a = 0.0, b = 0.0, c = 0.0
    cdef int k
    for k in range(FIRST_ROLL, N_MULTISETS, 3):
        a += DICE.probability[k] * best[k]
        b += DICE.probability[k + 1] * best[k + 1]
        c += DICE.probability[k + 2] * best[k + 2]
    return a + b + c


cdef void push(double* weight) noexcept nogil:
    """Move all weight of smaller multisets to the full rolls."""
    cdef int k, face
    cdef double sixth
    for k in range(FIRST_ROLL):
        if weight[k] != 0.0:
            sixth = weight[k] * (1.0 / 6.0)
            weight[k] = 0.0
            for face in range(N_FACES):
                weight[DICE.plus[k][face]] += sixth
