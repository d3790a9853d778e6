"""Lines of a file or of standard input, read as they are wanted."""

import gzip
import os
import stat
import sys
import zlib
from typing import IO

from shelfie.api.settings import Settings

# The longest line that is answered: what a single call may send. A longer one costs only itself.
LONGEST_LINE = Settings().max_body_bytes


class Unreadable(Exception):
    """An input that cannot be read on."""


class Source:
    """The lines that hold something, without their line ends. name: a path, or - (stdin)."""

    def __init__(self, name: str) -> None:
        self.file: IO[bytes] = sys.stdin.buffer if name == "-" else open(name, "rb")  # noqa: SIM115
        status = os.fstat(self.file.fileno())
        self.size = status.st_size if stat.S_ISREG(status.st_mode) else 0
        packed = name.endswith(".gz")
        self.stream: IO[bytes] = gzip.GzipFile(fileobj=self.file) if packed else self.file  # type: ignore[assignment]

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def line(self) -> bytes | None:
        """The next line with something in it; None at the end.

        Of a line that is too long there is one byte more than the longest, and the rest is passed
        over, so that no line is ever held whole that cannot be answered.
        """
        try:
            while line := self.stream.readline(LONGEST_LINE + 1):
                if not line.endswith(b"\n"):
                    self._pass_over()
                text = line.removesuffix(b"\n")
                if len(text) > LONGEST_LINE or text.strip():
                    return text
        except (OSError, EOFError, zlib.error) as error:
            raise Unreadable(f"the input cannot be read on: {error}") from None
        return None

    def _pass_over(self) -> None:
        while (more := self.stream.readline(LONGEST_LINE)) and not more.endswith(b"\n"):
            pass

    @property
    def share(self) -> float | None:
        """How much of a file has been read; None where its size is not known."""
        return min(1.0, self.file.tell() / self.size) if self.size else None
