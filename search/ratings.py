"""How strong the levels are: measured matches, and the ratings that follow from them.

Conditions: default rules, every seed in every rotation of the seats (`shelfie arena`), one seat
of the level against the level below on all others; in the dice game the luck of the dice is
taken off. docs/levels.md has the commands.
"""

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Step:
    """A match of one seat of `level` against `opponent` on all others.

    share, interval: win share and half width of its 95% interval, in percent.
    """

    level: int
    opponent: str
    share: float
    interval: float
    games: int


def _ladder(*rows: tuple[float, float, int]) -> tuple[Step, ...]:
    """Neighbours, level 2 first."""
    return tuple(Step(k, f"level:{k - 1}", *row) for k, row in enumerate(rows, 2))


# By game and players.
LADDER: dict[str, dict[int, tuple[Step, ...]]] = {
    "tile": {
        2: _ladder(
            (71.0, 4.1, 400),
            (71.0, 3.8, 400),
            (71.0, 4.0, 400),
            (74.8, 3.9, 400),
            (68.0, 4.5, 400),
            (67.5, 4.4, 400),
            (69.6, 5.7, 240),
            (69.6, 5.5, 240),
            (65.6, 6.9, 160),
        ),
        3: _ladder(
            (61.7, 5.4, 300),
            (52.3, 5.7, 300),
            (58.3, 5.4, 300),
            (53.3, 5.6, 300),
            (47.3, 5.5, 300),
            (45.3, 5.8, 300),
            (45.3, 7.9, 150),
            (40.7, 7.1, 150),
            (47.3, 7.5, 150),
        ),
        4: _ladder(
            (54.3, 5.8, 300),
            (45.3, 5.2, 300),
            (43.0, 5.8, 300),
            (41.0, 5.5, 300),
            (36.7, 5.0, 300),
            (34.3, 5.5, 300),
            (28.3, 9.3, 120),
            (31.7, 8.8, 120),
            (31.7, 7.8, 120),
        ),
    },
    "dice": {
        2: _ladder(
            (62.2, 3.3, 300),
            (63.0, 3.1, 300),
            (64.7, 2.5, 300),
            (63.0, 2.6, 300),
            (63.2, 2.0, 300),
            (62.3, 2.0, 300),
            (63.3, 1.5, 300),
            (64.7, 1.3, 300),
            (61.7, 0.9, 300),
        ),
        3: _ladder(
            (40.5, 3.7, 240),
            (49.5, 3.1, 240),
            (50.3, 3.3, 240),
            (46.1, 3.2, 240),
            (44.7, 3.5, 240),
            (43.9, 1.9, 240),
            (44.3, 1.9, 240),
            (47.2, 1.6, 240),
            (43.0, 1.5, 240),
        ),
        4: _ladder(
            (32.7, 3.7, 160),
            (36.8, 3.5, 160),
            (36.7, 3.7, 160),
            (35.6, 3.4, 160),
            (37.1, 2.5, 160),
            (37.0, 2.5, 160),
            (35.7, 2.8, 160),
            (37.1, 2.2, 160),
            (32.4, 1.6, 160),
        ),
    },
}
# Ties each ladder to the greedy player.
ANCHOR: dict[str, dict[int, Step]] = {
    "tile": {
        2: Step(1, "greedy", 29.0, 4.4, 400),
        3: Step(1, "greedy", 23.7, 5.0, 300),
        4: Step(1, "greedy", 16.7, 4.1, 300),
    },
    "dice": {
        2: Step(10, "greedy", 84.5, 1.4, 300),
        3: Step(10, "greedy", 70.5, 2.5, 240),
        4: Step(10, "greedy", 61.5, 3.7, 160),
    },
}


def measured(game: str, level: int) -> list[dict[str, Any]]:
    """By number of players: a level's Elo above the greedy player, and the match behind it."""
    return [_rating(game, players, level) for players in LADDER[game]]


def _rating(game: str, players: int, level: int) -> dict[str, Any]:
    steps, anchor = LADDER[game][players], ANCHOR[game][players]
    between = steps[min(level, anchor.level) - 1 : max(level, anchor.level) - 1]
    sign = 1 if level > anchor.level else -1
    rating = _elo(anchor, players) + sign * sum(_elo(step, players) for step in between)
    # The errors of independent matches add up as squares.
    wide = math.hypot(_wide(anchor), *(_wide(step) for step in between))
    match = anchor if level == 1 == anchor.level else steps[max(level, 2) - 2]
    return {
        "players": players,
        "rating": round(rating),
        "rating_95": round(wide),
        "anchor": "greedy = 0",
        "match": f"level:{match.level} against {match.opponent}",
        "win_share": match.share / 100,
        "win_share_95": match.interval / 100,
        "even_share": round(1 / players, 4),
        "games": match.games,
        "seats": "every seed in every rotation",
    }


def _elo(step: Step, players: int) -> float:
    """Elo between one seat and each of the others; 0 at the even share."""
    return 400 * math.log10(step.share * (players - 1) / (100 - step.share))


def _wide(step: Step) -> float:
    """The interval in Elo: the scale is steeper where shares are far from even."""
    return step.interval * 400 / math.log(10) * 100 / (step.share * (100 - step.share))
