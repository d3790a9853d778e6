"""The dice game here and as an OpenSpiel game in Python, side by side on one core.

    python loadtests/compare/run.py [MILLISECONDS A MOVE] [SEEDS]

First both play the same random games, move by move, to see that the rules are the same. Then
random games a second, and matches: each seed with both seatings.
OpenSpiel's MCTS is the one in Python, with random rollouts; ours looks one turn ahead exactly
(`full`) or as far as the time allows (`full:time_ms`); `greedy` and `random` show where
OpenSpiel's search stands.
"""

import random
import sys
import time

import numpy as np
import openspiel_agent
import pyspiel
from open_spiel.python.algorithms import mcts

from shelfie.engine import GAMES, Position, Rng
from shelfie.engine.dice.playout import random_playouts
from shelfie.search.arena import Match, run
from shelfie.search.fixed import positions

CHECKED_GAMES = 20
SIMULATIONS = 200


def check_rules(game: pyspiel.Game) -> int:
    """Random games in both at once; how many decisions had the same moves."""
    draw, decisions = random.Random("compare"), 0
    for number in range(CHECKED_GAMES):
        here = GAMES["dice"].new(2, Rng(f"compare/{number}"))
        while here.node != "terminal":
            if here.node == "chance":
                here, _ = here.apply("roll", rng=Rng(f"{number}/{decisions}"))
                continue
            state = openspiel_agent.state_of(game, here)
            theirs = {state.action_to_string(action) for action in state.legal_actions()}
            ours = [here.format_move(move) for move in here.moves()]
            assert theirs == set(ours), here.notation()
            decisions += 1
            move = draw.choice(sorted(ours))
            finish = next(a for a in state.legal_actions() if state.action_to_string(a) == move)
            here, _ = here.apply(move, rng=Rng(f"{number}/{decisions}"))
            if not move.startswith("keep"):
                state.apply_action(finish)
                check_after(state, here)
    return decisions


def check_after(state: pyspiel.State, here: Position) -> None:
    """A turn has ended: the boards are the same, and the result if the game has."""
    assert state.is_terminal() == (here.node == "terminal")
    for seat, board in enumerate(here.to_json()["boards"]):
        cells = "".join(board)
        assert [bool(state.open[seat] >> i & 1) for i in range(25)] == [c == "." for c in cells]
        assert [bool(state.marked[seat] >> i & 1) for i in range(25)] == [c == "o" for c in cells]
    if state.is_terminal():
        share = here.winners()[0]
        assert state.returns()[0] == 2 * share - 1


def random_games(game: pyspiel.Game, seconds: float) -> float:
    """OpenSpiel's random rollouts from the start, a second."""
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    start, end, done = game.new_initial_state(), time.perf_counter() + seconds, 0
    began = time.perf_counter()
    while time.perf_counter() < end:
        evaluator.evaluate(start)
        done += 1
    return done / (time.perf_counter() - began)


def our_random_games(times: int) -> float:
    """The same here."""
    began = time.perf_counter()
    random_playouts(GAMES["dice"].new(2, Rng("compare")), times, "compare")
    return times / (time.perf_counter() - began)


def simulations(game: pyspiel.Game) -> float:
    """Simulations of OpenSpiel's MCTS a second, over positions of a game."""
    spent = 0.0
    sample = positions("dice", 2, 10)
    for number, position in enumerate(sample):
        state = openspiel_agent.state_of(game, position)
        spent += openspiel_agent.search(game, state, SIMULATIONS, number)[1]
    return len(sample) * SIMULATIONS / spent


def compete(ours: str, theirs: str, seeds: int) -> str:
    """A match in one process, each seed with both seatings."""
    openspiel_agent.TIMES.clear()
    match = Match("dice", 2, (ours, theirs), 2 * seeds, "compare", adjusted=False)
    found = run(match, workers=1, plugins=("openspiel_agent",))["agents"][0]
    times = openspiel_agent.TIMES
    mean = 1000 * sum(took for _, took in times) / len(times)
    per_move = sum(count for count, _ in times) / len(times)
    return (
        f"{ours}: win share {found['win_share']:.3f} +- {found['win_share_95']:.3f} in "
        f"{2 * seeds} games against {theirs}, which took {mean:.0f} ms a move for {per_move:.0f} "
        "simulations"
    )


def main() -> None:
    milliseconds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    game = pyspiel.load_game("shelfie_dice")
    print(f"the same moves in {check_rules(game)} decisions of {CHECKED_GAMES} games")
    ours, theirs = our_random_games(200_000), random_games(game, 3)
    print(f"random games a second: {ours:.0f}, OpenSpiel {theirs:.0f}: {ours / theirs:.0f} times")
    print(f"MCTS simulations a second: OpenSpiel {simulations(game):.0f}", flush=True)
    opponent = f"openspiel:time_ms={milliseconds}"
    for agent in (f"full:time_ms={milliseconds}", "full", "greedy", "random"):
        print(compete(agent, opponent, seeds), flush=True)


if __name__ == "__main__":
    main()
