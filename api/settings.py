"""Everything an operator may set, with its default."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

# Container platforms agree on these two names; the rest is ours.
_PLAIN = {"host": "HOST", "port": "PORT"}


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the service, each read from SHELFIE_NAME (HOST and PORT without prefix).

    host, port: where to listen. workers: processes; 0 means one per core.
    threads: per worker; more than one, so that probes are answered while it searches.
    max_body_bytes: largest request body; above it 413.
    max_batch_...: of one batch: items, bytes of an item, bytes of the body; above them 413 or
    422. Playouts and milliseconds of searching are sums over the items.
    access_log: a file for the access log, "-" for standard output, "" for none.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 0
    threads: int = 8
    max_body_bytes: int = 256 * 1024
    max_batch_items: int = 1000
    max_batch_line_bytes: int = 64 * 1024
    max_batch_body_bytes: int = 8 * 1024 * 1024
    max_batch_playouts: int = 5_000_000
    max_batch_time_ms: int = 600_000
    access_log: str = ""

    def __post_init__(self) -> None:
        for name, lowest, highest in (
            ("port", 0, 65535),
            ("workers", 0, 1024),
            ("threads", 1, 1024),
            ("max_body_bytes", 1, 2**31),
            ("max_batch_items", 1, 2**31),
            ("max_batch_line_bytes", 1, 2**31),
            ("max_batch_body_bytes", 1, 2**31),
            ("max_batch_playouts", 1, 2**53),
            ("max_batch_time_ms", 1, 2**53),
        ):
            if not lowest <= getattr(self, name) <= highest:
                raise ValueError(f"{name}: {lowest} to {highest} is wanted")

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] = os.environ, **given: Any
    ) -> "Settings":
        """Settings from the environment; `given` values that are not None go before it."""
        found: dict[str, Any] = {}
        for field in fields(cls):
            variable = variable_of(field.name)
            if given.get(field.name) is not None:
                found[field.name] = given[field.name]
            elif environment.get(variable):
                text = environment[variable]
                found[field.name] = whole(variable, text) if field.type is int else text
        return cls(**found)

    @property
    def processes(self) -> int:
        """Number of worker processes: as set, or one per core."""
        return self.workers or cores()


def cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def variable_of(name: str) -> str:
    """The environment variable of a setting."""
    return _PLAIN.get(name, f"SHELFIE_{name.upper()}")


def whole(name: str, text: str) -> int:
    """The whole number in a setting's text; ValueError that names the setting."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{name}: a whole number is wanted, not {text!r}") from None
