"""A position as Python code meets it: checked, immutable, with text for its moves."""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from shelfie.engine.game cimport CHANCE, DECISION, MAX_PLAYERS, TERMINAL
from shelfie.engine.rng cimport Rng

NODE_NAMES = {DECISION: "decision", CHANCE: "chance", TERMINAL: "terminal"}


cdef class Position:
    """One situation of a game. Each game has its own subclass, with the reading and the writing.

    Subclasses give: `read(value)` (static), `new(players, rng, **options)` (static),
    `to_json()`, `notation()`, `format_move(move)`, `parse_move(text)`, `apply(text, ...)`,
    `scores()` and `chance_move` (the text of the only move of a chance node).
    """

    def __cinit__(self, Game game not None):
        self.game = game
        self.state = calloc(1, game.state_size)
        if self.state == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.state)

    cdef Position copy(self):
        """A private copy for the next position; the caller changes it before handing it out."""
        cdef Position twin = type(self)(self.game)
        memcpy(twin.state, self.state, self.game.state_size)
        return twin

    @property
    def players(self):
        """Number of seats."""
        return self.game.n_players

    @property
    def node(self):
        """"decision", "chance" or "terminal"."""
        return NODE_NAMES[self.game.node_kind(self.state)]

    @property
    def to_move(self):
        """The seat that moves; at a chance node the one that moves after it."""
        return self.game.to_move(self.state)

    @property
    def key(self):
        """A 64-bit hash of the state."""
        return self.game.key(self.state)

    def state_bytes(self):
        """The bytes of the state, for tests and hashing."""
        return (<char*>self.state)[:self.game.state_size]

    def moves(self):
        """The packed legal moves of a decision node, in the engine's order; else an empty list."""
        cdef move_t* buffer
        cdef int n, i
        if self.game.node_kind(self.state) != DECISION:
            return []
        buffer = <move_t*>malloc(self.game.max_moves * sizeof(move_t))
        if buffer == NULL:
            raise MemoryError
        try:
            n = self.game.legal_moves(self.state, buffer)
            return [buffer[i] for i in range(n)]
        finally:
            free(buffer)

    def legal_moves(self):
        """Every legal move as text, sorted as text; a chance node has its one chance move."""
        kind = self.game.node_kind(self.state)
        if kind == CHANCE:
            return [self.chance_move]
        return sorted([self.format_move(move) for move in self.moves()])

    def hidden(self):
        """Whether the position tells what the player to move may not see."""
        return False

    def masked(self):
        """The position as the player to move sees it."""
        return self

    def redealt(self, Rng rng not None):
        """The position with everything that the player to move cannot see drawn anew."""
        cdef Position twin = self.copy()
        self.game.redeal(twin.state, self.game.to_move(self.state), &rng.state)
        return twin

    def canonical(self, move_t move):
        """The move of `moves` that has the same effect as this legal one."""
        return move

    def winners(self):
        """Win share per seat when the game is over, else None."""
        cdef double[MAX_PLAYERS] win
        cdef double[MAX_PLAYERS] score
        if self.game.node_kind(self.state) != TERMINAL:
            return None
        self.game.returns(self.state, win, score)
        return [win[i] for i in range(self.game.n_players)]

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        return self.to_json() == other.to_json()

    def __hash__(self):
        return hash(self.notation())

    def __repr__(self):
        return f"<{self.game.id} {self.notation()}>"
