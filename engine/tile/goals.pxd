from libc.stdint cimport uint8_t, uint32_t

# Whether a shelf (type words; heights of its columns; number of tiles) shows the pattern of
# goal 0..11 (card number less one). `same_squares`: the switch of `two_squares`.
cdef bint goal_achieved(int goal, const uint32_t* shelf, const uint8_t* height, int filled,
                        bint same_squares) noexcept nogil

# The four diagonals of length five, as places.
cdef uint32_t[4] DIAGONALS
