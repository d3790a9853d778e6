"""Everything an operator may set: type, default, range and what it is, one line each.

docs/settings.md lists the same lines; a test compares them.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import Field, asdict, dataclass, field, fields
from typing import Any

from shelfie.api.container import cores_allowed
from shelfie.api.key_entries import read_keys

# Container platforms agree on these two names; the rest is ours.
_PLAIN = {"host": "HOST", "port": "PORT"}
# Read when the package is built, not by the service.
_BUILD = {"SHELFIE_CHECKED", "SHELFIE_MARCH"}
_SWITCH = {"1": True, "true": True, "on": True, "yes": True} | {
    "0": False, "false": False, "off": False, "no": False,
}  # fmt: skip
_ORIGIN = r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?"
_ORIGINS = re.compile(rf"\s*(\*|({_ORIGIN}(\s+{_ORIGIN})*)?)\s*")
HIDDEN = "(set)"


def setting(
    default: Any,
    about: str,
    low: int | None = None,
    high: int | None = None,
    choices: tuple[str, ...] = (),
    secret: bool = False,
) -> Any:
    """One setting: a whole number from `low` to `high`, a switch, or a text out of `choices`."""
    kept = {"about": about, "low": low, "high": high, "choices": choices, "secret": secret}
    return field(default=default, metadata=kept)


class SettingsError(ValueError):
    """Settings that cannot be used. faults: one sentence each, all of them."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("; ".join(faults))


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the service, each read from SHELFIE_NAME (HOST and PORT without prefix)."""

    host: str = setting("127.0.0.1", "Address to listen on.")
    port: int = setting(8000, "Port to listen on.", 0, 65535)
    workers: int = setting(0, "Worker processes; 0: one per core.", 0, 1024)
    threads: int = setting(
        0, "Threads of each worker; 0: what searches, queue and batches can hold, and 16.", 0, 4096
    )
    slots: int = setting(0, "Searches at once, over all workers; 0: one per core.", 0, 1024)
    queue: int = setting(8, "Calls that may wait for a slot, over all workers.", 0, 1024)
    queue_ms: int = setting(
        2000, "Longest wait for a slot, of a call without a deadline.", 1, 60_000
    )
    batches: int = setting(4, "Batches at once, over all workers.", 0, 1024)
    quota: int = setting(
        0, "Calls a minute of one caller, counted by each worker; 0: no quota.", 0, 2**31
    )
    max_body_bytes: int = setting(256 * 1024, "Largest request body.", 1, 2**31)
    max_batch_items: int = setting(1000, "Most items of a batch.", 1, 2**31)
    max_batch_line_bytes: int = setting(64 * 1024, "Largest item of a batch.", 1, 2**31)
    max_batch_body_bytes: int = setting(8 * 1024 * 1024, "Largest body of a batch.", 1, 2**31)
    max_batch_playouts: int = setting(5_000_000, "Most playouts of a batch in all.", 1, 2**53)
    max_batch_time_ms: int = setting(
        600_000, "Most milliseconds of a batch in all, where nothing else ends a search.", 1, 2**53
    )
    keys: str = setting(
        "",
        "Keys of callers, `NAME:SHA256` each, or @FILE of them; none: no key is asked for.",
        secret=True,
    )
    cors_origins: str = setting(
        "", "Origins whose pages may ask, between blanks, or `*`; none: no CORS headers."
    )
    docs: bool = setting(True, "Whether `/docs` and `/openapi.json` are served.")
    page: bool = setting(True, "Whether `/`, the page to play and analyse, is served.")
    metrics: bool = setting(True, "Whether `/metrics` is served.")
    metrics_port: int = setting(0, "A port for `/metrics` alone; 0: the service's.", 0, 65535)
    log_level: str = setting(
        "info",
        "Least weight of what is logged; `info` has a line a call, `debug` also for probes.",
        choices=("debug", "info", "warning", "error"),
    )

    def __post_init__(self) -> None:
        faults = [f for each in fields(self) for f in _faults(each, getattr(self, each.name))]
        if not faults and 0 < self.threads < self.threads_needed:
            faults.append(
                f"{variable_of('threads')}: slots, queue and batches alone can hold "
                f"{self.threads_needed - 1} threads; at least {self.threads_needed} are wanted"
            )
        try:
            read_keys(self.keys)
        except ValueError as error:
            faults.append(str(error))
        if not _ORIGINS.fullmatch(self.cors_origins):
            faults.append(
                f"{variable_of('cors_origins')}: `*`, or origins such as https://example.org "
                f"between blanks are wanted, not {self.cors_origins!r}"
            )
        if self.metrics_port and self.metrics_port == self.port:
            faults.append(f"{variable_of('metrics_port')}: it is the port of the service")
        if faults:
            raise SettingsError(faults)

    @classmethod
    def from_environment(
        cls, environment: Mapping[str, str] = os.environ, **given: Any
    ) -> "Settings":
        """Settings from the environment; `given` values that are not None go before it.

        Raises SettingsError with every fault; a misspelt SHELFIE_ variable is one.
        """
        known = {variable_of(each.name): each for each in fields(cls)}
        faults = [
            f"{name}: there is no such setting"
            for name in sorted(environment)
            if name.startswith("SHELFIE_") and name not in known and name not in _BUILD
        ]
        found: dict[str, Any] = {}
        for variable, each in known.items():
            text = environment.get(variable)
            if given.get(each.name) is not None:
                found[each.name] = given[each.name]
            elif text:
                try:
                    found[each.name] = _value(each, text)
                except ValueError as error:
                    faults.append(f"{variable}: {error}")
        try:
            settings = cls(**found)
        except SettingsError as error:
            faults += error.faults
        if faults:
            raise SettingsError(faults)
        return settings

    @property
    def processes(self) -> int:
        """Number of worker processes: as set, or one per core."""
        return self.workers or cores()

    @property
    def search_slots(self) -> int:
        """Number of searches at once: as set, or one per core."""
        return self.slots or cores()

    @property
    def threads_needed(self) -> int:
        """Least threads of a worker: all slots, places and batches may fall to one; one more
        answers what needs none."""
        return self.search_slots + self.queue + self.batches + 1

    @property
    def worker_threads(self) -> int:
        """Threads of each worker: as set, or enough."""
        return self.threads or self.threads_needed + 15

    def shown(self) -> dict[str, Any]:
        """Every setting by its variable, secrets hidden, for people and logs."""
        values = asdict(self)
        return {
            variable_of(each.name): HIDDEN
            if each.metadata["secret"] and values[each.name]
            else values[each.name]
            for each in fields(self)
        }


def _value(each: Field[Any], text: str) -> Any:
    if each.type is int:
        try:
            return int(text)
        except ValueError:
            raise ValueError(f"a whole number is wanted, not {text!r}") from None
    if each.type is bool:
        if text.lower() not in _SWITCH:
            raise ValueError(f"on or off is wanted, not {text!r}")
        return _SWITCH[text.lower()]
    return text


def _faults(each: Field[Any], value: Any) -> Iterator[str]:
    low, high, choices = (each.metadata[name] for name in ("low", "high", "choices"))
    name = variable_of(each.name)
    if (low is not None and value < low) or (high is not None and value > high):
        yield f"{name}: {low} to {high} is wanted, not {value}"
    if choices and value not in choices:
        yield f"{name}: one of {', '.join(choices)} is wanted, not {value!r}"


def cores() -> int:
    """Number of cores that this process may use, by affinity and by its container's limit."""
    found = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        found = len(os.sched_getaffinity(0))
    return min(found, cores_allowed() or found)


def variable_of(name: str) -> str:
    """The environment variable of a setting."""
    return _PLAIN.get(name, f"SHELFIE_{name.upper()}")


def described() -> Iterator[tuple[str, str, str, str]]:
    """Variable, default, range and meaning of every setting, for documentation."""
    for each in fields(Settings):
        low, high, choices = (each.metadata[name] for name in ("low", "high", "choices"))
        if each.type is bool:
            values = "on, off"
        elif choices:
            values = ", ".join(choices)
        else:
            values = "text" if low is None else f"{low} to {high}"
        default = ("on" if each.default else "off") if each.type is bool else str(each.default)
        yield variable_of(each.name), default, values, each.metadata["about"]
