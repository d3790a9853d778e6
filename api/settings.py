"""Everything an operator may set, with its default; read from SHELFIE_* variables."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the service.

    max_body_bytes: largest request body; above it 413.
    """

    max_body_bytes: int = 256 * 1024

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Settings with SHELFIE_MAX_BODY_BYTES and so on put in place of the defaults."""
        found = {}
        for field in fields(cls):
            text = environment.get(f"SHELFIE_{field.name.upper()}")
            if text is not None:
                found[field.name] = whole(f"SHELFIE_{field.name.upper()}", text)
        return cls(**found)


def whole(name: str, text: str, minimum: int = 1) -> int:
    """The whole number in a setting's text; ValueError that names the setting."""
    try:
        number = int(text)
    except ValueError:
        raise ValueError(f"{name}: a whole number is wanted, not {text!r}") from None
    if number < minimum:
        raise ValueError(f"{name}: at least {minimum} is wanted, not {number}")
    return number
