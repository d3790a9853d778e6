"""The dice game: turns, marks, completion, the end and the score.

A keep leads to a chance node whose table holds fewer than six dice; the first roll of a turn
is the chance node with an empty table and two re-rolls left.
"""

from functools import lru_cache


from shelfie.engine.dice.marks import mark_table

from shelfie.engine.dice.state cimport (
    CROSS, KEEP, MARK, N_LINES, PASS, bit_count, column_bits, cross_shelf, end_triggered,
    mark_items, move_kind, move_rest, pack, shelf_bits, start_next_turn, turn_starts)
from shelfie.engine.dice.tables cimport (
    DICE, FIRST_ROLL, MAX_KEEPS, N_DICE, multiset_sum, roll_dice)
from shelfie.engine.game cimport CHANCE, DECISION, TERMINAL, move_t
from shelfie.engine.rng cimport rng_t

DEFAULT_COLUMNS = (1, 2, 3, 4, 5)
DEFAULT_VALUES = ((1, 2, 3, 5, 8),) * 5


cdef class DiceGame(Game):
    """One game: the number of players and the sheet all of them use."""

    def __cinit__(self, int players, tuple columns, tuple values):
        cdef int line, i, bits, shelf, column
        self.id = "dice"
        self.n_players = players
        self.state_size = sizeof(DiceState)
        self.marks = mark_table(columns)
        self.max_moves = MAX_KEEPS + max(self.marks.max_marks, N_LINES)
        self.values = values
        for line in range(N_LINES):
            for i in range(N_LINES):
                self.value[line][i] = values[line][i]
        for line in range(N_LINES):
            for bits in range(32):
                shelf = column = 0
                for i in range(N_LINES):
                    if bits >> i & 1:
                        shelf += self.value[line][i]
                        column += self.value[i][line]
                self.shelf_points[line][bits] = shelf if bit_count(bits) >= 3 else 0
                self.column_points[line][bits] = column if bit_count(bits) >= 3 else 0

    @property
    def columns(self):
        """Dice that an item of each column needs."""
        return self.marks.columns

    @property
    def default_sheet(self):
        """True when the sheet is the one that answers leave out."""
        return self.columns == DEFAULT_COLUMNS and self.values == DEFAULT_VALUES

    cdef int node_kind(self, const void* state) noexcept nogil:
        cdef const DiceState* s = <const DiceState*>state
        if turn_starts(s):
            if s.to_move == s.first and end_triggered(s, self.n_players):
                return TERMINAL
            return CHANCE if s.open[s.to_move] else DECISION
        return DECISION if s.dice >= FIRST_ROLL else CHANCE

    cdef int to_move(self, const void* state) noexcept nogil:
        return (<const DiceState*>state).to_move

    cdef int legal_moves(self, const void* state, move_t* moves) noexcept nogil:
        """Keeps by rising lattice index, then marks by number of items, or crosses by shelf."""
        cdef const DiceState* s = <const DiceState*>state
        cdef uint32_t open = s.open[s.to_move]
        cdef int n = 0, i, roll
        if open == 0:
            moves[0] = pack(PASS, 0)
            return 1
        roll = s.dice - FIRST_ROLL
        if s.rerolls:
            for i in range(DICE.keeps_first[roll], DICE.keeps_first[roll + 1]):
                moves[n] = pack(KEEP, DICE.keeps[i])
                n += 1
        if self.marks.single_items[roll] & open:
            for i in range(self.marks.roll_first[roll], self.marks.roll_first[roll + 1]):
                if not self.marks.roll_masks[i] & ~open:
                    moves[n] = pack(MARK, self.marks.roll_masks[i])
                    n += 1
        else:
            for i in range(N_LINES):
                if shelf_bits(open, i):
                    moves[n] = pack(CROSS, i)
                    n += 1
        return n

    cdef void apply(self, void* state, move_t move) noexcept nogil:
        cdef DiceState* s = <DiceState*>state
        cdef int kind = move_kind(move)
        if kind == KEEP:
            s.dice = move_rest(move)
            s.rerolls -= 1
            return
        if kind == MARK:
            mark_items(s, s.to_move, move_rest(move), self.n_players)
        elif kind == CROSS:
            cross_shelf(s, s.to_move, move_rest(move))
        start_next_turn(s, self.n_players)

    cdef int n_chance_outcomes(self, const void* state) noexcept nogil:
        """One outcome for each multiset of the dice that are rolled."""
        cdef int rolled = N_DICE - DICE.size[(<const DiceState*>state).dice]
        return DICE.first[rolled + 1] - DICE.first[rolled]

    cdef double chance_outcome(self, void* state, int index) noexcept nogil:
        cdef DiceState* s = <DiceState*>state
        cdef int rolled = DICE.first[N_DICE - DICE.size[s.dice]] + index
        s.dice = multiset_sum(s.dice, rolled)
        return DICE.probability[rolled]

    cdef void sample_chance(self, void* state, rng_t* rng) noexcept nogil:
        cdef DiceState* s = <DiceState*>state
        s.dice = roll_dice(s.dice, rng)

    cdef void redeal(self, void* state, int seat, rng_t* rng) noexcept nogil:
        """Nothing is hidden in the dice game."""
        pass

    cdef int points(self, uint32_t marked) noexcept nogil:
        """Points of a sheet: its shelves and columns with at least three circled items."""
        cdef int i, total = 0
        for i in range(N_LINES):
            total += self.shelf_points[i][shelf_bits(marked, i)]
            total += self.column_points[i][column_bits(marked, i)]
        return total

    cdef void returns(self, const void* state, double* win_share, double* score) noexcept nogil:
        cdef const DiceState* s = <const DiceState*>state
        cdef int p
        for p in range(self.n_players):
            score[p] = self.points(s.marked[p])
        self.win_shares(score, win_share)

    cdef void win_shares(self, const double* score, double* win_share) noexcept nogil:
        """The best scores share the win evenly."""
        cdef double best = score[0]
        cdef int p, winners = 0
        for p in range(1, self.n_players):
            best = max(best, score[p])
        for p in range(self.n_players):
            winners += score[p] == best
        for p in range(self.n_players):
            win_share[p] = 1.0 / winners if score[p] == best else 0.0


@lru_cache(maxsize=64)
def dice_game(int players, tuple columns=DEFAULT_COLUMNS, tuple values=DEFAULT_VALUES):
    """The game of these players and this sheet; checked by the caller."""
    return DiceGame(players, columns, values)
