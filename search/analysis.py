"""What a search is asked and what it answers: plain values, no JSON and no HTTP."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a search; whichever comes first. None: not limited by this.

    playouts: tree descents (tile game). depth: turns looked ahead exactly (dice game).
    time_ms: milliseconds of searching. standard_error: of the best move's value.
    """

    playouts: int | None = None
    depth: int | None = None
    time_ms: int | None = None
    standard_error: float | None = None


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """One question about a position.

    seed: text; None derives it from the request and what the mover may see of the position.
    objective: "win" (win share) or "score" (expected margin to the best opponent).
    information: "player" (only what the mover may see) or "open".
    level: 1..10, None for full strength.
    top: how many moves to return, 0 for all.
    allow, avoid: root filters, moves as text.
    include: any of "pv", "reasons", "distribution".
    deadline: time.monotonic() seconds by which the answer must be on its way.
    """

    limits: Limits = Limits()
    seed: str | None = None
    objective: str = "win"
    information: str = "player"
    level: int | None = None
    top: int = 0
    allow: tuple[str, ...] | None = None
    avoid: tuple[str, ...] = ()
    include: frozenset[str] = frozenset({"pv", "reasons", "distribution"})
    deadline: float | None = None


@dataclass(slots=True)
class MoveValue:
    """What a game's searcher found about one root move (unranked).

    move: the engine's packed move. win, score: per seat. standard_error: of the objective's
    value for the mover. policy: share of the search's trust in this move, 0..1. doubt: taken
    off that value when moves are ranked, for moves searched little. pv: moves as text, this one
    first. targets: dice game, for a keep: [{"item": "P3", "probability": 0.4}].
    """

    move: int
    win: list[float]
    score: list[float]
    standard_error: float = 0.0
    playouts: int = 0
    policy: float = 0.0
    doubt: float = 0.0
    pv: list[str] = field(default_factory=list)
    targets: list[dict[str, Any]] | None = None


@dataclass(slots=True)
class Root:
    """Value of the position itself. percentiles: {"p10": per seat, "p50": ..., "p90": ...}.

    standard_error: of the objective's value for the mover.
    """

    win: list[float]
    score: list[float]
    percentiles: dict[str, list[float]] | None = None
    standard_error: float = 0.0


@dataclass(slots=True)
class SearchResult:
    """What a game's searcher returns: every root move it was given, in any order.

    stopped_by: "playouts" (the work asked for is done: playouts, or the dice game's depth),
    "time", "standard_error", "exact", "deadline".
    playouts: tree descents made (0 for the exact dice turn). depth: turns looked ahead.
    best: the search's choice where that is not simply the move of the highest value.
    """

    moves: list[MoveValue]
    root: Root
    method: str
    model: str
    stopped_by: str
    playouts: int = 0
    depth: int | None = None
    best: int | None = None


# What is told of a search that goes on: its answer if it ended here.
Report = Callable[[SearchResult], None]


@dataclass(slots=True)
class RankedMove:
    """A root move as it is answered; see design of the analysis answer in docs/api.md."""

    rank: int
    move: str
    detail: dict[str, Any]
    win_probability: list[float]
    expected_score: list[float]
    standard_error: float
    loss: float
    playouts: int
    policy: float
    pv: list[str]
    reasons: list[dict[str, Any]]
    targets: list[dict[str, Any]] | None = None


@dataclass(slots=True)
class Analysis:
    """The whole answer. status: "ok", "forced", "chance", "finished"."""

    status: str
    position_hash: str
    to_move: int
    chosen: RankedMove | None
    moves: list[RankedMove]
    moves_total: int
    root: Root
    method: str
    model: str
    playouts: int
    depth: int | None
    time_ms: int
    stopped_by: str
    reproducible: bool
    seed: str
    warnings: list[dict[str, str]]


def margin(score: list[float], seat: int) -> float:
    """Points of a seat above its best opponent."""
    return score[seat] - max(s for p, s in enumerate(score) if p != seat)


def objective_value(win: list[float], score: list[float], seat: int, objective: str) -> float:
    """What a move is worth to `seat`: its win share, or its margin to the best opponent."""
    if objective == "win":
        return win[seat]
    return margin(score, seat)


def percentiles(samples: Sequence[Sequence[float]]) -> dict[str, list[float]]:
    """Tenth, fiftieth and ninetieth percentile per seat of sampled final scores."""
    columns = [sorted(column) for column in zip(*samples, strict=True)]
    last = len(samples) - 1
    return {
        f"p{share}": [float(column[round(share / 100 * last)]) for column in columns]
        for share in (10, 50, 90)
    }


def revalued(
    win: list[float], score: list[float], seat: int, worth: float, objective: str
) -> tuple[list[float], list[float]]:
    """Win shares and scores with the seat's `objective_value` at `worth`."""
    if objective == "win":
        return moved_to(win, seat, worth), score
    by = worth - margin(score, seat)
    return win, [s + by if p == seat else s for p, s in enumerate(score)]


def moved_to(win: list[float], seat: int, share: float) -> list[float]:
    """Win shares with `seat` at `share`, cut to 0..1; the others keep their proportion."""
    share = min(max(share, 0.0), 1.0)
    rest = 1.0 - win[seat]
    even = 1.0 / (len(win) - 1)
    return [
        share if p == seat else (1.0 - share) * (w / rest if rest > 0.0 else even)
        for p, w in enumerate(win)
    ]


class NoMoveLeft(ValueError):
    """`allow` and `avoid` leave no legal move."""


class IllegalFilter(ValueError):
    """Moves of `allow` or `avoid` that are not legal.

    faults: (field, index, detail) of each, where field is "allow" or "avoid".
    """

    def __init__(self, faults: list[tuple[str, int, str]]) -> None:
        super().__init__("; ".join(f"{field} {index}: {text}" for field, index, text in faults))
        self.faults = faults


class LimitExceeded(ValueError):
    """A limit above the maximum, or one the game does not have."""

    def __init__(self, field: str, maximum: float, detail: str) -> None:
        super().__init__(detail)
        self.field = field
        self.maximum = maximum
        self.detail = detail
