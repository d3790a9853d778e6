"""`shelfie bench`: speed on fixed positions, one core, and the fingerprint."""

import time
from collections.abc import Callable
from typing import Any

from shelfie.engine import GAMES, Position, Rng
from shelfie.engine.dice.playout import random_playouts as random_dice_games
from shelfie.engine.dice.position import DicePosition
from shelfie.engine.speed import list_moves, make_moves, random_playouts
from shelfie.search.analysis import AnalysisRequest, Limits
from shelfie.search.analyze import analyze
from shelfie.search.dice.speed import time_turns
from shelfie.search.fingerprint import fingerprint
from shelfie.search.fixed import positions

SECONDS = 0.5  # of one measurement; the best of three counts
REPEATS = 3


def rate(work: Callable[[int], float]) -> float:
    """Units of work per second: `work(times)` returns how many it did."""
    times = 1
    while True:
        started = time.perf_counter()
        done = work(times)
        seconds = time.perf_counter() - started
        if seconds > SECONDS / 10:
            break
        times *= 4
    times = max(1, round(times * SECONDS / seconds))
    best = 0.0
    for _ in range(REPEATS):
        started = time.perf_counter()
        done = work(times)
        best = max(best, done / (time.perf_counter() - started))
    return best


def run() -> dict[str, Any]:
    """All figures; names and units as in docs/performance.md."""
    return {"tile": _tile(), "dice": _dice(), "fingerprint": fingerprint()}


def _tile() -> dict[str, Any]:
    sample = positions("tile", 2, 60)
    starts = {n: GAMES["tile"].new(n, Rng("bench")) for n in (2, 3, 4)}

    def listed(times: int) -> float:
        for position in sample:
            list_moves(position, times)
        return times * len(sample)

    def played(start: Position) -> Callable[[int], float]:
        return lambda times: random_playouts(start, times, 1) and times

    def simulated(times: int) -> float:
        request = AnalysisRequest(limits=Limits(playouts=1000), seed="bench", include=frozenset())
        for i in range(times):
            analyze(sample[i % len(sample)], request)
        return times * 1000

    return {
        "moves_per_position": sum(len(p.moves()) for p in sample) / len(sample),
        "movegen_positions_per_second": rate(listed),
        "apply_per_second": rate(lambda times: sum(make_moves(p, times) for p in sample)),
        "random_playouts_per_second": {str(n): rate(played(starts[n])) for n in starts},
        "simulations_per_ms": rate(simulated) / 1000,
    }


def _dice() -> dict[str, Any]:
    start = DicePosition.new(2, Rng("bench"))

    def played(times: int) -> float:
        random_dice_games(start, times, "bench")
        return times

    return time_turns(rate) | {"random_playout_us": 1e6 / rate(played)}
