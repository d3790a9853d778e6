"""The handcrafted judgement of after-states."""

from shelfie.engine.dice.state cimport DiceState
from shelfie.search.dice.leaf cimport Leaf

cdef enum:
    N_EFFORTS = 24           # levels of effort in the tables
    N_LINE_STATES = 243      # 3 ** 5: each item eliminated, marked or open

cdef struct Knobs:
    double effort            # of one turn; 1 would be aiming at every item at once
    double rounds_base       # full rounds to come: base + slope * fewest items to close
    double rounds_slope
    double block             # what a lost line costs, in parts of what the line was worth
    double spread_base       # spread of the final margin: base + slope * sqrt(turns left)
    double spread_slope
    double gain_base         # points to come: times base + slope * turns left, at most `most`
    double gain_slope
    double gain_most

cdef struct Outlook:
    double[4] points         # final points per seat, good for comparing
    double[4] score          # the same stretched to the scores that games end with
    double spread            # of their differences


cdef class Potential(Leaf):
    cdef Knobs knobs
    cdef double[6] ease              # of items by dice needed: -log(1 - chance in one turn)
    cdef double[24] effort           # the levels, from 0 up
    cdef double[24][5] reach         # chance to get an open item of a column at each level
    cdef double* points              # [10 lines][243 states][levels] expected points
    cdef double* completion          # the same: chance that the line is completed

    cdef double effort_level(self, double turns) noexcept nogil
    cdef void turns_left(self, const DiceState* after, double* turns) noexcept nogil
    cdef Outlook foresee(self, const DiceState* after) noexcept nogil
    cdef void shares(self, const Outlook* outlook, double* win) noexcept nogil
    cdef void fill_line(self, int line, int state) noexcept
