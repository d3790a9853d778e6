"""JSON as bytes, read strictly and written always the same way.

The reader takes RFC 8259 narrowed to what every parser agrees on (RFC 7493): UTF-8, no repeated
keys, no NaN or Infinity, no numbers beyond 64 bits, no lone surrogates, and a bound on nesting.
"""

import json
import math
import re
from typing import Any, NoReturn

import orjson

from shelfie.api.refusals import Refused, refuse

MAX_DEPTH = 32  # a position with everything in it needs six
_MAX_INTEGER = 2**63
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def malformed(detail: str) -> Refused:
    """The refusal of a text that is not acceptable JSON."""
    return refuse("", "malformed-json", detail, kind="malformed-json")


def _constant(name: str) -> NoReturn:
    raise malformed(f"{name} is not a JSON number.")


def _integer(text: str) -> int:
    # The length is looked at first: converting many digits takes quadratic time.
    if len(text) > 20 or abs(number := int(text)) > _MAX_INTEGER:
        raise malformed("A whole number does not fit in 64 bits.")
    return number


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise malformed("A number is too large for a double.")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        key = next(k for k, _ in pairs if k in seen or seen.add(k))  # type: ignore[func-returns-value]
        raise malformed(f"The key {json.dumps(key)} is repeated in one object.")
    return found


_decoder = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_constant=_constant,
    parse_int=_integer,
    parse_float=_float,
)


def loads(data: bytes | str) -> Any:
    """The value of a JSON text; `Refused` of kind malformed-json when it is none."""
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        value = _decoder.decode(text)
    except UnicodeDecodeError as error:
        raise malformed(f"Not UTF-8: byte {error.start} cannot be decoded.") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise malformed(f"Not JSON: {error.msg} at {where}.") from None
    except RecursionError:
        raise malformed(f"Nested deeper than {MAX_DEPTH} levels.") from None
    # Few brackets cannot nest deeply, so an ordinary request is not walked through.
    if text.count("[") + text.count("{") > MAX_DEPTH:
        _check_depth(value)
    if _SURROGATE.search(text):
        check_text(value)
    return value


def _check_depth(value: Any) -> None:
    level = [value]  # the objects and arrays of one depth
    for _ in range(MAX_DEPTH):
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item)
            if isinstance(child, dict | list)
        ]
        if not level:
            return
    raise malformed(f"Nested deeper than {MAX_DEPTH} levels.")


def check_text(value: Any) -> None:
    """Refuses a value with a string that cannot be written as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise malformed("A string holds half of a surrogate pair.") from None


def dumps(value: Any, *, computed: bool = True) -> bytes:
    """The one compact UTF-8 text of a value; keys keep their order, numbers must be finite.

    computed: whether it holds what a search has computed, so that this has to be looked at.
    """
    text = orjson.dumps(value)
    if computed and b"null" in text:
        # A number that is not finite has become null, but the standard library refuses it.
        json.dumps(value, allow_nan=False)
    return text
