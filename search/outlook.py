"""How the scores may end: percentiles over games that the model plays on from a position."""

import time
from collections.abc import Callable, Sequence

from shelfie.search.analysis import AnalysisRequest, percentiles
from shelfie.search.clock import Clock

GAMES = 16
TIME_SHARE = 0.25  # of the time that the request leaves, which those games may take

Play = Callable[[int, int], Sequence[Sequence[float]]]


def outlook(
    request: AnalysisRequest, clock: Clock, play: Play
) -> tuple[dict[str, list[float]] | None, str]:
    """Percentiles of the final scores where they are asked for, and the limit that cut them.

    clock: of the whole search, of whose time these games take a share.
    play: final scores per seat of games number first, first + 1 ...: play(first, games).
    With a limit of time there may be fewer games, or none, and the second value names it;
    otherwise it is "".
    """
    if "distribution" not in request.include:
        return None, ""
    if not clock.limited:
        return percentiles(play(0, GAMES)), ""
    stop = time.monotonic() + TIME_SHARE * clock.seconds_left()
    played: list[Sequence[float]] = []
    while len(played) < GAMES and time.monotonic() < stop:
        played += play(len(played), 1)
    cut = clock.nearest if len(played) < GAMES else ""
    return percentiles(played) if played else None, cut
