"""Judges positions of the tile game by the learned model, shelf by shelf."""

from libc.math cimport expf
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc, calloc, qsort
from libc.string cimport memcpy, memset

from shelfie.engine.game cimport MAX_PLAYERS
from shelfie.engine.rng cimport mix64
from shelfie.engine.tile.game cimport (
    NO_CELL, move_cell, move_column, personal_points,
)
from shelfie.engine.tile.position cimport TilePosition
from shelfie.engine.tile.state cimport NOBODY, TileState, cells_t
from shelfie.search.evaluator cimport utility
from shelfie.search.tile.features cimport (
    card_posterior, cells_by_type, look_at_room, room_features, shelf_features, turn_features,
)

cdef extern from *:
    """
    #include <string.h>
    typedef float lanes_t __attribute__((vector_size(32)));
    typedef int mask_t __attribute__((vector_size(32)));

    /* Two dot products with relu(hidden), in eight lanes that are added in a fixed order. */
    static inline void shelfie_dot2(const float *hidden, const float *a, const float *b, int n,
                                    float *x, float *y) {
        lanes_t u = {0}, v = {0}, h, r;
        const lanes_t zero = {0};
        for (int k = 0; k < n; k += 8) {
            memcpy(&h, hidden + k, sizeof h);
            h = (lanes_t)((mask_t)h & (mask_t)(h > zero));
            memcpy(&r, a + k, sizeof r);
            u += h * r;
            memcpy(&r, b + k, sizeof r);
            v += h * r;
        }
        *x = ((u[0] + u[4]) + (u[1] + u[5])) + ((u[2] + u[6]) + (u[3] + u[7]));
        *y = ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]));
    }
    """
    void dot2 "shelfie_dot2"(const float* hidden, const float* a, const float* b, int n,
                             float* x, float* y) noexcept nogil

cdef enum:
    CACHE_BITS = 14
    SCORE_UNIT = 10         # the model counts scores in tens
    CLOSER_LOOK = 16        # moves of a node that are valued with the room they leave

