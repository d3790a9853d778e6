"""Strict marshmallow fields: no value is converted, every fault has a code, OpenAPI follows.

marshmallow's own fields read "5" as a number and true as 1; these take a value of the right JSON
type or refuse it. `openapi` is the JSON Schema of a field and is the only thing the document
generator looks at (see `shelfie.api.openapi`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import marshmallow as ma

from shelfie.api.refusals import RequestFault
from shelfie.engine import GAMES, InvalidPosition, Rng
from shelfie.engine.errors import InvalidOption


def fault(code: str, detail: str, **more: Any) -> ma.ValidationError:
    """A validation error that carries one `RequestFault`."""
    return ma.ValidationError([RequestFault("", code, detail, **more)])


class StrictField(ma.fields.Field[Any]):
    """Base of all fields. `description` and `openapi` go into the OpenAPI document."""

    default_error_messages = {  # noqa: RUF012  (marshmallow merges them per class)
        "required": [RequestFault("", "missing-field", "This field is required.")],
        "null": [RequestFault("", "wrong-type", "Null is not accepted here.")],
    }

    def __init__(
        self, openapi: Mapping[str, Any], *, description: str = "", example: Any = None, **rest: Any
    ) -> None:
        super().__init__(**rest)
        self.openapi: dict[str, Any] = dict(openapi)
        if description:
            self.openapi["description"] = description
        if example is not None:
            self.openapi["examples"] = [example]


class Whole(StrictField):
    """A whole number in a range; 3.0 counts as 3, as in JSON Schema.

    too_large: the kind of refusal of a number above the maximum.
    """

    def __init__(
        self, minimum: int, maximum: int, *, too_large: str = "invalid-request", **rest: Any
    ) -> None:
        schema = {"type": "integer", "minimum": minimum, "maximum": maximum}
        super().__init__(schema, **rest)
        self.minimum, self.maximum, self.too_large = minimum, maximum, too_large

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        number = whole(value)
        if number > self.maximum:
            raise above(self.maximum, self.too_large)
        if number < self.minimum:
            raise fault("out-of-range", f"At least {self.minimum} is accepted.")
        return number


def whole(value: Any) -> int:
    """A JSON number without fraction as an int; anything else is refused."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise fault("wrong-type", "A whole number is wanted.")
    return value


class Positive(StrictField):
    """A number above zero, at most `maximum`; above it the refusal is of kind `too_large`."""

    def __init__(self, maximum: float, *, too_large: str = "invalid-request", **rest: Any) -> None:
        super().__init__({"type": "number", "exclusiveMinimum": 0, "maximum": maximum}, **rest)
        self.maximum, self.too_large = maximum, too_large

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise fault("wrong-type", "A number is wanted.")
        if value > self.maximum:
            raise above(self.maximum, self.too_large)
        if not value > 0:  # so written that it holds for NaN, which the command line lets in
            raise fault("out-of-range", "A number above 0 is wanted.")
        return float(value)


def above(maximum: float, kind: str) -> ma.ValidationError:
    """The error of a number above its maximum."""
    code = "out-of-range" if kind == "invalid-request" else kind
    return fault(code, f"At most {maximum} is accepted.", kind=kind, maximum=maximum)


class Text(StrictField):
    """A string with a length in characters between `shortest` and `longest`."""

    def __init__(self, longest: int, *, shortest: int = 1, **rest: Any) -> None:
        super().__init__({"type": "string", "minLength": shortest, "maxLength": longest}, **rest)
        self.shortest, self.longest = shortest, longest

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if not isinstance(value, str):
            raise fault("wrong-type", "A string is wanted.")
        if not self.shortest <= len(value) <= self.longest:
            detail = f"{self.shortest} to {self.longest} characters are accepted."
            raise fault("wrong-length", detail)
        return value


class Choice(StrictField):
    """One of a few words."""

    def __init__(self, words: Sequence[str], **rest: Any) -> None:
        super().__init__({"type": "string", "enum": list(words)}, **rest)
        self.words = list(words)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if not isinstance(value, str):
            raise fault("wrong-type", "A string is wanted.")
        if value not in self.words:
            raise fault("unknown-value", "Accepted: " + ", ".join(self.words) + ".",
                        allowed=self.words)  # fmt: skip
        return value


