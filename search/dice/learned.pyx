"""After-states judged by the value model, all those of a turn together.

A turn's after-states differ in the mover's new marks alone, unless a line was completed or a
shelf crossed. So the first layer of each is the sum of what they share and of one vector for
every shelf and every column with new marks; a few hundred after-states need some fifty such
vectors. The rest is summed in full.
"""

from libc.math cimport INFINITY, exp
from libc.string cimport memcpy, memset

from shelfie.engine.dice.game cimport DiceGame
from shelfie.engine.dice.state cimport (
    N_LINES, bit_count, column_bits, end_triggered, shelf_bits)
from shelfie.engine.game cimport MAX_PLAYERS
from shelfie.search.dice.features cimport (
    COLUMN_PAIR, MAX_ACTIVE, N_COUNTS, OTHER, OWN, SHELF_PAIR, closed_shelves, column_counts,
    shelf_counts, shelf_word, view_rows, whole_rows)
from shelfie.search.dice.leaf cimport lead
from shelfie.search.dice.model cimport OUTPUTS, outputs

cdef enum:
    TOGETHER = 600          # after-states looked at in one go


cdef inline void add(int32_t* sums, const int32_t* row) noexcept nogil:
    cdef int i
    for i in range(FIRST):
        sums[i] += row[i]


cdef inline void change(int32_t* sums, const int32_t* new, const int32_t* old) noexcept nogil:
    cdef int i
    for i in range(FIRST):
        sums[i] += new[i] - old[i]


