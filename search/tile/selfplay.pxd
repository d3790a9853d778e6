from shelfie.engine.tile.state cimport TileState
from shelfie.search.evaluator cimport Value

cdef struct Record:
    TileState state         # after a move, as the seat that made it sees it
    Value target            # TD(lambda) mix of later values and the result
