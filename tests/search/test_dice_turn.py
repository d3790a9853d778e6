"""The exact turn against the vectors and against plain expectimax over the twin's rules."""

from functools import cache
from typing import Any

import pytest
from reference import dice as twin
from vectors import load

from shelfie.engine import GAMES
from shelfie.engine.dice.tables import dice_index
from shelfie.search.analysis import AnalysisRequest
from shelfie.search.dice.greedy import greedy_move
from shelfie.search.dice.leaf import MoverScore
from shelfie.search.dice.potential import Potential
from shelfie.search.dice.searcher import DiceSearcher, targets
from shelfie.search.dice.solution import TurnSolution

DICE = GAMES["dice"]

# The last turn of the game: whatever seat 1 or 2 does, the game is over.
LAST_TURNS = [
    "oo.oo/xxxxx/oooxx/oxxxx/ooo.o|oo.../xxxxx/ooo../oxxxx/oo.o. 1 0 PPCCTJ {}",
    "oo.oo/xxxxx/oooxx/oxxxx/ooo.o|ooxxx/ooxxx/ooo../oxoxx/oo.o. 1 0 BBCCTJ {}",
    "ooxoo/xxxxx/oooxx/oxxxx/ooo.o|ooooo/xxxxx/oxxxx/oxxxx/oooo. 1 0 CCCCGJ {}",
    "xxxxx/xxxxx/oo.../o..../o....|ooo../o..../o..../o..../.oo..|oo.../o..../o..../.o.../ooo.. "
    "2 0 PPPJJC {}",
    "oo.oo/xxxxx/oooxx/oxxxx/ooo.o|oo.../xxxxx/ooo../oxxxx/oo.o. 1 0 PPCCTJ {} "
    "2,1,3,2,4:1,2,3,5,8/0,0,0,0,0/1,1,1,1,1/9,9,9,9,9/1,2,3,4,5",
]


def mover_score(after: dict[str, Any], seat: int) -> float:
    return float(twin.scores(after)[seat]["total"])


def win_share(after: dict[str, Any], seat: int) -> float:
    winners = twin.winners(after)
    assert winners is not None, "not the last turn"
    return winners[seat]


class Expectimax:
    """Values of a turn by trying everything; `leaf` judges the twin's after-state."""

    def __init__(self, start: dict[str, Any], leaf: Any) -> None:
        self.start, self.leaf, self.seat = start, leaf, start["to_move"]
        self.value = cache(self.value)  # type: ignore[method-assign]

    def move_values(self, dice: str, rerolls: int) -> dict[str, float]:
        here = self.start | {"dice": dice, "rerolls_left": rerolls}
        return {move: self.move_value(here, move) for move in twin.legal_moves(here)}

    def move_value(self, here: dict[str, Any], move: str) -> float:
        kind, _, rest = move.partition(":")
        if kind != "keep":
            return self.leaf(twin.apply(here, move), self.seat)
        chances = twin.outcomes(rest.replace("-", ""))
        left = here["rerolls_left"] - 1
        return sum(float(p) * self.value(dice, left) for dice, p in chances.items())

    def value(self, dice: str, rerolls: int) -> float:
        return max(self.move_values(dice, rerolls).values())


def test_vectors() -> None:
    """Value, value of every keep, and exactly the best moves, to 1e-9."""
    for case in load("dice_turns"):
        position = DICE.read(case["position"])
        if case["best"] == ["pass"]:
            assert greedy_move(position) == "pass"
            continue
        solution = TurnSolution(MoverScore(position.game), position)
        assert solution.root()[0] == pytest.approx(case["value"], abs=1e-9)
        if position.node == "chance":
            assert case["best"] == ["roll"]
            continue
        values = {position.format_move(m): solution.judge_move(m)[0] for m in position.moves()}
        for move, value in case["move_values"].items():
            assert values[move] == pytest.approx(value, abs=1e-9)
        top = max(values.values())
        assert sorted(m for m in values if values[m] >= top - 1e-9) == case["best"]
        assert greedy_move(position) in case["best"]


@pytest.mark.parametrize("template", LAST_TURNS)
@pytest.mark.parametrize("rerolls", [0, 1])
def test_own_points_like_expectimax(template: str, rerolls: int) -> None:
    """Every move's value for the own points equals plain expectimax."""
    position = DICE.read(template.format(rerolls))
    slow = Expectimax(position.to_json(), mover_score)
    solution = TurnSolution(MoverScore(position.game), position)
    for move, value in slow.move_values(position.dice, rerolls).items():
        found = solution.judge_move(position.parse_move(move))[0]
        assert found == pytest.approx(value, abs=1e-9), move


