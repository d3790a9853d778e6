"""Training of the dice game's value model by self-play: `shelfie train --game dice`."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from shelfie.engine.dice.position import DicePosition
from shelfie.engine.rng import seed_number
from shelfie.search.dice.learned import Learned
from shelfie.search.dice.model import DiceModel, random_arrays
from shelfie.search.dice.selfplay import Games, Learner, Player
from shelfie.search.dice.spread import measure

GAMES = 1024  # of a round, all played with the same weights
BATCH = 512
PASSES = {2: 2, 3: 4, 4: 4}  # over the records of a round, by players
THREADS = 2  # changes nothing but the time
WILD = 0.6  # most random turns of a game, as a share
RATE = 3e-3, 1e-4  # of Adam, from first to last
TRACE = 0.8, 0.24  # lambda for win shares, likewise
SCORE_TRACE = 0.9  # and for scores, whose targets are not free of luck: bias is worse there
LOG_EVERY = 5  # rounds


def train(
    players: int,
    minutes: float,
    seed: int,
    out: Path,
    *,
    rounds: int | None = None,
    resume: bool = False,
) -> None:
    """Trains a model for the default sheet and writes `out` (.npz).

    Beside it come a log (.log.jsonl) and what `resume` needs (.state.npz).

    Ends after `rounds`, or else after about `minutes` of work. With a number of rounds the
    weights depend on players, seed and rounds alone. resume: go on where an earlier call with
    the same arguments stopped; its minutes count.
    """
    start = DicePosition.new(players)
    learner = Learner(start.game, random_arrays(players, seed))
    done, before = _restore(learner, out.with_suffix(".state.npz")) if resume else (0, 0.0)
    number_of_seed = seed_number(f"dice-{players}-{seed}")
    log = out.with_suffix(".log.jsonl").open("a" if resume else "w")
    began = time.monotonic() - before
    with log, ThreadPoolExecutor(THREADS) as pool:
        for number, share in _progress(done, began, minutes, rounds):
            trace, rate = _between(TRACE, share), _between(RATE, share)
            games = _play(pool, learner, start, number_of_seed, number * GAMES, trace)
            losses = _learn(learner, games, players, number, rate)
            done = number + 1
            if done % LOG_EVERY == 0:
                seconds = time.monotonic() - began
                _log(log, done, seconds, rate, trace, losses, games.index().size)
                _save(learner, done, seconds, out)
    _save(learner, done, time.monotonic() - began, out)
    leaf = Learned(start.game, DiceModel(players, learner.views))
    np.savez_compressed(out, **learner.views, spread=measure(start, leaf))


def _progress(
    number: int, began: float, minutes: float, rounds: int | None
) -> Iterator[tuple[int, float]]:
    """(round, share of the training done) until all is done."""
    while True:
        share = (time.monotonic() - began) / (60 * minutes) if rounds is None else number / rounds
        if share >= 1:
            return
        yield number, share
        number += 1


def _between(ends: tuple[float, float], share: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * share


def _play(
    pool: ThreadPoolExecutor,
    learner: Learner,
    start: DicePosition,
    seed: int,
    first: int,
    trace: float,
) -> Games:
    """A round of games; which thread plays a game changes nothing."""
    games = Games(GAMES)
    leaf = Learned(start.game, DiceModel(start.players, learner.views))

    def work(part: int) -> None:
        Player(leaf).play(games, start, seed, first, part, THREADS, WILD, trace, SCORE_TRACE)

    list(pool.map(work, range(THREADS)))
    return games


def _learn(
    learner: Learner, games: Games, players: int, number: int, rate: float
) -> tuple[float, float]:
    """All records, shuffled, PASSES times; the losses of the first pass."""
    rng = np.random.default_rng(number)
    index = games.index()
    losses = [
        learner.learn(games, rng.permutation(index), BATCH, rate) for _ in range(PASSES[players])
    ]
    return losses[0]


def _log(
    log: Any,
    rounds: int,
    seconds: float,
    rate: float,
    trace: float,
    losses: tuple[float, float],
    records: int,
) -> None:
    line = {
        "rounds": rounds,
        "games": rounds * GAMES,
        "seconds": round(seconds, 1),
        "rate": round(rate, 6),
        "trace": round(trace, 3),
        "win_error": round(losses[0] ** 0.5, 4),
        "score_error": round(10 * losses[1] ** 0.5, 2),
        "records": records,
    }
    log.write(json.dumps(line) + "\n")
    log.flush()


def _save(learner: Learner, rounds: int, seconds: float, out: Path) -> None:
    """The model, and beside it all that training needs to go on."""
    np.savez_compressed(out, **learner.views)
    np.savez(
        out.with_suffix(".state.npz"),
        weights=learner.weights,
        first=learner.first_moment,
        second=learner.second_moment,
        steps=learner.steps,
        rounds=rounds,
        seconds=seconds,
    )


def _restore(learner: Learner, state: Path) -> tuple[int, float]:
    """(rounds done, seconds they took)"""
    with np.load(state) as stored:
        learner.weights[:] = stored["weights"]
        learner.first_moment[:] = stored["first"]
        learner.second_moment[:] = stored["second"]
        learner.steps = int(stored["steps"])
        return int(stored["rounds"]), float(stored["seconds"])
