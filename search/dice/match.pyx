"""Whole games between leaves, each turn solved once and then followed; for measuring strength.

The play equals that of the searcher at one turn's depth, without the cost of texts.
"""

from collections import namedtuple

from shelfie.engine.dice.game cimport DiceGame
from shelfie.engine.dice.position cimport DicePosition
from shelfie.engine.dice.state cimport (
    DiceState, bit_count, cross_shelf, mark_items, start_next_turn)
from shelfie.engine.dice.tables cimport FIRST_ROLL, roll_dice
from shelfie.engine.rng cimport rng_make, rng_t
from shelfie.search.dice.leaf cimport Leaf
from shelfie.search.dice.turn cimport SLOTS, TurnSolver, skip_passes

from shelfie.engine.rng import seed_number


cdef void play_turn(TurnSolver solver, DiceState* state, rng_t* rng, TurnSolver judge,
                    double* luck) noexcept nogil:
    """Roll and play one whole turn as the solver's leaf wants it.

    judge: takes the luck of every roll, per seat and added to `luck`; None: nobody does.
    """
    cdef int i, keep, mover = state.to_move
    cdef DiceState before
    solver.solve(state)
    solver.choose()
    if judge is not None:
        judge.solve(state)
        judge.outlook(False)
    if state.dice < FIRST_ROLL:
        before = state[0]
        state.dice = roll_dice(state.dice, rng)
        if judge is not None:
            add_luck(judge, &before, -1, state, luck)
    while state.rerolls and solver.keep_choice[state.rerolls][state.dice] >= 0:
        before = state[0]
        keep = solver.keep_choice[state.rerolls][state.dice]
        state.dice = roll_dice(keep, rng)
        state.rerolls -= 1
        if judge is not None:
            add_luck(judge, &before, keep, state, luck)
    i = solver.final_choice[state.dice]
    if i < solver.n_marks:
        mark_items(state, mover, solver.items[i], solver.game.n_players)
    else:
        cross_shelf(state, mover, solver.items[i])
    start_next_turn(state, solver.game.n_players)


cdef void add_luck(TurnSolver judge, const DiceState* before, int keep, const DiceState* rolled,
                   double* luck) noexcept nogil:
    """Add what a roll was worth beyond its expectation, per seat."""
    cdef const double* best
    cdef const double* expected
    cdef int p
    for p in range(judge.game.n_players):
        best = &judge.channel_best[p * 3 * SLOTS]
        expected = &judge.channel_expected[p * 3 * SLOTS]
        luck[p] += best[rolled.rerolls * SLOTS + rolled.dice]
        if keep >= 0:
            luck[p] -= expected[before.rerolls * SLOTS + keep]
        else:
            luck[p] -= judge.root_channel(before, p)


def play_games(DicePosition start, list leaves, str seed, int games, *, int first=0,
               Leaf judge=None):
    """Games from a position before its first roll; leaves[seat] plays that seat.

    Returns one (win share per seat, score per seat, turns) a game. Game i, of first, first + 1
    and so on, depends on the seed and i alone. judge: takes the exact luck of every roll in its
    eyes off the win shares, which leaves their means as they are, whoever plays, and narrows
    their spread.
    """
    cdef DiceGame game = <DiceGame>start.game
    cdef DiceState state
    cdef double[4] win, score, luck
    cdef int i, p, turns
    cdef rng_t rng
    cdef TurnSolver solver, judging
    if len(leaves) != game.n_players:
        raise ValueError("one leaf a seat")
    solvers = [TurnSolver(leaf) for leaf in leaves]
    judging = None if judge is None else TurnSolver(judge)
    number = seed_number(seed)
    played = []
    for i in range(first, first + games):
        state = (<DiceState*>start.state)[0]
        rng = rng_make(number, i)
        turns = 0
        luck[0] = luck[1] = luck[2] = luck[3] = 0.0
        while not skip_passes(game.n_players, &state):
            solver = <TurnSolver>solvers[state.to_move]
            with nogil:
                play_turn(solver, &state, &rng, judging, luck)
            turns += 1
        game.returns(&state, win, score)
        played.append(([win[p] - luck[p] for p in range(game.n_players)],
                       [score[p] for p in range(game.n_players)], turns))
    return played


Forecast = namedtuple(
    "Forecast", "game turn turns open_items points shares expected win scores")


def forecast(DicePosition start, Leaf leaf, str seed, int games):
    """What a leaf says of the after-states of its own games, and how these ended.

    One `Forecast` an after-state: turn of turns in all, open items on all sheets, points now,
    win shares and scores said (`shares`, `expected`), those of the end (`win`, `scores`); points,
    shares and scores per seat.
    """
    cdef DiceGame game = <DiceGame>start.game
    cdef TurnSolver solver = TurnSolver(leaf)
    cdef DiceState state
    cdef double[4] win, score
    cdef rng_t rng
    number = seed_number(seed)
    said = []
    seats = range(game.n_players)
    for i in range(games):
        state = (<DiceState*>start.state)[0]
        rng = rng_make(number, i)
        heard = []
        while not skip_passes(game.n_players, &state):
            leaf.outlook(&state, win, score)
            heard.append((sum([bit_count(state.open[p]) for p in seats]),
                          [game.points(state.marked[p]) for p in seats],
                          [win[p] for p in seats], [score[p] for p in seats]))
            play_turn(solver, &state, &rng, None, win)
        game.returns(&state, win, score)
        end = [win[p] for p in seats], [score[p] for p in seats]
        said += [Forecast(i, turn, len(heard), *words, *end) for turn, words in enumerate(heard)]
    return said
