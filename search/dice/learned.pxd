"""The learned judgement of after-states."""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from shelfie.engine.dice.state cimport DiceState
from shelfie.search.dice.leaf cimport Leaf
from shelfie.search.dice.model cimport FIRST, DiceModel, Weights

# The first layer for one seat's view of the after-states of one turn: what they have in common
# summed once, and what the mover's marks in a shelf or column change, worked out on demand.
cdef struct Frame:
    DiceState common
    int seat
    int mover
    int[4] points                    # as they stand, per seat; the mover's from state to state
    int[4] closed                    # shelves without open items, likewise
    int32_t[64] base
    int32_t[5][32][64] shelf         # by the shelf's new marks
    int32_t[5][4][64] column         # by the number of the column's new marks
    uint32_t[5] shelf_known          # bit for each of its 32
    uint8_t[5] column_known


cdef class Learned(Leaf):
    cdef readonly DiceModel model

    cdef int n_views(self) noexcept nogil
    cdef int view_seat(self, const DiceState* state, int view) noexcept nogil
    cdef void look(self, const DiceState* state, int seat, float* found) noexcept nogil
    cdef void shares(self, const DiceState* state, const float* logit, double* win) noexcept nogil
    cdef void points(self, const DiceState* state, const float* to_come,
                     double* score) noexcept nogil
    cdef void hear(self, const DiceState* after, const double* win) noexcept nogil
    cdef void look_at_turn(self, int mover, const DiceState* after, int n,
                           float* found) noexcept nogil
    cdef void open_frame(self, Frame* frame, int seat, int mover, const DiceState* after,
                         int n) noexcept nogil
    cdef bint fits(self, const Frame* frame, const DiceState* state) noexcept nogil
    cdef void sum_up(self, Frame* frame, const DiceState* state, int32_t* sums) noexcept nogil
    cdef void fill_shelf(self, Frame* frame, int shelf, uint32_t new) noexcept nogil
    cdef void fill_column(self, Frame* frame, int column, int new) noexcept nogil
