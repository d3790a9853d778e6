"""A solved turn as Python code asks about it."""

from libc.stdlib cimport free, malloc

from shelfie.engine.dice.position cimport DicePosition
from shelfie.engine.dice.state cimport (
    CROSS, KEEP, MARK, move_kind, move_rest, pack, start_next_turn)
from shelfie.engine.dice.tables cimport FIRST_ROLL, N_MULTISETS
from shelfie.engine.game cimport MAX_PLAYERS, move_t
from shelfie.search.dice.leaf cimport Leaf
from shelfie.search.dice.turn cimport MAX_AFTER, SLOTS, skip_passes


cdef class TurnSolution(TurnSolver):
    """The turn of a position, solved over a leaf when made.

    position: before the first roll or with dice; the mover has an open item (ValueError).
    Values are in the leaf's objective for the mover; win shares and scores are per seat and
    follow the best play for that objective, so win shares sum to 1.
    """

    def __init__(self, Leaf leaf not None, DicePosition position not None):
        self.state = (<DiceState*>position.state)[0]
        if position.game is not leaf.game:
            raise ValueError("the leaf judges another game")
        if self.state.open[self.state.to_move] == 0 or position.node == "terminal":
            raise ValueError("nothing to roll for")
        with nogil:
            self.solve(&self.state)
            self.outlook(True)

    cdef tuple channels(self, const double* first, Py_ssize_t step):
        """(win shares, scores) from the first channel's number and the step to the next."""
        cdef int n = self.game.n_players
        return ([first[p * step] for p in range(n)], [first[(n + p) * step] for p in range(n)])

    @property
    def proven(self):
        """True when every line ends the game: nothing was judged."""
        return self.all_final or self.leaf.proven

    def root(self):
        """(value, win shares, scores) of the position itself."""
        cdef int n = self.game.n_players
        return (self.root_value(&self.state),
                [self.root_channel(&self.state, p) for p in range(n)],
                [self.root_channel(&self.state, n + p) for p in range(n)])

    def judge_move(self, move_t move):
        """(value, win shares, scores) of a legal packed move: keep, mark or cross."""
        cdef int kind = move_kind(move), rest = move_rest(move), i
        if kind == KEEP:
            if not (0 <= rest < FIRST_ROLL and self.rerolls):
                raise ValueError("not a keep of this turn")
            return (self.expected[self.rerolls][rest],
                    *self.channels(&self.channel_expected[self.rerolls * SLOTS + rest], 3 * SLOTS))
        i = self.after_index(kind == MARK, rest) if kind in (MARK, CROSS) else -1
        if i < 0:
            raise ValueError("not a move of this turn")
        return self.value[i], *self.channels(&self.channel_after[i], MAX_AFTER)

    def at_roll(self, int rerolls, int dice):
        """(win shares, scores) with six dice (a lattice index) and so many re-rolls left."""
        if not (0 <= rerolls <= self.rerolls and FIRST_ROLL <= dice < N_MULTISETS):
            raise ValueError("not a roll of this turn")
        return self.channels(&self.channel_best[rerolls * SLOTS + dice], 3 * SLOTS)

    def at_keep(self, int rerolls, int kept):
        """(win shares, scores) of keeping these dice with so many re-rolls left before that."""
        if not (1 <= rerolls <= self.rerolls and 0 <= kept < FIRST_ROLL):
            raise ValueError("not a keep of this turn")
        return self.channels(&self.channel_expected[rerolls * SLOTS + kept], 3 * SLOTS)

    def likeliest_end(self, move_t keep):
        """The packed final move that most often ends the turn after a keep; the first of equals."""
        cdef double* weight = <double*>malloc(MAX_AFTER * sizeof(double))
        cdef int i, best = 0
        if weight == NULL:
            raise MemoryError
        self.final_chances(move_rest(keep), self.rerolls, weight)
        for i in range(self.n_after):
            if weight[i] > weight[best] * (1.0 + 1e-9):
                best = i
        free(weight)
        return pack(MARK if best < self.n_marks else CROSS, self.items[best])


def after_pass(DicePosition position not None, Leaf leaf not None):
    """(win shares, scores, True when exact) of a position whose mover can only pass, or is over."""
    cdef DiceState state = (<DiceState*>position.state)[0]
    cdef double[MAX_PLAYERS] win
    cdef double[MAX_PLAYERS] score
    if position.node != "terminal":
        start_next_turn(&state, position.game.n_players)
    over = skip_passes(position.game.n_players, &state)
    leaf.outlook(&state, win, score)
    seats = range(position.game.n_players)
    return [win[p] for p in seats], [score[p] for p in seats], over
