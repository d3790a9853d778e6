"""Operations that search: analysis, move, evaluation."""

from collections.abc import Callable
from typing import Any, TypeVar

from shelfie.api import answers
from shelfie.api.refusals import Refused, RequestFault, refuse
from shelfie.api.rules_operations import both_forms, play
from shelfie.api.seeds import derived_seed
from shelfie.engine import Position, Rng
from shelfie.search import AnalysisRequest, Limits, analyze, evaluate
from shelfie.search.analysis import IllegalFilter, LimitExceeded, NoMoveLeft

Values = dict[str, Any]
Found = TypeVar("Found")

# Kept back from a deadline for reasons and for writing the answer: at most 30 ms, and half of
# short ones.
MARGIN_MS = 30
HURRY_MS = 60  # as much is left when a call stops waiting for a slot; of short ones three quarters


def analysis(game: str, request: Values, arrived: float) -> Values:
    """The moves of a position, ranked."""
    found = searched(analyze, request, arrived)
    return answers.analysis(game, found, request)


def evaluation(game: str, request: Values, arrived: float) -> Values:
    """The value of a position; also before a roll or a refill."""
    found = searched(evaluate, request, arrived)
    return answers.evaluation(game, found, request)


def move(game: str, request: Values, arrived: float) -> Values:
    """The move a bot plays, and the position after it.

    A move that chance decides (keep, roll, refill) is resolved with a seed derived from the
    search's own, so the search cannot have seen it; `outcomes` lists the result.
    """
    # A bot's move is answered without explanations, so none are worked out.
    found = searched(analyze, request | {"include": []}, arrived)
    position: Position = request["position"]
    outcomes: list[Values] = []
    played = answers.chosen(found, position)
    if played is not None:
        text = played["move"]
        rng = Rng(derived_seed("move", game, position.notation(), text, found.seed))
        position, outcomes = play(position, text, rng)
    return answers.move(
        game, found, request, played, {**both_forms(position), "outcomes": outcomes}
    )


def searched(
    search: Callable[[Position, AnalysisRequest], Found], request: Values, arrived: float
) -> Found:
    """Asks the search; what it refuses becomes a fault of the request."""
    position = request["position"]
    try:
        return search(position, question(request, arrived))
    except IllegalFilter as error:
        raise illegal(error, position) from None
    except NoMoveLeft:
        detail = "The filters leave no legal move."
        raise refuse(
            "/allow" if request.get("allow") is not None else "/avoid",
            "no-move-left-by-filters",
            detail,
            kind="no-move-left-by-filters",
            allowed=position.legal_moves(),
        ) from None
    except LimitExceeded as error:
        raise refuse(
            f"/limits/{error.field}",
            "limit-exceeded",
            error.detail,
            kind="limit-exceeded",
            maximum=error.maximum,
        ) from None


def illegal(error: IllegalFilter, position: Position) -> Refused:
    """The moves in filters that are not legal; the first comes with the ones that are."""
    return Refused(
        [
            RequestFault(
                f"/{field}/{index}",
                "illegal-move",
                detail,
                kind="illegal-move",
                allowed=position.legal_moves() if number == 0 else None,
            )
            for number, (field, index, detail) in enumerate(error.faults)
        ]
    )


def question(request: Values, arrived: float) -> AnalysisRequest:
    """A checked request in the search's own words; fields it lacks keep their defaults."""
    values: Values = {
        name: request[name]
        for name in ("seed", "objective", "information", "level", "top")
        if name in request
    }
    if request.get("allow") is not None:
        values["allow"] = tuple(request["allow"])
    if "avoid" in request:
        values["avoid"] = tuple(request["avoid"])
    if "include" in request:
        values["include"] = frozenset(request["include"])
    if request["limits"] is not None:
        values["limits"] = Limits(**request["limits"])
    return AnalysisRequest(deadline=deadline(request.get("deadline_ms"), arrived), **values)


def deadline(deadline_ms: int | None, arrived: float) -> float | None:
    """When the search has to end, in time.monotonic() seconds."""
    if deadline_ms is None:
        return None
    return arrived + (deadline_ms - min(MARGIN_MS, deadline_ms / 2)) / 1000


def latest_start(request: Values | None, arrived: float) -> float | None:
    """Until when a call may wait for a slot; None without a deadline."""
    deadline_ms = request["deadline_ms"] if request else None
    if deadline_ms is None:
        return None
    return float(arrived + (deadline_ms - min(HURRY_MS, 0.75 * deadline_ms)) / 1000)


def hurried(request: Values) -> Values:
    """The request of a call that got no slot in time: its deadline has passed, so what is
    answered is what the search knows without searching."""
    return request | {"deadline_ms": 1}
