"""The rules of the tile game: takes, common goals, refill, end, scores."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from shelfie.engine.game cimport CHANCE, DECISION, TERMINAL
from shelfie.engine.rng cimport rng_below
from shelfie.engine.tile.goals cimport goal_achieved
from shelfie.engine.tile.room cimport (
    cell_bit, eastward, list_cells, surrounded, touching,
)
from shelfie.engine.tile.shelf cimport adjacency_points
from shelfie.engine.tile.state cimport EMPTY, N_CELLS, NOBODY, occupied

from shelfie.engine.tile.data import (
    COMMON_GOALS, COMMON_TOKENS, END_TOKEN, PERSONAL_GOALS, PERSONAL_POINTS, TYPES, in_play,
)

# ---- tables, made once from data.py

cdef uint8_t[5][4] TOKENS          # [players][order of claiming]
cdef uint8_t[7] MATCH_POINTS       # [matching cells of the personal goal]
cdef int END_POINTS = END_TOKEN


def _fill_tables():
    for players, tokens in COMMON_TOKENS.items():
        for order in range(4):
            TOKENS[players][order] = tokens[order] if order < len(tokens) else 0
    for matches, points in enumerate(PERSONAL_POINTS):
        MATCH_POINTS[matches] = points
    for card, rows in PERSONAL_GOALS.items():
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                if letter != ".":
                    CARD_PLACE[card][TYPES.index(letter)] = 1 << (6 * c + 5 - r)


memset(CARD_PLACE, 0, sizeof(CARD_PLACE))
_fill_tables()

# Which orders of three cells a < b < c give different type sequences, as permutations of
# 0, 1, 2, each the smallest as text of its kind. Index: (ab equal) + 2 (bc equal) + 4 (ac equal).
cdef uint8_t[8] N_ORDERS
N_ORDERS[:] = [6, 3, 3, 0, 3, 0, 0, 1]
cdef uint8_t[8][6][3] ORDERS
memset(ORDERS, 0, sizeof(ORDERS))
for _i, _orders in (
    (0, ("012", "021", "102", "120", "201", "210")),
    (1, ("012", "021", "201")),
    (2, ("012", "102", "120")),
    (4, ("012", "021", "102")),
    (7, ("012",)),
):
    for _j, _order in enumerate(_orders):
        for _k in range(3):
            ORDERS[_i][_j][_k] = int(_order[_k])


cdef int personal_points(int card, const uint32_t* shelf) noexcept nogil:
    """Points for the places of a personal goal card (1..12) that a shelf matches."""
    cdef int t, matches = 0
    for t in range(6):
        matches += (shelf[t] & CARD_PLACE[card][t]) != 0
    return MATCH_POINTS[matches]


cdef int token_points(int players, int order) noexcept nogil:
    """The common goal token of the order-th claimer, counted from 0."""
    return TOKENS[players][order]


cdef class TileGame(Game):
    """One game's fixed facts. goals: one or two ids; refill, squares: the rule switches."""

    def __init__(self, int players, list goals, int first_player=0, bint personal_goals=True,
                 str refill="return", str squares="any"):
        if not 2 <= players <= 4 or not 1 <= len(goals) <= 2 or not 0 <= first_player < players:
            raise ValueError("players is 2 to 4, one or two goals, first_player a seat")
        self.id = "tile"
        self.n_players = players
        self.state_size = sizeof(TileState)
        self.max_moves = MAX_TILE_MOVES
        self.n_goals = len(goals)
        for i, goal in enumerate(goals):
            self.goal[i] = COMMON_GOALS.index(goal)
        self.first_player = first_player
        self.personal_goals = personal_goals
        self.keep_tiles = refill == "keep"
        self.same_squares = squares == "same"
        self.in_play = 0
        for cell in range(N_CELLS):
            if in_play(players, cell // 9, cell % 9):
                self.in_play |= cell_bit(cell)

    @property
    def goals(self):
        """Ids of the common goals in play."""
        return [COMMON_GOALS[self.goal[i]] for i in range(self.n_goals)]

    # ---- nodes

    cdef bint over(self, const TileState* s) noexcept nogil:
        """Over when the end token is taken and the first player would move next."""
        return s.end_token != NOBODY and s.to_move == self.first_player

    cdef bint refill_due(self, const TileState* s) noexcept nogil:
        return s.bag_total > 0 and not touching(occupied(s)) and not self.over(s)

    cdef int node_kind(self, const void* state) noexcept nogil:
        cdef const TileState* s = <const TileState*>state
        if self.over(s):
            return TERMINAL
        return CHANCE if self.refill_due(s) else DECISION

    cdef int to_move(self, const void* state) noexcept nogil:
        return (<const TileState*>state).to_move

    # ---- moves

    cdef int legal_moves(self, const void* state, move_t* moves) noexcept nogil:
        """Straight lines of 1, 2, 3 tiles with a free side each, into columns with room."""
        cdef const TileState* s = <const TileState*>state
        cdef cells_t here = occupied(s)
        cdef cells_t free = here & ~surrounded(here)
        cdef cells_t across = free & eastward(free), down = free & (free >> 9)
        cdef const uint8_t* height = s.height[s.to_move]
        cdef uint8_t[N_CELLS + 7] cells
        cdef move_t[3][5] columns      # [tiles less one]: columns with room for them
        cdef int[3] n_columns
        cdef move_t* out = moves
        cdef int c, k, n, i
        for k in range(3):
            n_columns[k] = 0
            for c in range(5):
                columns[k][c] = 0
            for c in range(5):
                columns[k][n_columns[k]] = <move_t>c << 24
                n_columns[k] += height[c] + k < 6
        n = list_cells(free, cells) if n_columns[0] else 0
        for i in range(n):
            out = put(out, cells[i] | <move_t>0xFFFF00, columns[0], n_columns[0])
        if n_columns[1]:
            n = list_cells(across, cells)
            out = put_pairs(out, s.tiles, cells, n, 1, columns[1], n_columns[1])
            n = list_cells(down, cells)
            out = put_pairs(out, s.tiles, cells, n, 9, columns[1], n_columns[1])
        if n_columns[2]:
            # A triple starts where a pair starts whose second cell starts another.
            n = list_cells(across & eastward(across), cells)
            out = put_triples(out, s.tiles, cells, n, 1, columns[2], n_columns[2])
            n = list_cells(down & (down >> 9), cells)
            out = put_triples(out, s.tiles, cells, n, 9, columns[2], n_columns[2])
        return <int>(out - moves)

    cdef void apply(self, void* state, move_t move) noexcept nogil:
        self.take(<TileState*>state, move)

    cdef void take(self, TileState* s, move_t move) noexcept nogil:
        """The whole turn: tiles to the shelf, common goals, end token, next player."""
        cdef int me = s.to_move, column = move_column(move), i, g, k, cell
        cdef uint32_t* shelf = s.shelf[me]
        cdef cells_t here = occupied(s)
        cdef bint claimed
        for i in range(3):
            cell = move_cell(move, i)
            if cell == NO_CELL:
                break
            here ^= cell_bit(cell)
            shelf[s.tiles[cell]] |= <uint32_t>1 << (6 * column + s.height[me][column])
            s.tiles[cell] = EMPTY
            s.height[me][column] += 1
            s.filled[me] += 1
        s.occupied_low = <uint64_t>here
        s.occupied_high = <uint64_t>(here >> 64)
        for g in range(self.n_goals):
            claimed = False
            for k in range(s.n_claims[g]):
                claimed = claimed or s.claims[g][k] == me
            if not claimed and goal_achieved(self.goal[g], shelf, s.height[me], s.filled[me],
                                             self.same_squares):
                s.claims[g][s.n_claims[g]] = me
                s.n_claims[g] += 1
        if s.end_token == NOBODY and s.filled[me] == 30:
            s.end_token = me
        s.to_move = me + 1 if me + 1 < self.n_players else 0

    # ---- refill

    cdef void start_refill(self, TileState* s) noexcept nogil:
        """`return`: the tiles left in the living room go back into the bag."""
        cdef int cell
        if self.keep_tiles:
            return
        for cell in range(N_CELLS):
            if s.tiles[cell] != EMPTY:
                s.bag[s.tiles[cell]] += 1
                s.bag_total += 1
                s.tiles[cell] = EMPTY
        s.occupied_low = s.occupied_high = 0

    cdef void sample_chance(self, void* state, rng_t* rng) noexcept nogil:
        """Every empty cell in play gets a random tile; with a short bag, random cells do."""
        cdef TileState* s = <TileState*>state
        cdef uint8_t[N_CELLS + 7] cells
        cdef uint8_t[132] tiles
        cdef cells_t here
        cdef int n, n_tiles = 0, i, j, t, cell
        self.start_refill(s)
        here = occupied(s)
        n = list_cells(self.in_play & ~here, cells)
        if n > s.bag_total:
            for i in range(s.bag_total):      # the first bag_total cells of a shuffle
                j = i + rng_below(rng, n - i)
                cells[i], cells[j] = cells[j], cells[i]
            n = s.bag_total
        for t in range(6):
            memset(&tiles[n_tiles], t, s.bag[t])
            n_tiles += s.bag[t]
        for i in range(n):
            j = rng_below(rng, n_tiles)
            cell = cells[i]
            t = tiles[j]
            n_tiles -= 1
            tiles[j] = tiles[n_tiles]
            s.tiles[cell] = t
            s.bag[t] -= 1
            here |= cell_bit(cell)
        s.bag_total -= n
        s.occupied_low = <uint64_t>here
        s.occupied_high = <uint64_t>(here >> 64)

    cdef void redeal(self, void* state, int seat, rng_t* rng) noexcept nogil:
        """Personal cards of the other seats (and an unknown own one), drawn without repetition."""
        cdef TileState* s = <TileState*>state
        cdef uint8_t[12] deck
        cdef int n = 0, card, p, j
        if not self.personal_goals:
            return
        for card in range(1, 13):
            if card != s.personal[seat]:
                deck[n] = card
                n += 1
        for p in range(self.n_players):
            if p != seat or s.personal[p] == 0:
                j = rng_below(rng, n)
                s.personal[p] = deck[j]
                n -= 1
                deck[j] = deck[n]

    # ---- scores

    cdef void scores(self, const TileState* s, int player, int* parts) noexcept nogil:
        """Tokens, personal goal, adjacency, end token: four numbers, as if the game ended now."""
        cdef int g, k
        parts[0] = 0
        for g in range(self.n_goals):
            for k in range(s.n_claims[g]):
                if s.claims[g][k] == player:
                    parts[0] += TOKENS[self.n_players][k]
        parts[1] = personal_points(s.personal[player], s.shelf[player])
        parts[2] = adjacency_points(s.shelf[player])
        parts[3] = END_POINTS if s.end_token == player else 0

    cdef void returns(self, const void* state, double* win_share, double* score) noexcept nogil:
        """The tied player furthest clockwise from `first_player` wins alone."""
        cdef int[4] parts
        cdef int i, p, best = -1, winner = 0
        for i in range(self.n_players):
            p = (self.first_player + i) % self.n_players
            self.scores(<const TileState*>state, p, parts)
            score[p] = parts[0] + parts[1] + parts[2] + parts[3]
            win_share[p] = 0.0
            if score[p] >= best:
                best = <int>score[p]
                winner = p
        win_share[winner] = 1.0


# ---- the generator's inner loops; `columns` holds the column byte of each column with room

cdef inline move_t* put(move_t* out, move_t cells, const move_t* columns, int n) noexcept nogil:
    # Five stores and one addition are faster than a loop over n.
    out[0] = cells | columns[0]
    out[1] = cells | columns[1]
    out[2] = cells | columns[2]
    out[3] = cells | columns[3]
    out[4] = cells | columns[4]
    return out + n


cdef inline move_t* put_pairs(move_t* out, const uint8_t* tiles, const uint8_t* starts, int n,
                              int step, const move_t* columns, int n_columns) noexcept nogil:
    cdef int i
    cdef move_t a, b
    for i in range(n):
        a = starts[i]
        b = a + step
        out = put(out, a | (b << 8) | 0xFF0000, columns, n_columns)
        if tiles[a] != tiles[b]:
            out = put(out, b | (a << 8) | 0xFF0000, columns, n_columns)
    return out


cdef inline move_t* put_triples(move_t* out, const uint8_t* tiles, const uint8_t* starts, int n,
                                int step, const move_t* columns, int n_columns) noexcept nogil:
    cdef int i, j, kind
    cdef uint8_t[3] cell
    cdef const uint8_t* order
    for i in range(n):
        cell[0] = starts[i]
        cell[1] = starts[i] + step
        cell[2] = starts[i] + 2 * step
        kind = ((tiles[cell[0]] == tiles[cell[1]]) + 2 * (tiles[cell[1]] == tiles[cell[2]])
                + 4 * (tiles[cell[0]] == tiles[cell[2]]))
        for j in range(N_ORDERS[kind]):
            order = ORDERS[kind][j]
            out = put(out, <move_t>cell[order[0]] | (<move_t>cell[order[1]] << 8)
                      | (<move_t>cell[order[2]] << 16), columns, n_columns)
    return out
