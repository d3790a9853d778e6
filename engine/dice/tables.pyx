"""Builds the lattice of tables.pxd once, at import."""

from itertools import combinations_with_replacement
from math import factorial

FACES = "PGBTCJ"


cdef int multiset_sum(int a, int b) noexcept nogil:
    """Index of the dice of `a` and `b` together; at most six in all."""
    cdef int face, k
    for face in range(N_FACES):
        for k in range(DICE.counts[b][face]):  # no-cython-lint
            a = DICE.plus[a][face]
    return a


cdef bint multiset_within(int part, int whole) noexcept nogil:
    """True when every die of `part` is found in `whole`."""
    cdef int face
    for face in range(N_FACES):
        if DICE.counts[part][face] > DICE.counts[whole][face]:
            return False
    return True


def build():
    """Fill DICE: the multisets in order of size, then as sorted texts."""
    dice = [combo for size in range(N_DICE + 1)
            for combo in combinations_with_replacement(range(N_FACES), size)]
    index = {combo: i for i, combo in enumerate(dice)}
    for i, combo in enumerate(dice):
        DICE.size[i] = len(combo)
        ways = factorial(len(combo))
        for face in range(N_FACES):
            DICE.counts[i][face] = combo.count(face)
            ways //= factorial(combo.count(face))
            more = tuple(sorted((*combo, face)))
            DICE.plus[i][face] = index.get(more, N_MULTISETS)
            DICE.minus[i][face] = N_MULTISETS
            if face in combo:
                less = list(combo)
                less.remove(face)
                DICE.minus[i][face] = index[tuple(less)]
        DICE.probability[i] = ways / 6 ** len(combo)
    for size in range(N_DICE + 2):
        DICE.first[size] = sum(len(combo) < size for combo in dice)
    DICE.all_jokers = index[(JOKER,) * N_DICE]
    build_keeps(dice)


def build_keeps(dice):
    """List the distinct sub-multisets of at most five dice of each full roll."""
    cdef int i, keep, n = 0
    for i in range(FIRST_ROLL, N_MULTISETS):
        DICE.keeps_first[i - FIRST_ROLL] = n
        for keep in range(FIRST_ROLL):
            if multiset_within(keep, i):
                DICE.keeps[n] = keep
                n += 1
    DICE.keeps_first[N_ROLLS] = n


def dice_text(int index):
    """Letters of a multiset, sorted in the order PGBTCJ; "" for none."""
    if not 0 <= index < N_MULTISETS:
        raise IndexError(index)
    return "".join(FACES[face] * DICE.counts[index][face] for face in range(N_FACES))


def dice_index(str letters):
    """Index of the multiset of these letters, in any order; ValueError when it is none."""
    cdef int index = 0
    if len(letters) > N_DICE:
        raise ValueError("more than six dice")
    for letter in letters:
        face = FACES.find(letter)
        if face < 0:
            raise ValueError("not a face of the dice")
        index = DICE.plus[index][face]
    return index


def roll_probability(int kept, int full):
    """Chance that re-rolling all but `kept` gives `full` (indices); 0.0 when it cannot."""
    cdef int face, rest = 0, k
    if not (0 <= kept < N_MULTISETS and FIRST_ROLL <= full < N_MULTISETS):
        raise IndexError
    if not multiset_within(kept, full):
        return 0.0
    for face in range(N_FACES):
        for k in range(DICE.counts[full][face] - DICE.counts[kept][face]):  # no-cython-lint
            rest = DICE.plus[rest][face]
    return DICE.probability[rest]


build()
