"""How strong the levels are: measured matches, and the ratings that follow from them.

Conditions: two players, default rules, seats exchanged on every seed (`shelfie arena`). Level 1
played the greedy player, every other level the one below it. docs/levels.md has the commands.
"""

import math
from typing import Any

# Per level: win share and half width of its 95% interval, in percent, and the games played.
MATCHES: dict[str, tuple[tuple[float, float, int], ...]] = {"tile": (), "dice": ()}


def ratings(game: str) -> list[dict[str, Any]]:
    """Elo above the greedy player for each level measured, with 95% intervals."""
    found = []
    rating = variance = 0.0
    for number, (share, interval, games) in enumerate(MATCHES[game], 1):
        rating += _elo(share)
        # Errors of the steps add up; the Elo scale is steeper where shares are far from even.
        variance += (_slope(share) * interval) ** 2
        found.append(
            {
                "rating": round(rating),
                "rating_95": round(math.sqrt(variance)),
                "anchor": "greedy = 0",
                "players": 2,
                "opponent": f"level:{number - 1}" if number > 1 else "greedy",
                "win_share": share / 100,
                "win_share_95": interval / 100,
                "games": games,
            }
        )
    return found


def _elo(share: float) -> float:
    return 400 * math.log10(share / (100 - share))


def _slope(share: float) -> float:
    """Elo a percent of win share."""
    return 400 / math.log(10) * 100 / (share * (100 - share))
