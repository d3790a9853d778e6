"""How much searching a request may ask for, counted before the first search begins."""

from collections.abc import Iterator
from typing import Any

from shelfie.api.operations import OPERATIONS
from shelfie.api.options import levels, options
from shelfie.api.refusals import Refused, RequestFault
from shelfie.api.settings import Settings

Values = dict[str, Any]
Work = tuple[int, int]  # playouts, and milliseconds where nothing but a time limit ends the search

SEARCHES_A_MOVE = 2  # of a review, at most: the position, and the played move alone


def check_total(works: list[Work], settings: Settings, name: str) -> None:
    """Refuses what adds up to too much searching, with both figures."""
    playouts, time_ms = (sum(column) for column in zip((0, 0), *works, strict=True))
    faults = [
        fault
        for asked, most, unit in (
            (playouts, settings.max_batch_playouts, "playouts"),
            (time_ms, settings.max_batch_time_ms, "milliseconds"),
        )
        if asked > most
        for fault in exceeded(
            "", f"The {name} asks for {asked} {unit}; at most {most} are accepted.", most
        ).faults
    ]
    if faults:
        raise Refused(faults)


def check_review(game: str, values: Values, settings: Settings) -> None:
    """Refuses a review that asks for more than a batch may."""
    check_total([work(game, "review", values)], settings, "review")


def work(game: str, operation: str, values: Values) -> Work:
    """What a checked request may take at most."""
    if not OPERATIONS[operation].searches:
        return 0, 0
    playouts, time_ms = work_of_search(game, values)
    times = SEARCHES_A_MOVE * judged_moves(values) if operation == "review" else 1
    return times * playouts, times * time_ms


def calls(operation: str, values: Values) -> int:
    """As how many calls a request counts against a quota: a review as the moves it judges."""
    return max(1, judged_moves(values)) if operation == "review" else 1


def judged_moves(review: Values) -> int:
    """How many moves of a record may be searched: all but those of chance alone."""
    chance = review["position"].chance_move
    texts = (play if isinstance(play, str) else play["move"] for play in review["moves"])
    return sum(text != chance for text in texts)


def work_of_search(game: str, values: Values) -> Work:
    """What one search within these limits may take."""
    limits = values["limits"] or {}
    bounds = list(work_bounds(game, values.get("level"), limits))
    if game == "tile" and bounds:
        return min(bounds), 0
    time_ms = limits.get("time_ms")
    if bounds or values.get("deadline_ms") is not None:  # a deadline counts from the arrival
        return 0, 0
    if time_ms is not None:
        return 0, time_ms
    return options(game)["default"].get("playouts", 0), 0


def work_bounds(game: str, level: int | None, limits: Values) -> Iterator[int]:
    """What bounds the work itself: the request's own limit, the level's."""
    name = "playouts" if game == "tile" else "depth"
    own = limits.get(name)
    if own is not None:
        yield own
    if level is not None:
        yield next(entry[name] for entry in levels(game) if entry["level"] == level)


def exceeded(pointer: str, detail: str, maximum: int) -> Refused:
    """The refusal of what is above a limit."""
    fault = RequestFault(pointer, "limit-exceeded", detail, kind="limit-exceeded", maximum=maximum)
    return Refused([fault])
