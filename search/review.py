"""A game gone through move by move: how each move compares with the best one.

`replay` plays a record by the rules, `judge` looks at one move of it, `grade` and `accuracy` put
its loss into a word and a number, `Tally` sums up a seat. What a review tells of a move is what
`analyze` tells of its position.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shelfie.engine import IllegalMove, Position
from shelfie.search.analysis import AnalysisRequest, RankedMove, objective_value
from shelfie.search.analyze import analyze
from shelfie.search.games import LUCK
from shelfie.search.levels import UNIT

# A grade and the loss, in win share, from which on a move has it. The steps are those at which
# Lichess calls a move an inaccuracy, a mistake and a blunder.
GRADES = {"best": 0.0, "good": 0.0, "inaccuracy": 0.05, "mistake": 0.10, "blunder": 0.15}
FORCED = "forced"  # there was nothing else to play; such moves are not judged
ACCURACY_FALL = 4.354  # of the accuracy, per win share lost: the slope of Lichess's curve


@dataclass(frozen=True, slots=True)
class Play:
    """One move of a record: a player's, or what chance did. outcome: of a move with chance."""

    move: str
    outcome: Any = None


@dataclass(frozen=True, slots=True)
class Step:
    """A move as it was played. move: as `legal_moves` writes it."""

    index: int
    before: Position
    move: str
    outcome: Any
    after: Position


class IllegalRecord(ValueError):
    """A record that the rules do not allow. index: of the first move at fault."""

    def __init__(self, index: int, position: Position, cause: IllegalMove) -> None:
        super().__init__(f"move {index}: {cause.detail}")
        self.index = index
        self.position = position
        self.cause = cause


def replay(position: Position, plays: Sequence[Play]) -> list[Step]:
    """The record played through; nothing is drawn. Raises IllegalRecord."""
    steps = []
    for index, play in enumerate(plays):
        try:
            after, outcome = position.apply(play.move, play.outcome)
        except IllegalMove as error:
            raise IllegalRecord(index, position, error) from None
        steps.append(Step(index, position, canonical(position, play.move), outcome, after))
        position = after
    return steps


def canonical(position: Position, move: str) -> str:
    """A legal move as `legal_moves` writes it."""
    if position.node != "decision":
        return move
    return position.format_move(position.canonical(position.parse_move(move)))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is said about a move. loss: in the objective's unit. best, played: with their values.

    playouts, time_ms: of all searches that were made for it.
    """

    position_hash: str
    rank: int
    moves_total: int
    loss: float
    grade: str
    best: RankedMove
    played: RankedMove
    playouts: int
    time_ms: int
    stopped_by: str
    reproducible: bool
    seed: str
    model: str
    warnings: list[dict[str, str]]


def judge(position: Position, request: AnalysisRequest, move: str) -> Judgement:
    """A legal move of a decision node against the best one.

    A search spends its work on good moves and knows bad ones badly. So a move that is not the
    best, and is only estimated, is searched once more alone, within the same limits.
    """
    request = replace(request, include=frozenset({"pv"}), top=0, allow=None, avoid=(), level=None)
    found = analyze(position, request)
    searches = [found]
    best = found.moves[0]
    played = next(entry for entry in found.moves if entry.move == move)
    rank = played.rank
    if rank > 1 and played.standard_error > 0.0:
        searches.append(analyze(position, replace(request, allow=(move,))))
        played = searches[1].moves[0]
    loss = 0.0 if rank == 1 else _loss(best, played, found.to_move, request.objective)
    return Judgement(
        position_hash=found.position_hash,
        rank=rank,
        moves_total=found.moves_total,
        loss=loss,
        grade=FORCED if found.moves_total == 1 else grade(loss, rank, request.objective),
        best=best,
        played=played,
        playouts=sum(search.playouts for search in searches),
        time_ms=sum(search.time_ms for search in searches),
        stopped_by=found.stopped_by,
        reproducible=all(search.reproducible for search in searches),
        seed=found.seed,
        model=found.model,
        warnings=found.warnings,
    )


def _loss(best: RankedMove, played: RankedMove, seat: int, objective: str) -> float:
    first, second = (
        objective_value(entry.win_probability, entry.expected_score, seat, objective)
        for entry in (best, played)
    )
    return max(0.0, first - second)


def grade(loss: float, rank: int, objective: str) -> str:
    """The word for a move that was not forced: the best by rank or by value, else by its loss."""
    if rank == 1 or loss == 0.0:
        return "best"
    share = loss / UNIT[objective]
    return [name for name, least in GRADES.items() if share >= least][-1]


def accuracy(loss: float, objective: str) -> float:
    """1 for the best move, falling towards 0 as the loss grows."""
    return math.exp(-ACCURACY_FALL * loss / UNIT[objective])


@dataclass(slots=True)
class Tally:
    """The judged moves of one seat; forced ones are counted, and nothing else."""

    objective: str
    grades: dict[str, int] = field(default_factory=lambda: dict.fromkeys([*GRADES, FORCED], 0))
    losses: list[float] = field(default_factory=list)

    def add(self, found: Judgement) -> None:
        self.grades[found.grade] += 1
        if found.grade != FORCED:
            self.losses.append(found.loss)

    @property
    def mean_loss(self) -> float | None:
        """Mean over the moves that were not forced; None without any."""
        return _mean(self.losses)

    @property
    def accuracy(self) -> float | None:
        """Mean of the moves' accuracies; None without any."""
        return _mean([accuracy(loss, self.objective) for loss in self.losses])


def _mean(values: list[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


class Fortune:
    """The luck of each step of a record, where the game's is known exactly.

    Steps have to be told in order. A turn that the record does not begin has no luck.
    """

    def __init__(self, position: Position) -> None:
        made = LUCK.get(position.game.id)
        self._luck = made and made(position.players)

    def of(self, step: Step) -> tuple[list[float], list[float]] | None:
        """(win, score) per seat; None where nothing was rolled, or it is not known."""
        if self._luck is None:
            return None
        try:
            found: tuple[list[float], list[float]] | None = self._luck.watch(
                step.before, step.move, step.after
            )
        except ValueError:
            return None
        return found
