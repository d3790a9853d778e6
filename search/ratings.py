"""How strong the levels are: measured matches, and the ratings that follow from them.

Conditions: two players, default rules, seats exchanged on every seed (`shelfie arena`); in the
dice game the luck of the dice is taken off. docs/levels.md has the commands.
"""

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Step:
    """A match won by `level`: win share and half width of its 95% interval, in percent."""

    level: int
    opponent: str
    share: float
    interval: float
    games: int


# Neighbours, level 2 first, and one match that ties the ladder to the greedy player.
LADDER: dict[str, tuple[Step, ...]] = {
    "tile": (
        Step(2, "level:1", 74.5, 5.5, 200),
        Step(3, "level:2", 76.5, 5.7, 200),
        Step(4, "level:3", 77.5, 5.5, 200),
        Step(5, "level:4", 68.5, 6.2, 200),
        Step(6, "level:5", 77.5, 5.6, 200),
        Step(7, "level:6", 76.5, 5.8, 200),
        Step(8, "level:7", 77.5, 6.0, 160),
        Step(9, "level:8", 74.5, 5.7, 200),
        Step(10, "level:9", 80.8, 7.4, 120),
    ),
    "dice": (
        Step(2, "level:1", 61.5, 3.5, 300),
        Step(3, "level:2", 63.2, 3.1, 300),
        Step(4, "level:3", 61.9, 2.9, 300),
        Step(5, "level:4", 63.6, 2.7, 300),
        Step(6, "level:5", 61.7, 2.1, 300),
        Step(7, "level:6", 63.6, 2.0, 300),
        Step(8, "level:7", 63.4, 1.4, 300),
        Step(9, "level:8", 64.8, 1.2, 300),
        Step(10, "level:9", 62.5, 1.0, 300),
    ),
}
ANCHOR = {
    "tile": Step(1, "greedy", 26.5, 6.1, 200),
    "dice": Step(10, "greedy", 86.3, 1.5, 300),
}


def ratings(game: str) -> list[dict[str, Any]]:
    """Elo above the greedy player for each level, with 95% intervals, and the match behind it."""
    steps, anchor = LADDER[game], ANCHOR.get(game)
    if not steps or anchor is None:
        return []
    found = []
    for level in range(1, len(steps) + 2):
        between = steps[min(level, anchor.level) - 1 : max(level, anchor.level) - 1]
        sign = 1 if level > anchor.level else -1
        rating = _elo(anchor.share) + sign * sum(_elo(step.share) for step in between)
        # The errors of independent matches add up as squares.
        wide = math.hypot(_wide(anchor), *(_wide(step) for step in between))
        match = anchor if level == 1 and anchor.level == 1 else steps[max(level, 2) - 2]
        found.append(
            {
                "rating": round(rating),
                "rating_95": round(wide),
                "measured": {
                    "anchor": "greedy = 0",
                    "players": 2,
                    "match": f"level:{match.level} against {match.opponent}",
                    "win_share": match.share / 100,
                    "win_share_95": match.interval / 100,
                    "games": match.games,
                    "seats": "every seed in both",
                },
            }
        )
    return found


def _elo(share: float) -> float:
    return 400 * math.log10(share / (100 - share))


def _wide(step: Step) -> float:
    """The interval in Elo: the scale is steeper where shares are far from even."""
    return step.interval * 400 / math.log(10) * 100 / (step.share * (100 - step.share))
