"""Which phase of the run it is, in every process of locust, and what is noted in the last.

The shape, which runs in one process only, tells the others by messages.
"""

import time
from typing import Any

from locust import events
from locust.runners import MasterRunner

Note = tuple[float, float, bool]  # seconds after the spike, milliseconds, refused


class Now:
    """The phase, as this process knows it. notes: calls of the recovery, not reported yet."""

    name = "warm-up"
    since = 0.0
    notes: list[Note]

    def __init__(self) -> None:
        self.notes = []

    def enter(self, environment: Any, msg: Any, **_: Any) -> None:
        self.name, self.since = msg.data["phase"], time.time()

    def note(self, started: float, milliseconds: float, refused: bool) -> None:
        """Keeps a call for suggestions if it was made after the spike."""
        if self.name == "recovery" and started >= self.since:
            self.notes.append((started - self.since, milliseconds, refused))


NOW = Now()
ALL_NOTES: list[Note] = []  # of all processes, in the one that judges


@events.init.add_listener
def listen(environment: Any, **_: Any) -> None:
    if not isinstance(environment.runner, MasterRunner):
        environment.runner.register_message("phase", NOW.enter)


@events.report_to_master.add_listener
def send_notes(client_id: str, data: dict[str, Any]) -> None:
    data["notes"], NOW.notes = NOW.notes, []


@events.worker_report.add_listener
def take_notes(client_id: str, data: dict[str, Any]) -> None:
    ALL_NOTES.extend(tuple(note) for note in data.get("notes", ()))
