"""Changes to JSON values that keep most of a position in place, so that readers get far."""

import json
from random import Random
from typing import Any

JUNK = [
    *(None, True, False, 0, 1, 2, 3, 4, 5, 12, 13, -1, 2**63, 1.0, 0.5),
    *("", ".", "o", "x", "ooooo", "xxxxx", ".....", "CCCCC", "PPGBTJ", "é", "/~"),
    *([], {}, [0], [0, 0], [None]),
]


def mutated(data: bytes, seed: int) -> bytes | None:
    """The JSON text with one to three places changed; None when it is no JSON."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    random = Random(seed)
    for _ in range(random.randint(1, 3)):
        path = random.choice(places(value))
        value = changed(value, path, random, value)
    return json.dumps(value).encode()


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a value but the whole."""
    found = [path] if path else []
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        found += [p for key, below in inside for p in places(below, (*path, key))]
    return found or [()]


def changed(value: Any, path: tuple[Any, ...], random: Random, whole: Any) -> Any:
    """The value with another one at the place, or with the place taken out or doubled."""
    if not path:
        return replacement(value, random, whole)
    key, *rest = path
    twin = dict(value) if isinstance(value, dict) else list(value)
    choice = random.random()
    if not rest and choice < 0.1:
        del twin[key]
    elif not rest and choice < 0.2:
        if isinstance(twin, list):
            twin.insert(key, twin[key])
        else:
            twin[random.choice(["extra", "~/", "rules", "sheet"])] = twin[key]
    else:
        twin[key] = changed(twin[key], tuple(rest), random, whole)
    return twin


def replacement(value: Any, random: Random, whole: Any) -> Any:
    """Junk, a value from elsewhere in the text, or the value slightly changed."""
    choice = random.random()
    if choice < 0.25:
        return random.choice(JUNK)
    if choice < 0.5:
        found = whole
        for key in random.choice(places(whole)):
            found = found[key]
        return found
    if isinstance(value, str) and value:
        place, letter = random.randrange(len(value)), random.choice("CBGFTP.oxJ")
        return value[:place] + letter + value[place + 1 :]
    if isinstance(value, int):
        return value + random.choice([-1, 1])
    return random.choice(JUNK)
