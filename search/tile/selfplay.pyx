"""Self-play of the tile game by one-move search, and gradients of the value model.

Targets are TD(lambda) returns (Sutton 1988) over the after-states of one seat. What follows an
after-state is the value of the best move at that seat's next turn, so exploring moves do not bias
the targets.
"""

from libc.math cimport expf, logf
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

from shelfie.engine.game cimport CHANCE, MAX_PLAYERS, TERMINAL
from shelfie.engine.rng cimport rng_below, rng_make, rng_t, rng_uniform
from shelfie.engine.tile.game cimport TileGame
from shelfie.engine.tile.position cimport TilePosition
from shelfie.engine.tile.state cimport TileState, cells_t
from shelfie.search.evaluator cimport Candidate, Value
from shelfie.search.tile.evaluator cimport TileEvaluator
from shelfie.search.tile.features cimport (
    N_FEATURES, Features, Room, cells_by_type, look_at_room, room_features, shelf_features,
    turn_features,
)
from shelfie.search.tile.model cimport HIDDEN, Weights

cdef enum:
    MAX_TURNS = 140         # of a whole game; four players make up to 4 * 30
    CHOICES = 8             # moves that exploration chooses among
    SCORE_UNIT = 10


cdef class Buffer:
    """Room for the records of many games."""

    cdef Record* records
    cdef readonly int size, capacity

    def __cinit__(self, int capacity):
        self.records = <Record*>malloc(capacity * sizeof(Record))
        self.capacity = capacity
        if self.records == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.records)

    def play(self, TilePosition position, TileEvaluator evaluator, unsigned long long seed,
             float temperature, float random_share, float trace, float unknown_share):
        """One game from `position`; its records are added. Returns win shares and scores."""
        cdef Candidate* candidates = <Candidate*>malloc(
            position.game.max_moves * sizeof(Candidate))
        cdef Record* start = &self.records[self.size]
        cdef Value result
        cdef int n
        if candidates == NULL:
            raise MemoryError
        if self.size + MAX_TURNS > self.capacity:
            free(candidates)
            raise ValueError("the buffer is full")
        cdef TileGame game = position.game
        evaluator.aim(game, evaluator.model, evaluator.objective)
        with nogil:
            n = play_game(game, <TileState*>position.state, evaluator, candidates, seed,
                          temperature, random_share, trace, unknown_share, start, &result)
        free(candidates)
        self.size += n
        players = position.game.n_players
        return ([result.win[p] for p in range(players)],
                [result.score[p] for p in range(players)])

    def clear(self):
        self.size = 0


cdef void see(const TileState* s, int n_players, int seat, TileState* seen) noexcept nogil:
    """The state as `seat` sees it: other cards unknown."""
    cdef int p
    seen[0] = s[0]
    for p in range(n_players):
        if p != seat:
            seen.personal[p] = 0


cdef int play_game(TileGame game, const TileState* start, TileEvaluator evaluator,
                   Candidate* candidates,
                   unsigned long long seed, float temperature, float random_share, float trace,
                   float unknown_share, Record* records, Value* result) noexcept nogil:
    cdef TileState s = start[0], seen
    cdef rng_t rng = rng_make(seed, 7)
    cdef Value[MAX_TURNS] best              # value of the best move before each turn
    cdef bint[MAX_TURNS] strayed            # the move made was clearly worse than the best
    cdef int kind, n, i, k, choice, turns = 0, t, p
    cdef float total, x
    while turns < MAX_TURNS:
        kind = game.node_kind(&s)
        if kind == TERMINAL:
            break
        if kind == CHANCE:
            game.sample_chance(&s, &rng)
            continue
        see(&s, game.n_players, s.to_move, &seen)
        if rng_uniform(&rng) < unknown_share:
            seen.personal[s.to_move] = 0
        n = evaluator.expand(&seen, CHOICES, candidates, &best[turns])
        if rng_uniform(&rng) < random_share:
            n = game.legal_moves(&s, evaluator.moves)
            choice = rng_below(&rng, n)
            strayed[turns] = True
            candidates[0].move = evaluator.moves[choice]
            choice = 0
        else:
            total = 0
            for i in range(n):
                total += expf((candidates[i].value - candidates[0].value) / temperature)
            x = rng_uniform(&rng) * total
            choice = 0
            for i in range(n):
                x -= expf((candidates[i].value - candidates[0].value) / temperature)
                if x < 0:
                    choice = i
                    break
            strayed[turns] = candidates[choice].value < candidates[0].value - 0.02
        seen.to_move = s.to_move
        game.take(&seen, candidates[choice].move)
        game.take(&s, candidates[choice].move)
        records[turns].state = seen
        turns += 1
    evaluator.result(&s, result)            # all cards are known in `s`
    for t in range(turns - 1, -1, -1):
        # Each seat learns from what it sees itself at its next turn: the others do not know its
        # card, so their values would teach it to forget the card.
        k = t + game.n_players
        if k >= turns:
            records[t].target = result[0]
            continue
        x = 0 if strayed[k] else trace
        for p in range(game.n_players):
            records[t].target.win[p] = (1 - x) * best[k].win[p] + x * records[k].target.win[p]
            records[t].target.score[p] = (1 - x) * best[k].score[p] + x * records[k].target.score[p]
    return turns


# ---- gradients

