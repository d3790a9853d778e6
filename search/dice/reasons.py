"""Why a move of the dice game is worth looking at, in terms of the rules.

Entries with `points` are points of the mover's own score, and their sum is the difference of
its `total` before and after the move. Items are [shelf letter, column from 1].
"""

from typing import Any

from shelfie.engine.dice.notation import SHELVES, item_text, items_of
from shelfie.engine.dice.position import DicePosition
from shelfie.engine.dice.tables import dice_index
from shelfie.search.dice.targets import keep_chance

AIMS = 3  # items named for a keep


def reasons(position: DicePosition, move: int) -> list[dict[str, Any]]:
    """The reasons for a legal packed move of a decision node, points first."""
    detail = position.move_detail(move)
    if detail["type"] == "keep":
        return _aims(position, dice_index(detail["dice"]))
    after, _ = position.apply(position.format_move(move))
    seat = position.to_move
    found = _points(position, after, seat)
    if detail["type"] == "mark":
        found.append({"type": "items_marked", "items": detail["items"]})
        found += _completed(position, after, seat)
    elif detail["type"] == "cross":
        lost = position.open_items(seat) & ~after.open_items(seat)
        found.append({"type": "items_given_up", "items": _items(lost)})
    for other in range(position.players):
        lost = position.open_items(other) & ~after.open_items(other)
        if other != seat and lost:
            found.append({"type": "denial", "seat": other, "items": _items(lost)})
    return found + _ending(position, after)


def _aims(position: DicePosition, kept: int) -> list[dict[str, Any]]:
    """The open items that keeping these dice helps most, against rolling all six."""
    found = []
    for item in items_of(position.open_items(position.to_move)):
        need, shelf, left = position.columns[item % 5], item // 5, position.rerolls_left
        chance = keep_chance(need, shelf, left, kept)
        gain = chance - keep_chance(need, shelf, left, 0)
        if gain > 0:
            found.append((gain, item, chance))
    found.sort(key=lambda entry: (-entry[0], entry[1]))
    return [
        {"type": "aim", "item": item_text(item), "probability": chance, "gain": gain}
        for gain, item, chance in found[:AIMS]
    ]


def _points(position: DicePosition, after: DicePosition, seat: int) -> list[dict[str, Any]]:
    """Lines of the mover that score more than before."""
    old, new = position.scores()[seat], after.scores()[seat]
    found: list[dict[str, Any]] = []
    for line in range(5):
        shelf = new["shelves"][line] - old["shelves"][line]
        if shelf:
            found.append({"type": "shelf_points", "shelf": SHELVES[line], "points": shelf})
    for line in range(5):
        column = new["columns"][line] - old["columns"][line]
        if column:
            found.append({"type": "column_points", "column": line + 1, "points": column})
    return found


def _completed(position: DicePosition, after: DicePosition, seat: int) -> list[dict[str, Any]]:
    """Shelves and columns whose fifth item this move marks."""
    old, new = position.marked_items(seat), after.marked_items(seat)
    found: list[dict[str, Any]] = []
    for line in range(5):
        shelf, column = 0b11111 << 5 * line, 0x108421 << line
        if new & shelf == shelf != old & shelf:
            found.append({"type": "shelf_completed", "shelf": SHELVES[line]})
        if new & column == column != old & column:
            found.append({"type": "column_completed", "column": line + 1})
    return found


def _ending(position: DicePosition, after: DicePosition) -> list[dict[str, Any]]:
    """The end of the game, triggered or reached."""
    if after.node == "terminal":
        return [{"type": "game_over"}]
    if _triggered(after) and not _triggered(position):
        return [{"type": "end_triggered"}]
    return []


def _triggered(position: DicePosition) -> bool:
    return any(
        sum(not position.open_items(p) >> 5 * r & 31 for r in range(5)) >= 2
        for p in range(position.players)
    )


def _items(mask: int) -> list[list[Any]]:
    return [[SHELVES[item // 5], item % 5 + 1] for item in items_of(mask)]
