"""The state of the dice game, its packed moves and the bit tricks on a sheet.

A sheet of 25 items is a mask: bit 5 * shelf + column, shelves in the order "PGBTC".
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from shelfie.engine.dice.tables cimport DICE, N_DICE
from shelfie.engine.game cimport MAX_PLAYERS, move_t

cdef enum:
    N_LINES = 5                  # shelves, and columns
    N_ITEMS = 25
    SHEET_MASK = 0x1FFFFFF
    COLUMN_0 = 0x108421          # the five items of column 0, and the first item of each shelf
    SHELF_0 = 0x1F
    REROLLS = 2

cdef struct DiceState:
    uint32_t[4] marked           # per player: circled items
    uint32_t[4] open             # per player: items neither circled nor eliminated
    uint16_t dice                # index of the dice on the table; fewer than six: to be rolled
    uint8_t rerolls              # left once the dice on the table are six; 2 before the first roll
    uint8_t to_move
    uint8_t first                # first player

# A packed move: the kind above bit 32, the rest below: a lattice index for KEEP, the mask of the
# items for MARK, the shelf for CROSS. ROLL is no decision; it only names the chance move.
cdef enum MoveKind:
    ROLL = 0
    KEEP = 1
    MARK = 2
    CROSS = 3
    PASS = 4


cdef inline move_t pack(MoveKind kind, uint32_t rest) noexcept nogil:
    return (<move_t>kind << 32) | rest


cdef inline int move_kind(move_t move) noexcept nogil:
    return <int>(move >> 32)


cdef inline uint32_t move_rest(move_t move) noexcept nogil:
    return <uint32_t>move


cdef inline uint32_t full_shelves(uint32_t sheet) noexcept nogil:
    """Bit 5 * r is set when all five items of shelf r are in `sheet`."""
    sheet &= sheet >> 1
    return sheet & (sheet >> 2) & (sheet >> 3) & COLUMN_0


cdef inline uint32_t full_columns(uint32_t sheet) noexcept nogil:
    """Bit c is set when all five items of column c are in `sheet`."""
    return sheet & (sheet >> 5) & (sheet >> 10) & (sheet >> 15) & (sheet >> 20)


cdef inline uint32_t full_lines(uint32_t sheet) noexcept nogil:
    """All items of the complete shelves and columns of `sheet`."""
    return full_shelves(sheet) * SHELF_0 | full_columns(sheet) * COLUMN_0


cdef inline int bit_count(uint32_t x) noexcept nogil:
    """Number of set bits."""
    x -= (x >> 1) & 0x55555555
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    return <int>((((x + (x >> 4)) & 0x0F0F0F0F) * <uint32_t>0x01010101) >> 24)


cdef inline uint32_t used_shelves(uint32_t sheet) noexcept nogil:
    """Bit 5 * r is set when shelf r has at least one item in `sheet`."""
    sheet |= sheet >> 1
    return (sheet | (sheet >> 2) | (sheet >> 3)) & COLUMN_0


cdef inline uint32_t shelf_bits(uint32_t sheet, int shelf) noexcept nogil:
    """The five items of a shelf as bits 0..4, by column."""
    return (sheet >> (5 * shelf)) & SHELF_0


cdef inline uint32_t column_bits(uint32_t sheet, int column) noexcept nogil:
    """The five items of a column as bits 0..4, by shelf.

    The product moves bit 5i to 20 + i; no two of its 25 terms meet, so nothing carries.
    """
    return ((((sheet >> column) & COLUMN_0) * <uint32_t>0x111110) >> 20) & SHELF_0


cdef inline bint end_triggered(const DiceState* state, int n_players) noexcept nogil:
    """True when some player has two shelves or more without open items."""
    cdef int p
    for p in range(n_players):
        if bit_count(used_shelves(state.open[p])) <= N_LINES - 2:
            return True
    return False


cdef inline bint turn_starts(const DiceState* state) noexcept nogil:
    """True before the first roll of a turn."""
    return state.dice == 0 and state.rerolls == REROLLS


cdef inline void mark_items(
        DiceState* state, int mover, uint32_t items, int n_players) noexcept nogil:
    """Circle the items; a complete line closes on every other sheet.

    Lines completed in earlier turns have no open items elsewhere, so they need no care.
    """
    cdef uint32_t done
    cdef int p
    state.marked[mover] |= items
    state.open[mover] &= ~items
    done = full_lines(state.marked[mover])
    if done:
        for p in range(n_players):
            if p != mover:
                state.open[p] &= ~done


cdef inline void cross_shelf(DiceState* state, int mover, int shelf) noexcept nogil:
    """Eliminate the open items of a shelf."""
    state.open[mover] &= ~(<uint32_t>SHELF_0 << (5 * shelf))


cdef inline void start_next_turn(DiceState* state, int n_players) noexcept nogil:
    """Clear the table for the next player clockwise."""
    state.dice = 0
    state.rerolls = REROLLS
    state.to_move = state.to_move + 1 if state.to_move + 1 < n_players else 0
