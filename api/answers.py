"""What the search found as JSON, field by field in the order of docs/api.md."""

from collections.abc import Collection
from typing import Any

from shelfie.api.build import engine_identity
from shelfie.engine import Position
from shelfie.search.analysis import Analysis, RankedMove, Root

Values = dict[str, Any]


def analysis(game: str, found: Analysis, request: Values) -> Values:
    """The answer of /analysis."""
    include = request["include"]
    return {
        **_echo(request),
        "status": found.status,
        "game": game,
        "position_hash": found.position_hash,
        "to_move": found.to_move,
        **_chosen_field(chosen(found, request["position"])),
        "moves": [_move(ranked, include) for ranked in found.moves],
        "moves_total": found.moves_total,
        "root": _root(found.root, "distribution" in include),
        **_trailer(found),
    }


def move(
    game: str, found: Analysis, request: Values, played: Values | None, after: Values
) -> Values:
    """The answer of /move."""
    return {
        **_echo(request),
        "status": found.status,
        "game": game,
        **_chosen_field(played),
        **after,
        **_trailer(found),
    }


def evaluation(game: str, found: Analysis, request: Values) -> Values:
    """The answer of /evaluation."""
    return {
        **_echo(request),
        "status": found.status,
        "game": game,
        "position_hash": found.position_hash,
        "to_move": found.to_move,
        "root": _root(found.root, True),
        **_trailer(found),
    }


def chosen(found: Analysis, position: Position) -> Values | None:
    """Rank and text of the move to play; None only when the game is over."""
    if found.chosen is not None:
        return {"rank": found.chosen.rank, "move": found.chosen.move}
    moves = position.legal_moves()
    return {"rank": 1, "move": moves[0]} if moves else None


def _echo(request: Values) -> Values:
    return {} if request["id"] is None else {"id": request["id"]}


def _chosen_field(choice: Values | None) -> Values:
    """Never a null move: after the end the field is not there."""
    return {} if choice is None else {"chosen": choice}


def _move(ranked: RankedMove, include: Collection[str]) -> Values:
    entry: Values = {
        "rank": ranked.rank,
        "move": ranked.move,
        "detail": ranked.detail,
        "win_probability": ranked.win_probability,
        "expected_score": ranked.expected_score,
        "standard_error": ranked.standard_error,
        "loss": ranked.loss,
        "playouts": ranked.playouts,
        "policy": ranked.policy,
    }
    if "pv" in include:
        entry["pv"] = ranked.pv
    if "reasons" in include:
        entry["reasons"] = ranked.reasons
    if "distribution" in include and ranked.targets is not None:
        entry["targets"] = ranked.targets
    return entry


def _root(root: Root, distribution: bool) -> Values:
    values: Values = {"win_probability": root.win, "expected_score": root.score}
    if distribution and root.percentiles is not None:
        values["score_percentiles"] = root.percentiles
    return values


def _trailer(found: Analysis) -> Values:
    search: Values = {"method": found.method, "playouts": found.playouts}
    if found.depth is not None:
        search["depth"] = found.depth
    search.update(
        time_ms=found.time_ms,
        stopped_by=found.stopped_by,
        reproducible=found.reproducible,
        seed=found.seed,
    )
    return {
        "search": search,
        "engine": engine_identity(found.model),
        "warnings": found.warnings,
    }
