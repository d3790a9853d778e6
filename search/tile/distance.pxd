from libc.stdint cimport uint8_t, uint32_t

# Tiles missing to the pattern of goal 0..11 (card number less one), cut at 8; 9: impossible.
cdef int distance_to_goal(int goal, const uint32_t* shelf, const uint8_t* height) noexcept nogil
