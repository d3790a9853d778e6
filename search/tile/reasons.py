"""Why a move of the tile game is worth looking at, in terms of the rules.

Entries with `points` are points of the mover's own score, and their sum is the difference of
its `total` before and after the move.
"""

from typing import Any

from shelfie.engine import Position
from shelfie.engine.tile.data import PERSONAL_GOALS
from shelfie.search.tile.insight import best_gain, goal_distances, group_size

IMPOSSIBLE = 9
WORTH_DENYING = 2  # points


def reasons(position: Position, move: int) -> list[dict[str, Any]]:
    """The reasons for a legal packed move of a decision node, points first."""
    seat = position.to_move
    after, _ = position.apply(position.format_move(move))
    before_parts, parts = position.scores()[seat], after.scores()[seat]
    gained = {name: parts[name] - before_parts[name] for name in parts}
    found = _claimed(position, after, gained["tokens"])
    if gained["adjacency"]:
        found.append({"type": "adjacency", "points": gained["adjacency"]})
    cells = _matches(after, seat) - _matches(position, seat)
    if cells:
        points = {"cells": cells, "points": gained["personal"]}
        found.append({"type": "personal_goal", **points})
    if gained["end"]:
        found.append({"type": "end_token", "points": gained["end"]})
    if after.node == "terminal":
        found.append({"type": "game_over"})
    found += _advanced(position, after, seat)
    found += _prepared(position, after, move, gained["adjacency"])
    return found + _denied(position, after, seat)


def _claimed(position: Position, after: Position, tokens: int) -> list[dict[str, Any]]:
    """Common goals claimed by the move; a card's token is known by its place in the claims."""
    if not tokens:
        return []
    found = []
    pairs = zip(position.to_json()["common_goals"], after.to_json()["common_goals"], strict=True)
    steps = {2: 4, 3: 2, 4: 2}[position.players]
    for old, new in pairs:
        if len(new["claimed_by"]) > len(old["claimed_by"]):
            points = 8 - steps * len(old["claimed_by"])
            found.append({"type": "common_goal", "goal": new["goal"], "points": points})
    return found


def _matches(position: Position, seat: int) -> int:
    """Places of the seat's personal goal that its shelf matches; 0 for an unknown card."""
    fields = position.to_json()
    card = fields["personal_goals"][seat] if fields["personal_goals"] else None
    if card is None:
        return 0
    shelf = fields["shelves"][seat]
    wanted = PERSONAL_GOALS[card]
    return sum(
        tile != "." and tile == shelf[r][c]
        for r, row in enumerate(wanted)
        for c, tile in enumerate(row)
    )


def _advanced(position: Position, after: Position, seat: int) -> list[dict[str, Any]]:
    goals = position.to_json()["common_goals"]
    old, new = goal_distances(position, seat), goal_distances(after, seat)
    return [
        {"type": "common_goal_advanced", "goal": card["goal"], "missing": new[g]}
        for g, card in enumerate(goals)
        if seat not in card["claimed_by"] and 0 < new[g] < min(old[g], IMPOSSIBLE)
    ]


def _prepared(
    position: Position, after: Position, move: int, adjacency: int
) -> list[dict[str, Any]]:
    """A group that grew without scoring more yet."""
    if adjacency:
        return []
    seat, detail = position.to_move, position.move_detail(move)
    column = detail["column"]
    base = sum(row[column] != "." for row in position.to_json()["shelves"][seat])
    sizes = [
        (group_size(after, seat, 6 * column + base + i), tile)
        for i, tile in enumerate(detail["tiles"])
    ]
    size, tile = max(sizes)
    return [{"type": "adjacency_prepared", "tile": tile, "group": size}] if size >= 2 else []


def _denied(position: Position, after: Position, seat: int) -> list[dict[str, Any]]:
    """Points that the next player could have scored at once, and now cannot."""
    rival = (seat + 1) % position.players
    if after.node != "decision" or after.to_move != rival:
        return []
    lost = best_gain(position, rival) - best_gain(after, rival)
    return [{"type": "denial", "seat": rival, "denied": lost}] if lost >= WORTH_DENYING else []
