"""The one-line notation of a tile position, both ways, for well-formed text."""

import re
from itertools import groupby
from typing import Any

from reference.tile import rule

Json = dict[str, Any]


def pack(row: str) -> str:
    """Runs of empty cells as a digit."""
    runs = ((letter, len(list(same))) for letter, same in groupby(row))
    return "".join(str(n) if letter == "." else letter * n for letter, n in runs)


def unpack(text: str) -> str:
    return re.sub("[1-9]", lambda digit: "." * int(digit[0]), text)


def rows(text: str) -> list[str]:
    return [unpack(row) for row in text.split("/")]


def notation(position: Json) -> str:
    """The compact notation of a valid position."""
    cards = ",".join(
        card["goal"] + (":" + "".join(map(str, card["claimed_by"])) if card["claimed_by"] else "")
        for card in position["common_goals"]
    )
    personal = ",".join("?" if g is None else str(g) for g in position["personal_goals"])
    fields = [
        "/".join(map(pack, position["board"])),
        "|".join("/".join(map(pack, shelf)) for shelf in position["shelves"]),
        str(position["to_move"]),
        str(position["first_player"]),
        cards,
        personal or "-",
        "-" if position["end_token"] is None else str(position["end_token"]),
    ]
    switches = []
    if rule(position, "refill") == "keep":
        switches.append("refill=keep")
    if rule(position, "squares") == "same":
        switches.append("squares=same")
    return " ".join(fields + [";".join(switches)] * bool(switches))


def read(text: str) -> Json:
    """The JSON position behind a well-formed notation."""
    board, shelves, to_move, first, cards, personal, token, *switches = text.split(" ")
    position: Json = {
        "players": len(shelves.split("|")),
        "to_move": int(to_move),
        "first_player": int(first),
        "board": rows(board),
        "shelves": [rows(shelf) for shelf in shelves.split("|")],
        "common_goals": [
            {"goal": name, "claimed_by": [int(digit) for digit in claims]}
            for name, _, claims in (card.partition(":") for card in cards.split(","))
        ],
        "personal_goals": [],
        "end_token": None if token == "-" else int(token),
    }
    if personal != "-":
        position["personal_goals"] = [None if g == "?" else int(g) for g in personal.split(",")]
    if switches:
        position["rules"] = dict(switch.split("=") for switch in switches[0].split(";"))
    return position