cdef class TileEvaluator(Evaluator):
    """Values from `model`; `objective` is 0 for the win share, 1 for the margin."""

    def __cinit__(self, TileGame game, TileModel model, int objective=0):
        self.aim(game, model, objective)
        self.cache = <Sums*>calloc(1 << CACHE_BITS, sizeof(Sums))
        self.moves = <move_t*>malloc(game.max_moves * sizeof(move_t))
        if self.cache == NULL or self.moves == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.cache)
        free(self.moves)

    def aim(self, TileGame game, TileModel model, int objective):
        """Judge positions of another game, or otherwise, from now on; the cache stays true."""
        cdef int g
        self.game = self.tile = game
        self.model = model
        self.weights = model.weights
        self.objective = objective
        self.salt = game.n_players | (game.personal_goals << 3) | (game.same_squares << 4)
        for g in range(game.n_goals):
            self.salt = self.salt * 16 + game.goal[g] + 1
        self.salt = mix64(self.salt ^ <uint64_t>model.number)

    def after(self, TilePosition position, move_t move):
        """(win shares, scores) after a legal packed move, without any search."""
        cdef TileState s = (<TileState*>position.state)[0]
        cdef Value v
        self.tile.take(&s, move)
        if self.tile.over(&s):
            final_value(self.tile, &s, &v)
        else:
            self.value(&s, &v)
        total = sum([v.win[p] for p in range(self.tile.n_players)])
        return ([v.win[p] / total for p in range(self.tile.n_players)],
                [v.score[p] for p in range(self.tile.n_players)])

    # ---- values

    cdef const Sums* sums(self, const TileState* s, int player) noexcept nogil:
        """First-layer sums of one player, from the cache where they are known."""
        cdef uint64_t key = shelf_key(self.tile, s, player) ^ self.salt
        cdef Sums* entry = &self.cache[key >> (64 - CACHE_BITS)]
        cdef Features f
        if entry.key != key:
            entry.key = key
            shelf_features(self.tile, s, player, &f)
            add_rows(self.weights.own, &f, entry.own)
            add_rows(self.weights.other, &f, entry.other)
            memcpy(entry.wish, f.wish, sizeof(f.wish))
        return entry

    cdef void value(self, const TileState* s, Value* value) noexcept nogil:
        cdef Fixed fixed
        cdef Sums mine
        cdef cells_t[6] of_type
        cdef Room room
        cdef int me = (s.to_move + self.tile.n_players - 1) % self.tile.n_players
        self.fix(s, me, &fixed)
        mine = self.sums(s, me)[0]
        cells_by_type(s, of_type)
        look_at_room(self.tile, s, of_type, &room)
        self.add_room(&fixed, &room, s.to_move)
        self.finish(&fixed, me, &mine, value)

    cdef void fix(self, const TileState* after, int me, Fixed* fixed) noexcept nogil:
        cdef int n = self.tile.n_players, p, q, i
        cdef const Sums* sums
        cdef Features turn
        for p in range(n):
            turn_features(self.tile, after, p, &turn)
            add_rows(self.weights.own, &turn, fixed.hidden[p])
            for i in range(HIDDEN):
                fixed.hidden[p][i] += self.weights.bias[i]
        for q in range(n):
            if q == me:
                continue
            sums = self.sums(after, q)
            for p in range(n):
                for i in range(HIDDEN):
                    fixed.hidden[p][i] += sums.own[i] if p == q else sums.other[i]
            if q == after.to_move:
                memcpy(fixed.wish, sums.wish, sizeof(sums.wish))

    cdef void add_room(self, Fixed* fixed, const Room* room, int next) noexcept nogil:
        cdef Features seen
        cdef const float* row
        cdef int p, i, k
        for p in range(self.tile.n_players):
            seen.n = 0
            room_features(room, fixed.wish, p == next, &seen)
            for k in range(seen.n):
                row = self.weights.own + <size_t>seen.id[k] * HIDDEN
                for i in range(HIDDEN):
                    fixed.hidden[p][i] += row[i]

    cdef void finish(self, const Fixed* fixed, int me, const Sums* mine,
                     Value* value) noexcept nogil:
        cdef float[HIDDEN] hidden
        cdef float[MAX_PLAYERS] logit
        cdef float win, score, total = 0, highest = -1e30
        cdef const float* shelf
        cdef int n = self.tile.n_players, p, i
        for p in range(n):
            shelf = &mine.own[0] if p == me else &mine.other[0]
            for i in range(HIDDEN):
                hidden[i] = fixed.hidden[p][i] + shelf[i]
            dot2(hidden, self.weights.win, self.weights.score, HIDDEN, &win, &score)
            logit[p] = win
            highest = max(highest, win)
            value.score[p] = (self.weights.score_bias[0] + score) * SCORE_UNIT
        for p in range(n):
            value.win[p] = expf(logit[p] - highest)
            total += value.win[p]
        for p in range(n):
            value.win[p] /= total

    cdef void result(self, const void* state, Value* value) noexcept nogil:
        final_value(self.tile, <const TileState*>state, value)

    # ---- moves

    cdef int expand(self, const void* state, int limit, Candidate* out,
                    Value* value) noexcept nogil:
        """Static values for the mover, in two steps.

        First every different result (type sequence and column) as if the living room stayed as
        it is; then the moves of the most promising results with the room they leave.
        """
        cdef const TileState* s = <const TileState*>state
        cdef TileState after
        cdef Fixed bare, fixed
        cdef cells_t[6] of_type
        cdef Room room
        cdef int n = self.tile.legal_moves(s, self.moves), i, result, me = s.to_move
        cdef int next = (me + 1) % self.tile.n_players, close
        cdef float highest = 0
        cdef Value v
        after = s[0]
        after.to_move = next
        cells_by_type(s, of_type)
        look_at_room(self.tile, &after, of_type, &room)
        self.fix(&after, me, &bare)
        fixed = bare
        self.add_room(&fixed, &room, next)
        memset(self.seen, 255, sizeof(self.seen))
        for i in range(n):
            out[i].move = self.moves[i]
            result = result_of(s, self.moves[i])
            if self.seen[result] >= 0:
                out[i].value = out[self.seen[result]].value
                continue
            self.seen[result] = i
            after = s[0]
            self.tile.take(&after, self.moves[i])
            if plain(s, &after):
                self.finish(&fixed, me, self.sums(&after, me), &v)
            else:
                self.full_value(&after, &v)
            out[i].value = utility(&v, me, self.tile.n_players, self.objective)
        close = top(out, n, min(n, CLOSER_LOOK))
        for i in range(close):
            after = s[0]
            self.tile.take(&after, out[i].move)
            if plain(s, &after):
                look_at_room(self.tile, &after, of_type, &room)
                fixed = bare
                self.add_room(&fixed, &room, next)
                self.finish(&fixed, me, self.sums(&after, me), &v)
            else:
                self.full_value(&after, &v)
            out[i].value = utility(&v, me, self.tile.n_players, self.objective)
            if i == 0 or out[i].value > highest:
                highest = out[i].value
                value[0] = v
        qsort(out, close, sizeof(Candidate), compare)
        if limit > close:
            qsort(out + close, n - close, sizeof(Candidate), compare)
        return min(n, limit)

    cdef void full_value(self, const TileState* after, Value* value) noexcept nogil:
        """After a move that ends the game, claims a goal or fills the shelf."""
        if self.tile.over(after):
            final_value(self.tile, after, value)
        else:
            self.value(after, value)


