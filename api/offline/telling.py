"""Tells people how far a batch is; silent where nobody looks."""

import sys

from tqdm import tqdm

from shelfie.api.offline.source import Source


class Telling:
    """A bar with rate and time left on a terminal; warnings anywhere. resumed: items done before.

    How many items there are is not known before the end: it is judged by how much is read.
    """

    def __init__(self, source: Source, resumed: int) -> None:
        self.source = source
        self.bar = tqdm(
            unit="item",
            initial=resumed,
            disable=not sys.stderr.isatty(),
            file=sys.stderr,
            smoothing=0.1,
            dynamic_ncols=True,
        )

    def __enter__(self) -> "Telling":
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.close()

    def progress(self, items: int, read: int) -> None:
        """So many more items are done; so many have been read in all."""
        share = self.source.share
        self.bar.total = round(read / share) if share else None
        self.bar.update(items)

    def warn(self, text: str) -> None:
        """A line beside the bar."""
        self.bar.write(f"shelfie: {text}", file=sys.stderr)
