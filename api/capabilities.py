"""What can be asked about a game: rules as data, options with ranges, limits, levels, examples.

The options are read off the request schemas, so they cannot differ from what is accepted.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import marshmallow as ma

from shelfie.api.examples import request_examples
from shelfie.api.fields import PositionField, StrictField
from shelfie.api.operations import OPERATIONS
from shelfie.api.options import levels, models, options
from shelfie.api.schemas import request_schema
from shelfie.api.settings import Settings
from shelfie.engine import GAMES

NAMES = {"tile": "My Shelfie", "dice": "My Shelfie: The Dice Game"}
PLAYERS = {"min": 2, "max": 4}


def summary(game: str) -> dict[str, Any]:
    """A game in the list of games."""
    start = f"/v1/games/{game}"
    links = {name: f"{start}/{name}" for name in OPERATIONS}
    return {
        "id": game,
        "name": NAMES[game],
        "players": PLAYERS,
        "links": {"self": start, **links},
    }


@cache
def capabilities(game: str) -> dict[str, Any]:
    """The whole capabilities document of a game."""
    return {
        **summary(game),
        "rules": GAMES[game].rules_data(),
        "levels": levels(game),
        "limits": {name: options(game)[name] for name in ("default", "maximum")},
        "models": models()[game],
        "options": {name: list(option_list(game, name)) for name in OPERATIONS},
        "examples": request_examples(game),
    }


def in_force(game: str, settings: Settings) -> dict[str, Any]:
    """The capabilities with the limits that this service was set to."""
    found = capabilities(game)
    body = {"bytes": settings.max_body_bytes}
    admission = {
        "slots": settings.search_slots,
        "queue": settings.queue,
        "queue_ms": settings.queue_ms,
        "batches": settings.batches,
        "calls_per_minute": settings.quota or None,
    }
    batch = {
        "items": settings.max_batch_items,
        "line_bytes": settings.max_batch_line_bytes,
        "bytes": settings.max_batch_body_bytes,
        "playouts": settings.max_batch_playouts,
        "time_ms": settings.max_batch_time_ms,
    }
    ours = {"body": body, "batch": batch, "admission": admission}
    return {**found, "limits": {**found["limits"], **ours}}


def option_list(game: str, operation: str) -> Iterator[dict[str, Any]]:
    """Every field of a request but the position: name, type, range and default."""
    for name, field in request_schema(game, operation).fields.items():
        if isinstance(field, ma.fields.Nested):
            for inner, inside in field.schema.fields.items():
                yield option(f"{name}.{inner}", inside)
        elif not isinstance(field, PositionField):
            yield option(name, field)


_WORDS = {
    "minimum": "min",
    "exclusiveMinimum": "above",
    "maximum": "max",
    "minLength": "min_length",
    "maxLength": "max_length",
    "maxItems": "max_items",
    "enum": "values",
}


def option(name: str, field: ma.fields.Field[Any]) -> dict[str, Any]:
    """One option, in the manner of UCI's `option` lines. No `default`: it has to be sent,
    or (for options of a new game) the rules' own default holds."""
    assert isinstance(field, StrictField)
    schema: Mapping[str, Any] = field.openapi
    entry = {"name": name, "type": schema["type"], "required": field.required}
    items = schema.get("items", {})
    if "enum" in items:
        entry["values"] = items["enum"]
    entry.update({word: schema[key] for key, word in _WORDS.items() if key in schema})
    if field.load_default is not ma.missing:
        entry["default"] = field.load_default
    if "description" in schema:
        entry["description"] = schema["description"]
    return entry
