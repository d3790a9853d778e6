"""Monte Carlo tree search over any game.

Selection is PUCT (Silver et al. 2017) with priors from the evaluator's static values and
progressive widening (Coulom 2007): a node considers 4 + sqrt(visits) moves, in static order.
A new leaf is worth the best of its static values; nothing is played out. Outcomes of chance are
sampled children, 1 + sqrt(visits) of them, visited in turn. States are not kept in the tree:
every descent makes its moves anew from the root, and an outcome is drawn again from its stream.
"""

from libc.math cimport expf, sqrt, sqrtf
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from shelfie.engine.game cimport CHANCE, DECISION, TERMINAL, Game, move_t
from shelfie.engine.position cimport Position
from shelfie.engine.rng cimport mix64, rng_make, rng_t
from shelfie.search.evaluator cimport Candidate, Evaluator, Value, utility

cdef enum:
    MAX_DEPTH = 256         # nodes on a path; the longest game has fewer
    FIRST_EDGES = 6         # stored when a node is made


cdef class Mcts:
    """A search from one position. `run_slice` may be called until the limits are met."""

    def __cinit__(self, Position position, Evaluator evaluator, uint64_t seed,
                  float exploration=0.25, float temperature=0.05):
        cdef Game game = position.game
        self.game = game
        self.evaluator = evaluator
        self.seed = seed
        self.exploration = exploration
        self.temperature = temperature
        self.root_state = malloc(game.state_size)
        self.state = malloc(game.state_size)
        self.candidates = <Candidate*>malloc(game.max_moves * sizeof(Candidate))
        self.node_capacity = 1024
        self.edge_capacity = 8192
        self.nodes = <Node*>malloc(self.node_capacity * sizeof(Node))
        self.edges = <Edge*>malloc(self.edge_capacity * sizeof(Edge))
        if (self.root_state == NULL or self.state == NULL or self.candidates == NULL
                or self.nodes == NULL or self.edges == NULL):
            raise MemoryError
        memcpy(self.root_state, position.state, game.state_size)
        self.root_seat = game.to_move(self.root_state)
        self.new_node()
        self.nodes[0].kind = game.node_kind(self.root_state)
        self.nodes[0].to_move = self.root_seat

    def __dealloc__(self):
        free(self.root_state)
        free(self.state)
        free(self.candidates)
        free(self.nodes)
        free(self.edges)

    def restrict(self, moves):
        """Lets the root choose among these packed moves only. Call before the first playout."""
        cdef set allowed = set(moves)
        cdef Node* root = &self.nodes[0]
        cdef int i, kept = 0, n
        cdef Value value
        memcpy(self.state, self.root_state, self.game.state_size)
        if self.nodes[0].kind != DECISION:
            raise ValueError("not a decision node")
        n = self.evaluator.expand(self.state, self.game.max_moves, self.candidates, &value)
        for i in range(n):
            if self.candidates[i].move in allowed:
                self.candidates[kept] = self.candidates[i]
                kept += 1
        if kept != len(allowed):
            raise ValueError("a move is not legal in this position")
        self.reserve_edges(kept)
        if self.failed:
            raise MemoryError
        root = &self.nodes[0]
        root.edges = self.n_edges
        root.n_edges = kept
        root.complete = True
        self.n_edges += kept
        self.put_edges(root, 0, kept)

    def run_slice(self, int playouts):
        """Makes `playouts` tree descents without the GIL."""
        with nogil:
            self.run(playouts)
        if self.failed:
            raise MemoryError

    # ---- one playout

    cdef void run(self, int playouts) noexcept nogil:
        cdef int32_t[MAX_DEPTH] path
        cdef Value value
        cdef float[MAX_PLAYERS] gain
        cdef int i, k, p, n_players = self.game.n_players
        cdef int32_t depth
        cdef Node* node
        cdef float weight, before
        for i in range(playouts):  # no-cython-lint
            depth = self.descend(path)
            if depth == 0 or self.failed:
                return
            node = &self.nodes[path[depth - 1]]
            self.leaf(node, &value)
            for p in range(n_players):
                gain[p] = utility(&value, p, n_players, self.evaluator.objective)
            for k in range(depth):
                node = &self.nodes[path[k]]
                node.visits += 1
                weight = <float>(1.0 / node.visits)
                before = node.gain[self.root_seat]
                for p in range(n_players):
                    node.mean.win[p] += (value.win[p] - node.mean.win[p]) * weight
                    node.mean.score[p] += (value.score[p] - node.mean.score[p]) * weight
                    node.gain[p] += (gain[p] - node.gain[p]) * weight
                node.spread += (gain[self.root_seat] - before) * (
                    gain[self.root_seat] - node.gain[self.root_seat])
            self.playouts += 1

    cdef int32_t descend(self, int32_t* path) noexcept nogil:
        """Walks to a node without visits or a terminal one; the length of the path."""
        cdef int32_t index = 0, child, depth = 0
        cdef int edge
        cdef rng_t rng
        cdef Node* node
        memcpy(self.state, self.root_state, self.game.state_size)
        while depth < MAX_DEPTH:
            path[depth] = index
            depth += 1
            node = &self.nodes[index]
            if node.kind == TERMINAL or (node.visits == 0 and index != 0 and node.kind == DECISION):
                break
            edge = self.select_chance(index) if node.kind == CHANCE else self.select(index)
            if edge < 0:
                break
            if node.kind == CHANCE:
                rng = rng_make(self.seed, self.edges[edge].move)
                self.game.sample_chance(self.state, &rng)
            else:
                self.game.apply(self.state, self.edges[edge].move)
            child = self.edges[edge].child
            if child < 0:
                child = self.new_node()
                if child < 0:
                    return 0
                self.edges[edge].child = child
                self.nodes[child].kind = self.game.node_kind(self.state)
                self.nodes[child].to_move = self.game.to_move(self.state)
            index = child
        return depth

    cdef void leaf(self, Node* node, Value* value) noexcept nogil:
        """The value of the node that `self.state` is at, and its first edges."""
        cdef int n
        if node.kind == TERMINAL:
            if node.visits == 0:
                self.evaluator.result(self.state, value)
            else:
                value[0] = node.mean
            return
        if node.n_edges:
            value[0] = node.mean
            return
        n = self.evaluator.expand(self.state, FIRST_EDGES + 1, self.candidates, value)
        node.complete = n <= FIRST_EDGES
        n = min(n, FIRST_EDGES)
        self.reserve_edges(n)
        if self.failed:
            return
        node.edges = self.n_edges
        node.n_edges = n
        self.n_edges += n
        self.put_edges(node, 0, n)

    # ---- choosing an edge

    cdef int select(self, int32_t index) noexcept nogil:
        """PUCT over the first 4 + sqrt(visits) edges; the edge's index in the pool."""
        cdef Node* node = &self.nodes[index]
        cdef int considered = 4 + <int>sqrt(<double>node.visits)
        cdef int i, best = -1, mover = node.to_move
        cdef Edge* edge
        cdef Node* child
        cdef float total = 0, root, score, value, highest = -1e30
        cdef int visits
        if considered > node.n_edges and not node.complete:
            if not self.grow_edges(node, 2 * considered):
                return -1
        considered = min(considered, node.n_edges)
        for i in range(considered):
            total += self.edges[node.edges + i].prior
        root = self.exploration * sqrtf(<float>node.visits) / total
        for i in range(considered):
            edge = &self.edges[node.edges + i]
            if edge.child >= 0:
                child = &self.nodes[edge.child]
                visits = child.visits
                value = child.gain[mover] if visits else edge.value
            else:
                visits = 0
                value = edge.value
            score = value + root * edge.prior / (1 + visits)
            if score > highest:
                highest = score
                best = node.edges + i
        return best

    cdef int select_chance(self, int32_t index) noexcept nogil:
        """The least visited of the outcomes drawn so far, or a new one."""
        cdef Node* node = &self.nodes[index]
        cdef int wanted = 1 + <int>sqrt(<double>node.visits), i, best = 0, fewest = 0x7FFFFFFF
        cdef int32_t old
        if node.n_edges < wanted:
            # Edges of a node lie side by side, so a longer list is a new list.
            self.reserve_edges(wanted)
            if self.failed:
                return -1
            node = &self.nodes[index]
            old = node.edges
            node.edges = self.n_edges
            self.n_edges += wanted
            memcpy(&self.edges[node.edges], &self.edges[old], node.n_edges * sizeof(Edge))
            for i in range(node.n_edges, wanted):
                self.edges[node.edges + i].move = mix64((<uint64_t>index << 32) + i)
                self.edges[node.edges + i].child = -1
                self.edges[node.edges + i].value = 0
                self.edges[node.edges + i].prior = 1
            node.n_edges = wanted
        for i in range(node.n_edges):
            if self.edges[node.edges + i].child < 0:
                return node.edges + i
            if self.nodes[self.edges[node.edges + i].child].visits < fewest:
                fewest = self.nodes[self.edges[node.edges + i].child].visits
                best = node.edges + i
        return best

    # ---- the pools

    cdef int32_t new_node(self) noexcept nogil:
        cdef Node* bigger
        if self.n_nodes == self.node_capacity:
            bigger = <Node*>realloc(self.nodes, 2 * <size_t>self.node_capacity * sizeof(Node))
            if bigger == NULL:
                self.failed = True
                return -1
            self.nodes = bigger
            self.node_capacity *= 2
        memset(&self.nodes[self.n_nodes], 0, sizeof(Node))
        self.n_nodes += 1
        return self.n_nodes - 1

    cdef void reserve_edges(self, int count) noexcept nogil:
        cdef Edge* bigger
        cdef size_t capacity = self.edge_capacity
        while self.n_edges + count > <int32_t>capacity:
            capacity *= 2
        if capacity == <size_t>self.edge_capacity:
            return
        bigger = <Edge*>realloc(self.edges, capacity * sizeof(Edge))
        if bigger == NULL:
            self.failed = True
            return
        self.edges = bigger
        self.edge_capacity = <int32_t>capacity

    cdef bint grow_edges(self, Node* node, int wanted) noexcept nogil:
        """Stores at least `wanted` edges, or all there are. `self.state` is at the node."""
        cdef Value value
        cdef int n = self.evaluator.expand(self.state, wanted + 1, self.candidates, &value)
        cdef int32_t old = node.edges, had = node.n_edges
        cdef bint complete = n <= wanted
        n = min(n, wanted)
        self.reserve_edges(n)
        if self.failed:
            return False
        node.edges = self.n_edges
        self.n_edges += n
        memcpy(&self.edges[node.edges], &self.edges[old], had * sizeof(Edge))
        node.n_edges = n
        node.complete = complete
        self.put_edges(node, had, n)
        return True

    cdef void put_edges(self, Node* node, int start, int stop) noexcept nogil:
        cdef int i
        cdef Edge* edge
        for i in range(start, stop):
            edge = &self.edges[node.edges + i]
            edge.move = self.candidates[i].move
            edge.child = -1
            edge.value = self.candidates[i].value
            edge.prior = expf((edge.value - self.candidates[0].value) / self.temperature)

    # ---- answers

    def root_edges(self):
        """Per root edge: (move, visits, win, score, standard error, static value).

        A move with fewer than two playouts has no spread of its own: its standard error is that
        of one playout of the root.
        """
        cdef Node* root = &self.nodes[0]
        cdef Edge* edge
        cdef Node* child
        cdef double single = standard_error(root) * sqrt(<double>root.visits)
        cdef int i, p
        answer = []
        for i in range(root.n_edges):
            edge = &self.edges[root.edges + i]
            if edge.child < 0 or self.nodes[edge.child].visits == 0:
                answer.append((edge.move, 0, None, None, single, edge.value))
                continue
            child = &self.nodes[edge.child]
            answer.append((
                edge.move, child.visits,
                shares(child, self.game.n_players),
                [child.mean.score[p] for p in range(self.game.n_players)],
                single if child.visits < 2 and child.kind != TERMINAL else standard_error(child),
                edge.value,
            ))
        return answer

    def root_value(self):
        """(win, score, standard error) of the root, means over all playouts."""
        cdef Node* root = &self.nodes[0]
        cdef int p
        return (shares(root, self.game.n_players),
                [root.mean.score[p] for p in range(self.game.n_players)], standard_error(root))

    def most_visited(self):
        """The root's packed move with most visits, the first of equals; None without visits."""
        best = max(self.root_edges(), key=lambda edge: edge[1], default=(None, 0))
        return best[0] if best[1] else None

    def best_error(self):
        """Standard error of the root move visited most; infinite without visits."""
        cdef Node* root = &self.nodes[0]
        cdef Node* child
        cdef int i, most = 0
        cdef double error = float("inf")
        for i in range(root.n_edges):
            if self.edges[root.edges + i].child >= 0:
                child = &self.nodes[self.edges[root.edges + i].child]
                if child.visits > most:
                    most, error = child.visits, standard_error(child)
        return error

    def principal_variation(self, move_t first, int longest):
        """Packed moves from the root, `first` first, by visits; it ends before a chance node."""
        cdef int32_t index = -1
        cdef Node* node = &self.nodes[0]
        cdef int i, best
        moves = [first]
        for i in range(node.n_edges):
            if self.edges[node.edges + i].move == first:
                index = self.edges[node.edges + i].child
        while index >= 0 and len(moves) < longest:
            node = &self.nodes[index]
            if node.kind != DECISION or node.visits < 2:
                break
            best = -1
            for i in range(node.n_edges):
                if self.edges[node.edges + i].child >= 0 and (best < 0 or (
                        self.nodes[self.edges[node.edges + i].child].visits
                        > self.nodes[self.edges[node.edges + best].child].visits)):
                    best = i
            if best < 0:
                break
            moves.append(self.edges[node.edges + best].move)
            index = self.edges[node.edges + best].child
        return moves


cdef list shares(const Node* node, int n_players):
    """Mean win shares, summing to 1 in double precision."""
    cdef int p
    cdef double total = 0
    for p in range(n_players):
        total += node.mean.win[p]
    return [node.mean.win[p] / total for p in range(n_players)]


cdef double standard_error(Node* node) noexcept nogil:
    """Of the mean utility for the root's mover, from the spread of the playouts below a node."""
    if node.visits < 2:
        return 0.0
    return sqrt(node.spread / (node.visits - 1.0) / node.visits)