cdef class Trainer:
    """Gradient sums over records. One per thread; `games` maps each record to its game."""

    cdef float* own
    cdef float* other
    cdef readonly dict arrays       # gradient arrays, shaped as the model's
    cdef float loss_win, loss_score
    cdef float* bias
    cdef float* win
    cdef float* score
    cdef float* score_bias

    def __init__(self):
        self.arrays = {
            "own": np.zeros((N_FEATURES, HIDDEN), np.float32),
            "other": np.zeros((N_FEATURES, HIDDEN), np.float32),
            "bias": np.zeros(HIDDEN, np.float32),
            "win": np.zeros(HIDDEN, np.float32),
            "score": np.zeros(HIDDEN, np.float32),
            "score_bias": np.zeros(1, np.float32),
        }
        self.own = address(self.arrays["own"])
        self.other = address(self.arrays["other"])
        self.bias = address(self.arrays["bias"])
        self.win = address(self.arrays["win"])
        self.score = address(self.arrays["score"])
        self.score_bias = address(self.arrays["score_bias"])

    def gradient(self, Buffer buffer, int[::1] order, int start, int stop, list games,
                 int[::1] game_of, TileEvaluator evaluator):
        """Adds the gradient of records order[start:stop]; returns summed (win, score) losses."""
        cdef int i, k
        cdef TileGame game
        self.loss_win = self.loss_score = 0
        for name in self.arrays:
            self.arrays[name].fill(0)
        for i in range(start, stop):
            k = order[i]
            game = <TileGame>games[game_of[k]]
            with nogil:
                self.add(game, &buffer.records[k], &evaluator.weights)
        return self.loss_win, self.loss_score

    cdef void add(self, TileGame game, const Record* record, const Weights* w) noexcept nogil:
        cdef Features[MAX_PLAYERS] shelf
        cdef Features[MAX_PLAYERS] turn
        cdef cells_t[6] of_type
        cdef Room room
        cdef float[MAX_PLAYERS][HIDDEN] own
        cdef float[MAX_PLAYERS][HIDDEN] other
        cdef float[MAX_PLAYERS][HIDDEN] pre
        cdef float[MAX_PLAYERS][HIDDEN] back
        cdef float[HIDDEN] back_other
        cdef float[MAX_PLAYERS] win
        cdef float[MAX_PLAYERS] score
        cdef float total = 0, highest = -1e30, h, dwin, dscore
        cdef int n = game.n_players, p, q, i
        cells_by_type(&record.state, of_type)
        look_at_room(game, &record.state, of_type, &room)
        for p in range(n):
            shelf_features(game, &record.state, p, &shelf[p])
        for p in range(n):
            turn_features(game, &record.state, p, &turn[p])
            room_features(&room, shelf[record.state.to_move].wish, p == record.state.to_move,
                          &turn[p])
            sum_rows(w.own, &shelf[p], own[p])
            sum_rows(w.other, &shelf[p], other[p])
        for p in range(n):
            sum_rows(w.own, &turn[p], pre[p])
            for i in range(HIDDEN):
                pre[p][i] += w.bias[i] + own[p][i]
            for q in range(n):
                if q != p:
                    for i in range(HIDDEN):
                        pre[p][i] += other[q][i]
            win[p] = 0
            score[p] = w.score_bias[0]
            for i in range(HIDDEN):
                h = pre[p][i] if pre[p][i] > 0 else 0
                win[p] += w.win[i] * h
                score[p] += w.score[i] * h
            highest = max(highest, win[p])
        for p in range(n):
            win[p] = expf(win[p] - highest)
            total += win[p]
        for p in range(n):
            win[p] /= total
            dwin = win[p] - record.target.win[p]
            dscore = score[p] - record.target.score[p] / SCORE_UNIT
            if record.target.win[p] > 0:
                self.loss_win -= record.target.win[p] * logf(max(win[p], <float>1e-9))
            self.loss_score += dscore * dscore
            dscore *= 0.3           # weight of the score's squared error beside the cross-entropy
            self.score_bias[0] += dscore
            for i in range(HIDDEN):
                if pre[p][i] > 0:
                    self.win[i] += dwin * pre[p][i]
                    self.score[i] += dscore * pre[p][i]
                    back[p][i] = dwin * w.win[i] + dscore * w.score[i]
                else:
                    back[p][i] = 0
                self.bias[i] += back[p][i]
        for p in range(n):
            spread_rows(self.own, &shelf[p], back[p])
            spread_rows(self.own, &turn[p], back[p])
            for i in range(HIDDEN):
                back_other[i] = 0
            for q in range(n):
                if q != p:
                    for i in range(HIDDEN):
                        back_other[i] += back[q][i]
            spread_rows(self.other, &shelf[p], back_other)


cdef float* address(array):
    cdef float[::1] view = array.reshape(-1)
    return &view[0]


cdef void sum_rows(const float* table, const Features* f, float* out) noexcept nogil:
    cdef int k, i
    memset(out, 0, HIDDEN * sizeof(float))
    for k in range(f.n):
        for i in range(HIDDEN):
            out[i] += f.value[k] * table[<size_t>f.id[k] * HIDDEN + i]


cdef void spread_rows(float* table, const Features* f, const float* x) noexcept nogil:
    cdef int k, i
    for k in range(f.n):
        for i in range(HIDDEN):
            table[<size_t>f.id[k] * HIDDEN + i] += f.value[k] * x[i]
