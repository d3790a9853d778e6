"""shelfie bench: speed on fixed positions, one core, with the fingerprint."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from shelfie.api.commands.common import add_json, print_json


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser("bench", help="Speed on fixed positions, and the fingerprint")
    add_json(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Measures and prints."""
    from shelfie.search import bench

    found = bench.run()
    if given.json:
        print_json(found)
    else:
        print("\n".join(lines(found)))


def lines(found: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """One line a figure, with the names of the JSON form joined by dots."""
    for name, value in found.items():
        if isinstance(value, Mapping):
            yield from lines(value, f"{prefix}{name}.")
        else:
            shown = f"{value:,.2f}" if isinstance(value, float) else str(value)
            yield f"{prefix}{name} {shown}"
