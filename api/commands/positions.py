"""shelfie positions: varied positions from self-play, as a batch that asks about them."""

import argparse
import contextlib
import gzip
import sys
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any

from shelfie.api.commands.common import add_limits, bad_argument, limits_of
from shelfie.api.settings import cores
from shelfie.engine import GAMES

OPERATIONS = ("analysis", "move", "evaluation", "legal-moves", "score")
FIELDS = ("level", "top")
ENOUGH = 300  # positions that are worth the start of another process


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "positions", help="Varied positions from self-play, as the lines of a batch"
    )
    command.add_argument("--game", choices=list(GAMES), required=True)
    command.add_argument("--players", type=int, nargs="+", choices=(2, 3, 4), default=[2])
    command.add_argument("--count", type=int, default=100, help="how many (100)")
    command.add_argument("--seed", default="positions", help="equal seeds give equal positions")
    command.add_argument("--out", default="-", help="a file, packed as .gz; - standard output")
    command.add_argument("--plain", action="store_true", help="notations alone, one a line")
    command.add_argument("--workers", type=int, default=cores(), help="processes")
    asked = command.add_argument_group("what the batch asks")
    asked.add_argument("--op", choices=OPERATIONS, default="analysis")
    asked.add_argument("--level", type=int, help="1 to 10; full strength when left out")
    add_limits(asked)
    asked.add_argument("--top", type=int, help="moves to show; 0: all (default)")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Plays and writes."""
    from tqdm import tqdm

    from shelfie.search import corpus

    if given.count < 0 or given.workers < 1:
        raise bad_argument("--count: at least 0, and --workers: at least 1 is wanted")
    asked = request_of(given)
    workers = min(given.workers, 1 + given.count // ENOUGH)
    wanted = corpus.Corpus(given.game, tuple(given.players), given.seed)
    with (
        contextlib.closing(corpus.positions(wanted, workers)) as found,
        opened(given.out) as file,
        tqdm(total=given.count, unit="position", disable=not sys.stderr.isatty()) as bar,
    ):
        for number, notation in enumerate(islice(found, given.count)):
            file.write(line_of(given, number, notation, asked))
            bar.update()


def request_of(given: argparse.Namespace) -> dict[str, Any]:
    """What every request holds beside its position; `Refused` when that cannot be asked."""
    from shelfie.api.examples import request_example
    from shelfie.api.schemas import load

    values = vars(given)
    request = {name: values[name] for name in FIELDS if values[name] is not None}
    request |= limits_of(given)
    if not given.plain:
        position = request_example(given.game, "score")["position"]
        load(given.game, given.op, {"position": position, **request})
    return request


def line_of(given: argparse.Namespace, number: int, notation: str, asked: dict[str, Any]) -> bytes:
    """A notation, or the item that asks about it."""
    from shelfie.api import json_text

    if given.plain:
        return f"{notation}\n".encode()
    item = {
        "id": f"{given.game}-{number}",
        "game": given.game,
        "op": given.op,
        "request": {"position": notation, **asked},
    }
    return json_text.dumps(item) + b"\n"


@contextlib.contextmanager
def opened(name: str) -> Iterator[IO[bytes]]:
    """Where the lines go."""
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        # Without a name and a time in it, so that equal positions are equal files.
        with open(name, "wb") as file:
            if name.endswith(".gz"):
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                    yield packed  # type: ignore[misc]
            else:
                yield file
    except OSError as error:
        raise bad_argument(f"--out: {error}") from None
