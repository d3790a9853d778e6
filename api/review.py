"""The review of a game: one line a move, and a last one that sums up.

The lines are plain values: HTTP streams them as they are found, a batch, the command line and a
caller who asks for JSON get them in one object.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from shelfie.api.build import engine_identity
from shelfie.api.refusals import Refused, RequestFault
from shelfie.api.search_operations import searched
from shelfie.search.analyze import hash_as_seen
from shelfie.search.review import (
    Fortune,
    IllegalRecord,
    Judgement,
    Play,
    Step,
    Tally,
    judge,
    replay,
)

Values = dict[str, Any]
Slot = Callable[[], AbstractContextManager[Any]]


def review(game: str, request: Values, arrived: float, slot: Slot = nullcontext) -> Values:
    """The whole review as one object: the last line, and the others in its `moves`."""
    *lines, last = review_lines(game, request, arrived, slot)
    found: Values = {}
    for name, value in last.items():
        if name == "summary":
            found["moves"] = lines
        found[name] = value
    return found


def review_lines(
    game: str, request: Values, arrived: float, slot: Slot = nullcontext
) -> Iterator[Values]:
    """A line for each move of the seats asked for, and the summary.

    slot: makes the context in which a move is judged.
    """
    steps = replayed(request)
    seats = chosen_seats(request)
    fortune = Fortune(request["position"])
    summary = Summary(game, request, len(steps))
    for step in steps:
        luck = fortune.of(step)
        if step.before.to_move in seats:
            found = None
            if step.before.node == "decision":
                with slot():
                    found = judged(step, request, arrived)
            summary.add(step, found, luck)
            yield line(step, request, found, luck)
    yield summary.line()


def replayed(request: Values) -> list[Step]:
    """The record played by the rules; the first move that they forbid is a fault."""
    try:
        return replay(request["position"], [play(entry) for entry in request["moves"]])
    except IllegalRecord as error:
        field = error.cause.field
        place = "" if isinstance(request["moves"][error.index], str) else f"/{field}"
        fault = RequestFault(
            f"/moves/{error.index}{place}",
            "illegal-move",
            error.cause.detail,
            kind="illegal-move",
            allowed=error.position.legal_moves() if field == "move" else None,
        )
        raise Refused([fault]) from None


def play(entry: str | Values) -> Play:
    """An entry of a record: a move alone, or with its outcome."""
    return Play(entry) if isinstance(entry, str) else Play(entry["move"], entry["outcome"])


def chosen_seats(request: Values) -> list[int]:
    """The seats whose moves are looked at."""
    players = request["position"].players
    if request["seats"] is None:
        return list(range(players))
    faults = [
        RequestFault(f"/seats/{index}", "out-of-range", f"There are {players} seats.")
        for index, seat in enumerate(request["seats"])
        if seat >= players
    ]
    if faults:
        raise Refused(faults)
    return list(request["seats"])


def judged(step: Step, request: Values, arrived: float) -> Judgement:
    """One move, judged by the way that every search goes."""
    values = {**request, "position": step.before}
    return searched(partial(judge, move=step.move), values, arrived)


def line(
    step: Step,
    request: Values,
    found: Judgement | None,
    luck: tuple[list[float], list[float]] | None,
) -> Values:
    """What is told of one move; of chance, what it did and how lucky that was."""
    told: Values = {
        "index": step.index,
        "seat": step.before.to_move,
        "node": step.before.node,
        "position_hash": hash_as_seen(step.before, request["information"]),
        "move": step.move,
    }
    if step.outcome is not None:
        told["outcome"] = step.outcome
    if found is not None:
        told.update(judgement(found))
    if luck is not None:
        told["luck"] = {"win_probability": luck[0], "expected_score": luck[1]}
    return told


def judgement(found: Judgement) -> Values:
    """The part of a line that a search found."""
    best, played = found.best, found.played
    return {
        "rank": found.rank,
        "moves_total": found.moves_total,
        "loss": found.loss,
        "grade": found.grade,
        "best": best.move,
        "pv": best.pv,
        "win_probability": {"best": best.win_probability, "played": played.win_probability},
        "expected_score": {"best": best.expected_score, "played": played.expected_score},
        "standard_error": {"best": best.standard_error, "played": played.standard_error},
        "search": {
            "playouts": found.playouts,
            "time_ms": found.time_ms,
            "stopped_by": found.stopped_by,
            "reproducible": found.reproducible,
            "seed": found.seed,
        },
    }


class Summary:
    """Adds up what the last line tells."""

    def __init__(self, game: str, request: Values, moves: int) -> None:
        self.game, self.request, self.moves = game, request, moves
        self.players = request["position"].players
        self.tallies = [Tally(request["objective"]) for _ in range(self.players)]
        self.luck: list[tuple[list[float], list[float]]] = []
        self.found: list[Judgement] = []

    def add(
        self,
        step: Step,
        found: Judgement | None,
        luck: tuple[list[float], list[float]] | None,
    ) -> None:
        if found is not None:
            self.tallies[step.before.to_move].add(found)
            self.found.append(found)
        if luck is not None:
            self.luck.append(luck)

    def line(self) -> Values:
        """The last line: a stream without it was cut."""
        name = {} if self.request["id"] is None else {"id": self.request["id"]}
        models = [found.model for found in self.found if found.model]
        return {
            **name,
            "game": self.game,
            "summary": self.summary(),
            "search": {
                "playouts": sum(found.playouts for found in self.found),
                "time_ms": sum(found.time_ms for found in self.found),
                "reproducible": all(found.reproducible for found in self.found),
            },
            "engine": engine_identity(models[0] if models else ""),
            "warnings": self.warnings(),
        }

    def summary(self) -> Values:
        counts = {"moves": self.moves, "judged": len(self.found), "complete": True}
        told: Values = {
            **counts,
            "mean_loss": [tally.mean_loss for tally in self.tallies],
            "accuracy": [tally.accuracy for tally in self.tallies],
            "grades": [tally.grades for tally in self.tallies],
        }
        if self.luck:
            win, score = ([sum(column) for column in zip(*part, strict=True)]
                          for part in zip(*self.luck, strict=True))  # fmt: skip
            told["luck"] = {"win_probability": win, "expected_score": score}
        return told

    def warnings(self) -> list[dict[str, str]]:
        """Each warning once, in the order in which they came up."""
        told = (tuple(warning.items()) for found in self.found for warning in found.warnings)
        return [dict(items) for items in dict.fromkeys(told)]
