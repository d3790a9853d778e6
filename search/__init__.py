"""Finds moves for the games of `shelfie.engine`; knows no HTTP."""

from shelfie.search.analysis import (
    Analysis,
    AnalysisRequest,
    IllegalFilter,
    LimitExceeded,
    Limits,
    NoMoveLeft,
    RankedMove,
)
from shelfie.search.analyze import analyze, evaluate
from shelfie.search.games import search_options

__all__ = [
    "Analysis",
    "AnalysisRequest",
    "IllegalFilter",
    "LimitExceeded",
    "Limits",
    "NoMoveLeft",
    "RankedMove",
    "analyze",
    "evaluate",
    "search_options",
]
