"""Self-play of the dice game by exact turns over the model, and the steps that teach it.

Targets are TD(lambda) returns (Sutton 1988) over after-states, freed of the luck of the dice:
    target(t) = E(t + 1) + lambda (target(t + 1) - V(t + 1))
where E(t + 1) is the exact expectation of the next turn before its first roll and V(t + 1) the
model's value of the after-state it led to. As E is the mean of V over the dice, the second
term has mean zero but for the errors of V further on, which is all that is to be learned.
After a random turn lambda is 0, so exploring does not bias the targets. Scores have no exact
expectation at hand: their targets are plain TD(lambda), and none (-1) before a random turn.
"""

from libc.math cimport exp, sqrtf
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

import numpy as np

from shelfie.engine.dice.game cimport DiceGame
from shelfie.engine.dice.position cimport DicePosition
from shelfie.engine.dice.state cimport MARK, DiceState, end_triggered, move_kind, move_rest
from shelfie.engine.dice.tables cimport DICE, FIRST_ROLL, N_MULTISETS, roll_dice
from shelfie.engine.game cimport MAX_PLAYERS, move_t
from shelfie.engine.rng cimport rng_below, rng_make, rng_t, rng_uniform
from shelfie.search.dice.features cimport MAX_ACTIVE, view_rows
from shelfie.search.dice.learned cimport Learned
from shelfie.search.dice.model cimport FIRST, OUTPUTS, SECOND
from shelfie.search.dice.turn cimport MAX_AFTER, SLOTS, TurnSolver, expect, skip_passes

cdef double SCORE_WEIGHT = 0.02     # of squared scores, in tens, beside the cross entropy

cdef enum:
    MAX_TURNS = 101          # of a game: each turn closes an item
    MAX_MOVES = 512


cdef class Games:
    """Room for the records of a round of games, each at its own place."""

    cdef Record* records
    cdef int* length
    cdef readonly int games

    def __cinit__(self, int games):
        self.games = games
        self.records = <Record*>calloc(games * MAX_TURNS, sizeof(Record))
        self.length = <int*>calloc(games, sizeof(int))
        if self.records == NULL or self.length == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.records)
        free(self.length)

    def index(self):
        """Places of all records, game by game."""
        return np.array([MAX_TURNS * g + t for g in range(self.games)
                         for t in range(self.length[g])], np.int32)

    def targets(self):
        """(to_move, win shares, scores) of every record, for the tests."""
        return [(self.records[k].state.to_move, self.records[k].win, self.records[k].score)
                for k in self.index()]


cdef class Listener(Learned):
    """The model, with the win shares of all seats of the after-states it judged last."""

    cdef const DiceState* base          # the solver's after-states
    cdef double[2930][4] heard

    cdef void hear(self, const DiceState* after, const double* win) noexcept nogil:
        memcpy(self.heard[after - self.base], win, self.game.n_players * sizeof(double))