class Level(StrictField):
    """A playing strength out of the game's own list."""

    def __init__(self, levels: Sequence[int], **rest: Any) -> None:
        super().__init__({"type": "integer", "enum": list(levels)}, **rest)
        self.levels = list(levels)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        number = whole(value)
        if number not in self.levels:
            detail = f"The levels are {', '.join(map(str, self.levels))}."
            raise fault("unknown-level", detail, kind="unknown-level", allowed=self.levels)
        return number


class ListOf(StrictField):
    """An array whose elements are read by another field; every bad element is reported."""

    def __init__(self, item: StrictField, longest: int, **rest: Any) -> None:
        schema = {"type": "array", "items": item.openapi, "maxItems": longest}
        super().__init__(schema, **rest)
        self.item, self.longest = item, longest

    def _deserialize(self, value: Any, attr: str | None, data: Any, **__: Any) -> list[Any]:
        if not isinstance(value, list):
            raise fault("wrong-type", "An array is wanted.")
        if len(value) > self.longest:
            raise fault("wrong-length", f"At most {self.longest} elements are accepted.")
        found, errors = [], {}
        for index, element in enumerate(value):
            try:
                found.append(self.item.deserialize(element, attr, data))
            except ma.ValidationError as error:
                errors[index] = error.messages
        if errors:
            raise ma.ValidationError(errors)
        return found


class PositionField(StrictField):
    """A position of one game; the engine reads the raw value, so that cells cost no field each.

    Gives the `Position`. Faults of an object have pointers into it; a notation string is one
    value, so its faults point at the string and name the place in `field`.
    """

    def __init__(self, game: str, openapi: Mapping[str, Any], **rest: Any) -> None:
        super().__init__(openapi, required=True, **rest)
        self.game = game

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if not isinstance(value, dict | str):
            raise fault("wrong-type", "A position is an object or a notation string.")
        try:
            return GAMES[self.game].read(value)
        except InvalidPosition as error:
            kind = "invalid-request" if error.malformed else "illegal-position"
            whole = isinstance(value, str)
            raise ma.ValidationError(
                [
                    RequestFault(
                        "" if whole else f.pointer,
                        f.code,
                        f.detail,
                        kind,
                        field=f.pointer if whole else None,
                    )
                    for f in error.faults
                ]
            ) from None


class Unchecked(StrictField):
    """An object that is checked elsewhere, as is its being one."""

    def __init__(self, **rest: Any) -> None:
        super().__init__({"type": "object"}, **rest)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        return value


class OutcomeField(StrictField):
    """What chance did: a string or an array of strings. The engine judges it with the move."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if self.openapi["type"] == "string":
            if not isinstance(value, str):
                raise fault("wrong-type", "A string is wanted.")
        elif not isinstance(value, list) or not all(isinstance(row, str) for row in value):
            raise fault("wrong-type", "An array of strings is wanted.")
        return value


class PlayField(StrictField):
    """A move of a record: its text, or an object with the text and what chance did."""

    def __init__(self, whole: ma.Schema, outcome: Mapping[str, Any], **rest: Any) -> None:
        entry = {
            "type": "object",
            "properties": {"move": {"type": "string"}, "outcome": dict(outcome)},
            "required": ["move"],
            "additionalProperties": False,
        }
        super().__init__({"anyOf": [{"type": "string"}, entry]}, **rest)
        self.whole = whole

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        if isinstance(value, str | dict):
            loaded = self.whole.load({"move": value} if isinstance(value, str) else value)
            return value if isinstance(value, str) else loaded
        raise fault("wrong-type", "A move is a string, or an object with `move` and `outcome`.")


class GameOption(StrictField):
    """An option of a new game. Only the engine knows what is right: it is asked with this
    option alone, so that the faults of several options are all found."""

    def __init__(self, game: str, option: str, openapi: Mapping[str, Any], **rest: Any) -> None:
        super().__init__(openapi, **rest)
        self.game, self.option = game, option

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        try:
            GAMES[self.game].new(2, Rng("option"), **{self.option: value})
        except InvalidOption as error:
            start = f"/{self.option}"
            raise ma.ValidationError(
                [RequestFault(f.pointer.removeprefix(start), f.code, f.detail)
                 for f in error.faults]
            ) from None  # fmt: skip
        return value
