"""A handcrafted judgement of the tile game, as a yardstick for the learned one.

A player's expected score is what the shelf would score now and a share of what it is near to:
the next token of each common goal, open places of the personal goal, groups that can still grow.
Win shares are a softmax of those scores.
"""

from libc.math cimport expf
from libc.stdint cimport uint32_t
from libc.stdlib cimport free, malloc

from shelfie.engine.tile.game cimport CARD_PLACE, personal_points, token_points
from shelfie.engine.tile.shelf cimport group_of, lowest, neighbours, popcount32
from shelfie.search.evaluator cimport Candidate, utility
from shelfie.search.tile.distance cimport distance_to_goal
from shelfie.search.tile.evaluator cimport final_value, top

cdef float UNIT = 4.0           # points that make a win share of e to 1 between two players
cdef float OPEN_PLACE = 0.35    # of the points that the next place of the personal goal adds

cdef float[10] NEAR             # share of a token by tiles missing
NEAR[:] = [1.0, 0.75, 0.6, 0.45, 0.33, 0.24, 0.17, 0.12, 0.06, 0.0]
cdef float[7] GROWTH            # points more that a group which can grow may bring, by its size
GROWTH[:] = [0.0, 0.25, 0.9, 0.8, 1.2, 1.5, 0.0]


cdef class HandEvaluator(Evaluator):
    """Values for `objective` 0, the win share, or 1, the margin."""

    def __cinit__(self, TileGame game not None, int objective=0):
        self.game = self.tile = game
        self.objective = objective
        self.moves = <move_t*>malloc(game.max_moves * sizeof(move_t))
        if self.moves == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.moves)

    cdef void result(self, const void* state, Value* value) noexcept nogil:
        final_value(self.tile, <const TileState*>state, value)

    cdef int expand(self, const void* state, int limit, Candidate* out,
                    Value* value) noexcept nogil:
        """Every legal move by the value of the state after it."""
        cdef const TileState* s = <const TileState*>state
        cdef TileState after
        cdef Value v
        cdef float highest = 0
        cdef int i, me = s.to_move, n = self.tile.legal_moves(s, self.moves)
        for i in range(n):
            after = s[0]
            self.tile.take(&after, self.moves[i])
            if self.tile.over(&after):
                final_value(self.tile, &after, &v)
            else:
                self.value(&after, &v)
            out[i].move = self.moves[i]
            out[i].value = utility(&v, me, self.tile.n_players, self.objective)
            if i == 0 or out[i].value > highest:
                highest = out[i].value
                value[0] = v
        return top(out, n, min(n, limit))

    cdef void value(self, const TileState* s, Value* value) noexcept nogil:
        cdef int[4] parts
        cdef int p, n = self.tile.n_players
        cdef float highest = -1e9, total = 0
        for p in range(n):
            self.tile.scores(s, p, parts)
            value.score[p] = (parts[0] + parts[1] + parts[2] + parts[3]
                              + self.promise(s, p))
            highest = max(highest, value.score[p])
        for p in range(n):
            value.win[p] = expf((value.score[p] - highest) / UNIT)
            total += value.win[p]
        for p in range(n):
            value.win[p] /= total

    cdef float promise(self, const TileState* s, int player) noexcept nogil:
        """Points that the shelf is near to."""
        cdef const uint32_t* shelf = s.shelf[player]
        cdef uint32_t taken = 0, rest, group
        cdef float points = 0
        cdef int g, k, t, card = s.personal[player], met = 0
        cdef bint claimed
        for t in range(6):
            taken |= shelf[t]
        for g in range(self.tile.n_goals):
            claimed = False
            for k in range(s.n_claims[g]):
                claimed |= s.claims[g][k] == player
            if not claimed:
                points += (token_points(self.tile.n_players, s.n_claims[g])
                           * NEAR[distance_to_goal(self.tile.goal[g], shelf, s.height[player])])
        for t in range(6):
            rest = shelf[t]
            while rest:
                group = group_of(lowest(rest), rest)
                rest &= ~group
                if neighbours(group) & ~taken:
                    points += GROWTH[min(popcount32(group), 6)]
        if card:
            for t in range(6):
                met += (CARD_PLACE[card][t] & ~taken) != 0
            points += OPEN_PLACE * met * (1 + 0.2 * personal_points(card, shelf))
        return points
