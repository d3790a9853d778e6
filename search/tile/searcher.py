"""Searches positions of the tile game: PUCT over the learned value."""

import math
import threading
from collections.abc import Callable
from typing import Any

from shelfie.engine.position import Position
from shelfie.search.analysis import (
    AnalysisRequest,
    MoveValue,
    Report,
    Root,
    SearchResult,
    margin,
    objective_value,
    percentiles,
    revalued,
)
from shelfie.search.clock import Clock
from shelfie.search.mcts import Mcts
from shelfie.search.outlook import outlook
from shelfie.search.tile.endgame import solve
from shelfie.search.tile.evaluator import TileEvaluator
from shelfie.search.tile.model import TileModel, shipped
from shelfie.search.tile.outlook import final_scores

DEFAULT_PLAYOUTS = 2000
MAX_PLAYOUTS = 1_000_000
SLICE = 64  # playouts between two looks at the clock
FIRST_REPORT = 4 * SLICE  # playouts before the first partial result
LONGEST_PV = 8
ENDGAME_NODES = 20_000  # positions an exact solution may take before the search is used instead
DOUBT = 0.06  # of a move without playouts, in win share; falls with their root
EXPLORATION = 0.25  # c of PUCT; with the temperature, chosen by matches (docs/search.md)
TEMPERATURE = 0.05  # of the priors, in win share
UNIT = {"win": 1.0, "score": 20.0}  # of the objective's value, per unit of the tree's utility
METHOD = "puct"


