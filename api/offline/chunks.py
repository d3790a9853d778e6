"""Items cut into chunks of some seconds of work. No answer depends on where the cuts are."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b

from shelfie.api.offline.source import Source

FIRST_ITEMS = 16  # of the first chunks, when nothing is known of the pace
GROWTH = 4  # times, at most, that a chunk is larger than those before
MOST_ITEMS = 20_000
MOST_BYTES = 4 * 1024 * 1024  # of the lines of a chunk, as they travel and are held


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines that are worked off together. first: the index of the first one.

    deaths: workers that have died over it. alone: whether nothing else may be under way.
    """

    first: int
    lines: tuple[bytes, ...]
    deaths: int = 0
    alone: bool = False

    @property
    def items(self) -> int:
        return len(self.lines)

    @property
    def digest(self) -> str:
        """Tells the lines from others at the same place."""
        return blake2b(b"\n".join(self.lines), digest_size=8).hexdigest()

    def head(self, items: int) -> "Chunk":
        """The first so many items."""
        return replace(self, lines=self.lines[:items])

    def tail(self, items: int) -> "Chunk":
        """What the head of so many items leaves."""
        return replace(self, first=self.first + items, lines=self.lines[items:])


class Pace:
    """How many items make a chunk of so many seconds, from how long the last one took."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.items = FIRST_ITEMS

    def saw(self, items: int, seconds: float) -> None:
        wanted = round(items * self.seconds / max(seconds, 1e-3))
        self.items = max(1, min(wanted, GROWTH * self.items, MOST_ITEMS))


class Reader:
    """Takes chunks off a source, one behind the other. index: of the next item."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.index = 0

    def take(self, items: int) -> Chunk:
        """The next chunk: so many items, or fewer long ones; without items at the end."""
        return self._take(items, MOST_BYTES)

    def pass_over(self, items: int) -> Chunk:
        """Exactly the next items, however long; fewer only at the end."""
        return self._take(items, None)

    def _take(self, items: int, most: int | None) -> Chunk:
        lines = tuple(self._lines(items, most))
        chunk = Chunk(self.index, lines)
        self.index += len(lines)
        return chunk

    def _lines(self, items: int, most: int | None) -> Iterator[bytes]:
        size = 0
        for _ in range(items):
            if (line := self.source.line()) is None:
                return
            yield line
            size += len(line)
            if most is not None and size >= most:
                return
