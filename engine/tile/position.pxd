from shelfie.engine.position cimport Position


cdef class TilePosition(Position):
    pass
