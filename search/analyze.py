"""The entrance of the search: a position and a request in, ranked moves out."""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from shelfie.engine import IllegalMove, Position
from shelfie.engine.rng import seed_number
from shelfie.search.analysis import (
    Analysis,
    AnalysisRequest,
    IllegalFilter,
    LimitExceeded,
    MoveValue,
    NoMoveLeft,
    RankedMove,
    Root,
    SearchResult,
    margin,
    objective_value,
    percentiles,
)
from shelfie.search.clock import MAX_TIME_MS, Clock
from shelfie.search.games import REASONS, SEARCHERS, maxima
from shelfie.search.levels import blur, with_level, without_search

HIDDEN_WARNING = {
    "code": "hidden-information-ignored",
    "detail": "Other players' personal goals were sent; the search does not look at them.",
}


def analyze(
    position: Position,
    request: AnalysisRequest,
    *,
    searcher: Any = None,
    progress: Callable[[Analysis], None] | None = None,
) -> Analysis:
    """Ranks the legal moves of a position; `searcher` replaces the one of its game.

    progress: is told now and then what the search thinks so far: the answer that it would give
    if it ended there, without reasons. It changes nothing, but for the time it takes.
    Raises LimitExceeded, IllegalFilter, NoMoveLeft.
    """
    check_limits(position, request)
    clock = Clock(request)
    seen, warnings = _as_seen(position, request)
    seed = request.seed if request.seed is not None else derived_seed(seen, request)
    moves = _filtered(seen, request)
    if seen.node == "decision":
        status = "forced" if len(seen.moves()) == 1 else "ok"
        dials = without_search if status == "forced" else with_level
        own = dials(seen.game.id, request)
        searcher = searcher or SEARCHERS[seen.game.id]
        brief = replace(request, include=request.include - {"reasons"})

        def report(so_far: SearchResult) -> None:
            if progress is not None:
                so_far = blur(seen, so_far, request, seed)
                progress(_answer(seen, brief, so_far, status, seed, clock, warnings))

        told = {} if progress is None else {"report": report}
        found = searcher.search(seen, moves, own, seed_number(seed), **told)
        result = blur(seen, found, request, seed)
    else:
        result, status = _without_choice(seen, request, seed)
    return _answer(seen, request, result, status, seed, clock, warnings)


def evaluate(position: Position, request: AnalysisRequest) -> Analysis:
    """The value of a position in `root`, also before a roll or a refill; no moves are ranked."""
    check_limits(position, request)
    clock = Clock(request)
    seen, warnings = _as_seen(position, request)
    seed = request.seed if request.seed is not None else derived_seed(seen, request)
    if seen.node == "terminal":
        result, status = _without_choice(seen, request, seed)
    else:
        result = SEARCHERS[seen.game.id].evaluate(seen, request, seed_number(seed))
        status = "ok"
    return _answer(seen, request, result, status, seed, clock, warnings, ranked=False)


def check_limits(position: Position, request: AnalysisRequest) -> None:
    """Raises LimitExceeded for a limit above the maximum, or one that the game has not."""
    allowed = maxima(position.game.id)
    for name in ("playouts", "depth", "time_ms", "standard_error"):
        value = getattr(request.limits, name)
        if value is None:
            continue
        if name not in allowed:
            raise LimitExceeded(name, 0, f"The {position.game.id} game has no limit {name}.")
        if value > allowed[name]:
            raise LimitExceeded(name, allowed[name], f"At most {allowed[name]}.")


def derived_seed(seen: Position, request: AnalysisRequest) -> str:
    """Sixteen hexadecimal digits from what the answer depends on."""
    limits = request.limits
    content = [
        seen.game.id,
        seen.notation(),
        [limits.playouts, limits.depth, limits.time_ms, limits.standard_error],
        request.objective,
        request.information,
        request.level,
        request.allow,
        request.avoid,
    ]
    return blake2b(json.dumps(content).encode(), digest_size=8).hexdigest()


def position_hash(seen: Position) -> str:
    """A digest of game and notation: thirty-two hexadecimal digits."""
    text = f"{seen.game.id} {seen.notation()}"
    return blake2b(text.encode(), digest_size=16).hexdigest()


def hash_as_seen(position: Position, information: str) -> str:
    """The `position_hash` that an answer about this position has."""
    return position_hash(position if information == "open" else position.masked())


def _as_seen(position: Position, request: AnalysisRequest) -> tuple[Position, list[dict[str, str]]]:
    if request.information == "open" or not position.hidden():
        return position, []
    return position.masked(), [HIDDEN_WARNING]


