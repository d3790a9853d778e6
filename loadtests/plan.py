"""What a run does: a profile, the capacity it is measured by, the positions it asks about."""

import json
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

RATE = 0.5  # calls a second of one suggestion user, on average

Phase = tuple[str, float, float]  # name, seconds, load as a share of the capacity


@dataclass(frozen=True)
class Plan:
    """Handed to every process of locust as a file.

    capacity: suggestion calls a second with every slot busy. positions: by game, as notation.
    """

    profile: str
    bots: int
    batches: int
    most_calls: int
    most_users: int
    phases: list[Phase]
    thresholds: dict[str, Any]
    capacity: float
    positions: dict[str, list[str]]

    @property
    def seconds(self) -> float:
        """How long all phases take."""
        return sum(seconds for _, seconds, _ in self.phases)

    def suggestions(self, load: float) -> int:
        """How many suggestion users make a load."""
        return min(self.most_users, max(1, round(load * self.capacity / RATE)))

    def phase_at(self, seconds: float) -> Phase | None:
        """The phase at a time after the start; None when the run is over."""
        for phase in self.phases:
            seconds -= phase[1]
            if seconds < 0:
                return phase
        return None

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")


def read(path: Path) -> Plan:
    """A plan that was written."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return Plan(**{**found, "phases": [tuple(phase) for phase in found["phases"]]})


def toml_section(path: Path, name: str) -> dict[str, Any]:
    """One section of a settings file; SystemExit names those there are."""
    sections = tomllib.loads(path.read_text(encoding="utf-8"))
    if name not in sections:
        raise SystemExit(f"{path}: no [{name}]; there are {', '.join(sections)}")
    section: dict[str, Any] = sections[name]
    return section
