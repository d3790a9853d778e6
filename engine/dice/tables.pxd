"""The lattice of dice multisets: every way to hold 0 to 6 dice, 924 in all.

An index numbers a multiset; indices rise with the size, so 0 holds no die and the 462 full
rolls are 462..923. Faces are numbered in the order of the letters "PGBTCJ"; 5 is the joker.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from shelfie.engine.rng cimport rng_next, rng_t

cdef enum:
    N_FACES = 6
    N_DICE = 6
    JOKER = 5
    N_MULTISETS = 924
    N_ROLLS = 462
    FIRST_ROLL = 462      # index of the first full roll
    N_KEEPS = 11914       # all rolls together
    MAX_KEEPS = 63        # of one roll: six different faces

cdef struct DiceTables:
    uint8_t[924][6] counts         # dice of each face
    uint8_t[924] size              # dice in all
    uint16_t[8] first              # first index of each size; first[7] = 924
    uint16_t[924][6] plus          # index after one more die of a face; 924 from a full roll
    uint16_t[924][6] minus         # index after one die less; 924 when there is none
    double[924] probability        # of rolling exactly this with as many dice
    uint16_t[463] keeps_first      # full roll r (0..461): its keeps are
    uint16_t[11914] keeps          # keeps[keeps_first[r] .. keeps_first[r + 1]), rising, size < 6
    uint16_t all_jokers            # index of JJJJJJ

# Filled at import, never written again.
cdef DiceTables DICE

cdef int multiset_sum(int a, int b) noexcept nogil
cdef bint multiset_within(int part, int whole) noexcept nogil


cdef inline int roll_dice(int dice, rng_t* rng) noexcept nogil:
    """The full roll after rolling what `dice` lacks.

    One draw serves all dice: its halves in turn give base-6 digits (bias below 6^3 / 2^32).
    """
    cdef uint64_t draw = rng_next(rng)
    cdef uint64_t low = <uint32_t>draw, high = draw >> 32, spare
    cdef int k
    for k in range(N_DICE - DICE.size[dice]):  # no-cython-lint
        low *= N_FACES
        dice = DICE.plus[dice][low >> 32]
        spare = <uint32_t>low
        low = high
        high = spare
    return dice
