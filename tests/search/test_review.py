"""Reviews: a move is judged as the analysis of its position judges it."""

import itertools
from typing import Any

import pytest
from sample_positions import CHANCES, DECISIONS

from shelfie.engine import GAMES, Position, Rng
from shelfie.search import AnalysisRequest, Limits, analyze
from shelfie.search.review import (
    FORCED,
    GRADES,
    Fortune,
    IllegalRecord,
    Play,
    Tally,
    accuracy,
    grade,
    judge,
    replay,
)

QUICK = {"tile": Limits(playouts=100), "dice": Limits(depth=1)}


def record(game: str, start: Position, longest: int = 200) -> list[Play]:
    """A game played on by taking now this move, now that."""
    rng, plays = Rng("record"), []
    for turn in itertools.count():
        if start.node == "terminal" or turn == longest:
            return plays
        moves = start.legal_moves()
        move = moves[turn * 7 % len(moves)]
        start, outcome = start.apply(move, None, rng)
        plays.append(Play(move, outcome))
    raise AssertionError


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_plays_every_move(game: str) -> None:
    start = GAMES[game].new(3, Rng("start"))
    plays = record(game, start)
    steps = replay(start, plays)
    assert [step.index for step in steps] == list(range(len(plays)))
    assert steps[0].before == start
    assert steps[-1].after.node == "terminal"
    assert all(a.after == b.before for a, b in itertools.pairwise(steps))


@pytest.mark.parametrize("game", GAMES)
def test_the_first_illegal_move_is_named(game: str) -> None:
    start = GAMES[game].read(CHANCES[game])
    chance = start.legal_moves()[0]
    with pytest.raises(IllegalRecord) as missing:
        replay(start, [Play(chance)])
    assert (missing.value.index, missing.value.cause.field) == (0, "outcome")
    plays = [*record(game, start, 3), Play("nonsense"), Play("worse")]
    with pytest.raises(IllegalRecord) as wrong:
        replay(start, plays)
    assert (wrong.value.index, wrong.value.cause.field) == (3, "move")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("objective", ["win", "score"])
def test_rank_and_values_are_the_analysis_s(game: str, objective: str) -> None:
    position = GAMES[game].read(DECISIONS[game])
    request = AnalysisRequest(limits=QUICK[game], objective=objective, seed="s")
    ranked = analyze(position, request).moves
    for entry in (ranked[0], ranked[1], ranked[-1]):
        found = judge(position, request, entry.move)
        assert (found.rank, found.moves_total) == (entry.rank, len(ranked))
        assert found.best.move == ranked[0].move
        assert found.best.win_probability == ranked[0].win_probability
        alone = analyze(position, AnalysisRequest(
            limits=QUICK[game], objective=objective, seed="s", allow=(entry.move,)
        )).moves[0]  # fmt: skip
        known = entry.rank == 1 or entry.standard_error == 0.0
        assert found.played.win_probability == (entry if known else alone).win_probability
        assert found.loss >= 0.0
        assert found == judge_again(position, request, entry.move, found.time_ms)
    assert judge(position, request, ranked[0].move).loss == 0.0
    assert judge(position, request, ranked[0].move).grade == "best"


def judge_again(position: Position, request: AnalysisRequest, move: str, time_ms: int) -> Any:
    found = judge(position, request, move)
    fields = {name: getattr(found, name) for name in found.__dataclass_fields__}
    return type(found)(**{**fields, "time_ms": time_ms})


def test_loss_is_the_difference_of_the_values_shown() -> None:
    for game in GAMES:
        position = GAMES[game].read(DECISIONS[game])
        seat = position.to_move
        request = AnalysisRequest(limits=QUICK[game])
        move = analyze(position, request).moves[-1].move
        found = judge(position, request, move)
        shown = found.best.win_probability[seat] - found.played.win_probability[seat]
        assert found.loss == pytest.approx(max(0.0, shown))


def test_a_forced_move_is_not_judged() -> None:
    start = GAMES["dice"].new(2, Rng("forced"))
    steps = replay(start, record("dice", start))
    decisions = [step.before for step in steps if step.before.node == "decision"]
    position = next(p for p in decisions if len(p.legal_moves()) == 1)
    (move,) = position.legal_moves()
    found = judge(position, AnalysisRequest(), move)
    assert (found.grade, found.rank, found.loss) == (FORCED, 1, 0.0)
    tally = Tally("win")
    tally.add(found)
    assert tally.grades[FORCED] == 1
    assert (tally.mean_loss, tally.accuracy) == (None, None)


def test_grades_and_accuracy_follow_the_loss() -> None:
    for objective, unit in (("win", 1.0), ("score", 20.0)):
        losses = (0.0, 0.01, 0.049, 0.05, 0.099, 0.10, 0.149, 0.15, 1.0)
        names = [grade(unit * loss, 2, objective) for loss in losses]
        assert names == ["best", "good", "good", "inaccuracy", "inaccuracy", "mistake", "mistake",
                         "blunder", "blunder"]  # fmt: skip
        falling = [accuracy(unit * loss, objective) for loss in losses]
        assert falling[0] == 1.0
        assert falling == sorted(falling, reverse=True)
        assert falling[-1] > 0.0
    assert grade(0.5, 1, "win") == "best"
    assert set(names) == set(GRADES)


def test_luck_is_told_for_every_roll_of_turns_that_are_whole() -> None:
    start = GAMES["dice"].new(2, Rng("luck"))
    steps = replay(start, record("dice", start, 20))
    fortune = Fortune(start)
    for step in steps:
        found = fortune.of(step)
        assert (found is not None) is (step.outcome is not None)
        if found is not None:
            assert sum(found[0]) == pytest.approx(0.0, abs=1e-9)
    keep = next(i for i, step in enumerate(steps) if step.move.startswith("keep:"))
    assert Fortune(steps[keep].before).of(steps[keep]) is None
    tile = GAMES["tile"].read(DECISIONS["tile"])
    (step,) = replay(tile, record("tile", tile, 1))
    assert Fortune(tile).of(step) is None
