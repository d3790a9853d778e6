from shelfie.search.dice.leaf cimport Leaf
from shelfie.search.dice.turn cimport TurnSolver


cdef class Lookahead(Leaf):
    cdef readonly Leaf inner
    cdef readonly long turns      # turns solved
    cdef TurnSolver solver
    cdef double stop              # seconds of the monotonic clock; infinity for never

    cdef bint out_of_time(self) noexcept nogil