cdef class Learned(Leaf):
    """The value model as a leaf, for the default sheet (ValueError for another).

    margin: value the expected margin instead of the win share. Holds nothing but the model, so
    threads may share it.
    """

    def __init__(self, DiceGame game not None, DiceModel model not None, *, bint margin=False):
        if game.n_players != model.players or not game.default_sheet:
            raise ValueError("the model is for another game")
        super().__init__(game, margin=margin)
        self.model = model
        self.name = model.id

    # One state

    cdef int n_views(self) noexcept nogil:
        return 1 if self.game.n_players == 2 else self.game.n_players

    cdef int view_seat(self, const DiceState* state, int view) noexcept nogil:
        return 1 - state.to_move if self.game.n_players == 2 else view

    cdef void look(self, const DiceState* state, int seat, float* found) noexcept nogil:
        """The three outputs for one seat's view of a state, summed in full."""
        cdef int[MAX_ACTIVE] rows
        cdef int32_t[FIRST] sums
        cdef int i, n = view_rows(self.game, state, seat, rows)
        memcpy(sums, self.model.weights.first_bias, sizeof(sums))
        for i in range(n):
            add(sums, &self.model.weights.table[rows[i] * FIRST])
        outputs(&self.model.weights, sums, found)

    cdef void shares(self, const DiceState* state, const float* found, double* win) noexcept nogil:
        """Win shares per seat from the outputs of every view."""
        cdef double top = -INFINITY, total = 0.0
        cdef int p, n = self.game.n_players
        if n == 2:
            p = 1 - state.to_move
            win[p] = 1.0 / (1.0 + exp(-<double>found[0]))
            win[1 - p] = 1.0 - win[p]
            return
        for p in range(n):
            top = max(top, <double>found[p * OUTPUTS])
        for p in range(n):
            win[p] = exp(found[p * OUTPUTS] - top)
            total += win[p]
        for p in range(n):
            win[p] /= total

    cdef void points(self, const DiceState* state, const float* found,
                     double* score) noexcept nogil:
        """Expected final scores per seat from the outputs of every view."""
        cdef int p, n = self.game.n_players
        cdef double to_come
        for p in range(n):
            if n == 2:
                to_come = found[1] if p != state.to_move else found[2]
            else:
                to_come = found[p * OUTPUTS + 1]
            score[p] = self.game.points(state.marked[p]) + 10.0 * max(to_come, 0.0)

    cdef void outlook(self, const DiceState* after, double* win, double* score) noexcept nogil:
        cdef float[MAX_PLAYERS * OUTPUTS] found
        cdef int view
        if after.to_move == after.first and end_triggered(after, self.game.n_players):
            self.game.returns(after, win, score)
            return
        for view in range(self.n_views()):
            self.look(after, self.view_seat(after, view), &found[view * OUTPUTS])
        self.shares(after, found, win)
        self.points(after, found, score)

    # The states of a turn

    cdef void values(self, int mover, const DiceState* after, int n, double* value) noexcept nogil:
        cdef float[TOGETHER * MAX_PLAYERS * OUTPUTS] found
        cdef double[MAX_PLAYERS] seats
        cdef int i, start = 0, stop, views = self.n_views() * OUTPUTS
        while start < n:
            stop = min(start + TOGETHER, n)
            self.look_at_turn(mover, &after[start], stop - start, found)
            for i in range(start, stop):
                if self.margin:
                    self.points(&after[i], &found[(i - start) * views], seats)
                    value[i] = lead(seats, self.game.n_players, mover)
                else:
                    self.shares(&after[i], &found[(i - start) * views], seats)
                    value[i] = seats[mover]
                    self.hear(&after[i], seats)
            start = stop

    cdef void hear(self, const DiceState* after, const double* win) noexcept nogil:
        """Told the win shares of everything that `values` judges; for subclasses."""
        pass

    cdef void look_at_turn(self, int mover, const DiceState* after, int n,
                           float* found) noexcept nogil:
        """All outputs of all views: found[state][view][output]."""
        cdef Frame frame
        cdef int32_t[FIRST] sums
        cdef int[TOGETHER] points
        cdef int view, views = self.n_views(), i, seat
        for i in range(n):
            points[i] = self.game.points(after[i].marked[mover])
        for view in range(views):
            seat = self.view_seat(after, view)
            self.open_frame(&frame, seat, mover, after, n)
            for i in range(n):
                if self.fits(&frame, &after[i]):
                    frame.points[mover] = points[i]
                    frame.closed[mover] = closed_shelves(after[i].open[mover])
                    self.sum_up(&frame, &after[i], sums)
                    outputs(&self.model.weights, sums, &found[(i * views + view) * OUTPUTS])
                else:
                    self.look(&after[i], self.view_seat(&after[i], view),
                              &found[(i * views + view) * OUTPUTS])

    cdef void open_frame(self, Frame* frame, int seat, int mover, const DiceState* after,
                         int n) noexcept nogil:
        """What the states have in common: a sheet that need not be one of theirs."""
        cdef int[MAX_ACTIVE] rows
        cdef int i, p, n_rows
        frame.common = after[0]
        frame.seat = seat
        frame.mover = mover
        for i in range(1, n):
            frame.common.marked[mover] &= after[i].marked[mover]
            for p in range(self.game.n_players):
                frame.common.open[p] |= after[i].open[p]
        frame.common.open[mover] &= ~frame.common.marked[mover]
        memset(frame.shelf_known, 0, sizeof(frame.shelf_known))
        memset(frame.column_known, 0, sizeof(frame.column_known))
        for p in range(self.game.n_players):
            frame.points[p] = self.game.points(frame.common.marked[p])
            frame.closed[p] = closed_shelves(frame.common.open[p])
        n_rows = view_rows(self.game, &frame.common, seat, rows)
        memcpy(frame.base, self.model.weights.first_bias, sizeof(frame.base))
        for i in range(2, n_rows):
            add(frame.base, &self.model.weights.table[rows[i] * FIRST])

    cdef bint fits(self, const Frame* frame, const DiceState* state) noexcept nogil:
        """True when new marks of the mover are all that sets a state apart from the common."""
        cdef uint32_t new = state.marked[frame.mover] ^ frame.common.marked[frame.mover]
        cdef int p
        if (state.to_move != frame.common.to_move
                or state.open[frame.mover] != frame.common.open[frame.mover] & ~new):
            return False
        for p in range(self.game.n_players):
            if p != frame.mover and state.open[p] != frame.common.open[p]:
                return False
        return bit_count(new) <= 3

    cdef void sum_up(self, Frame* frame, const DiceState* state, int32_t* sums) noexcept nogil:
        """The first layer of a state that fits the frame."""
        cdef uint32_t new = state.marked[frame.mover] ^ frame.common.marked[frame.mover], part
        cdef int[2] rows
        cdef int i
        whole_rows(self.game.n_players, state, frame.seat, frame.points, frame.closed, rows)
        memcpy(sums, frame.base, sizeof(frame.base))
        add(sums, &self.model.weights.table[rows[0] * FIRST])
        add(sums, &self.model.weights.table[rows[1] * FIRST])
        for i in range(N_LINES):
            part = shelf_bits(new, i)
            if part:
                if not frame.shelf_known[i] >> part & 1:
                    self.fill_shelf(frame, i, part)
                add(sums, frame.shelf[i][part])
            part = column_bits(new, i)
            if part:
                part = bit_count(part)
                if not frame.column_known[i] >> part & 1:
                    self.fill_column(frame, i, part)
                add(sums, frame.column[i][part])

    cdef void fill_shelf(self, Frame* frame, int shelf, uint32_t new) noexcept nogil:
        """What new marks in a shelf change."""
        cdef const int32_t* table = self.model.weights.table
        cdef const DiceState* s = &frame.common
        cdef int32_t* sums = frame.shelf[shelf][new]
        cdef int m = frame.mover, v = frame.seat, p, here
        cdef uint32_t marked = s.marked[m] | new << 5 * shelf
        cdef uint32_t open = s.open[m] & ~(new << 5 * shelf)
        cdef int before = shelf_counts(s.marked[m], s.open[m], shelf)
        cdef int after = shelf_counts(marked, open, shelf)
        cdef int kind = OWN if v == m else OTHER
        memset(sums, 0, FIRST * sizeof(int32_t))
        frame.shelf_known[shelf] |= <uint32_t>1 << new
        change(sums, &table[(kind + shelf_word(marked, open, shelf)) * FIRST],
               &table[(kind + shelf_word(s.marked[m], s.open[m], shelf)) * FIRST])
        for p in range(self.game.n_players):
            if v == m and p != m:
                here = SHELF_PAIR + shelf_counts(s.marked[p], s.open[p], shelf)
                change(sums, &table[(here + N_COUNTS * after) * FIRST],
                       &table[(here + N_COUNTS * before) * FIRST])
            elif v != m and p == v:
                here = SHELF_PAIR + N_COUNTS * shelf_counts(s.marked[p], s.open[p], shelf)
                change(sums, &table[(here + after) * FIRST], &table[(here + before) * FIRST])

    cdef void fill_column(self, Frame* frame, int column, int new) noexcept nogil:
        """What a number of new marks in a column changes."""
        cdef const int32_t* table = self.model.weights.table
        cdef const DiceState* s = &frame.common
        cdef int32_t* sums = frame.column[column][new]
        cdef int m = frame.mover, v = frame.seat, p, here, i, left = new
        cdef uint32_t marked = s.marked[m], open = s.open[m], item
        cdef int before = column_counts(marked, open, column), after
        for i in range(N_LINES):
            item = <uint32_t>1 << (5 * i + column)
            if left and open & item:
                marked |= item
                open &= ~item
                left -= 1
        after = column_counts(marked, open, column)
        memset(sums, 0, FIRST * sizeof(int32_t))
        frame.column_known[column] |= 1 << new
        for p in range(self.game.n_players):
            here = COLUMN_PAIR + N_COUNTS * N_COUNTS * column
            if v == m and p != m:
                here += column_counts(s.marked[p], s.open[p], column)
                change(sums, &table[(here + N_COUNTS * after) * FIRST],
                       &table[(here + N_COUNTS * before) * FIRST])
            elif v != m and p == v:
                here += N_COUNTS * column_counts(s.marked[p], s.open[p], column)
                change(sums, &table[(here + after) * FIRST], &table[(here + before) * FIRST])