cdef class Player:
    """Plays games against itself. One thread each."""

    cdef TurnSolver solver
    cdef Listener leaf
    cdef DiceGame game
    cdef double[101][4] expected     # win shares before each turn
    cdef double[101][4] reached      # win shares of the after-state it led to
    cdef double[101][4] score        # the scores said there
    cdef bint[101] strayed
    cdef move_t[512] moves

    def __init__(self, Learned leaf not None):
        self.leaf = Listener(leaf.game, leaf.model)
        self.game = leaf.game
        self.solver = TurnSolver(self.leaf)
        self.leaf.base = self.solver.after
        if leaf.game.max_moves > MAX_MOVES:
            raise ValueError("too many moves")

    def play(self, Games games not None, DicePosition start not None, unsigned long long seed,
             int first, int part, int step, double wild, double trace, double score_trace):
        """Games number first + part, first + part + step ... of a seed into their places.

        wild: most random turns of a game, as a share; trace, score_trace: lambda for win shares
        and for scores.
        """
        cdef DiceState* state = <DiceState*>start.state
        cdef rng_t rng
        cdef int i = part
        with nogil:
            while i < games.games:
                rng = rng_make(seed, first + i)
                games.length[i] = self.game_of(state, &rng, wild, trace, score_trace,
                                               &games.records[i * MAX_TURNS])
                i += step

    cdef int game_of(self, const DiceState* start, rng_t* rng, double wild, double trace,
                     double score_trace, Record* records) noexcept nogil:
        """One game; its records with targets, how many. Four games in ten have no random turn."""
        cdef DiceState s = start[0]
        cdef int n = 0, i, p, seats = self.game.n_players
        cdef double random = wild * (rng_uniform(rng) - 0.4) / 0.6
        cdef double[MAX_PLAYERS] score
        cdef double weight, score_weight
        while not skip_passes(seats, &s):
            self.solver.solve(&s)
            self.expect_shares(s.to_move, self.expected[n])
            self.strayed[n] = rng_uniform(rng) < random
            i = self.turn(&s, rng, self.strayed[n])
            s = self.solver.after[i]
            self.leaf.outlook(&s, self.reached[n], self.score[n])
            records[n].state = s
            n += 1
        self.game.returns(&s, records[n - 1].win, score)
        memcpy(records[n - 1].score, score, sizeof(score))
        for i in range(n - 2, -1, -1):
            weight = 0.0 if self.strayed[i + 1] else trace
            score_weight = score_trace if records[i + 1].score[0] >= 0.0 else 0.0
            for p in range(seats):
                records[i].win[p] = self.expected[i + 1][p] + weight * (
                    records[i + 1].win[p] - self.reached[i + 1][p])
                records[i].score[p] = self.score[i + 1][p] + score_weight * (
                    records[i + 1].score[p] - self.score[i + 1][p])
                if self.strayed[i + 1]:
                    records[i].score[p] = -1.0
        return n - 1                 # the last one is the end of the game

    cdef void expect_shares(self, int mover, double* win) noexcept nogil:
        """Win shares per seat before the first roll of the solved turn."""
        cdef double[SLOTS] last
        cdef double[SLOTS] best
        cdef double[SLOTS] kept
        cdef double total = 0.0, left = 1.0
        cdef int p, k, r, other, n = self.game.n_players
        for k in range(FIRST_ROLL, N_MULTISETS):
            total += DICE.probability[k] * self.solver.best[2][k]
        win[mover] = total
        other = mover + 1 if mover + 1 < n else 0
        self.solver.choose()
        if n > 2:
            self.share_after()
        for p in range(n):
            if p == mover or p == other:
                continue
            for k in range(FIRST_ROLL, N_MULTISETS):
                last[k] = best[k] = self.solver.channel_after[
                    p * MAX_AFTER + self.solver.final_choice[k]]
            for r in range(1, 3):
                expect(best, kept)
                for k in range(FIRST_ROLL, N_MULTISETS):
                    best[k] = (last[k] if self.solver.keep_choice[r][k] < 0
                               else kept[self.solver.keep_choice[r][k]])
            total = 0.0
            for k in range(FIRST_ROLL, N_MULTISETS):
                total += DICE.probability[k] * best[k]
            win[p] = total
        for p in range(n):
            if p != other:
                left -= win[p]
        win[other] = left

    cdef void share_after(self) noexcept nogil:
        """Win shares per seat of the after-states that best play may end in."""
        cdef double[MAX_PLAYERS] win
        cdef double[MAX_PLAYERS] score
        cdef int k, i, p, n = self.game.n_players
        for k in range(FIRST_ROLL, N_MULTISETS):
            i = self.solver.final_choice[k]
            memcpy(win, self.leaf.heard[i], sizeof(win))
            if self.over(&self.solver.after[i]):
                self.game.returns(&self.solver.after[i], win, score)
            for p in range(n):
                self.solver.channel_after[p * MAX_AFTER + i] = win[p]

    cdef bint over(self, const DiceState* after) noexcept nogil:
        return after.to_move == after.first and end_triggered(after, self.game.n_players)

    cdef int turn(self, DiceState* s, rng_t* rng, bint random) noexcept nogil:
        """Play the solved turn; the number of its after-state.

        A random turn takes any final move, every other time of the first roll.
        """
        cdef int n, k
        s.dice = roll_dice(s.dice, rng)
        if not random or rng_below(rng, 2):
            while s.rerolls and self.solver.keep_choice[s.rerolls][s.dice] >= 0:
                s.dice = roll_dice(self.solver.keep_choice[s.rerolls][s.dice], rng)
                s.rerolls -= 1
        if not random:
            return self.solver.final_choice[s.dice]
        s.rerolls = 0
        n = self.game.legal_moves(s, self.moves)
        k = rng_below(rng, n)
        return self.solver.after_index(move_kind(self.moves[k]) == MARK, move_rest(self.moves[k]))


