"""Why a move of the dice game is worth looking at, in terms of the rules.

Entries with `points` are points of the mover's own score: their sum is the difference of its
`total` before and after a final move. A keep has none: its `targets` say what it may reach.
"""

from typing import Any

from shelfie.engine.dice.position import DicePosition

OPEN, MARKED = ".", "o"
SHELVES = "PGBTC"


def reasons(position: DicePosition, move: int) -> list[dict[str, Any]]:
    """The reasons for a legal packed move of a decision node, points first."""
    detail = position.move_detail(move)
    if detail["type"] not in ("mark", "cross"):
        return []
    seat = position.to_move
    after, _ = position.apply(position.format_move(move))
    gained = after.scores()[seat]["total"] - position.scores()[seat]["total"]
    found: list[dict[str, Any]] = [{"type": "points", "points": gained}] if gained else []
    before, boards = position.to_json()["boards"], after.to_json()["boards"]
    if detail["type"] == "mark":
        found.append({"type": "items_marked", "items": len(detail["items"])})
        found += _completed(before[seat], boards[seat])
    else:
        lost = sum(row.count(OPEN) for row in before[seat]) - sum(
            row.count(OPEN) for row in boards[seat]
        )
        found.append({"type": "items_crossed", "items": lost})
    found += _eliminated(before, boards, seat)
    if _ending(boards) and not _ending(before):
        found.append({"type": "last_round"})
    return found


def _lines(board: list[str]) -> dict[str, str]:
    """Line -> its five items; shelves by letter, columns by number."""
    columns = {str(c + 1): "".join(row[c] for row in board) for c in range(5)}
    return dict(zip(SHELVES, board, strict=True)) | columns


def _completed(old: list[str], new: list[str]) -> list[dict[str, Any]]:
    full = MARKED * 5
    before = _lines(old)
    return [
        {"type": "line_completed", "line": name}
        for name, items in _lines(new).items()
        if items == full and before[name] != full
    ]


def _eliminated(
    before: list[list[str]], after: list[list[str]], seat: int
) -> list[dict[str, Any]]:
    found = []
    for p, (old, new) in enumerate(zip(before, after, strict=True)):
        lost = "".join(old).count(OPEN) - "".join(new).count(OPEN)
        if p != seat and lost:
            found.append({"type": "items_eliminated", "seat": p, "items": lost})
    return found


def _ending(boards: list[list[str]]) -> bool:
    """Whether some player has two shelves without open items: the last round."""
    return any(sum(OPEN not in row for row in board) >= 2 for board in boards)
