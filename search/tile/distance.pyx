"""How many tiles a shelf lacks for each common goal: an estimate, one function a goal.

0 means achieved, 1 to 8 tiles missing (8: eight or more), 9 that tiles already placed rule the
pattern out. Groups are assumed to grow where they have a free neighbour.
"""

from libc.stdint cimport uint8_t, uint32_t

from shelfie.engine.tile.goals cimport DIAGONALS
from shelfie.engine.tile.shelf cimport (
    BOTTOM_ROW, COLUMN, group_of, lowest, neighbours, popcount32,
)

cdef enum:
    IMPOSSIBLE = 9

cdef uint32_t SQUARE_CORNERS = 0x1F | (0x1F << 6) | (0x1F << 12) | (0x1F << 18)
cdef uint32_t X_CORNERS = 0x0F | (0x0F << 6) | (0x0F << 12)


cdef inline uint32_t all_taken(const uint32_t* shelf) noexcept nogil:
    return shelf[0] | shelf[1] | shelf[2] | shelf[3] | shelf[4] | shelf[5]


cdef inline int cut(int missing) noexcept nogil:
    return missing if missing < 8 else 8


cdef inline void smallest(int* best, int n, int x) noexcept nogil:
    """Keeps the n smallest values seen, in rising order."""
    cdef int i
    for i in range(n):
        if x < best[i]:
            best[i], x = x, best[i]


cdef inline int total(const int* best, int n) noexcept nogil:
    cdef int i, s = 0
    for i in range(n):
        if best[i] >= 100:
            return IMPOSSIBLE
        s += best[i]
    return cut(s)


cdef int two_squares(const uint32_t* shelf) noexcept nogil:
    """Best two 2x2 windows that do not share a place (windows of one group are not told apart)."""
    cdef uint32_t taken = all_taken(shelf), x, fit, a, b, c, d, odd, two, four
    cdef uint32_t[6][4] windows       # [type][missing]: lower left corners
    cdef int t, m, first = 100
    cdef uint32_t near = 0, seed
    for t in range(6):
        x = shelf[t]
        a, b, c, d = x, x >> 1, x >> 6, x >> 7
        fit = x | ~taken
        fit = fit & (fit >> 1) & (fit >> 6) & (fit >> 7) & SQUARE_CORNERS
        odd = a ^ b ^ c ^ d
        four = a & b & c & d
        two = ((a & b) | (c & d) | ((a ^ b) & (c ^ d))) & ~four    # at least two, when not odd
        windows[t][0] = fit & four
        windows[t][1] = fit & odd & ((a & b) | (c & d))
        windows[t][2] = fit & two & ~odd
        windows[t][3] = fit & odd & ~((a & b) | (c & d))
    for m in range(4):
        for t in range(6):
            if windows[t][m]:
                first = m
                seed = lowest(windows[t][m])
                # Windows that share a place with the first, or touch its group.
                near = seed | (seed << 1) | (seed << 6) | (seed << 7)
                near |= group_of(near & shelf[t], shelf[t])
                break
        if first < 100:
            break
    if first == 100:
        first = 4
    near |= (near >> 1) | (near >> 6) | (near >> 7)
    for m in range(4):
        for t in range(6):
            if windows[t][m] & ~near:
                return cut(first + m)
    return cut(first + 4) if popcount32(taken) <= 26 - first else IMPOSSIBLE


cdef int varied_columns(const uint32_t* shelf, const uint8_t* height) noexcept nogil:
    cdef int[2] best
    cdef int c, t, types
    cdef uint32_t column
    best[0] = best[1] = 100
    for c in range(5):
        types = 0
        column = <uint32_t>COLUMN << (6 * c)
        for t in range(6):
            types += (shelf[t] & column) != 0
        if types == height[c]:
            smallest(best, 2, 6 - height[c])
    return total(best, 2)


cdef int uniform_columns(const uint32_t* shelf, const uint8_t* height) noexcept nogil:
    cdef int[3] best
    cdef int c, t, types
    cdef uint32_t column
    best[0] = best[1] = best[2] = 100
    for c in range(5):
        types = 0
        column = <uint32_t>COLUMN << (6 * c)
        for t in range(6):
            types += (shelf[t] & column) != 0
        if types <= 3:
            smallest(best, 3, 6 - height[c])
    return total(best, 3)


