"""Exact minimax for the last turns of the tile game, where nothing is left to chance.

With all cards known and no refill before the end, two players play a finite game of perfect
information. Who wins follows from the margin and the tie-break, so minimax over the margin
settles both. With more players only the very last turn of the game is solved.
"""

from libc.stdlib cimport free, malloc

from shelfie.engine.game cimport CHANCE, MAX_PLAYERS, TERMINAL, move_t
from shelfie.engine.tile.game cimport MAX_TILE_MOVES, TileGame
from shelfie.engine.tile.position cimport TilePosition
from shelfie.engine.tile.state cimport TileState

cdef enum:
    MAX_PLIES = 10
    MAX_FREE = 10       # free places on the shelves of those who still move: bounds the plies


cdef struct Line:
    int margin          # of the root's mover
    int[MAX_PLAYERS] score


cdef class Solver:
    """One solution attempt; it gives up after `max_nodes` positions."""

    cdef TileGame game
    cdef int root_seat, nodes, max_nodes
    cdef bint failed            # out of nodes, or a refill turned up
    cdef move_t* moves          # MAX_TILE_MOVES a ply
    cdef int* order             # scores for sorting, likewise

    def __cinit__(self, TileGame game, int root_seat, int max_nodes):
        cdef size_t room = MAX_PLIES * MAX_TILE_MOVES
        self.game = game
        self.root_seat = root_seat
        self.max_nodes = max_nodes
        self.moves = <move_t*>malloc(room * sizeof(move_t))
        self.order = <int*>malloc(room * sizeof(int))
        if self.moves == NULL or self.order == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.moves)
        free(self.order)

    cdef void finish(self, const TileState* s, Line* line) noexcept nogil:
        cdef int[4] parts
        cdef int p, best = -1000
        for p in range(self.game.n_players):
            self.game.scores(s, p, parts)
            line.score[p] = parts[0] + parts[1] + parts[2] + parts[3]
            if p != self.root_seat:
                best = max(best, line.score[p])
        line.margin = line.score[self.root_seat] - best

    cdef void minimax(self, const TileState* s, int ply, int alpha, int beta,
                      Line* best) noexcept nogil:
        """Alpha-beta (Knuth, Moore 1975), moves in order of the mover's score after them."""
        cdef move_t* moves = self.moves + ply * MAX_TILE_MOVES
        cdef int* order = self.order + ply * MAX_TILE_MOVES
        cdef bint maximise = s.to_move == self.root_seat
        cdef int[4] parts
        cdef TileState after
        cdef Line line
        cdef int n, i, k, first, kind = self.game.node_kind(s)
        self.nodes += 1
        if kind == TERMINAL:
            self.finish(s, best)
            return
        if kind == CHANCE or ply == MAX_PLIES or self.nodes > self.max_nodes:
            self.failed = True
            return
        n = self.game.legal_moves(s, moves)
        for i in range(n):
            after = s[0]
            self.game.take(&after, moves[i])
            self.game.scores(&after, s.to_move, parts)
            order[i] = parts[0] + parts[1] + parts[2] + parts[3]
        best.margin = -10000 if maximise else 10000
        for i in range(n):
            first = i
            for k in range(i + 1, n):
                if order[k] > order[first]:
                    first = k
            moves[i], moves[first] = moves[first], moves[i]
            order[i], order[first] = order[first], order[i]
            after = s[0]
            self.game.take(&after, moves[i])
            self.minimax(&after, ply + 1, alpha, beta, &line)
            if self.failed:
                return
            if (line.margin > best.margin) if maximise else (line.margin < best.margin):
                best[0] = line
            if maximise:
                alpha = max(alpha, best.margin)
            else:
                beta = min(beta, best.margin)
            if alpha >= beta:
                return


def solve(TilePosition position, list moves, int max_nodes):
    """Proven (win shares, scores) of each packed root move, or None where that is not to be had."""
    cdef TileGame game = position.game
    cdef TileState* s = <TileState*>position.state
    cdef Solver solver = Solver(game, s.to_move, max_nodes)
    cdef TileState after
    cdef Line line
    cdef int p, n = game.n_players
    if not solvable(game, s):
        return None
    answer = []
    for move in moves:
        after = s[0]
        game.take(&after, move)
        if n > 2 and not game.over(&after):
            return None
        with nogil:
            solver.minimax(&after, 0, -10000, 10000, &line)
        if solver.failed:
            return None
        scores = [line.score[p] for p in range(n)]
        answer.append((_winner(scores, game.first_player), [float(x) for x in scores]))
    return answer


cdef bint solvable(TileGame game, const TileState* s):
    """Whether every card is known and the shelves leave only few turns."""
    cdef int p, n = game.n_players, left = 0, i
    for p in range(n):
        if game.personal_goals and s.personal[p] == 0:
            return False
    for i in range(n):
        p = (game.first_player + i) % n
        # Once the end token is taken, only those later in the round still move.
        if s.end_token == 255 or i >= (s.to_move - game.first_player + n) % n:
            left += 30 - s.filled[p]
    return left <= MAX_FREE or (s.end_token != 255)


def _winner(scores, first_player):
    n = len(scores)
    best = max(scores)
    turns = [(p - first_player) % n if scores[p] == best else -1 for p in range(n)]
    return [float(turns[p] == max(turns)) for p in range(n)]