# ---- learning

cdef class Learner:
    """Adam (Kingma, Ba 2015) on the model's weights, one minibatch after the other.

    `weights` and the two moments are one float32 vector each, the arrays of the model in the
    order of `shapes`; `views` are the arrays within `weights`.
    """

    cdef DiceGame game
    cdef readonly object weights, gradient, first_moment, second_moment
    cdef readonly dict views
    cdef public long steps
    cdef float* w
    cdef float* g
    cdef float* m
    cdef float* v
    cdef int size
    cdef int[7] at                   # where each array begins
    cdef float[32][64] middle        # transposed, for the way back
    cdef double win_loss, score_loss

    def __init__(self, DiceGame game not None, dict arrays):
        cdef int i = 0
        cdef float[::1] view
        self.game = game
        self.weights = np.concatenate([a.reshape(-1) for a in arrays.values()]).astype(np.float32)
        self.gradient = np.zeros_like(self.weights)
        self.first_moment = np.zeros_like(self.weights)
        self.second_moment = np.zeros_like(self.weights)
        self.size = self.weights.size
        self.views = {}
        self.at[0] = 0
        for name, array in arrays.items():
            self.at[i + 1] = self.at[i] + array.size
            self.views[name] = self.weights[self.at[i]:self.at[i + 1]].reshape(array.shape)
            i += 1
        view = self.weights
        self.w = &view[0]
        view = self.gradient
        self.g = &view[0]
        view = self.first_moment
        self.m = &view[0]
        view = self.second_moment
        self.v = &view[0]

    def learn(self, Games games not None, int[::1] order, int batch, float rate):
        """One pass over the records in that order; mean (win, score) losses. Odd rest left out."""
        cdef int i, k, n = order.shape[0] // batch
        self.win_loss = self.score_loss = 0.0
        for i in range(n):
            with nogil:
                memset(self.g, 0, self.size * sizeof(float))
                self.transpose()
                for k in range(i * batch, (i + 1) * batch):
                    self.add(&games.records[order[k]], 1.0 / batch)
                self.steps += 1
                self.adam(rate * (1.0 - 0.999 ** <double>self.steps) ** 0.5
                          / (1.0 - 0.9 ** <double>self.steps))
        return self.win_loss / max(1, n * batch), self.score_loss / max(1, n * batch)

    cdef void transpose(self) noexcept nogil:
        cdef int i, k
        for i in range(FIRST):
            for k in range(SECOND):
                self.middle[k][i] = self.w[self.at[2] + i * SECOND + k]

    cdef void adam(self, float rate) noexcept nogil:
        cdef float* w = self.w
        cdef float* m = self.m
        cdef float* v = self.v
        cdef float* g = self.g
        cdef int i
        for i in range(self.size):
            m[i] += <float>0.1 * (g[i] - m[i])
            v[i] += <float>0.001 * (g[i] * g[i] - v[i])
            w[i] -= rate * m[i] / (sqrtf(v[i]) + <float>1e-8)

    cdef void add(self, const Record* record, float weight) noexcept nogil:
        """Add one record's gradient: cross entropy of win shares, squares of scores."""
        cdef int[MAX_PLAYERS][MAX_ACTIVE] rows
        cdef int[MAX_PLAYERS] active
        cdef float[MAX_PLAYERS][FIRST] first
        cdef float[MAX_PLAYERS][SECOND] second
        cdef float[MAX_PLAYERS][OUTPUTS] out
        cdef float[MAX_PLAYERS][OUTPUTS] back
        cdef int n = self.game.n_players, views = 1 if n == 2 else n, view, seat
        for view in range(views):
            seat = 1 - record.state.to_move if n == 2 else view
            active[view] = view_rows(self.game, &record.state, seat, rows[view])
            self.forward(rows[view], active[view], first[view], second[view], out[view])
        self.judge(record, out, back)
        for view in range(views):
            self.backward(rows[view], active[view], first[view], second[view], back[view], weight)

    cdef void forward(self, const int* rows, int n, float* first, float* second,
                      float* out) noexcept nogil:
        cdef const float* w = self.w
        cdef const float* row
        cdef int i, j, k
        memcpy(first, &w[self.at[1]], FIRST * sizeof(float))
        for j in range(n):
            row = &w[rows[j] * FIRST]
            for i in range(FIRST):
                first[i] += row[i]
        memcpy(second, &w[self.at[3]], SECOND * sizeof(float))
        for i in range(FIRST):
            if first[i] > 0:
                row = &w[self.at[2] + i * SECOND]
                for k in range(SECOND):
                    second[k] += first[i] * row[k]
        for j in range(OUTPUTS):
            out[j] = w[self.at[5] + j]
            for k in range(SECOND):
                if second[k] > 0:
                    out[j] += second[k] * w[self.at[4] + j * SECOND + k]

    cdef void judge(self, const Record* record, float[3]* out, float[3]* back) noexcept nogil:
        """The slope of the loss in every output."""
        cdef int n = self.game.n_players, p, q
        cdef double[MAX_PLAYERS] win
        cdef double top = -1e30, total = 0.0, error
        if n == 2:
            p = 1 - record.state.to_move
            win[0] = 1.0 / (1.0 + exp(-<double>out[0][0]))
            back[0][0] = win[0] - record.win[p]
            self.win_loss += (win[0] - record.win[p]) ** 2
            for q in range(2):
                error = self.score_error(record, p if q == 0 else 1 - p, out[0][1 + q])
                back[0][1 + q] = SCORE_WEIGHT * error
                self.score_loss += error * error / 2
            return
        for p in range(n):
            top = max(top, <double>out[p][0])
        for p in range(n):
            win[p] = exp(out[p][0] - top)
            total += win[p]
        for p in range(n):
            back[p][0] = win[p] / total - record.win[p]
            self.win_loss += (win[p] / total - record.win[p]) ** 2 / n
            error = self.score_error(record, p, out[p][1])
            back[p][1] = SCORE_WEIGHT * error
            back[p][2] = 0.0
            self.score_loss += error * error / n

    cdef double score_error(self, const Record* record, int seat, float said) noexcept nogil:
        """What was said too much of the points to come, in tens."""
        if record.score[seat] < 0.0:
            return 0.0
        return said - 0.1 * (record.score[seat] - self.game.points(record.state.marked[seat]))

    cdef void backward(self, const int* rows, int n, const float* first, const float* second,
                       const float* back, float weight) noexcept nogil:
        cdef const float* w = self.w
        cdef float* row
        cdef float[SECOND] slope
        cdef float[FIRST] below
        cdef float part
        cdef int i, j, k
        memset(slope, 0, sizeof(slope))
        memset(below, 0, sizeof(below))
        for j in range(OUTPUTS):
            part = weight * back[j]
            self.g[self.at[5] + j] += part
            for k in range(SECOND):
                slope[k] += part * w[self.at[4] + j * SECOND + k]
                self.g[self.at[4] + j * SECOND + k] += part * (second[k] if second[k] > 0 else 0)
        for k in range(SECOND):
            if second[k] <= 0:
                slope[k] = 0
                continue
            self.g[self.at[3] + k] += slope[k]
            for i in range(FIRST):
                below[i] += slope[k] * self.middle[k][i]
        for i in range(FIRST):
            if first[i] <= 0:
                below[i] = 0
                continue
            row = &self.g[self.at[2] + i * SECOND]
            for k in range(SECOND):
                row[k] += first[i] * slope[k]
        row = &self.g[self.at[1]]
        for i in range(FIRST):
            row[i] += below[i]
        for j in range(n):
            row = &self.g[rows[j] * FIRST]
            for i in range(FIRST):
                row[i] += below[i]
