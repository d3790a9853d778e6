"""shelfie review: a game record gone through move by move."""

import argparse
import sys
import time
from collections.abc import Mapping
from typing import Any

from shelfie.api.commands.common import (
    add_game,
    add_limits,
    bad_argument,
    limits_of,
    print_json,
    text_of,
)
from shelfie.api.commands.texts import percent
from shelfie.api.json_text import loads
from shelfie.api.operations import OPERATIONS
from shelfie.api.review import review_lines
from shelfie.api.schemas import load

Answer = Mapping[str, Any]
FIELDS = ("seed", "objective", "information", "seats")


def add(commands: Any) -> None:
    """Adds the command. What is given goes before what the file says."""
    command = commands.add_parser("review", help=OPERATIONS["review"].summary)
    add_game(command)
    command.add_argument(
        "file", metavar="FILE", help="the request as JSON: position and moves; - standard input"
    )
    command.add_argument("--seed", help="derived from each position when left out")
    command.add_argument("--objective", choices=("win", "score"))
    command.add_argument("--information", choices=("player", "open"))
    command.add_argument("--seats", type=int, nargs="+", help="whose moves; all when left out")
    add_limits(command, " a move")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Prints each move as soon as it is judged; with --json the lines of the API."""
    arrived = time.monotonic()
    values = load(given.game, "review", request_of(given))
    for line in review_lines(given.game, values, arrived):
        if given.json:
            print_json(line)
        else:
            print(text_of_line(line))
        sys.stdout.flush()


def request_of(given: argparse.Namespace) -> Any:
    """The request in the file, with the options of the command line."""
    text = text_of(given.file if given.file == "-" else f"@{given.file}")
    request = loads(text)
    if not isinstance(request, dict):
        raise bad_argument(f"{given.file} does not hold a JSON object.")
    values = vars(given)
    own = {name: values[name] for name in FIELDS if values[name] is not None}
    return {**request, **own, **limits_of(given)}


def text_of_line(line: Answer) -> str:
    """One line for people."""
    if "summary" in line:
        return summary_text(line["summary"])
    start = f"{line['index']:4} seat {line['seat']}  {line['move']}"
    luck = f"  luck {percent(line['luck']['win_probability'])}" if "luck" in line else ""
    if line["node"] != "decision":
        return start + luck
    found = f"{line['grade']}, rank {line['rank']} of {line['moves_total']}"
    loss = f", loss {line['loss']:.4f}, best {line['best']}" if line["rank"] > 1 else ""
    return f"{start}  {found}{loss}{luck}"


def summary_text(summary: Answer) -> str:
    """What each seat did, on a line of its own."""
    lines = [f"{summary['judged']} of {summary['moves']} moves judged"]
    for seat, grades in enumerate(summary["grades"]):
        if not sum(grades.values()):
            continue
        counts = ", ".join(f"{count} {name}" for name, count in grades.items() if count)
        mean, accuracy = summary["mean_loss"][seat], summary["accuracy"][seat]
        judged = "" if mean is None else f"mean loss {mean:.4f}, accuracy {accuracy:.1%}; "
        lines.append(f"seat {seat}: {judged}{counts}")
    return "\n".join(lines)
