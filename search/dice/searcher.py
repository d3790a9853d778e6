"""The searcher of the dice game: turns solved exactly, what follows them by judgement."""

import time
from collections.abc import Callable
from functools import lru_cache
from math import exp

from shelfie.engine.dice.game import DiceGame
from shelfie.engine.dice.notation import item_text, items_of
from shelfie.engine.dice.position import DicePosition
from shelfie.engine.dice.tables import dice_index
from shelfie.search.analysis import AnalysisRequest, MoveValue, Report, Root, SearchResult
from shelfie.search.clock import Clock
from shelfie.search.dice.endgame import Endgame, open_items, turns_after
from shelfie.search.dice.leaf import Leaf
from shelfie.search.dice.learned import Learned
from shelfie.search.dice.lookahead import Lookahead
from shelfie.search.dice.match import play_games
from shelfie.search.dice.model import shipped
from shelfie.search.dice.potential import Potential
from shelfie.search.dice.solution import TurnSolution, after_pass
from shelfie.search.dice.spread import percentiles
from shelfie.search.dice.targets import keep_chance
from shelfie.search.outlook import outlook

METHOD = "exact-turn"
DEFAULT_DEPTH = 1
MAX_DEPTH = 3
# Of the softmax behind `policy`: a move that is worse by this much is trusted 1/e as much.
TEMPERATURE = {"win": 0.02, "score": 1.0}
# Endings are solved whole: most open items on all sheets, by players, and most states.
ENDING_ITEMS = {2: 13, 3: 11, 4: 11}
ENDING_STATES = 4000
GROWTH = 40.0  # least factor of work for a turn more; a depth that cannot fit is not begun


@lru_cache(maxsize=32)
def leaf_for(game: DiceGame, objective: str) -> Leaf:
    """The judge of after-states for an objective, "win" or "score". The one place to choose it."""
    if game.default_sheet:
        return Learned(game, shipped(game.n_players), margin=objective == "score")
    return Potential(game, margin=objective == "score")


Tell = Callable[[TurnSolution, SearchResult], None]


def ignored(solution: TurnSolution, result: SearchResult) -> None:
    """Tells nobody."""


class DiceSearcher:
    """Values moves and positions by solving turns over a leaf. Keeps nothing between calls.

    The answer depends on the position, the objective and the depth reached alone; the seed is
    used for the percentiles on sheets of a caller's own only.
    """

    game = "dice"
    limits = ("depth", "time_ms", "standard_error")

    @staticmethod
    def model_ids() -> list[str]:
        """Names of the judges in use: the models for 2 to 4 players, and that of other sheets."""
        return [shipped(players).id for players in (2, 3, 4)] + ["potential"]

    def search(
        self,
        position: DicePosition,
        moves: list[int],
        request: AnalysisRequest,
        seed: int = 0,
        report: Report | None = None,
    ) -> SearchResult:
        """Value every packed root move in `moves`, all legal in this decision node.

        Win shares and scores of a keep follow the best play after it. `stopped_by` is "exact"
        when every way to go on ends the game within the depth, so that nothing was judged.
        report: is told of each depth that is done before the last.
        """

        def judged(solution: TurnSolution | None, result: SearchResult) -> SearchResult:
            result.moves = _move_values(position, moves, solution, result.root, request)
            return result

        def tell(solution: TurnSolution, result: SearchResult) -> None:
            if report is not None:
                report(judged(solution, result))

        return judged(*self._solve(position, request, seed, tell))

    def evaluate(
        self, position: DicePosition, request: AnalysisRequest, seed: int = 0
    ) -> SearchResult:
        """The value of a position under best play, also before a roll; exact when it is over."""
        return self._solve(position, request, seed)[1]

    def _solve(
        self, position: DicePosition, request: AnalysisRequest, seed: int, tell: Tell = ignored
    ) -> tuple[TurnSolution | None, SearchResult]:
        """The solved turn, None where the mover can only pass, and the value of the position."""
        judge = leaf_for(position.game, request.objective)
        clock = Clock(request, capped=True)
        spread, cut = None, ""
        if not isinstance(judge, Learned):
            spread, cut = _play_on(position, judge, request, clock, seed)

        def finished(result: SearchResult) -> SearchResult:
            result.root.percentiles = spread
            if isinstance(judge, Learned) and "distribution" in request.include:
                points = [part["total"] for part in position.scores()]
                left = open_items(position)
                result.root.percentiles = percentiles(
                    judge.model.spread, left, points, result.root.score
                )
            result.stopped_by = cut or result.stopped_by
            return result

        if position.node == "terminal" or not position.open_items(position.to_move):
            win, score, exact = after_pass(position, judge)
            result = _result(Root(win, score), judge, 1, "exact" if exact else "playouts")
            return None, finished(result)
        solution, result = self._deepen(
            position, request, clock, lambda turn, so_far: tell(turn, finished(so_far))
        )
        return solution, finished(result)

    @staticmethod
    def _deepen(
        position: DicePosition, request: AnalysisRequest, clock: Clock, tell: Tell
    ) -> tuple[TurnSolution, SearchResult]:
        """Solve one turn, then all of an ending, or else more turns.

        Goes up to the depth asked for or as far as the clock lets, which is never beyond
        MAX_TIME_MS: three turns can take far longer. Endings are solved to their
        end whatever the depth.
        """
        judge = leaf_for(position.game, request.objective)
        wanted = request.limits.depth or (MAX_DEPTH if clock.limited else DEFAULT_DEPTH)
        depth, leaf, ended = 1, judge, ""
        solution = TurnSolution(judge, position)
        if not solution.proven:
            ending, late = _ending(position, judge, clock.seconds_left())
            if ending:
                return ending[0], _of(ending[0], judge, ending[1], "exact")
            ended = clock.ended() if late else ""
        while depth < wanted and not solution.proven and not ended:
            tell(solution, _of(solution, judge, depth, "playouts"))
            before = time.monotonic()
            left = clock.seconds_left()
            leaf = judge
            for _ in range(depth):
                leaf = Lookahead(leaf, left)
            deeper = TurnSolution(leaf, position)
            if leaf.stopped:
                ended = clock.ended()
                break
            solution, depth = deeper, depth + 1
            if depth < wanted and GROWTH * (time.monotonic() - before) > clock.seconds_left():
                ended = clock.nearest
                break
        stopped_by = "exact" if solution.proven else ended or "playouts"
        return solution, _of(solution, judge, depth, stopped_by)


