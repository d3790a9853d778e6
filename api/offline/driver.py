"""Works off a batch: a few chunks are under way at a time, and each is written down when done."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from typing import Protocol

from shelfie.api.offline.chunks import Chunk, Pace, Reader
from shelfie.api.offline.journal import Journal, JournalError
from shelfie.api.offline.work import Done, Task, failed, task_of

MOST_DEATHS = 3  # workers that may die over a chunk before it is cut to find the cause
PATIENCE = 2  # times the seconds of a chunk after which a worker stops where it is
LOOK = 2.0  # seconds between two looks at whether there is room for more chunks


class Stopped(Exception):
    """The batch cannot go on now; what is finished is in the journal."""


class Runner(Protocol):
    """Something that runs tasks on other processes."""

    def room(self) -> int:
        """How many tasks may be under way now; at least one."""

    def submit(self, task: Task) -> Future[Done]:
        """Has a task run."""

    def deaths(self, error: BaseException) -> int:
        """How many workers have died, to judge by a task's error; 0 when it has another cause."""


class Driver:
    """One batch on its way from a reader to a journal."""

    def __init__(
        self,
        reader: Reader,
        journal: Journal,
        runner: Runner,
        *,
        form: str,
        seconds: float,
        progress: Callable[[Done], object],
        warn: Callable[[str], object],
    ) -> None:
        self.reader = reader
        self.journal = journal
        self.runner = runner
        self.form = form
        self.pace = Pace(seconds)
        self.progress = progress
        self.warn = warn
        self.flying: dict[Future[Done], Chunk] = {}
        self.again: deque[Chunk] = deque()
        self.suspects: list[Chunk] = []

    def run(self) -> None:
        """Answers every item that the journal lacks. Raises Stopped, JournalError, Unreadable."""
        fresh = self._fresh()
        while True:
            while len(self.flying) < self.runner.room():
                chunk = self.again.popleft() if self.again else next(fresh, None)
                if chunk is None:
                    break
                self._submit(chunk)
            if not self.flying:
                if not self.suspects:
                    return
                self._submit(self.suspects.pop())  # alone, so that its death is its own
            done, _ = wait(self.flying, timeout=LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                self._settle(self.flying.pop(future), future)

    def _fresh(self) -> Iterator[Chunk]:
        """Chunks of the items that no earlier run has finished."""
        reader, journal = self.reader, self.journal
        while True:
            if known := journal.earlier(reader.index):
                if reader.pass_over(known.items).digest != known.digest:
                    raise other_input(journal)
                continue
            room = journal.room(reader.index)
            size = self.pace.items if room is None else min(room, self.pace.items)
            chunk = reader.take(size)
            if not chunk.items:
                if room is not None:
                    raise other_input(journal)
                return
            yield chunk

    def _submit(self, chunk: Chunk) -> None:
        task = task_of(chunk, self.form, PATIENCE * self.pace.seconds)
        self.flying[self.runner.submit(task)] = chunk

    def _settle(self, chunk: Chunk, future: Future[Done]) -> None:
        try:
            done = future.result()
        except Exception as error:
            deaths = self.runner.deaths(error)
            if not deaths:
                raise Stopped(f"a worker failed: {type(error).__name__}: {error}") from error
            self._died(replace(chunk, deaths=chunk.deaths + deaths))
            return
        self.pace.saw(done.items, done.seconds)
        self._record(chunk.head(done.items), done)
        if done.items < chunk.items:  # it took longer than expected
            self.again.append(chunk.tail(done.items))

    def _record(self, chunk: Chunk, done: Done) -> None:
        self.journal.record(chunk, done)
        self.progress(done)

    def _died(self, chunk: Chunk) -> None:
        """Once more; after some deaths in halves, down to the item that is the cause."""
        last = chunk.first + chunk.items - 1
        if chunk.deaths < MOST_DEATHS:
            self.warn(f"a worker died over items {chunk.first} to {last}; once more")
            self.again.append(chunk)
        elif chunk.items > 1:
            self.warn(f"workers die over items {chunk.first} to {last}; in halves")
            half = chunk.items // 2
            for part in (chunk.head(half), chunk.tail(half)):
                self.again.append(replace(part, deaths=MOST_DEATHS - 1))
        elif not chunk.alone:
            self.suspects.append(replace(chunk, alone=True))
        else:
            self.warn(f"workers die over item {last}; it fails")
            self._record(chunk, failed(chunk, self.form))


def other_input(journal: Journal) -> JournalError:
    """The refusal to go on with another input."""
    return JournalError(
        f"the input is not the one that {journal.folder} was begun with; --overwrite begins anew"
    )
