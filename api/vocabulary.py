"""The words that answers use, each with its meaning, for the OpenAPI document."""

from collections.abc import Mapping
from typing import Any

from shelfie.engine import GAMES
from shelfie.search.review import FORCED, GRADES

Schema = dict[str, Any]

NODES = {
    "decision": "a player chooses",
    "chance": "the one move is `roll` or `refill`",
    "terminal": "the game is over",
}
STATUSES = {
    "ok": "the moves were searched",
    "forced": "there is one legal move, so nothing was searched",
    "chance": "the only move is `roll` or `refill`; `root` holds the value",
    "finished": "the game is over; `root` holds the result, `moves` is empty, there is no `chosen`",
}
STOPPED_BY = {
    "playouts": "the limit of work was reached: playouts, or the depth of the dice game",
    "time": "`limits.time_ms` was over, or the longest time that any search may take",
    "standard_error": "the best move's value is known as well as was asked for",
    "exact": "the values are proven, and nothing more could be found out",
    "forced": "there was nothing to choose",
    "deadline": "`deadline_ms` was near",
}
GRADE_MEANINGS = {
    "best": "the best move, or one as good",
    "good": f"less than {GRADES['inaccuracy']} of win share lost",
    "inaccuracy": f"{GRADES['inaccuracy']} or more lost",
    "mistake": f"{GRADES['mistake']} or more lost",
    "blunder": f"{GRADES['blunder']} or more lost",
    FORCED: "there was nothing else to play; not judged",
}
MOVES = {
    "tile": (
        "`34,35>2`: cells as row and column in the order in which they are dropped, then the "
        "column of the shelf. `refill`: the one move when a refill is due."
    ),
    "dice": (
        "`roll`; `keep:PPJ`: these dice stay, the others are rolled again (`keep:-` keeps none); "
        "`mark:P1,C3`: items are marked; `cross:B`: a shelf is crossed out, when nothing can be "
        "marked; `pass`: no open item is left."
    ),
}
MOVE_KINDS = {
    "tile": {"take": "`cells`, `tiles` as letters and `column` of the shelf", "refill": "chance"},
    "dice": {
        "keep": "`dice` that stay",
        "mark": "`items`, each a letter and a column from 1",
        "cross": "`shelf` that is crossed out",
        "pass": "no open item is left",
        "roll": "chance",
    },
}
REASONS = {
    "tile": {
        "adjacency": "`points` more for groups of equal tiles",
        "personal_goal": "`cells` of the personal goal more, worth `points`",
        "common_goal": "`goal` is claimed for `points`",
        "end_token": "the shelf is full first, for `points`",
        "game_over": "the game ends",
        "common_goal_advanced": "`goal` is nearer: so many tiles are `missing` at least",
        "adjacency_prepared": "a `group` of `tile` grows that scores nothing yet",
        "denial": "`seat` could have scored `denied` points at once and now cannot",
    },
    "dice": {
        "aim": "`item` can be marked this turn with `probability`, `gain` more than by rolling all",
        "shelf_points": "`points` more for `shelf`",
        "column_points": "`points` more for `column`",
        "items_marked": "`items` are marked",
        "shelf_completed": "`shelf` is complete",
        "column_completed": "`column` is complete",
        "items_given_up": "`items` can never be marked any more",
        "denial": "`seat` loses the open `items`",
        "end_triggered": "the round is the last one",
        "game_over": "the game ends",
    },
}


def listed(words: Mapping[str, str]) -> str:
    """The words with their meanings as Markdown."""
    return "\n".join(f"- `{word}`: {meaning}" for word, meaning in words.items())


def closed(words: Mapping[str, str]) -> Schema:
    """One of these words."""
    return {"type": "string", "enum": list(words), "description": listed(words)}


def growing(words: Mapping[str, str]) -> Schema:
    """One of these words; others may come with later versions."""
    text = f"Others may come; skip what you do not know.\n{listed(words)}"
    return {"type": "string", "description": text, "examples": list(words)[:1]}


def move(game: str) -> Schema:
    """A move of a game."""
    return {"type": "string", "description": MOVES[game]}


def goals() -> Schema:
    """A common goal of the tile game, as the rules describe it."""
    cards = GAMES["tile"].rules_data()["common_goals"]
    return closed({card["goal"]: card["pattern"] for card in cards})
