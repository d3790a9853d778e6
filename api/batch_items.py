"""The items of a batch: read, checked and counted before the first one is answered.

A line that cannot be read costs only itself; a batch that is too large is refused as a whole.
"""

from dataclasses import dataclass
from typing import Any

import marshmallow as ma

from shelfie.api import json_text
from shelfie.api.fields import Choice, Text, Unchecked
from shelfie.api.operations import OPERATIONS
from shelfie.api.refusals import Refused, refuse
from shelfie.api.schemas import LONGEST_TEXT, load, named, refused
from shelfie.api.settings import Settings
from shelfie.api.work import check_total, exceeded, work
from shelfie.engine import GAMES

Values = dict[str, Any]

ITEM = named(
    "BatchItem",
    {
        "id": Text(LONGEST_TEXT, load_default=None, description="Echoed in the answer's line."),
        "game": Choice(list(GAMES), required=True),
        "op": Choice(list(OPERATIONS), required=True, description="The operation."),
        "request": Unchecked(required=True, description="What the operation's own address takes."),
    },
)


@dataclass(frozen=True, slots=True)
class Item:
    """One question. refused: why it gets no answer; the fields after it are then empty.

    request: what was sent, so that another worker can be asked.
    """

    index: int
    id: str | None
    refused: Refused | None = None
    game: str = ""
    op: str = ""
    values: Values | None = None
    request: Any = None

    @property
    def searches(self) -> bool:
        """Whether it is one search, which takes a slot."""
        return self.values is not None and OPERATIONS[self.op].searches and not self.stepwise

    @property
    def stepwise(self) -> bool:
        """Whether it is many searches, each of which takes a slot for itself."""
        return self.values is not None and OPERATIONS[self.op].stepwise


def read_lines(body: bytes, settings: Settings) -> list[Item]:
    """The items of an NDJSON body; lines without content are skipped and not counted."""
    lines = [line for line in body.split(b"\n") if line.strip()]
    check_sizes([len(line) for line in lines], settings)
    items = [read_line(index, line) for index, line in enumerate(lines)]
    check_work(items, settings)
    return items


def read_array(body: bytes, settings: Settings) -> list[Item]:
    """The items of a JSON array; an element's size is that of its compact text."""
    values = json_text.loads(body)
    if not isinstance(values, list):
        raise refuse("", "wrong-type", "An array is wanted.")
    check_sizes([len(json_text.dumps(value)) for value in values], settings)
    items = [read_item(index, value) for index, value in enumerate(values)]
    check_work(items, settings)
    return items


def check_sizes(sizes: list[int], settings: Settings) -> None:
    """Refuses too many items, and items of too many bytes; names every one."""
    most, longest = settings.max_batch_items, settings.max_batch_line_bytes
    if len(sizes) > most:
        raise exceeded("", f"The batch has {len(sizes)} items; at most {most} are accepted.", most)
    faults = [
        fault
        for index, size in enumerate(sizes)
        if size > longest
        for fault in exceeded(
            f"/{index}", f"The item has {size} bytes; at most {longest} are accepted.", longest
        ).faults
    ]
    if faults:
        raise Refused(faults)


def read_line(index: int, line: bytes) -> Item:
    """The item of one line of NDJSON."""
    try:
        value = json_text.loads(line)
    except Refused as error:
        return Item(index, None, error)
    return read_item(index, value)


def read_item(index: int, value: Any) -> Item:
    """The item that a JSON value stands for, its request checked as the single call checks it."""
    try:
        fields = ITEM.load(value)
    except ma.ValidationError as error:
        return Item(index, id_of(value), refused(error))
    try:
        values = load(fields["game"], fields["op"], fields["request"])
    except Refused as error:
        return Item(index, fields["id"], error)
    request = fields["request"]
    return Item(index, fields["id"], None, fields["game"], fields["op"], values, request)


def id_of(value: Any) -> str | None:
    """The id of a line that has another fault, where it is one."""
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) and 1 <= len(found) <= LONGEST_TEXT else None


def check_work(items: list[Item], settings: Settings) -> None:
    """Refuses a batch that asks for too much searching; a refused item asks for nothing."""
    works = [work(i.game, i.op, i.values) for i in items if i.values is not None]
    check_total(works, settings, "batch")
