from shelfie.engine.dice.state cimport DiceState

cdef struct Record:
    DiceState state         # an after-state that is not the end of the game
    double[4] win           # targets per seat
    double[4] score
