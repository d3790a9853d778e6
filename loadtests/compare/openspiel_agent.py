"""An arena agent that plays the dice game by OpenSpiel's MCTS: `openspiel:time_ms=500`.

A plugin for `shelfie.search.arena`. OpenSpiel's bot is limited by simulations, not by time: a
short search of the same position tells how many fit into the time, and what the one that counts
took is kept (`TIMES`).
"""

import time
from collections.abc import Callable

import dice_game
import numpy as np
import pyspiel
from dice_tables import FACES
from open_spiel.python.algorithms import mcts

from shelfie.engine import Position
from shelfie.engine.rng import seed_number
from shelfie.search.agents import EXTRA, Agent

UCT = 2.0  # as in OpenSpiel's own example
PROBE = 20  # simulations
TIMES: list[tuple[int, float]] = []  # simulations and seconds of every move


def state_of(game: pyspiel.Game, position: Position) -> dice_game.DiceState:
    """The decision as a state of the OpenSpiel game."""
    value = position.to_json()
    state = game.new_initial_state()
    for seat, board in enumerate(value["boards"]):
        cells = "".join(board)
        state.open[seat] = sum(1 << item for item in range(25) if cells[item] == ".")
        state.marked[seat] = sum(1 << item for item in range(25) if cells[item] == "o")
    state.mover = value["to_move"]
    state.rerolls = value["rerolls_left"]
    if value["dice"] is not None:
        state.roll = tuple(value["dice"].count(face) for face in FACES)
    state.kept = None
    if value["first_player"] != 0 or value["players"] != 2:
        raise ValueError("the OpenSpiel game has two players, of whom the first begins")
    return state


def search(
    game: pyspiel.Game, state: dice_game.DiceState, simulations: int, seed: int
) -> tuple[int, float]:
    """Action and seconds of a search."""
    random = np.random.RandomState(seed % 2**32)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = mcts.MCTSBot(game, UCT, simulations, evaluator, solve=False, random_state=random)
    started = time.perf_counter()
    action = bot.step(state)
    return action, time.perf_counter() - started


def agent(game: str, text: str) -> Agent:
    """The agent behind `time_ms=N`."""
    if game != "dice" or not text.startswith("time_ms="):
        raise ValueError("openspiel:time_ms=N plays the dice game")
    seconds = int(text.removeprefix("time_ms=")) / 1000
    return chooser(pyspiel.load_game("shelfie_dice"), seconds)


def chooser(game: pyspiel.Game, seconds: float) -> Callable[[Position, str], str]:
    def choose(position: Position, seed: str) -> str:
        state = state_of(game, position)
        legal = state.legal_actions()
        if len(legal) == 1:
            return str(state.action_to_string(legal[0]))
        _, probe = search(game, state, PROBE, seed_number(seed))
        simulations = max(1, round(PROBE * seconds / probe))
        action, took = search(game, state, simulations, seed_number(seed))
        TIMES.append((simulations, took))
        return str(state.action_to_string(action))

    return choose


EXTRA["openspiel"] = agent
