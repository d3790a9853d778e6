"""The value model of the dice game: summed table rows, two hidden layers, three outputs.

For the view of seat p, with x the rows of `features` that are active:
    first = relu(bias + sum of table[x]); second = relu(bias + first . middle)
    outputs = bias + second . last: win logit, own and the opponent's points still to come / 10
Two players: one view, of the player who just moved; his win share is the logistic function of
the logit. More players: every seat's view; win shares are the softmax of the logits, and the
third output is not used.

The table is summed in whole numbers, multiples of 2**-20, so that sums do not depend on their
order and may be kept up to date by differences.
"""

from libc.stdint cimport int32_t

cdef enum:
    FIRST = 64
    SECOND = 32
    OUTPUTS = 3

cdef struct Weights:
    int32_t* table          # [rows][FIRST], in parts of 2**20
    int32_t* first_bias     # [FIRST], likewise
    float* middle           # [FIRST][SECOND]
    float* middle_bias      # [SECOND]
    float* last             # [OUTPUTS][SECOND]
    float* last_bias        # [OUTPUTS]


cdef class DiceModel:
    cdef readonly str id
    cdef readonly int players
    cdef readonly dict arrays       # float32 arrays
    cdef readonly object spread     # float32 array, or None
    cdef list owners                # of the memory behind `weights`
    cdef Weights weights

cdef void outputs(const Weights* w, const int32_t* sums, float* found) noexcept nogil
