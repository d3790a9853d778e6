"""Uniformly random games, for the speed report.

The move of a decision is drawn uniformly from all legal moves, keeps included. With re-rolls
left it is drawn from the keeps and all mark sets of the roll, and drawn again when the set
needs an item that is not open: uniform over what remains, without counting it.
"""

from libc.stdint cimport uint32_t, uint64_t

from shelfie.engine.dice.game cimport DiceGame
from shelfie.engine.dice.position cimport DicePosition
from shelfie.engine.dice.state cimport (
    N_LINES, DiceState, bit_count, cross_shelf, end_triggered, mark_items, shelf_bits,
    start_next_turn, turn_starts, used_shelves)
from shelfie.engine.dice.tables cimport DICE, FIRST_ROLL, roll_dice
from shelfie.engine.rng cimport rng_below, rng_make, rng_t

from shelfie.engine.rng import seed_number


cdef uint32_t random_mark(DiceGame game, int roll, uint32_t open, rng_t* rng) noexcept nogil:
    """One of the mark sets that are possible, all equally likely; there must be one."""
    cdef int first = game.marks.roll_first[roll], last = game.marks.roll_first[roll + 1]
    cdef const uint32_t* masks = game.marks.roll_masks
    cdef int i, n = 0, chosen
    for i in range(first, last):
        n += not masks[i] & ~open
    chosen = rng_below(rng, n)
    for i in range(first, last):
        if not masks[i] & ~open:
            if chosen == 0:
                return masks[i]
            chosen -= 1
    return 0


cdef int random_open_shelf(uint32_t open, rng_t* rng) noexcept nogil:
    """A shelf with an open item, all equally likely; there must be one."""
    cdef int shelf, chosen = rng_below(rng, bit_count(used_shelves(open)))
    for shelf in range(N_LINES):
        if shelf_bits(open, shelf):
            if chosen == 0:
                return shelf
            chosen -= 1
    return 0


cdef void random_turn(DiceGame game, DiceState* s, rng_t* rng) noexcept nogil:
    """Play out the rest of the turn; the player to move has an open item."""
    cdef uint32_t open = s.open[s.to_move], mask
    cdef int roll, keeps, sets, crosses, i
    if s.dice < FIRST_ROLL:
        s.dice = roll_dice(s.dice, rng)
    while True:
        roll = s.dice - FIRST_ROLL
        if not game.marks.single_items[roll] & open:
            sets = 0
            crosses = bit_count(used_shelves(open))
        elif s.rerolls == 0:
            mark_items(s, s.to_move, random_mark(game, roll, open, rng), game.n_players)
            break
        else:
            sets = game.marks.roll_first[roll + 1] - game.marks.roll_first[roll]
            crosses = 0
        keeps = DICE.keeps_first[roll + 1] - DICE.keeps_first[roll] if s.rerolls else 0
        i = rng_below(rng, keeps + sets + crosses)
        if i < keeps:
            s.dice = roll_dice(DICE.keeps[DICE.keeps_first[roll] + i], rng)
            s.rerolls -= 1
        elif crosses:
            cross_shelf(s, s.to_move, random_open_shelf(open, rng))
            break
        else:
            mask = game.marks.roll_masks[game.marks.roll_first[roll] + i - keeps]
            if not mask & ~open:
                mark_items(s, s.to_move, mask, game.n_players)
                break
    start_next_turn(s, game.n_players)


cdef int random_game(DiceGame game, DiceState* s, rng_t* rng) noexcept nogil:
    """Play to the end in place; the number of turns (passes included)."""
    cdef int turns = 0
    while not (turn_starts(s) and s.to_move == s.first and end_triggered(s, game.n_players)):
        if s.open[s.to_move]:
            random_turn(game, s, rng)
        else:
            start_next_turn(s, game.n_players)
        turns += 1
    return turns


def random_playouts(DicePosition position, int n, str seed):
    """Play `n` random games from a position to the end.

    Returns {"playouts": n, "turns": of all games, "win": mean win share per seat, "score": mean
    points per seat}. Equal arguments give equal results.
    """
    cdef DiceGame game = <DiceGame>position.game
    cdef DiceState state
    cdef uint64_t number = seed_number(seed)
    cdef double[4] win, score, win_sum, score_sum
    cdef long turns = 0
    cdef int i, p
    cdef rng_t rng
    if n < 1:
        raise ValueError("n is at least 1")
    for p in range(4):
        win_sum[p] = score_sum[p] = 0.0
    with nogil:
        for i in range(n):
            state = (<DiceState*>position.state)[0]
            rng = rng_make(number, i)
            turns += random_game(game, &state, &rng)
            game.returns(&state, win, score)
            for p in range(game.n_players):
                win_sum[p] += win[p]
                score_sum[p] += score[p]
    return {"playouts": n, "turns": turns,
            "win": [win_sum[p] / n for p in range(game.n_players)],
            "score": [score_sum[p] / n for p in range(game.n_players)]}
