"""Endings solved whole, against plain expectimax over the twin's rules, turn after turn."""

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import pytest
from reference import dice as twin

from shelfie.engine import GAMES
from shelfie.search.analysis import AnalysisRequest, Limits
from shelfie.search.dice.endgame import Endgame, open_items, turns_after
from shelfie.search.dice.searcher import DiceSearcher
from shelfie.search.dice.solution import TurnSolution

DICE = GAMES["dice"]
FACES = "PGBTCJ"
ROLLS = ["".join(dice) for dice in combinations_with_replacement(FACES, 6)]
KEEPS = ["".join(k) for n in range(6) for k in combinations_with_replacement(FACES, n)]
# Up to eight turns before the end, a block that triggers it, three players.
ENDINGS = [
    "xxxxx/oooo./ooo.o/oo.oo/oooo.|xxxxx/ooo../oooo./.oooo/oo.oo 1 0 - 2",
    "o.ooo/ooooo/oo.oo/ooo.o/.ooo.|oooo./xooxx/ooo.o/oo.oo/o.ooo 0 0 - 2",
    "xxxxx/oo.oo/xxxxx/oooo./ooo.o|xxxxx/oo.oo/ooxxx/.oooo/o..oo|o.ooo/.oooo/oooox/oo.../oooxx "
    "1 0 - 2",
]


def chance_of(dice: str) -> float:
    counts = [dice.count(face) for face in FACES]
    return factorial(len(dice)) / prod(map(factorial, counts)) / 6 ** len(dice)


@cache
def outcomes(kept: str) -> list[tuple[str, float]]:
    """All rolls after keeping these dice, with their chances."""
    rolled = combinations_with_replacement(FACES, 6 - len(kept))
    return [
        ("".join(sorted(kept + "".join(new), key=FACES.index)), chance_of("".join(new)))
        for new in rolled
    ]


@cache
def keeps_of(roll: str) -> list[str]:
    return [k for k in KEEPS if all(k.count(face) <= roll.count(face) for face in FACES)]


class Brute:
    """Win shares and scores per seat of a state before a roll, its mover playing to win."""

    def __init__(self) -> None:
        self.known: dict[str, list[float]] = {}

    def value(self, state: dict[str, Any]) -> list[float]:
        key = repr((state["boards"], state["to_move"]))
        if key not in self.known:
            self.known[key] = self.solve(state)
        return self.known[key]

    def solve(self, state: dict[str, Any]) -> list[float]:
        winners = twin.winners(state)
        if winners is not None:
            return winners + [float(part["total"]) for part in twin.scores(state)]
        if twin.legal_moves(state) == ["pass"]:
            return self.value(twin.apply(state, "pass"))
        best = {roll: self.last(state, roll) for roll in ROLLS}
        for _ in range(2):
            best = self.reroll(best, state["to_move"])
        return mean(best, outcomes(""))

    def last(self, state: dict[str, Any], roll: str) -> list[float]:
        here = state | {"dice": roll, "rerolls_left": 0}
        after = [self.value(twin.apply(here, move)) for move in twin.legal_moves(here)]
        return max(after, key=lambda values: round(values[state["to_move"]], 12))

    @staticmethod
    def reroll(best: dict[str, list[float]], seat: int) -> dict[str, list[float]]:
        kept = {keep: mean(best, outcomes(keep)) for keep in KEEPS}
        return {
            roll: max(
                [best[roll], *(kept[k] for k in keeps_of(roll))],
                key=lambda values: round(values[seat], 12),
            )
            for roll in ROLLS
        }


def mean(best: dict[str, list[float]], chances: list[tuple[str, float]]) -> list[float]:
    size = len(best[chances[0][0]])
    return [sum(chance * best[roll][i] for roll, chance in chances) for i in range(size)]


@pytest.mark.parametrize("text", ENDINGS)
def test_like_brute_force(text: str) -> None:
    """Win shares before the roll are those of trying everything to the end of the game."""
    position = DICE.read(text)
    leaf = Endgame(position.game, turns_after(position))
    _, win, _ = TurnSolution(leaf, position).root()
    assert not leaf.stopped
    assert leaf.depth > 1
    found = Brute().value(position.to_json())
    n = position.players
    assert win == pytest.approx(found[:n], abs=1e-9)
    assert sum(win) == pytest.approx(1, abs=1e-12)


def test_answers_say_exact() -> None:
    """The searcher solves endings whatever the depth, and every move's values are proven."""
    position = DICE.read(ENDINGS[0]).apply("roll", "PPGBCJ")[0]
    for objective in ("win", "score"):
        request = AnalysisRequest(limits=Limits(depth=1), objective=objective)
        result = DiceSearcher().search(position, position.moves(), request)
        assert result.stopped_by == "exact"
        assert result.depth is not None
        assert result.depth > 2
        # The best keep is the mean of the exact values of its outcomes.
        best = max((m for m in result.moves if m.targets), key=lambda m: m.win[1])
        keep = position.format_move(best.move)
        total = 0.0
        for dice, chance in position.outcomes(keep).items():
            after = position.apply(keep, dice)[0]
            total += chance * DiceSearcher().evaluate(after, request).root.win[1]
        if objective == "win":
            assert best.win[1] == pytest.approx(total, abs=1e-9)
        assert result.root.win[1] <= 1


def test_order_of_shelves_does_not_matter() -> None:
    """Shelves changed together on all boards give the same values; unlike shelves do not count."""
    text = ENDINGS[0]
    boards = [board.split("/") for board in text.split()[0].split("|")]
    turned = "|".join("/".join(board[2:] + board[:2]) for board in boards)
    one, other = (
        DiceSearcher().evaluate(DICE.read(t), AnalysisRequest()).root
        for t in (text, turned + text[text.index(" ") :])
    )
    assert one.win == pytest.approx(other.win, abs=1e-12)


def test_too_much_is_refused() -> None:
    """Beyond the budget, or out of time, the leaf says so and the searcher judges instead."""
    position = DICE.read(ENDINGS[0])
    leaf = Endgame(position.game, turns_after(position), budget=3)
    TurnSolution(leaf, position)
    assert leaf.stopped
    assert not leaf.proven
    assert leaf.states == 3
    late = AnalysisRequest(deadline=0.0)
    assert DiceSearcher().evaluate(position, late).stopped_by == "deadline"


def test_bounds_on_the_turns_to_come() -> None:
    """Open items bound the turns until the end is triggered, the round then."""
    assert open_items(DICE.read(ENDINGS[0])) == 9
    assert turns_after(DICE.read(ENDINGS[0])) == 8
    assert turns_after(DICE.read(ENDINGS[2])) == 1
