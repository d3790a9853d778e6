"""The operations of the service as plain functions, request in and answer out.

HTTP, command line and batches all come through `run` or through an entry of `OPERATIONS`, so
one question has one answer. A request that gets none raises `Refused`.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from shelfie.api import partial_answers, rules_operations, search_operations
from shelfie.api import review as review_operation
from shelfie.api.schemas import load

Answer = dict[str, Any]
Slot = Callable[[], AbstractContextManager[Any]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing the service does.

    answer: (game, checked request, arrival in time.monotonic() seconds) -> answer.
    searches: whether it keeps a core busy, so that it has to be admitted.
    lines: the same answer line by line, told as it is found, where there is such a form; it
    takes a fourth value that makes the context in which it searches.
    stepwise: it makes many searches, each in a context of its own (`answer` takes the fourth
    value too), and a caller who takes both forms gets the lines.
    """

    name: str
    summary: str
    answer: Callable[..., Answer]
    searches: bool = False
    lines: Callable[[str, dict[str, Any], float, Slot], Iterator[Answer]] | None = None
    stepwise: bool = False


OPERATIONS = {
    operation.name: operation
    for operation in (
        Operation("new", "A starting position", rules_operations.new),
        Operation("legal-moves", "Every legal move of a position", rules_operations.legal_moves),
        Operation("apply", "The position after a move", rules_operations.apply),
        Operation("score", "The score of every seat, and who has won", rules_operations.score),
        Operation(
            "analysis",
            "The moves of a position, ranked",
            search_operations.analysis,
            True,
            lines=partial_answers.analysis_lines,
        ),
        Operation("move", "The move a bot of this level plays", search_operations.move, True),
        Operation("evaluation", "The value of a position", search_operations.evaluation, True),
        Operation(
            "review",
            "Each move of a game against the best one",
            review_operation.review,
            True,
            lines=review_operation.review_lines,
            stepwise=True,
        ),
    )
}


def run(game: str, operation: str, request: Any, arrived: float | None = None) -> Answer:
    """Checks a request (a JSON value) and answers it.

    arrived: when the question came, in time.monotonic() seconds; deadlines count from there.
    """
    arrived = time.monotonic() if arrived is None else arrived
    return OPERATIONS[operation].answer(game, load(game, operation, request), arrived)
