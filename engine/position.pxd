from shelfie.engine.game cimport Game, move_t


cdef class Position:
    cdef readonly Game game
    cdef void* state              # game.state_size bytes, owned; written only before publication

    cdef Position copy(self)
