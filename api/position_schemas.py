"""The JSON Schema of positions, outcomes and options, for the OpenAPI document only.

The engine checks what comes in; this describes it. `tests/api` holds both against each other.
"""

from typing import Any

from shelfie.api import vocabulary

_SEAT = {"type": "integer", "minimum": 0, "maximum": 3}
_PLAYERS = {"type": "integer", "minimum": 2, "maximum": 4}


def _rows(count: int, pattern: str) -> dict[str, Any]:
    row = {"type": "string", "pattern": pattern}
    return {"type": "array", "items": row, "minItems": count, "maxItems": count}


def _record(properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _per_seat(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 2, "maxItems": 4}


TILE_ROWS = _rows(9, "^[CBGFTP.]{9}$")
_DICE_TEXT = {"type": "string", "pattern": "^[PGBTCJ]{6}$"}

RULES = _record(
    {
        "refill": {"type": "string", "enum": ["return", "keep"]},
        "squares": {"type": "string", "enum": ["any", "same"]},
    },
    optional=("refill", "squares"),
)

SHEET = _record(
    {
        "columns": {
            "type": "array",
            "items": {"type": "integer", "minimum": 1, "maximum": 6},
            "minItems": 5,
            "maxItems": 5,
        },
        "values": {
            "type": "array",
            "items": {
                "type": "array",
                "items": {"type": "integer", "minimum": 0, "maximum": 1_000_000},
                "minItems": 5,
                "maxItems": 5,
            },
            "minItems": 5,
            "maxItems": 5,
        },
    }
)


def _tile() -> dict[str, Any]:
    claimed = {"type": "array", "items": _SEAT, "maxItems": 4, "uniqueItems": True}
    goal = _record({"goal": vocabulary.goals(), "claimed_by": claimed})
    card = {"type": ["integer", "null"], "minimum": 1, "maximum": 12}
    return _record(
        {
            "players": _PLAYERS,
            "to_move": _SEAT,
            "first_player": _SEAT,
            "board": TILE_ROWS,
            "shelves": _per_seat(_rows(6, "^[CBGFTP.]{5}$")),
            "common_goals": {"type": "array", "items": goal, "minItems": 1, "maxItems": 2},
            "personal_goals": {"type": "array", "items": card, "maxItems": 4},
            "end_token": {"type": ["integer", "null"], "minimum": 0, "maximum": 3},
            "rules": RULES,
        },
        optional=("rules",),
    )


def _dice() -> dict[str, Any]:
    return _record(
        {
            "players": _PLAYERS,
            "to_move": _SEAT,
            "first_player": _SEAT,
            "boards": _per_seat(_rows(5, "^[ox.]{5}$")),
            "dice": {"type": ["string", "null"], "pattern": "^[PGBTCJ]{6}$"},
            "rerolls_left": {"type": "integer", "minimum": 0, "maximum": 2},
            "sheet": SHEET,
        },
        optional=("sheet",),
    )


def position_object(game: str) -> dict[str, Any]:
    """A position as a JSON object."""
    return _tile() if game == "tile" else _dice()


def component(game: str) -> str:
    """The name of a game's position among the document's schemas."""
    return f"{game.title()}Position"


def position(game: str) -> dict[str, Any]:
    """A position in a request: an object or a notation string."""
    notation = {"type": "string", "description": "Compact notation."}
    return {"anyOf": [{"$ref": f"#/components/schemas/{component(game)}"}, notation]}


def outcome(game: str) -> dict[str, Any]:
    """What chance did: nine board rows after a refill, or six dice."""
    return TILE_ROWS if game == "tile" else _DICE_TEXT


def new_options(game: str) -> dict[str, tuple[dict[str, Any], str]]:
    """The options of a new game: name -> (schema, description)."""
    if game == "dice":
        return {"sheet": (SHEET, "Dice needed by each column, points of each item.")}
    return {
        "common_goals": (
            {"type": "integer", "minimum": 1, "maximum": 2},
            "How many common goals are in play.",
        ),
        "personal_goals": ({"type": "boolean"}, "Whether personal goals are dealt."),
        "rules": (RULES, "Rule switches; the ones left out have their default."),
    }
