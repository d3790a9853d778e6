"""shelfie perft: counts sequences of moves, and how fast."""

import argparse
import time
from typing import Any

from shelfie.api.commands.common import add_position, bad_argument, print_json, read_position
from shelfie.engine.perft import perft

MAX_DEPTH = 12


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser("perft", help="Counts sequences of moves below a position")
    add_position(command)
    command.add_argument("--depth", type=int, required=True, help=f"moves deep, 0 to {MAX_DEPTH}")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Counts and prints."""
    if not 0 <= given.depth <= MAX_DEPTH:
        raise bad_argument(f"--depth: 0 to {MAX_DEPTH} is wanted")
    position = read_position(given.game, given.position)
    start = time.perf_counter()
    nodes = perft(position, given.depth)
    seconds = time.perf_counter() - start
    answer = {
        "nodes": nodes,
        "seconds": seconds,
        "nodes_per_second": nodes / seconds if seconds > 0 else 0.0,
    }
    if given.json:
        print_json(answer)
    else:
        print(f"{nodes} nodes, {seconds:.3f} s, {answer['nodes_per_second']:,.0f} a second")
