"""The console script `shelfie`: the operations without a server, the server, and measurements."""

import argparse
import os
import sys
from collections.abc import Sequence

from shelfie.api.build import version
from shelfie.api.commands import (
    arena,
    batch,
    bench,
    config,
    key,
    perft,
    positions,
    questions,
    review,
    serve,
    train,
)
from shelfie.api.refusals import Refused

BAD_INPUT = 2


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    made = argparse.ArgumentParser(
        prog="shelfie", description="An opponent for My Shelfie and My Shelfie: The Dice Game."
    )
    made.add_argument("--version", action="version", version=f"shelfie {version()}")
    commands = made.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (
        serve,
        config,
        key,
        questions,
        review,
        batch,
        positions,
        perft,
        bench,
        arena,
        train,
    ):
        module.add(commands)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. 0: done. 2: the input is at fault, which standard error explains.

    Others belong to a command and stand in its help.
    """
    given = parser().parse_args(arguments)
    try:
        status: int = given.run(given) or 0
        sys.stdout.flush()
    except Refused as refused:
        for fault in refused.faults:
            place = fault.pointer + (f" ({fault.field})" if fault.field else "")
            print(f"shelfie: {place or 'input'}: {fault.detail}", file=sys.stderr)
        if refused.total > len(refused.faults):
            print(f"shelfie: {refused.total} faults; these are the first.", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # the reader has seen enough, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


if __name__ == "__main__":
    sys.exit(main())