def _filtered(seen: Position, request: AnalysisRequest) -> list[int]:
    """The packed root moves that `allow` and `avoid` leave; [] where nobody chooses."""
    faults: list[tuple[str, int, str]] = []
    legal = {seen.format_move(move): move for move in seen.moves()}
    allowed = _canonical(seen, "allow", request.allow, faults)
    avoided = _canonical(seen, "avoid", request.avoid, faults)
    if faults:
        raise IllegalFilter(faults)
    texts = [seen.chance_move] if seen.node == "chance" else list(legal)
    left = [t for t in texts if (request.allow is None or t in allowed) and t not in avoided]
    if not left and (texts or request.allow is not None):
        raise NoMoveLeft("The filters leave no legal move.")
    return [legal[text] for text in left if text in legal]


def _canonical(
    seen: Position,
    field: str,
    texts: tuple[str, ...] | None,
    faults: list[tuple[str, int, str]],
) -> set[str]:
    """The moves of a filter as `legal_moves` writes them; what is not legal goes to `faults`."""
    found = set()
    for index, text in enumerate(texts or ()):
        if seen.node == "chance" and text == seen.chance_move:
            found.add(text)
            continue
        try:
            found.add(seen.format_move(seen.canonical(seen.parse_move(text))))
        except IllegalMove as error:
            faults.append((field, index, error.detail))
    return found


def _without_choice(
    seen: Position, request: AnalysisRequest, seed: str
) -> tuple[SearchResult, str]:
    if seen.node == "terminal":
        winners = seen.winners()
        scores = [float(part["total"]) for part in seen.scores()]
        spread = percentiles([scores]) if "distribution" in request.include else None
        root = Root([float(w) for w in winners or []], scores, spread)
        return SearchResult([], root, "rules", "", "exact"), "finished"
    searcher = SEARCHERS[seen.game.id]
    return searcher.evaluate(seen, request, seed_number(seed)), "chance"


def _answer(
    seen: Position,
    request: AnalysisRequest,
    result: SearchResult,
    status: str,
    seed: str,
    clock: Clock,
    warnings: list[dict[str, str]],
    *,
    ranked: bool = True,
) -> Analysis:
    moves = rank(seen, result, request) if ranked else []
    if status == "chance" and ranked:
        moves = [_chance_entry(seen, result)]
    shown = moves[: request.top] if request.top else moves
    if ranked and "reasons" in request.include and seen.node == "decision":
        values = {seen.format_move(v.move): v.move for v in result.moves}
        for entry in shown:
            entry.reasons = REASONS[seen.game.id](seen, values[entry.move])
    stopped_by = "forced" if status == "forced" else result.stopped_by
    return Analysis(
        status=status,
        position_hash=position_hash(seen),
        to_move=seen.to_move,
        chosen=moves[0] if moves else None,
        moves=shown,
        moves_total=0 if status == "finished" else len(moves),
        root=result.root,
        method=result.method,
        model=result.model,
        playouts=result.playouts,
        depth=result.depth,
        time_ms=clock.elapsed_ms(),
        stopped_by=stopped_by,
        reproducible=stopped_by not in ("time", "deadline"),
        seed=seed,
        warnings=warnings,
    )


def rank(seen: Position, result: SearchResult, request: AnalysisRequest) -> list[RankedMove]:
    """Root moves: the search's choice, then by value less doubt, by margin, by text."""
    seat = seen.to_move

    def worth(value: MoveValue) -> float:
        return objective_value(value.win, value.score, seat, request.objective)

    texts = {value.move: seen.format_move(value.move) for value in result.moves}

    def sort_key(v: MoveValue) -> tuple[bool, float, float, str]:
        return v.move != result.best, v.doubt - worth(v), -margin(v.score, seat), texts[v.move]

    ordered = sorted(result.moves, key=sort_key)
    return [
        RankedMove(
            rank=place,
            move=texts[value.move],
            detail=seen.move_detail(value.move),
            win_probability=value.win,
            expected_score=value.score,
            standard_error=value.standard_error,
            loss=max(0.0, worth(ordered[0]) - worth(value)),
            playouts=value.playouts,
            policy=value.policy,
            pv=value.pv,
            reasons=[],
            targets=value.targets,
        )
        for place, value in enumerate(ordered, 1)
    ]


def _chance_entry(seen: Position, result: SearchResult) -> RankedMove:
    detail: dict[str, Any] = {"type": seen.chance_move}
    return RankedMove(
        1,
        seen.chance_move,
        detail,
        result.root.win,
        result.root.score,
        result.root.standard_error,
        0.0,
        result.playouts,
        1.0,
        [seen.chance_move],
        [],
    )


__all__ = ["MAX_TIME_MS", "analyze", "evaluate"]