cdef inline bint plain(const TileState* s, const TileState* after) noexcept nogil:
    """Whether a move changed nothing but the mover's shelf and the living room."""
    return (s.n_claims[0] == after.n_claims[0] and s.n_claims[1] == after.n_claims[1]
            and s.end_token == after.end_token and s.end_token == NOBODY)


cdef inline int result_of(const TileState* s, move_t move) noexcept nogil:
    """A number for the type sequence and the column of a move."""
    cdef int code = s.tiles[move_cell(move, 0)]
    if move_cell(move, 1) != NO_CELL:
        code = 6 + 6 * code + s.tiles[move_cell(move, 1)]
        if move_cell(move, 2) != NO_CELL:
            code = 42 + 6 * (code - 6) + s.tiles[move_cell(move, 2)]
    return 5 * code + move_column(move)


cdef int top(Candidate* out, int n, int limit) noexcept nogil:
    """Brings the `limit` best to the front, in falling order; ties by the move's number."""
    cdef int i, k, best
    if limit > 24:
        qsort(out, n, sizeof(Candidate), compare)
        return min(n, limit)
    for i in range(limit):
        best = i
        for k in range(i + 1, n):
            if better(&out[k], &out[best]):
                best = k
        out[i], out[best] = out[best], out[i]
    return limit


cdef inline bint better(const Candidate* a, const Candidate* b) noexcept nogil:
    return a.value > b.value or (a.value == b.value and a.move < b.move)


cdef int compare(const void* a, const void* b) noexcept nogil:
    return -1 if better(<const Candidate*>a, <const Candidate*>b) else 1


cdef inline uint64_t shelf_key(TileGame game, const TileState* s, int player) noexcept nogil:
    """Everything that shelf_features looks at, hashed; never 0."""
    cdef const uint32_t* shelf = s.shelf[player]
    cdef uint64_t key = mix64(shelf[0] | <uint64_t>shelf[1] << 32)
    cdef uint64_t rest = s.personal[player]
    cdef int g, k, q
    key = mix64(key + <uint64_t>0x9E3779B97F4A7C15 + (shelf[2] | <uint64_t>shelf[3] << 32))
    key = mix64(key + <uint64_t>0x9E3779B97F4A7C15 + (shelf[4] | <uint64_t>shelf[5] << 32))
    for g in range(game.n_goals):
        rest = rest * 8 + s.n_claims[g]
        for k in range(s.n_claims[g]):
            if s.claims[g][k] == player:
                rest += (k + 1) << 24
    if s.personal[player] == 0:             # the cards known rule each other out
        for q in range(game.n_players):
            rest ^= <uint64_t>1 << (32 + s.personal[q])
    return mix64(key + rest * <uint64_t>0x9E3779B97F4A7C15) | 1


cdef void add_rows(const float* table, const Features* f, float* out) noexcept nogil:
    cdef int k, i
    cdef const float* row
    cdef float x
    memset(out, 0, HIDDEN * sizeof(float))
    for k in range(f.n):
        row = table + <size_t>f.id[k] * HIDDEN
        x = f.value[k]
        for i in range(HIDDEN):
            out[i] += x * row[i]


# ---- the end of a game

cdef void final_value(TileGame game, const TileState* s, Value* value) noexcept nogil:
    """Exact result; where a card is unknown, the mean over its possible points.

    Seats are visited from the last in turn order back to the first, since a tie goes to the
    player furthest from `first_player`: a seat wins by more points than each later one and at
    least as many as each earlier one. Unknown cards are taken as independent of each other.
    """
    cdef float[13] cards
    cdef float[MAX_PLAYERS][13] chance       # [seat][personal points]
    cdef int[MAX_PLAYERS] base
    cdef int[4] parts
    cdef int n = game.n_players, p, q, i, j, x, y, card
    cdef float share, below, total = 0
    for p in range(n):
        game.scores(s, p, parts)
        base[p] = parts[0] + parts[2] + parts[3]
        for x in range(13):
            chance[p][x] = 0
        if game.personal_goals:
            card_posterior(s, n, p, cards)
            for card in range(1, 13):
                chance[p][personal_points(card, s.shelf[p])] += cards[card]
        else:
            chance[p][0] = 1
        value.score[p] = base[p]
        for x in range(13):
            value.score[p] += x * chance[p][x]
    for i in range(n):
        p = (game.first_player + i) % n
        value.win[p] = 0
        for x in range(13):
            share = chance[p][x]
            if share == 0:
                continue
            for j in range(n):
                q = (game.first_player + j) % n
                if q == p:
                    continue
                below = 0
                for y in range(13):
                    if base[q] + y < base[p] + x or (base[q] + y == base[p] + x and j < i):
                        below += chance[q][y]
                share *= below
            value.win[p] += share
        total += value.win[p]
    for p in range(n):
        value.win[p] /= total
