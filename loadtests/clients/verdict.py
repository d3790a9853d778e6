"""Whether a run has met its thresholds. Knows nothing of locust."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

WINDOW = 1.0  # seconds in which a recovery is looked at
MANY = 30  # calls at random moments; whether fewer have come says nothing


@dataclass(frozen=True)
class Row:
    """Calls of one kind in one phase. at: the time that a share of them did not exceed, in ms."""

    kind: str
    phase: str
    calls: int
    failures: int
    at: Callable[[float], float]


@dataclass(frozen=True)
class Result:
    """A threshold, what was found, and whether that is good enough."""

    name: str
    limit: float
    found: float | None
    met: bool

    def __str__(self) -> str:
        found = "nothing to judge by" if self.found is None else f"{self.found:.4g}"
        return f"{'ok    ' if self.met else 'MISSED'} {self.name}: {found} (limit {self.limit:g})"


def at_most(name: str, limit: float, found: float | None) -> Result:
    return Result(name, limit, found, found is not None and found <= limit)


def at_least(name: str, limit: float, found: float) -> Result:
    return Result(name, limit, found, found >= limit)


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def recovery(
    notes: Sequence[tuple[float, float, bool]], p95_ms: float, seconds: float
) -> float | None:
    """Seconds from the end of the spike after which nothing was refused and p95 held.

    notes: seconds after the spike, milliseconds, refused. None when it never came to that.
    """
    windows: dict[int, list[tuple[float, float, bool]]] = {}
    for note in notes:
        windows.setdefault(int(note[0] / WINDOW), []).append(note)
    bad = [number for number, calls in windows.items() if not fine(calls, p95_ms)]
    after = WINDOW * (max(bad) + 1) if bad else 0.0
    return after if any(note[0] >= after for note in notes) and after < seconds else None


def fine(calls: Sequence[tuple[float, float, bool]], p95_ms: float) -> bool:
    """Whether no call was refused and at most one in twenty was slow."""
    slow = sum(milliseconds > p95_ms for _, milliseconds, _ in calls)
    return not any(refused for _, _, refused in calls) and slow <= len(calls) / 20


def judge(
    thresholds: dict[str, Any],
    rows: Sequence[Row],
    asked: dict[str, float],
    lengths: dict[str, float],
    notes: Sequence[tuple[float, float, bool]],
    ended: dict[str, int],
) -> Iterator[Result]:
    """Every threshold that is set.

    asked: suggestion calls that each phase was to make. lengths: seconds of each phase.
    ended: how many games and batches came to their end.
    """
    calls, failures = sum(row.calls for row in rows), sum(row.failures for row in rows)
    suggestions = [row for row in rows if row.kind.startswith("suggestion")]
    if (limit := thresholds.get("error_share")) is not None:
        yield at_most("error_share", limit, share(failures, calls))
    if (limit := thresholds.get("refused_share")) is not None:
        calm = [row for row in suggestions if row.phase in ("warm-up", "plateau")]
        refused = sum(row.calls for row in calm if row.kind.endswith("refused"))
        yield at_most("refused_share", limit, share(refused, sum(row.calls for row in calm)))
    refusals = [row for row in rows if row.kind.endswith(" refused") and row.calls]
    if (limit := thresholds.get("refused_p99_ms")) is not None:
        worst = max((row.at(0.99) for row in refusals), default=0.0)
        yield at_most("refused_p99_ms", limit, worst)
    if thresholds.get("refusals"):
        met = sum(row.calls for row in refusals if row.phase == "spike")
        yield at_least("refusals in the spike", 1, met)
    if (limit := thresholds.get("reached_share")) is not None:
        for phase, wanted in asked.items():
            if wanted < MANY:
                continue
            made = sum(row.calls for row in suggestions if row.phase == phase)
            yield at_least(f"reached_share, {phase}", limit, made / wanted)
    for what in ("games", "batches"):
        if (limit := thresholds.get(what)) is not None:
            yield at_least(what, limit, ended[what])
    plateau = thresholds.get("plateau", {})
    if (limit := thresholds.get("recovery_s")) is not None:
        p95 = plateau["suggestion"]["p95_ms"]
        yield at_most("recovery_s", limit, recovery(notes, p95, lengths["recovery"]))
    yield from times(plateau, rows)


def times(plateau: dict[str, dict[str, float]], rows: Sequence[Row]) -> Iterator[Result]:
    """The times of what was answered on the plateau, by kind of call."""
    for kind, limits in plateau.items():
        found = [row for row in rows if (row.kind, row.phase) == (kind, "plateau") and row.calls]
        for name, limit in limits.items():
            part = {"p95_ms": 0.95, "p99_ms": 0.99}[name]
            yield at_most(f"{kind}, {name}", limit, found[0].at(part) if found else None)