@pytest.mark.parametrize("template", LAST_TURNS)
def test_last_turn_is_exact(template: str) -> None:
    """On the last turn of a game the win share of every move is that of plain expectimax."""
    position = DICE.read(template.format(1))
    slow = Expectimax(position.to_json(), win_share).move_values(position.dice, 1)
    result = DiceSearcher().search(position, position.moves(), AnalysisRequest())
    assert result.stopped_by == "exact"
    assert len(result.moves) == len(slow)
    for found in result.moves:
        assert found.win[position.to_move] == pytest.approx(slow[found.pv[0]], abs=1e-12)
        assert sum(found.win) == pytest.approx(1, abs=1e-12)
    assert result.root.win[position.to_move] == pytest.approx(max(slow.values()), abs=1e-12)


def test_two_rerolls_like_expectimax() -> None:
    """Both sweeps: every move with two re-rolls left, where few items are open."""
    position = DICE.read(LAST_TURNS[2].format(2))
    slow = Expectimax(position.to_json(), mover_score)
    solution = TurnSolution(MoverScore(position.game), position)
    for move, value in slow.move_values(position.dice, 2).items():
        found = solution.judge_move(position.parse_move(move))[0]
        assert found == pytest.approx(value, abs=1e-9), move


@pytest.mark.parametrize("kept", ["PPJ", "CCT", "PCTJ", "PPCCT"])
@pytest.mark.parametrize("rerolls", [1, 2])
def test_targets_like_expectimax(kept: str, rerolls: int) -> None:
    """The chance to be able to mark an item when all re-rolls are played for it."""
    position = DICE.read(LAST_TURNS[4].format(rerolls))
    kept = "".join(sorted(kept, key="PGBTCJ".index))
    start = position.to_json()

    @cache
    def reach(item: str, dice: str, left: int) -> float:
        here = start | {"dice": dice, "rerolls_left": left}
        moves = twin.legal_moves(here)
        if f"mark:{item}" in moves or left == 0:
            return float(f"mark:{item}" in moves)
        return max(after_keep(item, m[5:], left) for m in moves if m.startswith("keep"))

    def after_keep(item: str, keep: str, left: int) -> float:
        chances = twin.outcomes(keep.replace("-", ""))
        return sum(float(p) * reach(item, dice, left - 1) for dice, p in chances.items())

    for entry in targets(position, dice_index(kept))[:: 2 if rerolls == 1 else 4]:
        if rerolls == 1 or len(kept) > 3:
            expected = after_keep(str(entry["item"]), kept, rerolls)
            assert entry["probability"] == pytest.approx(expected, abs=1e-12)


def test_a_roll_is_the_mean_of_its_outcomes() -> None:
    """The value before the first roll, win shares and scores, is the mean over the 462 rolls."""
    start = DICE.read("o.o../.oo../o...o/ooo../.....|oo.../...../.o.../..o../ooo.. 1 0 - 2")
    ask, searcher = AnalysisRequest(), DiceSearcher()
    root = searcher.evaluate(start, ask).root
    for seat in (0, 1):
        win = score = 0.0
        for dice, chance in start.outcomes("roll").items():
            after = searcher.evaluate(start.apply("roll", dice)[0], ask).root
            win += chance * after.win[seat]
            score += chance * after.score[seat]
        assert root.win[seat] == pytest.approx(win, abs=1e-12)
        assert root.score[seat] == pytest.approx(score, abs=1e-9)


def test_a_solution_needs_a_turn_and_its_own_game() -> None:
    """A finished game, a pass and the leaf of another game are refused."""
    over = DICE.read("oooxx/xxxxx/...../...../.....|...../...../...../...../..... 0 0 - 2")
    passing = DICE.read("...../...../...../...../.....|oxxxx/xoxxx/xxoxx/xxxox/xxxxo 1 0 - 2")
    for position in (over, passing):
        with pytest.raises(ValueError, match="nothing to roll"):
            TurnSolution(Potential(position.game), position)
    with pytest.raises(ValueError, match="another game"):
        TurnSolution(Potential(DICE.new(3, None).game), DICE.new(2, None))
