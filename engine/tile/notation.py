"""The compact notation of a position: one line <-> the fields of the JSON form."""

import re
from typing import Any

from shelfie.engine.errors import Fault, InvalidPosition
from shelfie.engine.tile.data import BOARD_SIZE, RULES

LONGEST = 1000  # characters; the longest notation of a valid position has below 400
_RUNS = {ord(str(length)): "." * length for length in range(1, 10)}
_NUMBER = re.compile(r"0|[1-9][0-9]?", re.ASCII)


def write_notation(fields: dict[str, Any]) -> str:
    """The line for complete fields (as `reader.read_fields` returns them)."""
    goals = ",".join(
        card["goal"] + (":" if card["claimed_by"] else "") + "".join(map(str, card["claimed_by"]))
        for card in fields["common_goals"]
    )
    cards = ",".join("?" if card is None else str(card) for card in fields["personal_goals"])
    token = fields["end_token"]
    parts = [
        _write_rows(fields["board"]),
        "|".join(_write_rows(shelf) for shelf in fields["shelves"]),
        str(fields["to_move"]),
        str(fields["first_player"]),
        goals,
        cards or "-",
        "-" if token is None else str(token),
    ]
    rules = fields.get("rules", {})
    changed = [f"{n}={rules[n]}" for n in RULES if rules.get(n, RULES[n][0]) != RULES[n][0]]
    return " ".join(parts + ([";".join(changed)] if changed else []))


def read_notation(text: str) -> dict[str, Any]:
    """The JSON fields behind a line, for `reader.read_fields` to check.

    A part that cannot be read stays a text, so that the fault shows at its field. Raises
    InvalidPosition when the line as a whole has not the shape of a notation.
    """
    parts = text.split(" ") if len(text) <= LONGEST else []
    if len(parts) not in (7, 8):
        detail = (
            "A notation has seven parts, or eight with rules: board, shelves, to move, "
            "first player, common goals, personal goals, end token."
        )
        raise InvalidPosition([Fault("", "notation", detail)], malformed=True)
    shelves = parts[1].split("|")
    fields: dict[str, Any] = {
        "players": len(shelves),
        "to_move": _number(parts[2]),
        "first_player": _number(parts[3]),
        "board": _read_rows(parts[0]),
        "shelves": [_read_rows(shelf) for shelf in shelves],
        "common_goals": [_read_goal(part) for part in parts[4].split(",")],
        "personal_goals": [] if parts[5] == "-" else [_card(c) for c in parts[5].split(",")],
        "end_token": None if parts[6] == "-" else _number(parts[6]),
    }
    if len(parts) == 8:
        fields["rules"] = _read_rules(parts[7])
    return fields


def _write_rows(rows: list[str]) -> str:
    text = "/".join(rows)
    for length in range(BOARD_SIZE, 0, -1):
        text = text.replace("." * length, str(length))
    return text


def _read_rows(text: str) -> list[str]:
    return text.translate(_RUNS).split("/")


def _number(text: str) -> int | str:
    return int(text) if _NUMBER.fullmatch(text) else text


def _card(text: str) -> int | str | None:
    return None if text == "?" else _number(text)


def _read_goal(text: str) -> dict[str, Any]:
    goal, colon, claims = text.partition(":")
    return {
        "goal": goal,
        "claimed_by": [_number(c) for c in claims] if claims or not colon else ":",
    }


def _read_rules(text: str) -> dict[str, str]:
    rules: dict[str, str] = {}
    for part in text.split(";"):
        name, _, chosen = part.partition("=")
        if name in rules:
            detail = f"The rule {name} stands there twice."
            raise InvalidPosition([Fault("/rules", "notation", detail)], malformed=True)
        rules[name] = chosen
    return rules
