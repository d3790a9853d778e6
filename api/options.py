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


_DESCRIPTIONS = {
    "playouts": "Tree descents.",
    "depth": "Turns looked ahead exactly; 1 is this turn.",
    "time_ms": "Milliseconds of searching; the answer is then not reproducible.",
}


def limit_ranges(game: str) -> dict[str, tuple[int, str]]:
    """Every whole-numbered limit of this game: its maximum and a description."""
    limits = options(game)["limits"]
    return {
        name: (limits[name]["max"], text) for name, text in _DESCRIPTIONS.items() if name in limits
    }


def levels(game: str) -> list[int]:
    """The level numbers of this game, weakest first."""
    return [entry["level"] for entry in options(game)["levels"]]


def models() -> dict[str, str]:
    """Game -> id of the model that the search uses for it."""
    return {game: options(game)["model"] for game in GAMES}
