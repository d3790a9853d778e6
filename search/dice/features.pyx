"""Rows of the value model's table (see features.pxd)."""

from shelfie.engine.dice.state cimport (
    N_LINES, bit_count, column_bits, shelf_bits, used_shelves)
from shelfie.engine.game cimport MAX_PLAYERS

cdef int[32] TERNARY             # bits to digits of base 3
cdef int[32] COUNT               # set bits
cdef int[6][6] PAIR              # number of (marked, open)


def n_rows(int players):
    """Rows of the table for a number of players."""
    return STANDING + 16 * players * players


cdef int shelf_word(uint32_t marked, uint32_t open, int shelf) noexcept nogil:
    return TERNARY[shelf_bits(marked, shelf)] + 2 * TERNARY[shelf_bits(open, shelf)]


cdef int shelf_counts(uint32_t marked, uint32_t open, int shelf) noexcept nogil:
    return PAIR[COUNT[shelf_bits(marked, shelf)]][COUNT[shelf_bits(open, shelf)]]


cdef int column_counts(uint32_t marked, uint32_t open, int column) noexcept nogil:
    return PAIR[COUNT[column_bits(marked, column)]][COUNT[column_bits(open, column)]]


cdef int closed_shelves(uint32_t open) noexcept nogil:
    return N_LINES - bit_count(used_shelves(open))


cdef void whole_rows(int players, const DiceState* s, int seat, const int* points,
                     const int* closed, int* rows) noexcept nogil:
    """The two rows that look at whole sheets, DIFFERENCE and STANDING.

    points, closed: of every seat, points as they stand and shelves without open items.
    """
    cdef int p, best = -1, most = 0, ahead, to_move, first
    for p in range(players):
        if p != seat:
            best = max(best, points[p])
            most = max(most, closed[p])
    ahead = min(max(points[seat] - best, -MOST_AHEAD), MOST_AHEAD) + MOST_AHEAD
    to_move = seat - s.to_move if seat >= s.to_move else seat - s.to_move + players
    first = seat - s.first if seat >= s.first else seat - s.first + players
    rows[0] = DIFFERENCE + ahead + (2 * MOST_AHEAD + 1 if max(closed[seat], most) >= 2 else 0)
    rows[1] = (STANDING + 16 * (to_move * players + first) + 4 * min(closed[seat], 3)
               + min(most, 3))


cdef int view_rows(DiceGame game, const DiceState* s, int seat, int* rows) noexcept nogil:
    """All rows that a seat's view sums; how many."""
    cdef int n = 2, line, p, own
    cdef int[MAX_PLAYERS] points
    cdef int[MAX_PLAYERS] closed
    for p in range(game.n_players):
        points[p] = game.points(s.marked[p])
        closed[p] = closed_shelves(s.open[p])
    whole_rows(game.n_players, s, seat, points, closed, rows)
    for line in range(N_LINES):
        rows[n] = OWN + shelf_word(s.marked[seat], s.open[seat], line)
        n += 1
        own = N_COUNTS * shelf_counts(s.marked[seat], s.open[seat], line)
        for p in range(game.n_players):
            if p != seat:
                rows[n] = OTHER + shelf_word(s.marked[p], s.open[p], line)
                rows[n + 1] = SHELF_PAIR + own + shelf_counts(s.marked[p], s.open[p], line)
                n += 2
        own = N_COUNTS * column_counts(s.marked[seat], s.open[seat], line)
        for p in range(game.n_players):
            if p != seat:
                rows[n] = (COLUMN_PAIR + N_COUNTS * N_COUNTS * line + own
                           + column_counts(s.marked[p], s.open[p], line))
                n += 1
    return n


cdef int bits_, i_, marked_, open_, next_ = 0
for bits_ in range(32):
    TERNARY[bits_] = sum([3 ** i_ for i_ in range(5) if bits_ >> i_ & 1])
    COUNT[bits_] = bits_.bit_count()
for marked_ in range(6):
    for open_ in range(6 - marked_):
        PAIR[marked_][open_] = next_
        next_ += 1
