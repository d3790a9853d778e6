"""What of a batch is finished, on disk: a file of answers per chunk, and a receipt for each.

A file of answers counts once its receipt is written, so a kill at any moment leaves either a
finished chunk or nothing. Answers are gzip members: put one behind the other they are a gzip file.
"""

import fcntl
import json
import os
import shutil
from bisect import bisect_right
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from shelfie.api.offline.chunks import Chunk
from shelfie.api.offline.work import Done

HEAD, RECEIPTS, LOCK = "journal.json", "receipts.jsonl", "lock"


class JournalError(Exception):
    """A journal that this batch cannot go on from."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A finished chunk. digest: of its input. size: bytes of its file."""

    first: int
    items: int
    ok: int
    digest: str
    size: int

    @property
    def name(self) -> str:
        return f"{self.first:012d}-{self.items}.gz"


class Journal:
    """The journal in a folder, which is made when there is none; one process at a time.

    head: what must be equal for two runs to be the same batch.
    """

    def __init__(self, folder: Path, head: dict[str, Any]) -> None:
        self.folder = folder
        self.receipts: dict[int, Receipt] = {}
        folder.mkdir(exist_ok=True)
        self.lock = (folder / LOCK).open("w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.lock.close()
            raise JournalError(f"{folder} is in use by another process") from None
        try:
            self._check(head)
            self._read()
        except JournalError:
            self.lock.close()
            raise
        self.left = dict(self.receipts)  # by an earlier run
        self.starts = sorted(self.left)
        self.file = (folder / RECEIPTS).open("ab")

    def _check(self, head: dict[str, Any]) -> None:
        path = self.folder / HEAD
        text = json.dumps(head) + "\n"
        if not path.exists():
            _write(path, text.encode())
        elif path.read_text() != text:
            raise JournalError(
                f"{self.folder} was begun by another build of shelfie or for another kind of "
                "output; --overwrite begins anew"
            )

    def _read(self) -> None:
        path = self.folder / RECEIPTS
        text = path.read_bytes() if path.exists() else b""
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:  # the line that a kill has cut short
            os.truncate(path, len(whole))
        for line in whole.splitlines():
            receipt = Receipt(**json.loads(line))
            file = self.folder / receipt.name
            if file.exists() and file.stat().st_size == receipt.size:
                self.receipts[receipt.first] = receipt
        known = {receipt.name for receipt in self.receipts.values()}
        for file in self.folder.glob("*.gz*"):
            if file.name not in known:
                file.unlink()  # finished, but for its receipt: it is done again

    def record(self, chunk: Chunk, done: Done) -> None:
        """Writes down a finished chunk, for good."""
        receipt = Receipt(chunk.first, chunk.items, done.ok, chunk.digest, len(done.packed))
        _write(self.folder / receipt.name, done.packed)
        self.file.write(json.dumps(asdict(receipt)).encode() + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())
        self.receipts[chunk.first] = receipt

    def earlier(self, index: int) -> Receipt | None:
        """The chunk that begins here and that an earlier run has finished."""
        return self.left.get(index)

    def room(self, index: int) -> int | None:
        """How many items are open from here to the next chunk that an earlier run finished."""
        place = bisect_right(self.starts, index)
        return self.starts[place] - index if place < len(self.starts) else None

    def path(self, receipt: Receipt) -> Path:
        """Where the answers of a chunk are."""
        return self.folder / receipt.name

    @property
    def items(self) -> int:
        return sum(receipt.items for receipt in self.receipts.values())

    @property
    def ok(self) -> int:
        return sum(receipt.ok for receipt in self.receipts.values())

    def close(self) -> None:
        """Lets go of the folder."""
        self.file.close()
        self.lock.close()

    def remove(self) -> None:
        """Takes the journal away; the output holds all of it."""
        shutil.rmtree(self.folder)


def _write(path: Path, data: bytes) -> None:
    """Writes a file that is there whole or not at all, also after a power cut."""
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
