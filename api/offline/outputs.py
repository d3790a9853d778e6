"""Where the answers go in the end, in the order of the input: lines, packed lines, or a table."""

import gzip
import os
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import orjson

from shelfie.api.offline.journal import Journal, Receipt
from shelfie.api.offline.rows import COLUMNS

PART = "output.part"
ROWS = 2000  # of a row group
UNPACK = 1 << 20


def form_of(name: str) -> str:
    """In what form workers write the answers for an output of this name."""
    return "rows" if name.endswith(".parquet") else "lines"


def in_order(journal: Journal, first: int = 0) -> Iterator[Receipt]:
    """The finished chunks from an item on, up to the first gap."""
    while receipt := journal.receipts.get(first):
        yield receipt
        first += receipt.items


def unpacked(journal: Journal, receipt: Receipt) -> Iterator[bytes]:
    """The texts of a chunk, some at a time."""
    unpacker = zlib.decompressobj(wbits=31)
    with journal.path(receipt).open("rb") as file:
        while data := file.read(UNPACK):
            yield unpacker.decompress(data)
    yield unpacker.flush()


def write_output(journal: Journal, target: Path) -> None:
    """Puts the chunks together; the target is there whole or not at all."""
    part = journal.folder / PART
    if target.suffix == ".parquet":
        write_table(journal, part)
    else:
        with part.open("wb") as file:
            for receipt in in_order(journal):
                copy(journal, receipt, file, packed=target.suffix == ".gz")
            file.flush()
            os.fsync(file.fileno())
    part.replace(target)


def copy(journal: Journal, receipt: Receipt, file: IO[bytes], packed: bool) -> None:
    """Appends the texts of a chunk to a file."""
    if packed:
        with journal.path(receipt).open("rb") as source:
            shutil.copyfileobj(source, file)
    else:
        file.writelines(unpacked(journal, receipt))


class Pipe:
    """Standard output, which gets each chunk as soon as nothing before it is missing."""

    def __init__(self, journal: Journal, file: IO[bytes]) -> None:
        self.journal = journal
        self.file = file
        self.next = 0

    def advance(self) -> None:
        """Writes what can be written, and forgets it."""
        for receipt in in_order(self.journal, self.next):
            copy(self.journal, receipt, self.file, packed=False)
            self.journal.path(receipt).unlink()
            self.next += receipt.items
        self.file.flush()


def write_table(journal: Journal, path: Path) -> None:
    """The rows as a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds: dict[str, Any] = {"list<double>": pa.list_(pa.float64())}
    schema = pa.schema([(n, kinds.get(k) or pa.type_for_alias(k)) for n, k in COLUMNS.items()])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for receipt in in_order(journal):
            for rows in row_groups(journal, receipt):
                writer.write_table(pa.Table.from_pylist(rows, schema=schema))


def row_groups(journal: Journal, receipt: Receipt) -> Iterator[list[dict[str, Any]]]:
    """The rows of a chunk, a group at a time."""
    rows = []
    with gzip.open(journal.path(receipt)) as lines:
        for line in lines:
            rows.append(orjson.loads(line))
            if len(rows) == ROWS:
                yield rows
                rows = []
    if rows:
        yield rows