def _move_values(
    position: DicePosition,
    moves: list[int],
    solution: TurnSolution | None,
    root: Root,
    request: AnalysisRequest,
) -> list[MoveValue]:
    """The root moves by the solved turn; a pass, the only move, by the value of the position."""
    if solution is None:
        return [MoveValue(m, root.win, root.score, policy=1.0, pv=["pass"]) for m in moves]
    found = [_judge(position, solution, move, request) for move in moves]
    _trust(found, [solution.judge_move(m)[0] for m in moves], request.objective)
    return found


def _of(solution: TurnSolution, leaf: Leaf, depth: int, stopped_by: str) -> SearchResult:
    _, win, score = solution.root()
    return _result(Root(win, score), leaf, depth, stopped_by)


def _result(root: Root, leaf: Leaf, depth: int, stopped_by: str) -> SearchResult:
    return SearchResult([], root, METHOD, leaf.name, stopped_by, depth=depth)


def _play_on(
    position: DicePosition, judge: Leaf, request: AnalysisRequest, clock: Clock, seed: int
) -> tuple[dict[str, list[float]] | None, str]:
    """Percentiles from games of a judge whose spread was not measured beforehand."""

    def play(first: int, games: int) -> list[list[float]]:
        seats = [judge] * position.players
        played = play_games(position, seats, str(seed), games, first=first)
        return [score for _, score, _ in played]

    return outlook(request, clock, play)


def _ending(
    position: DicePosition, judge: Leaf, seconds: float
) -> tuple[tuple[TurnSolution, int] | None, bool]:
    """The turn with all that can follow solved, and the turns that took; None if too much.

    The second value is true when time ran out, not the number of states.
    """
    turns = turns_after(position)
    if turns > 1 and open_items(position) > ENDING_ITEMS[position.players]:
        return None, False
    leaf = Endgame(position.game, turns, margin=judge.margin, budget=ENDING_STATES, seconds=seconds)
    solution = TurnSolution(leaf, position)
    if leaf.stopped:
        return None, leaf.states < ENDING_STATES
    return (solution, leaf.depth), False


def _judge(
    position: DicePosition, solution: TurnSolution, move: int, request: AnalysisRequest
) -> MoveValue:
    _, win, score = solution.judge_move(move)
    found = MoveValue(move, win, score)
    detail = position.move_detail(move)
    if "pv" in request.include:
        found.pv = [position.format_move(move)]
        if detail["type"] == "keep":
            found.pv.append(position.format_move(solution.likeliest_end(move)))
    if detail["type"] == "keep":
        found.targets = targets(position, dice_index(detail["dice"]))
    return found


def _trust(found: list[MoveValue], values: list[float], objective: str) -> None:
    """Spread `policy` over the moves by a softmax of their values."""
    weights = [exp((value - max(values)) / TEMPERATURE[objective]) for value in values]
    total = sum(weights)
    for entry, weight in zip(found, weights, strict=True):
        entry.policy = weight / total


def targets(position: DicePosition, kept: int) -> list[dict[str, str | float]]:
    """What a keep (lattice index) may reach: each open item with the chance to be able to mark
    it this turn when all re-rolls left are played for it; the likeliest first.
    """
    columns, left = position.columns, position.rerolls_left
    chances = [
        (keep_chance(columns[item % 5], item // 5, left, kept), item)
        for item in items_of(position.open_items(position.to_move))
    ]
    return [
        {"item": item_text(item), "probability": chance}
        for chance, item in sorted(chances, key=lambda pair: (-pair[0], pair[1]))
    ]
