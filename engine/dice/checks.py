"""Faults of a dice position: first its form, then what the rules exclude.

The second stage runs only when the form is right. Each function returns every fault it finds;
pointers are relative to the position, a shelf of a board has one pointer, whatever is wrong.
"""

from typing import Any

from shelfie.engine.dice.tables import FACES
from shelfie.engine.errors import Fault, escape

MAX_PLAYERS = 4
MAX_VALUE = 1_000_000  # of one item: keeps every total exact and the answers readable
FIELDS = ("players", "to_move", "first_player", "boards", "dice", "rerolls_left")


def whole(value: Any, low: int, high: int) -> bool:
    """True for an integer in low..high; a boolean is none."""
    return type(value) is int and low <= value <= high


# Stage 1: form


def form_faults(value: Any) -> list[Fault]:
    """Missing and unknown fields, wrong types, lengths, letters and ranges."""
    if not isinstance(value, dict):
        return [Fault("", "type", "A position is an object or a notation text.")]
    faults = [
        Fault(f"/{escape(name)}", "unknown-field", "A position has no such field.")
        for name in value
        if name not in (*FIELDS, "sheet")
    ]
    faults += [
        Fault(f"/{name}", "missing-field", "This field is required.")
        for name in FIELDS
        if name not in value
    ]
    players = value.get("players")
    if not whole(players, 2, MAX_PLAYERS):
        players = None  # how many boards and seats there are is then unknown
        if "players" in value:
            faults.append(Fault("/players", "out-of-range", "The number of players is 2, 3 or 4."))
    faults += seat_faults(value, players or MAX_PLAYERS)
    if "boards" in value:
        faults += board_faults(value["boards"], players)
    faults += dice_faults(value)
    if "sheet" in value:
        faults += sheet_faults(value["sheet"])
    return faults


def seat_faults(value: dict[str, Any], players: int) -> list[Fault]:
    """Faults of to_move and first_player."""
    return [
        Fault(f"/{name}", "out-of-range", f"A seat is a number from 0 to {players - 1}.")
        for name in ("to_move", "first_player")
        if name in value and not whole(value[name], 0, players - 1)
    ]


def board_faults(boards: Any, players: int | None) -> list[Fault]:
    """Faults of the boards: their number, the shelves of each, the letters of each shelf."""
    if not isinstance(boards, list):
        return [Fault("/boards", "type", "There is a list with one board for each player.")]
    if players is not None and len(boards) != players:
        return [
            Fault(
                "/boards", "board-count", f"There are {players} players but {len(boards)} boards."
            )
        ]
    faults = []
    for p, board in enumerate(boards):
        if not isinstance(board, list) or len(board) != 5:
            faults.append(
                Fault(f"/boards/{p}", "shelf-count", "A board is a list of five shelves.")
            )
            continue
        for r, shelf in enumerate(board):
            pointer = f"/boards/{p}/{r}"
            if not isinstance(shelf, str) or len(shelf) != 5:
                faults.append(Fault(pointer, "shelf-length", "A shelf is a text of five letters."))
            elif not set(shelf) <= set(".ox"):
                faults.append(
                    Fault(pointer, "letter", "An item is '.' open, 'o' marked or 'x' eliminated.")
                )
    return faults


def dice_faults(value: dict[str, Any]) -> list[Fault]:
    """Faults of dice and rerolls_left."""
    faults = []
    dice = value.get("dice")
    if dice is not None:
        if not isinstance(dice, str) or len(dice) != 6:
            faults.append(
                Fault("/dice", "dice-length", "The dice are null or a text of six letters.")
            )
        elif not set(dice) <= set(FACES):
            faults.append(Fault("/dice", "letter", f"The faces of the dice are {FACES}."))
    if "rerolls_left" in value:
        left = value["rerolls_left"]
        if not whole(left, 0, 2):
            faults.append(
                Fault("/rerolls_left", "out-of-range", "The re-rolls left are 0, 1 or 2.")
            )
        elif "dice" in value and dice is None and left != 2:
            faults.append(
                Fault(
                    "/rerolls_left",
                    "rerolls-without-dice",
                    "Before the roll two re-rolls are left.",
                )
            )
    return faults