cdef int groups(const uint32_t* shelf, int size, int count) noexcept nogil:
    """The groups nearest to `size`; a group that cannot grow is passed over, new ones are whole."""
    cdef uint32_t taken = all_taken(shelf), rest, group
    cdef int[6] best
    cdef int t, n, room = 30 - popcount32(taken)
    for n in range(count):
        best[n] = size
    for t in range(6):
        rest = shelf[t]
        while rest:
            group = group_of(lowest(rest), rest)
            rest &= ~group
            n = popcount32(group)
            if n >= size:
                smallest(best, count, 0)
            elif neighbours(group) & ~taken:
                smallest(best, count, size - n)
    n = 0
    for t in range(count):
        n += best[t]
    return IMPOSSIBLE if n > room else cut(n)


cdef int varied_rows(const uint32_t* shelf) noexcept nogil:
    cdef uint32_t taken = all_taken(shelf), repeated = 0, x
    cdef uint32_t row = BOTTOM_ROW
    cdef int[2] best
    cdef int t, h
    best[0] = best[1] = 100
    for t in range(6):
        x = shelf[t]
        repeated |= x & ((x >> 6) | (x >> 12) | (x >> 18) | (x >> 24))
    for h in range(6):
        if not repeated & (row << h):
            smallest(best, 2, 5 - popcount32(taken & (row << h)))
    return total(best, 2)


cdef int uniform_rows(const uint32_t* shelf) noexcept nogil:
    cdef uint32_t taken = all_taken(shelf), row
    cdef int[4] best
    cdef int t, h, types
    best[0] = best[1] = best[2] = best[3] = 100
    for h in range(6):
        row = <uint32_t>BOTTOM_ROW << h
        types = 0
        for t in range(6):
            types += (shelf[t] & row) != 0
        if types <= 3:
            smallest(best, 4, 5 - popcount32(taken & row))
    return total(best, 4)


cdef int corners(const uint32_t* shelf) noexcept nogil:
    cdef uint32_t places = (1 << 0) | (1 << 5) | (1 << 24) | (1 << 29)
    cdef uint32_t taken = all_taken(shelf) & places
    cdef int t
    for t in range(6):
        if shelf[t] & places == taken:
            return 4 - popcount32(taken)
    return IMPOSSIBLE


cdef int alike(const uint32_t* shelf) noexcept nogil:
    cdef int t, most = 0
    for t in range(6):
        most = max(most, popcount32(shelf[t]))
    return max(0, 8 - most) if 8 - most <= 30 - popcount32(all_taken(shelf)) else IMPOSSIBLE


cdef int x_shape(const uint32_t* shelf) noexcept nogil:
    cdef uint32_t taken = all_taken(shelf), x, fit, window
    cdef int t, best = IMPOSSIBLE
    cdef uint32_t shape = 1 | (1 << 2) | (1 << 7) | (1 << 12) | (1 << 14)
    for t in range(6):
        x = shelf[t] | ~taken
        fit = x & (x >> 2) & (x >> 7) & (x >> 12) & (x >> 14) & X_CORNERS
        while fit:
            window = lowest(fit) * shape
            fit &= fit - 1
            best = min(best, 5 - popcount32(window & shelf[t]))
    return best


cdef int diagonal(const uint32_t* shelf) noexcept nogil:
    cdef uint32_t taken = all_taken(shelf)
    cdef int t, d, best = IMPOSSIBLE
    for d in range(4):
        for t in range(6):
            if taken & DIAGONALS[d] == shelf[t] & DIAGONALS[d]:
                best = min(best, 5 - popcount32(shelf[t] & DIAGONALS[d]))
    return best


cdef int staircase(const uint8_t* height) noexcept nogil:
    """Heights 1..5 or 2..6, rising or falling."""
    cdef int low, up, c, wanted, missing, best = IMPOSSIBLE
    for low in range(1, 3):
        for up in range(2):
            missing = 0
            for c in range(5):
                wanted = low + (c if up else 4 - c)
                if height[c] > wanted:
                    missing = 100
                    break
                missing += wanted - height[c]
            if missing < 100:
                best = min(best, cut(missing))
    return best


cdef int distance_to_goal(int goal, const uint32_t* shelf, const uint8_t* height) noexcept nogil:
    if goal == 0:
        return two_squares(shelf)
    if goal == 1:
        return varied_columns(shelf, height)
    if goal == 2:
        return groups(shelf, 4, 4)
    if goal == 3:
        return groups(shelf, 2, 6)
    if goal == 4:
        return uniform_columns(shelf, height)
    if goal == 5:
        return varied_rows(shelf)
    if goal == 6:
        return uniform_rows(shelf)
    if goal == 7:
        return corners(shelf)
    if goal == 8:
        return alike(shelf)
    if goal == 9:
        return x_shape(shelf)
    if goal == 10:
        return diagonal(shelf)
    return staircase(height)
