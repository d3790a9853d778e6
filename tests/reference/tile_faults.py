"""What is wrong with a would-be tile position, as a set of JSON pointers.

Two stages: the form (types, lengths, letters, cells, repeated cards), and only when that is
right what the rules exclude (too many of a type, the end token, whose turn it is).
"""

from typing import Any

from reference.tile import bag, is_full, is_over
from reference.tile_data import CARDS, COLUMNS, ROWS, TYPES, in_play
from reference.tile_goals import GOALS

REQUIRED = (
    "players",
    "to_move",
    "first_player",
    "board",
    "shelves",
    "common_goals",
    "personal_goals",
    "end_token",
)
SWITCHES = {"refill": ("return", "keep"), "squares": ("any", "same")}


def escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def is_number(value: Any, low: int, high: int) -> bool:
    """A whole number in low..high; JSON's true and 2.0 are none."""
    return type(value) is int and low <= value <= high


def repeated(values: list[Any], i: int) -> bool:
    """Does the number at `i` stand earlier in the list? (In Python True and 1.0 equal 1.)"""
    return any(type(value) is int and value == values[i] for value in values[:i])


def is_row(value: Any, length: int) -> bool:
    return isinstance(value, str) and len(value) == length and set(value) <= set(TYPES + ".")


def faults(value: Any) -> set[str]:
    """Pointers of all faults; an empty set for a valid position."""
    return form_faults(value) or rule_faults(value)


# --- first stage ---


def form_faults(value: Any) -> set[str]:
    if not isinstance(value, dict):
        return {""}
    found = {"/" + escape(key) for key in value if key not in (*REQUIRED, "rules")}
    found |= {"/" + name for name in REQUIRED if name not in value}
    given = {name: value[name] for name in (*REQUIRED, "rules") if name in value}
    players = given.get("players")
    if "players" in given and not is_number(players, 2, 4):
        found.add("/players")
    known = is_number(players, 2, 4)
    seats = players if known else 4  # an unknown number of players forbids nothing by itself
    for name in ("to_move", "first_player"):
        if name in given and not is_number(given[name], 0, seats - 1):
            found.add("/" + name)
    if given.get("end_token") is not None and not is_number(given["end_token"], 0, seats - 1):
        found.add("/end_token")
    if "board" in given:
        found |= board_faults(given["board"], seats)
    if "shelves" in given:
        found |= shelves_faults(given["shelves"], players if known else None)
    if "common_goals" in given:
        found |= common_faults(given["common_goals"], seats)
    if "personal_goals" in given:
        found |= personal_faults(given["personal_goals"], players if known else None)
    if "rules" in given:
        found |= switch_faults(given["rules"])
    return found


def board_faults(board: Any, players: int) -> set[str]:
    if not isinstance(board, list) or len(board) != 9:
        return {"/board"}
    cells, found = in_play(players), set()
    for r, row in enumerate(board):
        if not is_row(row, 9) or any(row[c] != "." and (r, c) not in cells for c in range(9)):
            found.add(f"/board/{r}")
    return found


def shelves_faults(shelves: Any, players: int | None) -> set[str]:
    if not isinstance(shelves, list) or (players is not None and len(shelves) != players):
        return {"/shelves"}
    found = set()
    for seat, shelf in enumerate(shelves):
        if not isinstance(shelf, list) or len(shelf) != ROWS:
            found.add(f"/shelves/{seat}")
            continue
        for r, row in enumerate(shelf):
            below = shelf[r + 1] if r + 1 < ROWS else None
            floats = (
                is_row(row, COLUMNS)
                and is_row(below, COLUMNS)
                and any(row[c] != "." and below[c] == "." for c in range(COLUMNS))
            )
            if floats or not is_row(row, COLUMNS):
                found.add(f"/shelves/{seat}/{r}")
    return found


def common_faults(cards: Any, players: int) -> set[str]:
    if not isinstance(cards, list) or len(cards) not in (1, 2):
        return {"/common_goals"}
    found, names = set(), []
    for i, card in enumerate(cards):
        here = f"/common_goals/{i}"
        if not isinstance(card, dict):
            found.add(here)
            continue
        found |= {f"{here}/{escape(key)}" for key in card if key not in ("goal", "claimed_by")}
        name = card.get("goal")
        if not isinstance(name, str) or name not in GOALS or name in names:
            found.add(here + "/goal")
        names.append(name)
        claims = card.get("claimed_by")
        if not isinstance(claims, list):
            found.add(here + "/claimed_by")
            continue
        for j, seat in enumerate(claims):
            if not is_number(seat, 0, players - 1) or repeated(claims, j):
                found.add(f"{here}/claimed_by/{j}")
    return found


def personal_faults(cards: Any, players: int | None) -> set[str]:
    if not isinstance(cards, list):
        return {"/personal_goals"}
    if cards and players is not None and len(cards) != players:
        return {"/personal_goals"}
    found = set()
    for i, card in enumerate(cards):
        if card is None:
            continue
        if not is_number(card, 1, len(CARDS)) or repeated(cards, i):
            found.add(f"/personal_goals/{i}")
    return found


def switch_faults(rules: Any) -> set[str]:
    if not isinstance(rules, dict):
        return {"/rules"}
    return {
        "/rules/" + escape(name)
        for name, chosen in rules.items()
        if name not in SWITCHES or chosen not in SWITCHES[name]
    }


# --- second stage ---


def rule_faults(position: dict[str, Any]) -> set[str]:
    """Of a position whose form is right: what no game can come to."""
    found = set()
    if any(left < 0 for left in bag(position).values()):
        found.add("")
    players, first, to_move = position["players"], position["first_player"], position["to_move"]
    in_turn = [(first + i) % players for i in range(players)]
    full = [seat for seat in in_turn if is_full(position["shelves"][seat])]
    # The first in turn order to have a full shelf was the first to fill it: nobody who has a
    # full shelf moves again, so all of them filled it in this very round.
    if position["end_token"] != (full[0] if full else None):
        found.add("/end_token")
    yet_to_move = in_turn[in_turn.index(to_move) :]
    if not is_over(position) and set(yet_to_move) & set(full):
        found.add("/to_move")
    return found
