"""The dice figures of `shelfie bench`."""

from collections.abc import Callable

from shelfie.engine.dice.position import DicePosition
from shelfie.search.dice.leaf import Leaf, Trivial
from shelfie.search.dice.lookahead import Lookahead
from shelfie.search.dice.searcher import leaf_for
from shelfie.search.dice.timing import solve_turns


def time_turns(rate: Callable[[Callable[[int], float]], float]) -> dict[str, float]:
    """The first turn of a two-player game, values alone.

    rate: turns work(times) -> units done into units per second. Gives `turn_us` over a trivial
    leaf, `turn_with_model_us` over the shipped judgement, `two_turns_ms` with the opponent's
    whole turn solved for every after-state.
    """
    start = DicePosition.new(2)

    def turns(leaf: Leaf) -> Callable[[int], float]:
        def work(times: int) -> float:
            solve_turns(start, leaf, times)
            return times

        return work

    judge = leaf_for(start.game, "win")
    return {
        "turn_us": 1e6 / rate(turns(Trivial(start.game))),
        "turn_with_model_us": 1e6 / rate(turns(judge)),
        "two_turns_ms": 1e3 / rate(turns(Lookahead(judge))),
    }
