"""Levels 1 to 10: one evaluation and two dials, search work and noise in the values.

Noise comes from a hash of position, seed and move, so a level repeats itself; it never makes a
move that loses more than the level's cap. Ratings are measured: docs/levels.md.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

from shelfie.engine import Position
from shelfie.engine.rng import seed_number
from shelfie.search.analysis import (
    AnalysisRequest,
    Limits,
    MoveValue,
    SearchResult,
    moved_to,
    objective_value,
    revalued,
)
from shelfie.search.ratings import measured

LEVELS = range(1, 11)
POINTS_PER_SHARE = 20.0  # noise in the score beside noise in the win share
UNIT = {"win": 1.0, "score": POINTS_PER_SHARE}  # of an objective's value, per win share
WORK = {"tile": "playouts", "dice": "depth"}  # the limit that a level's work is


@dataclass(frozen=True, slots=True)
class Level:
    """work: playouts of the tile game; depth of the dice game.

    noise: standard deviation in win share. cap: the most win share that noise may give away.
    """

    work: int
    noise: float
    cap: float


TABLE: dict[str, tuple[Level, ...]] = {
    "tile": (
        Level(60, 0.250, 0.50),
        Level(60, 0.169, 0.39),
        Level(60, 0.128, 0.30),
        Level(60, 0.097, 0.235),
        Level(60, 0.069, 0.17),
        Level(60, 0.047, 0.12),
        Level(95, 0.0, 0.0),
        Level(250, 0.0, 0.0),
        Level(670, 0.0, 0.0),
        Level(2000, 0.0, 0.0),
    ),
    "dice": (
        Level(1, 0.550, 0.95),
        Level(1, 0.340, 0.73),
        Level(1, 0.218, 0.49),
        Level(1, 0.148, 0.35),
        Level(1, 0.108, 0.27),
        Level(1, 0.078, 0.21),
        Level(1, 0.055, 0.16),
        Level(1, 0.036, 0.12),
        Level(1, 0.018, 0.09),
        Level(1, 0.0, 0.0),
    ),
}

# With four players a search needs more noise to play as weakly beside the greedy player.
NOISE_SCALE = {("tile", 4): 1.25}


def level_table(game: str) -> list[dict[str, Any]]:
    """The levels with their dials and measured ratings, for the capabilities document."""
    return [
        {
            "level": number,
            WORK[game]: level.work,
            "loss_cap": level.cap,
            "measured": [
                entry | {"noise": noise_of(game, number, entry["players"])}
                for entry in measured(game, number)
            ],
        }
        for number, level in enumerate(TABLE[game], 1)
    ]


def noise_of(game: str, level: int, players: int) -> float:
    """Standard deviation of a level's noise, in win share."""
    return TABLE[game][level - 1].noise * NOISE_SCALE.get((game, players), 1.0)


def with_level(game: str, request: AnalysisRequest) -> AnalysisRequest:
    """The request with the level's work as a limit; the caller's own limits hold too."""
    if request.level is None:
        return request
    work = TABLE[game][request.level - 1].work
    limits = request.limits
    if game == "tile":
        own = limits.playouts
        return replace(
            request, limits=replace(limits, playouts=work if own is None else min(work, own))
        )
    own = limits.depth
    return replace(request, limits=replace(limits, depth=work if own is None else min(work, own)))


def without_search(game: str, request: AnalysisRequest) -> AnalysisRequest:
    """The request where there is nothing to choose: static values, whatever the clock says.

    With a deadline the distribution, which takes longer than all the rest, is left out.
    """
    limits = Limits(playouts=0) if game == "tile" else Limits(depth=1)
    include = request.include
    if request.deadline is not None:
        include -= {"distribution"}
    return replace(request, limits=limits, deadline=None, include=include)


def blur(
    position: Position, result: SearchResult, request: AnalysisRequest, seed: str
) -> SearchResult:
    """Adds the level's noise to the mover's share of every move, in place.

    Blurred values are estimates, also where the search had proven them.
    """
    if request.level is None:
        return result
    level = TABLE[position.game.id][request.level - 1]
    if level.noise == 0.0:
        return result
    seat = position.to_move
    spread = noise_of(position.game.id, request.level, position.players)
    result.best = None  # what the level sees decides, not what was searched most

    def worth(value: MoveValue) -> float:
        return objective_value(value.win, value.score, seat, request.objective)

    lowest = max(map(worth, result.moves)) - level.cap * UNIT[request.objective]
    within = [value for value in result.moves if worth(value) >= lowest]
    beyond = [value for value in result.moves if worth(value) < lowest]
    for value in within:
        noise = spread * _gauss(position, seed, value.move)
        value.score = list(value.score)
        value.score[seat] += POINTS_PER_SHARE * noise
        value.win = moved_to(value.win, seat, _shifted(value.win[seat], noise))
    floor = max(map(worth, within)) - 1e-6
    for value in beyond:
        if worth(value) > floor:
            value.win, value.score = revalued(
                value.win, value.score, seat, floor, request.objective
            )
    if result.stopped_by == "exact":
        result.stopped_by = "playouts"
    return result


def _shifted(share: float, noise: float) -> float:
    """A win share moved by about `noise`, on the logit scale so that it stays within 0..1."""
    share = min(max(share, 1e-6), 1.0 - 1e-6)
    return 1.0 / (1.0 + math.exp(-math.log(share / (1.0 - share)) - 4.0 * noise))


def _gauss(position: Position, seed: str, move: int) -> float:
    """A standard normal number that belongs to position, seed and move (Box, Muller 1958)."""
    first = seed_number(f"{position.key}/{seed}/{move}/a") / 2**64
    second = seed_number(f"{position.key}/{seed}/{move}/b") / 2**64
    return math.sqrt(-2.0 * math.log(1.0 - first * (1 - 1e-12))) * math.cos(2.0 * math.pi * second)
