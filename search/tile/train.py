"""Training of the tile game's value model by self-play: `shelfie train --game tile`."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from shelfie.engine.rng import Rng
from shelfie.engine.tile.position import TilePosition
from shelfie.search.tile.evaluator import TileEvaluator
from shelfie.search.tile.model import SHAPES, TileModel, random_arrays
from shelfie.search.tile.selfplay import Buffer, Trainer

GAMES_PER_ROUND = 512
BATCH = 256
THREADS = 2
ADAM_BETAS = 0.9, 0.999
RANDOM_SHARE = 0.02  # of moves, drawn from all legal ones
UNKNOWN_SHARE = 0.03  # of moves, made without knowing one's own card
LONGEST_GAME = 140  # turns; room for the records of one game
SAVE_EVERY = 10  # rounds


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
        buffer = Buffer(GAMES_PER_ROUND // THREADS * LONGEST_GAME)
        games: list[Any] = []
        game_of: list[int] = []
        evaluator = None
        for i in range(first + part, first + GAMES_PER_ROUND, THREADS):
            rng = Rng(seed, i)
            position = TilePosition.new(players, rng, **variant(rng))
            evaluator = evaluator or TileEvaluator(position.game, model)
            before = buffer.size
            buffer.play(
                position,
                evaluator,
                rng.below(1 << 31),
                temperature,
                random_share,
                trace,
                UNKNOWN_SHARE,
            )
            game_of += [len(games)] * (buffer.size - before)
            games.append(position.game)
        return buffer, games, np.array(game_of, np.int32)

    return list(pool.map(work, range(THREADS)))


@dataclass
class Progress:
    """What a run has to remember to go on: weights, optimiser, rounds played, seconds used."""

    arrays: dict[str, Any]
    adam: Adam
    rounds: int = 0
    seconds: float = 0.0

    def save(self, path: Path) -> None:
        parts = {"weights": self.arrays, "first": self.adam.first, "second": self.adam.second}
        flat = {f"{p}.{name}": a for p, arrays in parts.items() for name, a in arrays.items()}
        done = np.array([self.adam.steps, self.rounds, self.seconds])
        np.savez(path, done=done, **flat)

    @staticmethod
    def load(path: Path) -> "Progress":
        with np.load(path) as stored:
            arrays = {name: stored[f"weights.{name}"].copy() for name in SHAPES}
            adam = Adam(arrays)
            for name in SHAPES:
                adam.first[name] = stored[f"first.{name}"].copy()
                adam.second[name] = stored[f"second.{name}"].copy()
            steps, rounds, seconds = stored["done"]
        adam.steps = int(steps)
        return Progress(arrays, adam, int(rounds), float(seconds))


def train(
    players: int,
    minutes: float,
    seed: int,
    out: Path,
    *,
    rounds: int | None = None,
    resume: bool = False,
) -> None:
    """Trains for `minutes`, or for `rounds` of 512 games, which repeats exactly.

    Writes the weights to `out` (.npz), a line a round to `out` with the suffix .log.jsonl, and
    what `resume` needs to .state.npz.
    """
    state, log_path = out.with_suffix(".state.npz"), out.with_suffix(".log.jsonl")
    progress = Progress.load(state) if resume else None
    if progress is None:
        arrays = random_arrays(seed)
        progress = Progress(arrays, Adam(arrays))
    model = TileModel(progress.arrays)
    progress.arrays = model.arrays
    trainers = [Trainer() for _ in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as pool, log_path.open("a" if resume else "w") as log:
        while True:
            share = progress.rounds / rounds if rounds else progress.seconds / (60 * minutes)
            if share >= 1:
                break
            started = time.monotonic()
            line = _round(pool, model, players, seed, progress, trainers, share)
            progress.seconds += time.monotonic() - started
            log.write(json.dumps(line | {"seconds": round(progress.seconds, 1)}) + "\n")
            log.flush()
            if progress.rounds % SAVE_EVERY == 0:
                progress.save(state)
    progress.save(state)
    np.savez(out, **progress.arrays)


def _round(
    pool: ThreadPoolExecutor,
    model: TileModel,
    players: int,
    seed: int,
    progress: Progress,
    trainers: list[Trainer],
    share: float,
) -> dict[str, Any]:
    """Plays and learns one round; rates fall with the share of the run that is over."""
    rate = 2e-3 * (1 - share) + 1e-4 * share if progress.rounds > 2 else 1e-3
    trace = 0.95 - 0.25 * share
    games = progress.rounds * GAMES_PER_ROUND
    temperature = 0.04 - 0.025 * share
    parts = play_round(
        pool, model, players, f"tile-{players}-{seed}", games, trace, temperature, RANDOM_SHARE
    )
    loss = learn(
        pool, parts, trainers, progress.arrays, progress.adam, model, rate, progress.rounds
    )
    progress.rounds += 1
    return {
        "games": games + GAMES_PER_ROUND,
        "rate": round(rate, 6),
        "trace": round(trace, 3),
        **loss,
    }


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
