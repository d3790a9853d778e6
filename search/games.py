"""The searcher of each game, and what may be asked of it. The one place where all meet."""

from typing import Any

from shelfie.search.clock import MAX_TIME_MS
from shelfie.search.dice.luck import Luck
from shelfie.search.dice.reasons import reasons as dice_reasons
from shelfie.search.dice.searcher import DEFAULT_DEPTH, MAX_DEPTH, DiceSearcher
from shelfie.search.levels import level_table
from shelfie.search.tile.reasons import reasons as tile_reasons
from shelfie.search.tile.searcher import DEFAULT_PLAYOUTS, MAX_PLAYOUTS, TileSearcher

REASONS: dict[str, Any] = {"tile": tile_reasons, "dice": dice_reasons}
SEARCHERS: dict[str, Any] = {"tile": TileSearcher(), "dice": DiceSearcher()}
# Games whose luck is known exactly; made for a number of players.
LUCK: dict[str, Any] = {"dice": Luck}


def maxima(game: str) -> dict[str, float]:
    """The largest value of each limit that the game has."""
    common: dict[str, float] = {"time_ms": MAX_TIME_MS, "standard_error": 1.0}
    work: dict[str, dict[str, float]] = {
        "tile": {"playouts": MAX_PLAYOUTS},
        "dice": {"depth": MAX_DEPTH},
    }
    return work[game] | common


def search_options(game: str) -> dict[str, Any]:
    """Defaults and maxima of a search, levels and models, for the capabilities document."""
    default = {"tile": {"playouts": DEFAULT_PLAYOUTS}, "dice": {"depth": DEFAULT_DEPTH}}[game]
    return {
        "default": default,
        "maximum": maxima(game),
        "levels": level_table(game),
        "models": SEARCHERS[game].model_ids(),
    }
