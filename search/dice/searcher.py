"""The searcher of the dice game: this turn exactly, what follows by judgement."""

from functools import lru_cache
from math import exp

from shelfie.engine.dice.game import DiceGame
from shelfie.engine.dice.notation import item_text, items_of
from shelfie.engine.dice.position import DicePosition
from shelfie.engine.dice.tables import dice_index
from shelfie.search.analysis import AnalysisRequest, MoveValue, Root, SearchResult
from shelfie.search.dice.leaf import Leaf
from shelfie.search.dice.potential import Potential
from shelfie.search.dice.solution import TurnSolution, after_pass
from shelfie.search.dice.targets import keep_chance

METHOD = "exact-turn"
DEFAULT_DEPTH = 1
MAX_DEPTH = 1
# Of the softmax behind `policy`: a move that is worse by this much is trusted 1/e as much.
TEMPERATURE = {"win": 0.02, "score": 1.0}


@lru_cache(maxsize=32)
def leaf_for(game: DiceGame, objective: str) -> Leaf:
    """The judge of after-states for an objective, "win" or "score". The one place to choose it."""
    return Potential(game, margin=objective == "score")


class DiceSearcher:
    """Values moves and positions by solving the turn over a leaf. Keeps nothing between calls.

    The answer depends on the position and the objective alone: no seed, no clock.
    """

    def search(
        self, position: DicePosition, moves: list[int], request: AnalysisRequest, seed: int
    ) -> SearchResult:
        """Value every packed root move in `moves`, all legal in this decision node.

        Win shares and scores of a keep follow the best play after it. `stopped_by` is "exact"
        when every way to end the turn ends the game, so that nothing was judged.
        """
        leaf = leaf_for(position.game, request.objective)
        if not position.open_items(position.to_move):
            win, score, exact = after_pass(position, leaf)
            found = [MoveValue(move, win, score, policy=1.0, pv=["pass"]) for move in moves]
            return self._result(found, Root(list(win), list(score)), leaf, exact)
        solution = TurnSolution(leaf, position)
        _, win, score = solution.root()
        found = [self._judge(position, solution, move) for move in moves]
        self._trust(found, [solution.judge_move(move)[0] for move in moves], request.objective)
        return self._result(found, Root(win, score), leaf, solution.all_final)

    def evaluate(
        self, position: DicePosition, request: AnalysisRequest, seed: int
    ) -> SearchResult:
        """Value of a position under best play of this turn, also before its first roll.

        A finished game has its exact result.
        """
        leaf = leaf_for(position.game, request.objective)
        if position.node == "terminal" or not position.open_items(position.to_move):
            win, score, exact = after_pass(position, leaf)
        else:
            solution = TurnSolution(leaf, position)
            _, win, score = solution.root()
            exact = bool(solution.all_final)
        return self._result([], Root(win, score), leaf, exact)

    @staticmethod
    def _result(found: list[MoveValue], root: Root, leaf: Leaf, exact: bool) -> SearchResult:
        return SearchResult(
            moves=found,
            root=root,
            method=METHOD,
            model=leaf.name,
            stopped_by="exact" if exact else "depth",
            depth=1,
        )

    @staticmethod
    def _judge(position: DicePosition, solution: TurnSolution, move: int) -> MoveValue:
        _, win, score = solution.judge_move(move)
        found = MoveValue(move, win, score, pv=[position.format_move(move)])
        detail = position.move_detail(move)
        if detail["type"] == "keep":
            found.pv.append(position.format_move(solution.likeliest_end(move)))
            found.targets = targets(position, dice_index(detail["dice"]))
        return found

    @staticmethod
    def _trust(found: list[MoveValue], values: list[float], objective: str) -> None:
        """Spread `policy` over the moves by a softmax of their values."""
        if not found:
            return
        weights = [exp((value - max(values)) / TEMPERATURE[objective]) for value in values]
        for entry, weight in zip(found, weights, strict=True):
            entry.policy = weight / sum(weights)


def targets(position: DicePosition, kept: int) -> list[dict[str, str | float]]:
    """What a keep (lattice index) may reach: each open item with the chance to be able to mark
    it this turn when all re-rolls left are played for it; the likeliest first.
    """
    chances = [
        (
            keep_chance(position.columns[item % 5], item // 5, position.rerolls_left, kept),
            item,
        )
        for item in items_of(position.open_items(position.to_move))
    ]
    return [
        {"item": item_text(item), "probability": chance}
        for chance, item in sorted(chances, key=lambda pair: (-pair[0], pair[1]))
    ]
