"""Monte Carlo tree search over any game: PUCT, values at the leaves, sampled chance nodes."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from shelfie.engine.game cimport MAX_PLAYERS, Game, move_t
from shelfie.search.evaluator cimport Candidate, Evaluator, Value

cdef struct Edge:
    move_t move                 # decision: the move. chance: the stream its outcome is drawn from
    int32_t child               # node, or -1
    float value                 # static value for the mover
    float prior                 # weight, not normalised

cdef struct Node:
    int32_t edges               # first edge of this node in the pool
    int32_t n_edges             # edges stored
    int32_t visits
    uint8_t kind                # NodeKind
    uint8_t to_move
    uint8_t complete            # every legal move is among the edges
    Value mean                  # of all playouts through this node
    float[MAX_PLAYERS] gain     # mean utility per seat
    float spread                # sum of squared deviations of the root mover's utility


cdef class Mcts:
    cdef readonly Game game
    cdef readonly Evaluator evaluator
    cdef readonly int playouts          # made so far
    cdef uint64_t seed
    cdef float exploration              # c of PUCT
    cdef float temperature              # of the priors, in utility
    cdef void* root_state
    cdef void* state                    # scratch: the state at the end of the descent
    cdef Node* nodes
    cdef Edge* edges
    cdef Candidate* candidates          # scratch, max_moves long
    cdef int32_t n_nodes, node_capacity, n_edges, edge_capacity
    cdef int root_seat
    cdef bint failed                    # out of memory

    cdef void run(self, int playouts) noexcept nogil
    cdef int32_t new_node(self) noexcept nogil
    cdef bint grow_edges(self, Node* node, int wanted) noexcept nogil
    cdef int select(self, int32_t index) noexcept nogil
    cdef int select_chance(self, int32_t index) noexcept nogil
    cdef int32_t descend(self, int32_t* path) noexcept nogil
    cdef void leaf(self, Node* node, Value* value) noexcept nogil
    cdef void reserve_edges(self, int count) noexcept nogil
    cdef void put_edges(self, Node* node, int start, int stop) noexcept nogil
