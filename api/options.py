"""The search's own limits, defaults and levels, as the API offers them."""

from functools import cache
from typing import Any

from shelfie.engine import GAMES
from shelfie.search import search_options
from shelfie.search.analysis import AnalysisRequest


@cache
def options(game: str) -> dict[str, Any]:
    """What `shelfie.search` says about this game: limits with default and maximum, levels."""
    return search_options(game)


@cache
def defaults() -> AnalysisRequest:
    """The search's defaults for everything a request may leave out."""
    return AnalysisRequest()


DESCRIPTIONS = {
    "playouts": "Tree descents.",
    "depth": "Turns looked ahead exactly; 1 is this turn.",
    "time_ms": "Milliseconds of searching; the answer is then not reproducible.",
    "standard_error": "Stop when the best move's value is known this well.",
}


def limit_maxima(game: str) -> dict[str, float]:
    """The limits that this game has, each with its maximum."""
    found: dict[str, float] = options(game)["maximum"]
    return found


def levels(game: str) -> list[dict[str, Any]]:
    """The levels of this game, weakest first: `level` is the number, the rest describes it."""
    found: list[dict[str, Any]] = options(game)["levels"]
    return found


def models() -> dict[str, list[str]]:
    """Game -> ids of the models that the search uses for it."""
    return {game: options(game)["models"] for game in GAMES}
