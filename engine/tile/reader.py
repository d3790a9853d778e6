"""Reads a position of the tile game from JSON values, and finds every fault in it.

Two stages: the form of each field first; what the rules exclude only when the form is right.
"""

from typing import Any

from shelfie.engine.errors import Fault, InvalidPosition, escape
from shelfie.engine.tile.data import (
    BOARD_SIZE,
    COMMON_GOALS,
    PERSONAL_GOALS,
    RULES,
    SHELF_COLUMNS,
    SHELF_ROWS,
    TILES_PER_TYPE,
    TYPE_NAMES,
    TYPES,
    unused_columns,
)

FIELDS = (
    "players",
    "to_move",
    "first_player",
    "board",
    "shelves",
    "common_goals",
    "personal_goals",
    "end_token",
    "rules",
)
# Faults of a well-formed position that are found with the form, since they belong to one field.
RULE_CODES = {"unused-cell", "floating", "repeated-goal", "repeated-card", "claimed-twice"}
FULL = SHELF_ROWS * SHELF_COLUMNS


def is_int(value: object) -> bool:
    """A whole number; JSON's true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def read_fields(value: Any) -> dict[str, Any]:
    """The fields of a valid position, `rules` completed with the defaults.

    Raises InvalidPosition with every fault of the first stage that has one.
    """
    if not isinstance(value, dict):
        raise InvalidPosition(
            [Fault("", "type", "A position is an object or a text.")], malformed=True
        )
    faults = [
        Fault(f"/{escape(name)}", "unknown-field", "A position has no such field.")
        for name in value
        if name not in FIELDS
    ]
    faults += [
        Fault(f"/{name}", "missing-field", "This field is required.")
        for name in FIELDS
        if name not in value and name != "rules"
    ]
    given = value.get("players")
    players = given if isinstance(given, int) and is_int(given) and 2 <= given <= 4 else None
    if "players" in value and players is None:
        faults.append(Fault("/players", "out-of-range", "The number of players is 2, 3 or 4."))
    checks = {
        "to_move": _seat,
        "first_player": _seat,
        "board": _board,
        "shelves": _shelves,
        "common_goals": _common_goals,
        "personal_goals": _personal_goals,
        "end_token": _end_token,
        "rules": rules_faults,
    }
    for name, check in checks.items():
        if name in value:
            faults += check(f"/{name}", value[name], players)
    if faults:
        malformed = any(fault.code not in RULE_CODES for fault in faults)
        raise InvalidPosition(faults, malformed=malformed)
    fields = {name: value[name] for name in FIELDS if name != "rules"}
    fields["rules"] = {name: values[0] for name, values in RULES.items()} | value.get("rules", {})
    impossible = _impossible(fields)
    if impossible:
        raise InvalidPosition(impossible, malformed=False)
    return fields


# ---- first stage: the form, field by field. `players` is None when it is itself at fault.


def _seat(pointer: str, value: Any, players: int | None) -> list[Fault]:
    if is_int(value) and 0 <= value < (players or 4):
        return []
    return [Fault(pointer, "out-of-range", f"A seat is a number from 0 to {(players or 4) - 1}.")]


def _end_token(pointer: str, value: Any, players: int | None) -> list[Fault]:
    return [] if value is None else _seat(pointer, value, players)


def _row_fault(row: Any, length: int) -> tuple[str, str] | None:
    """Code and detail of what is wrong with the text of a row by itself."""
    if not isinstance(row, str) or len(row) != length:
        return "row-length", f"A row is a text of {length} letters."
    if row.strip(TYPES + "."):
        return "letter", f"A row has only the letters {TYPES} and '.'."
    return None


def _board(pointer: str, value: Any, players: int | None) -> list[Fault]:
    if not isinstance(value, list) or len(value) != BOARD_SIZE:
        return [Fault(pointer, "row-count", f"The board is a list of {BOARD_SIZE} rows.")]
    faults = []
    for r, row in enumerate(value):
        wrong = _row_fault(row, BOARD_SIZE)
        if not wrong and players:
            unused = [c for c in unused_columns(players)[r] if row[c] != "."]
            if unused:
                detail = f"Cell {r}{unused[0]} is not in play with {players} players."
                wrong = "unused-cell", detail
        if wrong:
            faults.append(Fault(f"{pointer}/{r}", *wrong))
    return faults


def _shelves(pointer: str, value: Any, players: int | None) -> list[Fault]:
    if not isinstance(value, list) or (players and len(value) != players):
        return [Fault(pointer, "shelf-count", "There is one shelf a player.")]
    return [f for p, shelf in enumerate(value) for f in _shelf(f"{pointer}/{p}", shelf)]


def _shelf(pointer: str, shelf: Any) -> list[Fault]:
    if not isinstance(shelf, list) or len(shelf) != SHELF_ROWS:
        return [Fault(pointer, "row-count", f"A shelf is a list of {SHELF_ROWS} rows.")]
    wrongs = [_row_fault(row, SHELF_COLUMNS) for row in shelf]
    for r in range(SHELF_ROWS - 1):
        if wrongs[r] or wrongs[r + 1]:
            continue
        pairs = zip(shelf[r], shelf[r + 1], strict=True)
        if any(tile != "." and below == "." for tile, below in pairs):
            wrongs[r] = "floating", "A tile of this row lies above an empty place."
    return [Fault(f"{pointer}/{r}", *wrong) for r, wrong in enumerate(wrongs) if wrong]


def _common_goals(pointer: str, value: Any, players: int | None) -> list[Fault]:
    if not isinstance(value, list) or len(value) not in (1, 2):
        return [Fault(pointer, "goal-count", "One or two common goals are in play.")]
    faults: list[Fault] = []
    seen: list[Any] = []
    for i, card in enumerate(value):
        faults += _common_goal(f"{pointer}/{i}", card, players, seen)
        if isinstance(card, dict):
            seen.append(card.get("goal"))
    return faults


def _common_goal(pointer: str, card: Any, players: int | None, seen: list[Any]) -> list[Fault]:
    if not isinstance(card, dict):
        return [Fault(pointer, "type", "A common goal is an object with `goal` and `claimed_by`.")]
    faults = [
        Fault(f"{pointer}/{escape(name)}", "unknown-field", "A common goal has no such field.")
        for name in card
        if name not in ("goal", "claimed_by")
    ]
    faults += [
        Fault(f"{pointer}/{name}", "missing-field", "This field is required.")
        for name in ("goal", "claimed_by")
        if name not in card
    ]
    if "goal" in card:
        goal = card["goal"]
        if not isinstance(goal, str) or goal not in COMMON_GOALS:
            faults.append(Fault(f"{pointer}/goal", "goal", "There is no common goal of this id."))
        elif goal in seen:
            faults.append(
                Fault(f"{pointer}/goal", "repeated-goal", "The same card lies there twice.")
            )
    if "claimed_by" in card:
        faults += _claims(f"{pointer}/claimed_by", card["claimed_by"], players)
    return faults


def _claims(pointer: str, value: Any, players: int | None) -> list[Fault]:
    if not isinstance(value, list):
        return [Fault(pointer, "type", "The claimers are a list of seats.")]
    faults = []
    seen: set[int] = set()  # a set, since the caller's list may be very long
    for i, seat in enumerate(value):
        wrong = _seat(f"{pointer}/{i}", seat, players)
        if not wrong and seat in seen:
            wrong = [Fault(f"{pointer}/{i}", "claimed-twice", "A player claims a goal once.")]
        if not wrong:
            seen.add(seat)
        faults += wrong
    return faults


def _personal_goals(pointer: str, value: Any, players: int | None) -> list[Fault]:
    if not isinstance(value, list) or (players and value and len(value) != players):
        return [Fault(pointer, "card-count", "One personal goal a player, or none at all.")]
    faults = []
    seen: set[int] = set()
    for i, card in enumerate(value):
        if card is None:
            continue
        if not (is_int(card) and card in PERSONAL_GOALS):
            detail = "A personal goal is a card number from 1 to 12, or null."
            faults.append(Fault(f"{pointer}/{i}", "card", detail))
        elif card in seen:
            faults.append(Fault(f"{pointer}/{i}", "repeated-card", "Each card is there once."))
        else:
            seen.add(card)
    return faults


def rules_faults(pointer: str, value: Any, players: int | None) -> list[Fault]:
    if not isinstance(value, dict):
        return [Fault(pointer, "type", "`rules` is an object.")]
    faults = []
    for name, chosen in value.items():
        if name not in RULES:
            faults.append(
                Fault(f"{pointer}/{escape(name)}", "unknown-field", "No such rule switch.")
            )
        elif not isinstance(chosen, str) or chosen not in RULES[name]:
            allowed = " or ".join(RULES[name])
            faults.append(Fault(f"{pointer}/{name}", "rule-value", f"Allowed here: {allowed}."))
    return faults


# ---- second stage: what the rules exclude


def _impossible(fields: dict[str, Any]) -> list[Fault]:
    faults = []
    rows = [*fields["board"], *(row for shelf in fields["shelves"] for row in shelf)]
    tiles = "".join(rows)
    many = [t for t in TYPES if tiles.count(t) > TILES_PER_TYPE]
    if many:
        names = ", ".join(TYPE_NAMES[t] for t in many)
        faults.append(Fault("", "too-many-tiles", f"More than {TILES_PER_TYPE} tiles of {names}."))
    full = [sum(row.count(".") for row in shelf) == 0 for shelf in fields["shelves"]]
    return faults + _end_token_faults(fields, full) + _turn_faults(fields, full)


def _end_token_faults(fields: dict[str, Any], full: list[bool]) -> list[Fault]:
    holder, first, players = fields["end_token"], fields["first_player"], fields["players"]
    if holder is None:
        if not any(full):
            return []
        return [
            Fault("/end_token", "end-token-not-taken", "A shelf is full: its owner has the token.")
        ]
    if not full[holder]:
        return [Fault("/end_token", "end-token-not-full", "The holder's shelf is not full.")]
    turn = (holder - first) % players
    if any(full[(first + i) % players] for i in range(turn)):
        detail = "Another player filled the shelf earlier in this round."
        return [Fault("/end_token", "end-token-not-first", detail)]
    return []


def _turn_faults(fields: dict[str, Any], full: list[bool]) -> list[Fault]:
    first, players = fields["first_player"], fields["players"]
    if fields["end_token"] is not None and fields["to_move"] == first:
        return []  # the game is over
    turn = (fields["to_move"] - first) % players
    if any(full[(first + i) % players] for i in range(turn, players)):
        detail = "A player who is still to move in this round has a full shelf."
        return [Fault("/to_move", "full-before-turn", detail)]
    return []
