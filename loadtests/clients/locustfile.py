"""What locust loads; started by loadtests/load.py, which measures the capacity first."""

import json
import os
from pathlib import Path
from typing import Any

from locust import events
from locust.runners import WorkerRunner

from clients.phase import ALL_NOTES, NOW
from clients.shape import BatchUser, BotUser, PlannedShape, SuggestionUser
from clients.users import PLAN
from clients.verdict import Row, judge
from plan import RATE

__all__ = ["BatchUser", "BotUser", "PlannedShape", "SuggestionUser"]

ENDED = {"game": "games", "whole batch": "batches"}


@events.quitting.add_listener
def verdict(environment: Any, **_: Any) -> None:
    """Judges the whole run, in the process that knows all of it; sets the exit status."""
    if isinstance(environment.runner, WorkerRunner):
        return
    entries = [entry for (_, _), entry in environment.stats.entries.items()]
    rows = [
        Row(*entry.name.split(", "), entry.num_requests, entry.num_failures,
            entry.get_response_time_percentile)
        for entry in entries
        if ", " in entry.name
    ]  # fmt: skip
    ended = dict.fromkeys(ENDED.values(), 0)
    ended |= {ENDED[e.name]: e.num_requests for e in entries if e.name in ENDED}
    lengths = {name: seconds for name, seconds, _ in PLAN.phases}
    asked = {name: RATE * PLAN.suggestions(load) * s for name, s, load in PLAN.phases}
    notes = [*ALL_NOTES, *NOW.notes]
    results = list(judge(PLAN.thresholds, rows, asked, lengths, notes, ended))
    for result in results:
        print(result)
    missed = [result.name for result in results if not result.met]
    found = {
        "profile": PLAN.profile,
        "capacity": PLAN.capacity,
        "met": not missed,
        "results": [vars(result) for result in results],
    }
    path = Path(os.environ["LOAD_FOLDER"]) / "verdict.json"
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{PLAN.profile}: {'missed: ' + ', '.join(missed) if missed else 'all met'}", flush=True)
    environment.process_exit_code = 1 if missed else 0
