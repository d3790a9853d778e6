"""What a request may hold: one marshmallow schema per game and operation.

Unknown fields are refused everywhere. `load` gives the values or a `Refused` with every fault.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import marshmallow as ma

from shelfie.api import position_schemas, vocabulary
from shelfie.api.fields import (
    Choice,
    GameOption,
    Level,
    ListOf,
    OutcomeField,
    PlayField,
    PositionField,
    Positive,
    StrictField,
    Text,
    Whole,
)
from shelfie.api.options import DESCRIPTIONS, defaults, levels, limit_maxima
from shelfie.api.refusals import Refused, RequestFault
from shelfie.engine.errors import escape

Fields = dict[str, ma.fields.Field[Any]]

LONGEST_TEXT = 200
MOST_MOVES = 2000
LONGEST_RECORD = 1000  # the longest game of four has fewer moves


class RequestSchema(ma.Schema):
    """Base of all requests."""

    class Meta:
        unknown = ma.RAISE

    error_messages = {  # noqa: RUF012  (a mapping that marshmallow copies)
        "unknown": RequestFault("", "unknown-field", "This field is not known."),  # type: ignore[dict-item]
        "type": RequestFault("", "wrong-type", "An object is wanted."),  # type: ignore[dict-item]
    }


def position_field(game: str) -> Fields:
    return {"position": PositionField(game, position_schemas.position(game))}


def seed_field(description: str) -> StrictField:
    return Text(LONGEST_TEXT, load_default=None, description=description)


def new_fields(game: str) -> Fields:
    options = {
        name: GameOption(game, name, schema, description=description)
        for name, (schema, description) in position_schemas.new_options(game).items()
    }
    seed = seed_field("Equal seeds give equal positions; left out, one is made and returned.")
    players = Whole(2, 4, required=True, description="Number of seats.")
    return {"players": players, "seed": seed, **options}


def play_fields(game: str) -> Fields:
    return {
        # An empty text is a move that is not legal, as any other that means nothing.
        "move": Text(LONGEST_TEXT, shortest=0, required=True, description=vocabulary.MOVES[game]),
        "outcome": OutcomeField(
            position_schemas.outcome(game),
            load_default=None,
            description="What chance did, for a move that chance decides.",
        ),
    }


def apply_fields(game: str) -> Fields:
    return {
        **position_field(game),
        **play_fields(game),
        "seed": seed_field("Draws the outcomes that are not given; derived when left out."),
        "until": Choice(
            ["next", "decision"],
            load_default="next",
            description="`decision`: chance nodes on the way are resolved and listed.",
        ),
    }


@cache
def limits_schema(game: str) -> RequestSchema:
    """The limits that a game's search has. Above the maximum: kind limit-exceeded."""
    return named(
        f"{game.title()}Limits",
        {name: limit_field(name, maximum) for name, maximum in limit_maxima(game).items()},
    )


def limit_field(name: str, maximum: float) -> StrictField:
    """One limit: whole numbers from 1, but for the standard error."""
    rest: dict[str, Any] = {
        "too_large": "limit-exceeded",
        "load_default": None,
        "description": DESCRIPTIONS[name],
    }
    if name == "standard_error":
        return Positive(maximum, **rest)
    return Whole(1, int(maximum), **rest)


def search_fields(game: str) -> Fields:
    """What every question to the search takes, besides the position."""
    longest = int(limit_maxima(game)["time_ms"])
    return {
        "id": Text(LONGEST_TEXT, load_default=None, description="Echoed."),
        **position_field(game),
        "level": Level(
            [entry["level"] for entry in levels(game)],
            load_default=None,
            description="Playing strength; null: full strength.",
        ),
        "seed": seed_field("Derived from the request's content when left out."),
        "objective": Choice(
            ["win", "score"],
            load_default=defaults().objective,
            description="`win`: win share. `score`: expected margin to the best opponent.",
        ),
        "information": Choice(
            ["player", "open"],
            load_default=defaults().information,
            description="`player`: only what the player to move may see is used.",
        ),
        "limits": ma.fields.Nested(
            limits_schema(game),
            load_default=None,
            metadata={"description": "What ends the search, whichever comes first."},
        ),
        "deadline_ms": Whole(
            1,
            longest,
            too_large="limit-exceeded",
            load_default=None,
            description="Milliseconds from arrival until the answer is on its way.",
        ),
    }


def analysis_fields(game: str) -> Fields:
    move = Text(LONGEST_TEXT, shortest=0, description=vocabulary.MOVES[game])
    return {
        **search_fields(game),
        "top": Whole(
            0, MOST_MOVES, load_default=defaults().top, description="Moves to return; 0: all."
        ),
        "allow": ListOf(
            move, MOST_MOVES, load_default=None, description="Only these moves are considered."
        ),
        "avoid": ListOf(
            move, MOST_MOVES, load_default=[], description="These moves are not considered."
        ),
        "include": ListOf(
            Choice(["pv", "reasons", "distribution"]),
            16,
            load_default=["pv", "reasons", "distribution"],
            description="Parts of the answer that can be left away.",
        ),
    }


def review_fields(game: str) -> Fields:
    """A record and how to look at it. Levels are for playing, deadlines for a single answer."""
    play = PlayField(
        named(f"{game.title()}Play", play_fields(game)), position_schemas.outcome(game)
    )
    taken = ("id", "position", "seed", "objective", "information", "limits")
    return {
        **{name: field for name, field in search_fields(game).items() if name in taken},
        "moves": ListOf(
            play,
            LONGEST_RECORD,
            required=True,
            description="Every move since `position`, those of chance with their outcome.",
        ),
        "seats": ListOf(
            Whole(0, 3), 4, load_default=None, description="Whose moves are judged; null: all."
        ),
    }


def named(name: str, fields: Fields) -> RequestSchema:
    """A schema whose name the OpenAPI document uses."""
    made = RequestSchema.from_dict(fields, name=name)()
    assert isinstance(made, RequestSchema)
    return made


FIELDS: Mapping[str, Callable[[str], Fields]] = {
    "new": new_fields,
    "legal-moves": position_field,
    "apply": apply_fields,
    "score": position_field,
    "analysis": analysis_fields,
    "move": analysis_fields,
    "evaluation": search_fields,
    "review": review_fields,
}


@cache
def request_schema(game: str, operation: str) -> RequestSchema:
    """The schema of one operation's request, such as TileLegalMovesRequest."""
    name = "".join(word.title() for word in (game, *operation.split("-")))
    return named(f"{name}Request", FIELDS[operation](game))


def load(game: str, operation: str, request: Any) -> dict[str, Any]:
    """The checked values of a request, with defaults; raises `Refused` with every fault."""
    try:
        values: dict[str, Any] = request_schema(game, operation).load(request)
    except ma.ValidationError as error:
        raise refused(error) from None
    return values


def refused(error: ma.ValidationError) -> Refused:
    """marshmallow's tree of messages as a flat list of faults with pointers."""
    return Refused(list(_flat(error.messages, "")))


def _flat(messages: Any, pointer: str) -> Iterator[RequestFault]:
    if isinstance(messages, Mapping):
        for key, below in messages.items():
            inside = pointer if key == ma.exceptions.SCHEMA else f"{pointer}/{escape(key)}"
            yield from _flat(below, inside)
    elif isinstance(messages, RequestFault):
        yield messages.below(pointer)
    elif isinstance(messages, str):
        yield RequestFault(pointer, "invalid-value", messages)
    else:
        for message in messages:
            yield from _flat(message, pointer)