def sheet_faults(sheet: Any) -> list[Fault]:
    """Faults of a sheet; pointers start with /sheet."""
    if not isinstance(sheet, dict):
        return [Fault("/sheet", "type", "A sheet is an object with columns and values.")]
    faults = [
        Fault(f"/sheet/{escape(name)}", "unknown-field", "A sheet has no such field.")
        for name in sheet
        if name not in ("columns", "values")
    ]
    if "columns" not in sheet:
        faults.append(Fault("/sheet/columns", "missing-field", "This field is required."))
    else:
        detail = "A column needs 1 to 6 dice."
        faults += number_faults("/sheet/columns", sheet["columns"], 1, 6, "out-of-range", detail)
    if "values" not in sheet:
        faults.append(Fault("/sheet/values", "missing-field", "This field is required."))
    elif not isinstance(sheet["values"], list) or len(sheet["values"]) != 5:
        faults.append(
            Fault("/sheet/values", "sheet-size", "The values are a list of five shelves.")
        )
    else:
        detail = f"The value of an item is 0 to {MAX_VALUE}."
        for r, row in enumerate(sheet["values"]):
            faults += number_faults(f"/sheet/values/{r}", row, 0, MAX_VALUE, "out-of-range", detail)
    return faults


def number_faults(
    pointer: str, row: Any, low: int, high: int, code: str, detail: str
) -> list[Fault]:
    """Faults of a list of five integers in low..high."""
    if not isinstance(row, list) or len(row) != 5:
        return [Fault(pointer, "sheet-size", "This is a list of five integers.")]
    return [
        Fault(f"{pointer}/{i}", code, detail) for i, n in enumerate(row) if not whole(n, low, high)
    ]


# Stage 2: rules


def rule_faults(value: dict[str, Any]) -> list[Fault]:
    """What no game can lead to, in a position of right form: at most one fault a shelf."""
    boards: list[list[str]] = value["boards"]
    shelves = [{r for r in range(5) if board[r] == "ooooo"} for board in boards]
    columns = [{c for c in range(5) if all(s[c] == "o" for s in board)} for board in boards]
    faults = []
    for p, board in enumerate(boards):
        others = [q for q in range(len(boards)) if q != p]
        shelves_of_others = set().union(*(shelves[q] for q in others))
        columns_of_others = set().union(*(columns[q] for q in others))
        shelves_before = set().union(*shelves[:p])
        columns_before = set().union(*columns[:p])
        for r, shelf in enumerate(board):
            opened = {c for c in range(5) if shelf[c] == "."}
            closed = {c for c in range(5) if shelf[c] == "x"}
            pointer = f"/boards/{p}/{r}"
            if (r in shelves[p] & shelves_before) or columns[p] & columns_before:
                detail = "An earlier player has completed the same line; only one can."
                faults.append(Fault(pointer, "completed-twice", detail))
            elif opened and (r in shelves_of_others or opened & columns_of_others):
                detail = "An item is open in a line that another player has completed."
                faults.append(Fault(pointer, "open-in-completed-line", detail))
            elif opened and closed - columns_of_others:
                detail = "An item is eliminated although no opponent completed its column."
                faults.append(Fault(pointer, "unexplained-x", detail))
    if value["dice"] is not None and game_over(value):
        faults.append(
            Fault("/dice", "dice-after-end", "The game is over; there is nothing to roll.")
        )
    return faults


def game_over(value: dict[str, Any]) -> bool:
    """True when the round is finished and some player has two shelves without open items."""
    if value["to_move"] != value["first_player"]:
        return False
    return any(sum("." not in shelf for shelf in board) >= 2 for board in value["boards"])