class TileSearcher:
    """Answers for `shelfie.search.analyze`; keeps nothing between calls but the model."""

    game = "tile"
    limits = ("playouts", "time_ms", "standard_error")

    def __init__(
        self,
        model: TileModel | None = None,
        exploration: float = EXPLORATION,
        temperature: float = TEMPERATURE,
    ) -> None:
        self.model = model
        self.exploration = exploration
        self.temperature = temperature
        self.kept = threading.local()

    def model_for(self, players: int) -> TileModel:
        return self.model or shipped(players)

    def model_ids(self) -> list[str]:
        return [self.model_for(players).id for players in (2, 3, 4)]

    def search(
        self,
        position: Position,
        moves: list[int],
        request: AnalysisRequest,
        seed: int,
        report: Report | None = None,
    ) -> SearchResult:
        """Values of these root moves of a decision node.

        report: is told on the way what a search that ends there would answer.
        """
        clock = Clock(request)
        evaluator = self._evaluator(position, request)
        solved = solve(position, moves, ENDGAME_NODES)
        if solved is not None:
            return _exact(position, moves, solved, request)
        spread, cut = self._outlook(position, evaluator, request, clock, seed)
        tree = Mcts(position, evaluator, seed, self.exploration, self.temperature)
        tree.restrict(moves)

        def found(stopped_by: str) -> SearchResult:
            return SearchResult(
                moves=self._move_values(position, tree, evaluator, request),
                root=self._root(position, tree, evaluator, request, spread),
                method=METHOD,
                model=evaluator.model.id,
                stopped_by=cut or stopped_by,
                playouts=tree.playouts,
                best=tree.most_visited(),
            )

        def tell() -> None:
            if report is not None:
                report(found("playouts"))
                self._evaluator(position, request)  # who was told may have searched meanwhile

        return found(self._run(tree, request, clock, tell))

    def evaluate(self, position: Position, request: AnalysisRequest, seed: int) -> SearchResult:
        """The value of a decision or chance node."""
        clock = Clock(request)
        evaluator = self._evaluator(position, request)
        spread, cut = self._outlook(position, evaluator, request, clock, seed)
        tree = Mcts(position, evaluator, seed, self.exploration, self.temperature)
        stopped_by = self._run(tree, request, clock)
        return SearchResult(
            moves=[],
            root=self._root(position, tree, evaluator, request, spread),
            method=METHOD,
            model=evaluator.model.id,
            stopped_by=cut or stopped_by,
            playouts=tree.playouts,
        )

    def _evaluator(self, position: Position, request: AnalysisRequest) -> TileEvaluator:
        """This thread's evaluator; what it has cached stays true, so answers do not hang on it."""
        objective = 0 if request.objective == "win" else 1
        model = self.model_for(position.players)
        evaluator: TileEvaluator | None = getattr(self.kept, "evaluator", None)
        if evaluator is None:
            evaluator = self.kept.evaluator = TileEvaluator(position.game, model, objective)
        evaluator.aim(position.game, model, objective)
        return evaluator

    def _run(
        self,
        tree: Mcts,
        request: AnalysisRequest,
        clock: Clock,
        tell: Callable[[], None] = lambda: None,
    ) -> str:
        """Playouts until a limit is met (none at all for playouts=0); the limit's name.

        tell: called after FIRST_REPORT playouts, and each time when they have doubled.
        """
        unlimited = request.limits.playouts is None and not clock.limited
        wanted = request.limits.playouts
        if wanted is None:
            wanted = DEFAULT_PLAYOUTS if unlimited else MAX_PLAYOUTS
        error = request.limits.standard_error
        unit = UNIT[request.objective]
        milestone = FIRST_REPORT
        while tree.playouts < wanted:
            tree.run_slice(min(SLICE, wanted - tree.playouts))
            if error is not None and tree.playouts >= 256 and unit * tree.best_error() <= error:
                return "standard_error"
            ended = clock.ended()
            if ended:
                return ended
            if milestone <= tree.playouts < wanted:
                tell()
                milestone *= 2
        return "playouts"

    @staticmethod
    def _outlook(
        position: Position,
        evaluator: TileEvaluator,
        request: AnalysisRequest,
        clock: Clock,
        seed: int,
    ) -> tuple[dict[str, list[float]] | None, str]:
        """Worked out before the search, so that limits of time hold for both."""

        def play(first: int, games: int) -> list[list[int]]:
            return final_scores(position, evaluator, games, seed, first)

        return outlook(request, clock, play)

    @staticmethod
    def _root(
        position: Position,
        tree: Mcts,
        evaluator: TileEvaluator,
        request: AnalysisRequest,
        spread: dict[str, list[float]] | None,
    ) -> Root:
        if tree.playouts:
            win, score, error = tree.root_value()
            return Root(win, score, spread, UNIT[request.objective] * error)
        best = tree.root_edges()[0][0]  # edges are made in static order
        return Root(*evaluator.after(position, best), spread)

    def _move_values(
        self, position: Position, tree: Mcts, evaluator: TileEvaluator, request: AnalysisRequest
    ) -> list[MoveValue]:
        seat = position.to_move
        edges = tree.root_edges()
        best = max(edges, key=lambda e: e[1])
        # Searching a move changes its static value; moves never searched are assumed to share
        # the change of the best one. No move is shown above the one searched most.
        top, shift = math.inf, 0.0
        if best[2] and best[3]:
            top = objective_value(best[2], best[3], seat, request.objective)
            static = evaluator.after(position, best[0])
            shift = top - objective_value(*static, seat, request.objective)
        unit = UNIT[request.objective]
        values = []
        for move, visits, win, score, error, _ in edges:
            searched = win is not None and score is not None
            if win is None or score is None:
                win, score = evaluator.after(position, move)
            worth = objective_value(win, score, seat, request.objective)
            shown = min(worth if searched else worth + shift, top)
            if shown != worth:
                win, score = revalued(win, score, seat, shown, request.objective)
            pv = tree.principal_variation(move, LONGEST_PV) if visits else [move]
            values.append(
                MoveValue(
                    move=move,
                    win=win,
                    score=score,
                    standard_error=unit * error,
                    playouts=visits,
                    policy=visits / max(tree.playouts, 1),
                    doubt=unit * DOUBT / math.sqrt(1 + visits),
                    pv=_texts(position, pv) if "pv" in request.include else [],
                )
            )
        return values


def _exact(
    position: Position, moves: list[int], solved: list[Any], request: AnalysisRequest
) -> SearchResult:
    seat = position.to_move
    values = [
        MoveValue(move, win, score, pv=[position.format_move(move)])
        for move, (win, score) in zip(moves, solved, strict=True)
    ]
    best = max(values, key=lambda v: (v.win[seat], margin(v.score, seat)))
    best.policy = 1.0
    # Nothing is left to chance, so every percentile is the score itself.
    spread = percentiles([best.score]) if "distribution" in request.include else None
    return SearchResult(values, Root(best.win, best.score, spread), "minimax", "", "exact")


def _texts(position: Position, moves: list[int]) -> list[str]:
    texts: list[str] = []
    here: Any = position
    for move in moves:
        texts.append(here.format_move(move))
        here, _ = here.apply(texts[-1])
    return texts
