"""What a worker does: the answers to a chunk of lines, packed."""

import logging
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from shelfie.api.batch import Asked, Line, answer_line, line_of
from shelfie.api.batch_items import Item, id_of, read_line
from shelfie.api.build import build_digest
from shelfie.api.json_text import loads
from shelfie.api.offline.chunks import Chunk
from shelfie.api.offline.rows import row_of
from shelfie.api.offline.source import LONGEST_LINE
from shelfie.api.problems import failure_body
from shelfie.api.refusals import Refused
from shelfie.api.seeds import derived_seed
from shelfie.api.settings import Settings
from shelfie.api.work import check_review, exceeded

logger = logging.getLogger(__name__)

PACKING = 1  # of zlib: little time beside the fastest search
SETTINGS = Settings()  # the limits of an item are those of a single call, wherever it is answered


class OtherBuild(Exception):
    """A worker whose answers may differ from those of the others."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker is sent. lines: each with its line end. form: out of `FORMS`.

    seconds: after how long it stops, at the next item; what is left is another task then.
    build: of the engine and the search that have to answer.
    """

    first: int
    lines: bytes
    form: str
    seconds: float
    build: str


@dataclass(frozen=True, slots=True)
class Done:
    """What comes back: how many items were answered, how many with 200, and the texts packed."""

    items: int
    ok: int
    seconds: float
    packed: bytes


def as_line(item: Item, line: Line) -> bytes:
    """The line as it is."""
    return line.text


FORMS: dict[str, Callable[[Item, Line], bytes]] = {"lines": as_line, "rows": row_of}


def task_of(chunk: Chunk, form: str, seconds: float) -> Task:
    """The task of answering a chunk."""
    lines = b"".join(line + b"\n" for line in chunk.lines)
    return Task(chunk.first, lines, form, seconds, build_digest())


def answer_task(task: Task) -> Done:
    """Answers at least one item, and as many as there is time for."""
    if task.build != build_digest():
        raise OtherBuild(f"a worker has build {build_digest()} of shelfie, not {task.build}")
    started = time.monotonic()
    lines = task.lines.split(b"\n")[:-1]
    # Said before the work: who looks for the cause of a worker's death finds the place.
    logger.info("items %d to %d", task.first, task.first + len(lines) - 1)
    packer = zlib.compressobj(PACKING, wbits=31)  # as a gzip member, without a time
    form = FORMS[task.form]
    packed, items, ok = bytearray(), 0, 0
    for index, text in enumerate(lines, task.first):
        item = read(index, text)
        line = answer_line(item, Asked(time.monotonic(), request_id(index)), late=False)
        packed += packer.compress(form(item, line))
        items += 1
        ok += line.status == 200
        if time.monotonic() - started >= task.seconds:
            break
    packed += packer.flush()
    return Done(items, ok, time.monotonic() - started, bytes(packed))


def request_id(index: int) -> str:
    """What a problem of this item quotes, and the log of a failure too."""
    return f"item-{index}"


def read(index: int, line: bytes) -> Item:
    """The item of a line, refused where the single call would be.

    A new game without a seed gets one from its place in the file: others than its neighbours',
    and the same whoever makes it.
    """
    if len(line) > LONGEST_LINE:
        detail = f"The item has more than {LONGEST_LINE} bytes."
        return Item(index, None, exceeded("", detail, LONGEST_LINE))
    item = read_line(index, line)
    if item.values is None:
        return item
    if item.op == "new" and item.values["seed"] is None:
        seed = derived_seed("new", item.game, str(index))
        return replace(item, values=item.values | {"seed": seed})
    if item.op == "review":
        try:
            check_review(item.game, item.values, SETTINGS)
        except Refused as error:
            return replace(item, refused=error, values=None)
    return item


def failed(chunk: Chunk, form: str) -> Done:
    """The answer to a chunk of one item over which workers die. The item is not looked at here."""
    (text,) = chunk.lines
    try:
        name = id_of(loads(text))
    except Refused:
        name = None
    item = Item(chunk.first, name)
    problem = failure_body(request_id(chunk.first))
    line = Line(item, problem["status"], line_of(item, problem["status"], problem=problem))
    return Done(1, 0, 0.0, zlib.compress(FORMS[form](item, line), PACKING, wbits=31))
