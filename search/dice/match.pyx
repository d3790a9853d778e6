"""Whole games between leaves, each turn solved once and then followed; for measuring strength.

The play equals that of the searcher at one turn's depth, without the cost of texts.
"""

from shelfie.engine.dice.game cimport DiceGame
from shelfie.engine.dice.position cimport DicePosition
from shelfie.engine.dice.state cimport DiceState, cross_shelf, mark_items, start_next_turn
from shelfie.engine.dice.tables cimport FIRST_ROLL, roll_dice
from shelfie.engine.rng cimport rng_make, rng_t
from shelfie.search.dice.leaf cimport Leaf
from shelfie.search.dice.turn cimport TurnSolver, skip_passes

from shelfie.engine.rng import seed_number


cdef void play_turn(TurnSolver solver, DiceState* state, rng_t* rng) noexcept nogil:
    """Roll and play one whole turn as the solver's leaf wants it."""
    cdef int i, mover = state.to_move
    solver.solve(state)
    solver.choose()
    if state.dice < FIRST_ROLL:
        state.dice = roll_dice(state.dice, rng)
    while state.rerolls and solver.keep_choice[state.rerolls][state.dice] >= 0:
        state.dice = roll_dice(solver.keep_choice[state.rerolls][state.dice], rng)
        state.rerolls -= 1
    i = solver.final_choice[state.dice]
    if i < solver.n_marks:
        mark_items(state, mover, solver.items[i], solver.game.n_players)
    else:
        cross_shelf(state, mover, solver.items[i])
    start_next_turn(state, solver.game.n_players)


def play_games(DicePosition start, list leaves, str seed, int games):
    """Games from a position before its first roll; leaves[seat] plays that seat.

    Returns one (win share per seat, score per seat, turns) a game. Game i depends on the seed
    and i alone.
    """
    cdef DiceGame game = <DiceGame>start.game
    cdef DiceState state
    cdef double[4] win, score
    cdef int i, p, turns
    cdef rng_t rng
    cdef TurnSolver solver
    if len(leaves) != game.n_players:
        raise ValueError("one leaf a seat")
    solvers = [TurnSolver(leaf) for leaf in leaves]
    number = seed_number(seed)
    played = []
    for i in range(games):
        state = (<DiceState*>start.state)[0]
        rng = rng_make(number, i)
        turns = 0
        while not skip_passes(game.n_players, &state):
            solver = <TurnSolver>solvers[state.to_move]
            with nogil:
                play_turn(solver, &state, &rng)
            turns += 1
        game.returns(&state, win, score)
        played.append(([win[p] for p in range(game.n_players)],
                       [score[p] for p in range(game.n_players)], turns))
    return played


def forecast(DicePosition start, Leaf leaf, str seed, int games):
    """What a leaf says of the after-states of its own games, and how these ended.

    Returns one (game, turn, turns in all, points now, win shares said, scores said, win shares,
    scores) an after-state; points, shares and scores per seat.
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
            heard.append(([game.points(state.marked[p]) for p in seats], [win[p] for p in seats], [score[p] for p in seats]))
            play_turn(solver, &state, &rng)
        game.returns(&state, win, score)
        end = [win[p] for p in seats], [score[p] for p in seats]
        said += [(i, turn, len(heard), *words, *end) for turn, words in enumerate(heard)]
    return said
