"""shelfie batch: requests in a file, answers in another, on all cores or on a cluster."""

import argparse
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from shelfie.api.commands.common import add_json, bad_argument
from shelfie.api.settings import cores

if TYPE_CHECKING:
    from shelfie.api.offline.driver import Runner
    from shelfie.api.offline.journal import Journal

ITEMS_FAILED, BAD_INPUT, STOPPED, INTERRUPTED = 1, 2, 3, 130
CHUNK_SECONDS = 4.0


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser("batch", help="The items of a file, answered into another")
    command.add_argument(
        "file", metavar="IN", help="lines as POST /v1/batch takes them; .gz, or - standard input"
    )
    command.add_argument(
        "--out", default="-", help="answers in the same order; .gz, .parquet, or - standard output"
    )
    where = command.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, help="processes; one per core when left out")
    where.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="of a Dask cluster instead")
    command.add_argument(
        "--chunk-seconds",
        type=float,
        default=CHUNK_SECONDS,
        help=f"of work that are handed out, and lost in a kill, at a time ({CHUNK_SECONDS:g})",
    )
    command.add_argument(
        "--overwrite", action="store_true", help="replace the output, and begin anew"
    )
    add_json(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Answers every item and sums up. 1: some failed. 3 and 130: stopped before the end."""
    check(given)
    from shelfie.api.offline.driver import Stopped
    from shelfie.api.offline.journal import JournalError
    from shelfie.api.offline.source import Unreadable

    try:
        return answer(given)
    except (JournalError, Unreadable, FileNotFoundError, IsADirectoryError) as error:
        raise bad_argument(str(error)) from None
    except Stopped as error:
        return stopped(given, str(error), STOPPED)
    except KeyboardInterrupt:
        return stopped(given, "interrupted", INTERRUPTED)


def stopped(given: argparse.Namespace, reason: str, status: int) -> int:
    """Says how to go on."""
    more = "" if given.out == "-" else "; the same command goes on from here"
    print(f"shelfie: {reason}{more}", file=sys.stderr)
    return status


def check(given: argparse.Namespace) -> None:
    """Refuses what cannot end well, before any work is done."""
    if given.workers is not None and given.workers < 1:
        raise bad_argument("--workers: at least 1 is wanted")
    if not 0 < given.chunk_seconds <= 3600:
        raise bad_argument("--chunk-seconds: more than 0 and at most 3600 is wanted")
    if given.scheduler and find_spec("distributed") is None:
        raise bad_argument("--scheduler needs Dask: pip install 'shelfie[cluster]'")
    if given.out.endswith(".parquet") and find_spec("pyarrow") is None:
        raise bad_argument(f"{given.out} needs pyarrow: pip install 'shelfie[parquet]'")
    out = Path(given.out)
    if given.out == "-":
        return
    if not out.parent.is_dir():
        raise bad_argument(f"--out: there is no folder {out.parent}")
    if out.exists() and not out.is_file():
        raise bad_argument(f"--out: {out} is not a file")
    if given.file != "-" and out.exists() and out.samefile(given.file):
        raise bad_argument("--out: it is the input")
    if out.exists() and not given.overwrite and not journal_of(out).exists():
        raise bad_argument(f"--out: {out} exists; --overwrite replaces it")


def journal_of(out: Path) -> Path:
    """The folder of what is finished, beside the output."""
    return out.with_name(f"{out.name}.journal")


def answer(given: argparse.Namespace) -> int:
    """The batch itself, from a source to an output."""
    from shelfie.api.offline import outputs
    from shelfie.api.offline.chunks import Reader
    from shelfie.api.offline.driver import Driver
    from shelfie.api.offline.source import Source
    from shelfie.api.offline.telling import Telling
    from shelfie.api.offline.work import Done

    started = time.monotonic()
    with Source(given.file) as source, opened_journal(given) as journal:
        resumed = journal.items
        pipe = outputs.Pipe(journal, sys.stdout.buffer) if given.out == "-" else None
        with Telling(source, resumed) as telling, runner_of(given, telling.warn) as runner:
            reader = Reader(source)

            def progress(done: Done) -> None:
                telling.progress(done.items, reader.index)
                if pipe is not None:
                    pipe.advance()

            Driver(
                reader,
                journal,
                runner,
                form=outputs.form_of(given.out),
                seconds=given.chunk_seconds,
                progress=progress,
                warn=telling.warn,
            ).run()
        if pipe is None:
            outputs.write_output(journal, Path(given.out))
            journal.remove()
        return sum_up(given, journal, resumed, time.monotonic() - started)


@contextmanager
def opened_journal(given: argparse.Namespace) -> Iterator["Journal"]:
    """The journal beside the output; for standard output one that nobody goes on from."""
    from shelfie.api.build import build_digest
    from shelfie.api.offline.journal import Journal
    from shelfie.api.offline.outputs import form_of

    head = {"build": build_digest(), "form": form_of(given.out)}
    with TemporaryDirectory(prefix="shelfie-") as temporary:
        folder = Path(temporary) if given.out == "-" else journal_of(Path(given.out))
        if given.overwrite and given.out != "-" and folder.exists():
            shutil.rmtree(folder)
        journal = Journal(folder, head)
        try:
            yield journal
        finally:
            journal.close()


def runner_of(given: argparse.Namespace, warn: Any) -> "AbstractContextManager[Runner]":
    """Processes of this machine, or a cluster."""
    if given.scheduler:
        from shelfie.api.offline.cluster import Cluster

        return Cluster(given.scheduler, warn)
    from shelfie.api.offline.processes import Processes

    return Processes(given.workers or cores())


def sum_up(given: argparse.Namespace, journal: "Journal", resumed: int, seconds: float) -> int:
    """Prints the counts, beside the answers or after them; the command's exit status."""
    from shelfie.api import json_text

    items, ok = journal.items, journal.ok
    found = {
        "items": items,
        "ok": ok,
        "failed": items - ok,
        "complete": True,
        "resumed": resumed,
        "seconds": round(seconds, 3),
        "items_per_second": round((items - resumed) / seconds, 1),
    }
    text = (
        json_text.dumps({"summary": found}).decode()
        if given.json
        else f"{items} items, {items - ok} failed, {resumed} from before; "
        f"{seconds:.1f} s, {found['items_per_second']:g} a second"
    )
    print(text, file=sys.stderr if given.out == "-" else sys.stdout)
    return ITEMS_FAILED if ok < items else 0
