from libc.stdint cimport uint32_t

from shelfie.engine.game cimport move_t
from shelfie.engine.position cimport Position


cdef class DicePosition(Position):
    cdef int check_seat(self, int seat) except -1
    cdef int check_move(self, move_t move) except -1
    cdef int check_keep(self, int kept) except -1
    cdef int check_mark(self, uint32_t items, uint32_t open) except -1
