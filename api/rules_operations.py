"""Operations that ask the rules only: new, legal-moves, apply, score."""

from typing import Any

from shelfie.api.refusals import Refused, RequestFault
from shelfie.api.seeds import derived_seed, random_seed
from shelfie.engine import GAMES, IllegalMove, Position, Rng
from shelfie.engine.errors import InvalidOption

Values = dict[str, Any]


def both_forms(position: Position) -> Values:
    """A position as JSON object and as notation, and the kind of its node."""
    return {
        "position": position.to_json(),
        "notation": position.notation(),
        "node": position.node,
    }


def new(game: str, request: Values, arrived: float) -> Values:
    """A starting position. Options that were not sent are left to the engine's defaults."""
    seed = request["seed"] or random_seed()
    options = {name: value for name, value in request.items() if name not in ("players", "seed")}
    try:
        position = GAMES[game].new(request["players"], Rng(seed), **options)
    except InvalidOption as error:
        raise Refused([RequestFault(f.pointer, f.code, f.detail) for f in error.faults]) from None
    return {"game": game, **both_forms(position), "seed": seed}


def legal_moves(game: str, request: Values, arrived: float) -> Values:
    """Every legal move, sorted as text; the one chance move at a chance node."""
    position = request["position"]
    moves = position.legal_moves()
    return {
        "game": game,
        "node": position.node,
        "to_move": position.to_move,
        "moves": moves,
        "moves_total": len(moves),
        "position": position.to_json(),
        "notation": position.notation(),
    }


def apply(game: str, request: Values, arrived: float) -> Values:
    """The position after a move, with what chance did on the way.

    Outcomes that are not given are drawn from `seed`; without one it is derived from the
    request, so equal requests have equal answers. `seed` is null when nothing was drawn.
    """
    position, move, outcome = request["position"], request["move"], request["outcome"]
    seed = request["seed"] or derived_seed(game, position.notation(), move)
    after, outcomes = play(position, move, Rng(seed), outcome, request["until"])
    drawn = len(outcomes) > (outcome is not None)
    return {
        "game": game,
        "position": after.to_json(),
        "notation": after.notation(),
        "node": after.node,
        "to_move": after.to_move,
        "outcomes": outcomes,
        "seed": seed if drawn else None,
    }


def play(
    position: Position, move: str, rng: Rng, outcome: Any = None, until: str = "next"
) -> tuple[Position, list[Values]]:
    """The position after `move` and the chance moves that were resolved.

    until: "decision" also resolves the chance nodes that follow.
    """
    try:
        after, result = position.apply(move, outcome, rng)
    except IllegalMove as error:
        raise refused_move(position, move, error) from None
    outcomes = [] if result is None else [{"move": move, "outcome": result}]
    while until == "decision" and after.node == "chance":
        chance = after.legal_moves()[0]
        after, result = after.apply(chance, None, rng)
        outcomes.append({"move": chance, "outcome": result})
    return after, outcomes


def refused_move(position: Position, move: str, error: IllegalMove) -> Refused:
    """The refusal of a move or of its outcome; a wrong move comes with the legal ones."""
    allowed = position.legal_moves() if error.field == "move" else None
    fault = RequestFault(
        f"/{error.field}", "illegal-move", error.detail, kind="illegal-move", allowed=allowed
    )
    return Refused([fault])


def score(game: str, request: Values, arrived: float) -> Values:
    """Score breakdown per seat as things stand, and win shares when the game is over."""
    position = request["position"]
    winners = position.winners()
    return {
        "game": game,
        "scores": position.scores(),
        "over": winners is not None,
        "winners": winners,
    }
