"""Training of the tile game's value model by self-play: `shelfie train --game tile`."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from shelfie.engine.rng import Rng
from shelfie.engine.tile.position import TilePosition
from shelfie.search.tile.evaluator import TileEvaluator
from shelfie.search.tile.model import TileModel, random_arrays
from shelfie.search.tile.selfplay import Buffer, Trainer

GAMES_PER_ROUND = 512
BATCH = 256
THREADS = 2
ADAM_BETAS = 0.9, 0.999


def variant(rng: Rng) -> dict[str, Any]:
    """The rules of one training game: mostly the default ones, every variant now and then."""
    options: dict[str, Any] = {"common_goals": 1 if rng.uniform() < 0.08 else 2}
    options["personal_goals"] = rng.uniform() >= 0.05
    options["rules"] = {
        "refill": "keep" if rng.uniform() < 0.12 else "return",
        "squares": "same" if rng.uniform() < 0.12 else "any",
    }
    return options


class Adam:
    """Adam (Kingma, Ba 2015) over a dictionary of arrays."""

    def __init__(self, arrays: dict[str, Any]) -> None:
        self.first = {k: np.zeros_like(v) for k, v in arrays.items()}
        self.second = {k: np.zeros_like(v) for k, v in arrays.items()}
        self.steps = 0

    def step(self, arrays: dict[str, Any], gradient: dict[str, Any], rate: float) -> None:
        self.steps += 1
        a, b = ADAM_BETAS
        scale = rate * (1 - b**self.steps) ** 0.5 / (1 - a**self.steps)
        for name, weights in arrays.items():
            g = gradient[name]
            m, v = self.first[name], self.second[name]
            m *= a
            m += (1 - a) * g
            v *= b
            v += (1 - b) * g * g
            weights -= (scale * m / (np.sqrt(v) + 1e-8)).astype(np.float32)


def play_round(
    pool: ThreadPoolExecutor,
    model: TileModel,
    players: int,
    seed: str,
    first: int,
    trace: float,
    temperature: float,
    random_share: float,
) -> list[tuple[Buffer, list[Any], Any]]:
    """A round of games, split over threads; which thread plays a game changes nothing."""

    def work(part: int) -> tuple[Buffer, list[Any], Any]:
        buffer, games, game_of = Buffer(GAMES_PER_ROUND // THREADS * 140), [], []
        evaluator = None
        for i in range(first + part, first + GAMES_PER_ROUND, THREADS):
            rng = Rng(seed, i)
            position = TilePosition.new(players, rng, **variant(rng))
            evaluator = evaluator or TileEvaluator(position.game, model)
            before = buffer.size
            buffer.play(
                position, evaluator, rng.below(1 << 31), temperature, random_share, trace, 0.03
            )
            game_of += [len(games)] * (buffer.size - before)
            games.append(position.game)
        return buffer, games, np.array(game_of, np.int32)

    return list(pool.map(work, range(THREADS)))


def train(
    players: int,
    minutes: float,
    seed: int,
    out: Path,
    *,
    rounds: int | None = None,
) -> None:
    """Trains from random weights and writes `out` (.npz) and a log beside it."""
    arrays = random_arrays(seed)
    model = TileModel(arrays)
    arrays = model.arrays
    adam = Adam(arrays)
    trainers = [Trainer() for _ in range(THREADS)]
    started = time.monotonic()
    log = out.with_suffix(".log.jsonl").open("w")
    games = 0
    with ThreadPoolExecutor(THREADS) as pool:
        number = 0
        while True:
            share = (
                (time.monotonic() - started) / (60 * minutes) if rounds is None else number / rounds
            )
            if share >= 1:
                break
            rate = 2e-3 * (1 - share) ** 1.0 + 1e-4 * share if number > 2 else 1e-3
            trace = 0.95 - 0.25 * share
            parts = play_round(
                pool,
                model,
                players,
                f"tile-{players}-{seed}",
                games,
                trace,
                0.04 - 0.025 * share,
                0.02,
            )
            games += GAMES_PER_ROUND
            loss = learn(pool, parts, trainers, arrays, adam, model, rate, number)
            number += 1
            if number % 10 == 0:
                line = {
                    "games": games,
                    "seconds": round(time.monotonic() - started, 1),
                    "rate": round(rate, 6),
                    "trace": round(trace, 3),
                    **loss,
                }
                log.write(json.dumps(line) + "\n")
                log.flush()
                np.savez(out, **arrays)
    np.savez(out, **arrays)


def learn(
    pool: ThreadPoolExecutor,
    parts: list[Any],
    trainers: list[Trainer],
    arrays: dict[str, Any],
    adam: Adam,
    model: TileModel,
    rate: float,
    number: int,
) -> dict[str, float]:
    """One pass over the records, in minibatches that take a half from each thread's games."""
    rng = np.random.default_rng(number)
    orders = [rng.permutation(p[0].size).astype(np.int32) for p in parts]
    evaluators = [TileEvaluator(p[1][0], model) for p in parts]
    half = BATCH // THREADS
    steps = min(len(o) for o in orders) // half
    losses = np.zeros(2)

    def work(i: int, step: int) -> tuple[float, float]:
        buffer, games, game_of = parts[i]
        return trainers[i].gradient(
            buffer, orders[i], step * half, (step + 1) * half, games, game_of, evaluators[i]
        )

    for step in range(steps):
        losses += np.sum(list(pool.map(work, range(THREADS), [step] * THREADS)), axis=0)
        gradient = {name: sum(t.arrays[name] for t in trainers) / BATCH for name in arrays}
        adam.step(arrays, gradient, rate)
    return {
        "win_loss": round(losses[0] / steps / BATCH, 4),
        "score_loss": round(losses[1] / steps / BATCH, 4),
    }
