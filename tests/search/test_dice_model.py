"""The value model of the dice game: its arithmetic, its symmetries, its strength, its training."""

import json
from operator import le, lt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from shelfie.engine import GAMES, Rng
from shelfie.search.analysis import AnalysisRequest
from shelfie.search.dice import train as training
from shelfie.search.dice.leaf import MoverScore
from shelfie.search.dice.learned import Learned
from shelfie.search.dice.luck import Luck
from shelfie.search.dice.match import forecast, play_games
from shelfie.search.dice.model import DiceModel, load, random_arrays, shapes, shipped
from shelfie.search.dice.potential import Potential
from shelfie.search.dice.searcher import DiceSearcher, leaf_for
from shelfie.search.dice.solution import TurnSolution, after_pass
from shelfie.search.dice.spread import percentiles

DICE = GAMES["dice"]
SHEET = {"columns": [1, 2, 2, 3, 6], "values": [[1, 2, 3, 4, 5]] * 4 + [[0, 0, 0, 0, 9]]}
PAIR = {
    (m, o): k for k, (m, o) in enumerate((m, o) for m in range(6) for o in range(6) if m + o < 6)
}


def shaken(players: int) -> DiceModel:
    """A model whose weights all count."""
    arrays = random_arrays(players, 1)
    arrays["table"] += np.random.default_rng(1).normal(0, 0.1, arrays["table"].shape)
    return DiceModel(players, arrays)


def some_turns(players: int, games: int) -> list[Any]:
    """Decisions with the last re-roll gone, from games of random moves."""
    found, random = [], Random(players)
    for game in range(games):
        position = DICE.new(players, None)
        step = 0
        while position.node != "terminal":
            if position.node == "decision" and position.open_items(position.to_move):
                found.append(position)
            moves = position.legal_moves()
            final = [m for m in moves if not m.startswith("keep")]
            move = random.choice(random.choice([moves, final]))
            position, _ = position.apply(move, rng=Rng(f"m{game}", step))
            step += 1
    return found[::3]


def rows(position: Any, seat: int) -> list[int]:
    """The table rows of a seat's view, from the boards as text."""
    n, boards = position.players, position.to_json()["boards"]
    columns = [["".join(column) for column in zip(*board, strict=True)] for board in boards]
    points = [part["total"] for part in position.scores()]
    closed = [sum("." not in shelf for shelf in board) for board in boards]
    others = [p for p in range(n) if p != seat]

    def word(shelf: str) -> int:
        return sum("xo.".index(item) * 3**i for i, item in enumerate(shelf))

    def pair(one: str, other: str) -> int:
        a, b = (PAIR[line.count("o"), line.count(".")] for line in (one, other))
        return 21 * a + b

    found = [word(boards[seat][r]) for r in range(5)]
    for p in others:
        found += [243 + word(boards[p][r]) for r in range(5)]
        found += [486 + pair(boards[seat][r], boards[p][r]) for r in range(5)]
        found += [927 + 441 * c + pair(columns[seat][c], columns[p][c]) for c in range(5)]
    ahead = min(max(points[seat] - max(points[p] for p in others), -40), 40)
    found.append(3132 + 40 + ahead + 81 * (max(closed) >= 2))
    most = max(closed[p] for p in others)
    first = position.to_json()["first_player"]
    place = (seat - position.to_move) % n * n + (seat - first) % n
    found.append(3294 + 16 * place + 4 * min(closed[seat], 3) + min(most, 3))
    return found


def plain(model: DiceModel, position: Any) -> list[float]:
    """Win shares of a state before its first roll, in double precision and without short cuts."""
    arrays = {name: a.astype(np.float64) for name, a in model.arrays.items()}
    n = position.players

    def logit(seat: int) -> float:
        first = arrays["first_bias"] + arrays["table"][rows(position, seat)].sum(axis=0)
        second = arrays["middle_bias"] + np.maximum(first, 0) @ arrays["middle"]
        out = arrays["last_bias"] + arrays["last"] @ np.maximum(second, 0)
        return float(out[0])

    if n == 2:
        seat = 1 - position.to_move
        share = 1 / (1 + np.exp(-logit(seat)))
        return [share if p == seat else 1 - share for p in range(2)]
    weights = np.exp([logit(p) for p in range(n)])
    return list(weights / weights.sum())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_like_plain_arithmetic(players: int) -> None:
    """Win shares of after-states are those of the formula in model.pxd over rows told by text."""
    model = shaken(players)
    compared = 0
    for position in some_turns(players, 3):
        leaf = Learned(position.game, model)
        solution = TurnSolution(leaf, position)
        for move in position.moves()[-3:]:
            if position.move_detail(move)["type"] == "keep":
                continue
            after, _ = position.apply(position.format_move(move))
            if after.node == "chance" and after.dice is None:
                _, win, _ = solution.judge_move(move)
                assert win == pytest.approx(plain(model, after), abs=1e-5)
                compared += 1
    assert compared > 40


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_short_way_equals_the_long_way(players: int) -> None:
    """Values of a turn's after-states, summed by differences, equal each one's own to the bit."""
    model = shaken(players)
    for position in some_turns(players, 4):
        solution = TurnSolution(Learned(position.game, model), position)
        for move in position.moves():
            value, win, _ = solution.judge_move(move)
            if position.move_detail(move)["type"] != "keep":
                assert value == win[position.to_move]
                assert sum(win) == pytest.approx(1, abs=1e-12)


def test_shelves_may_change_places() -> None:
    """Shelves exchanged on all boards leave the value to the last bit: sums are of integers."""
    one = "o.o../.oo../o...o/ooo../.....|oo.../...../.o.../..o../ooo.. 1 0 - 2"
    other = "ooo../o.o../...../.oo../o...o|..o../oo.../ooo../...../.o... 1 0 - 2"
    leaf = leaf_for(DICE.read(one).game, "win")
    assert leaf.name == shipped(2).id
    shares = [TurnSolution(leaf, DICE.read(text)).root()[1] for text in (one, other)]
    assert shares[0] == pytest.approx(shares[1], abs=1e-12)


def test_who_is_judged_by_what() -> None:
    """The default sheet by the model of its players, other sheets by the potential."""
    for players in (2, 3, 4):
        assert leaf_for(DICE.new(players, None).game, "win").name == shipped(players).id
        custom = DICE.new(players, None, sheet=SHEET).game
        assert isinstance(leaf_for(custom, "score"), Potential)
        with pytest.raises(ValueError, match="another game"):
            Learned(custom, shipped(players))
    with pytest.raises(ValueError, match="another game"):
        Learned(DICE.new(3, None).game, shipped(2))
    assert DiceSearcher.model_ids() == [shipped(n).id for n in (2, 3, 4)] + ["potential"]
    position = DICE.new(2, None).apply("roll", "PPGBTC")[0]
    assert DiceSearcher().search(position, position.moves(), AnalysisRequest()).model == (
        shipped(2).id
    )


def test_models_are_checked_when_read(tmp_path: Path) -> None:
    """A saved model reads back equal; wrong shapes are refused; the id tells weights apart."""
    model = shaken(3)
    np.savez(tmp_path / "m.npz", **model.arrays)
    assert load(3, tmp_path / "m.npz").id == model.id != shipped(3).id
    with pytest.raises(ValueError, match="shape"):
        DiceModel(2, model.arrays)
    assert {name: a.shape for name, a in model.arrays.items()} == shapes(3)


@pytest.mark.parametrize(("players", "share"), [(2, 0.75), (3, 0.55), (4, 0.4)])
def test_stronger_than_own_points(players: int, share: float) -> None:
    """The model beats play for the own points in every seat rotation, luck taken off."""
    start = DICE.new(players, None)
    ours, theirs = leaf_for(start.game, "win"), MoverScore(start.game)
    total, games = 0.0, 30
    for seat in range(players):
        leaves = [ours if s == seat else theirs for s in range(players)]
        played = play_games(start, leaves, "model", games, judge=ours)
        assert all(sum(win) == pytest.approx(1, abs=1e-9) for win, _, _ in played)
        total += sum(win[seat] for win, _, _ in played)
    assert total / (players * games) > share


@pytest.mark.parametrize("players", [2, 3, 4])
def test_forecasts_of_scores(players: int) -> None:
    """Expected scores miss by little on average, all over a game."""
    start = DICE.new(players, None)
    leaf = leaf_for(start.game, "win")
    said = forecast(start, leaf, "scores", 300)
    for early in (True, False):
        gaps = [s - e for f in said if (2 * f.turn < f.turns) == early
                for s, e in zip(f.expected, f.scores, strict=True)]  # fmt: skip
        assert abs(sum(gaps) / len(gaps)) < 4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_percentiles_hold_in_other_games(players: int) -> None:
    """About a tenth of the final scores lie below p10 and above p90, early and late in a game."""
    start = DICE.new(players, None)
    leaf, table = leaf_for(start.game, "win"), shipped(players).spread
    assert table.shape == (26, 3)
    said = forecast(start, leaf, "percentiles", 200)
    for early in (True, False):
        below, middle, above = [], [], []
        for f in said:
            if (2 * f.turn < f.turns) == early:
                told = percentiles(table, f.open_items, f.points, f.expected)
                assert all(map(le, f.points, told["p10"]))
                below += map(lt, f.scores, told["p10"])
                middle += map(lt, f.scores, told["p50"])
                above += map(lt, told["p90"], f.scores)
        assert 0.05 < sum(below) / len(below) < 0.15
        assert 0.4 < sum(middle) / len(middle) < 0.6
        assert 0.05 < sum(above) / len(above) < 0.15


def test_luck_has_mean_zero() -> None:
    """Over all 462 first rolls, and all outcomes of a keep, the luck sums to nothing."""
    start = DICE.read("o.o../.oo../o...o/ooo../.....|oo.../...../.o.../..o../ooo.. 1 0 - 2")
    total = [0.0, 0.0]
    for dice, chance in start.outcomes("roll").items():
        luck = Luck(2)
        luck.watch(start, "roll", start.apply("roll", dice)[0])
        assert luck.win[0] == pytest.approx(-luck.win[1], abs=1e-12)
        total[0] += chance * luck.win[1]
        total[1] += chance * luck.score[1]
    assert total == pytest.approx([0, 0], abs=1e-9)
    rolled = start.apply("roll", "PPGTJJ")[0]
    total = [0.0, 0.0]
    for dice, chance in rolled.outcomes("keep:PPJ").items():
        luck = Luck(2)
        luck.watch(start, "roll", rolled)
        luck.win = luck.score = [0.0, 0.0]
        luck.watch(rolled, "keep:PPJ", rolled.apply("keep:PPJ", dice)[0])
        total[0] += chance * luck.win[1]
    assert total[0] == pytest.approx(0, abs=1e-9)
    with pytest.raises(ValueError, match="beginning"):
        Luck(2).watch(rolled, "keep:PPJ", rolled.apply("keep:PPJ", "PPJPPJ")[0])


def test_adjusted_results_keep_their_mean() -> None:
    """With and without luck the mean is the same within its error, and the spread is smaller."""
    start = DICE.new(2, None)
    ours, theirs = leaf_for(start.game, "win"), MoverScore(start.game)
    raw, less = (
        np.array([win[0] for win, _, _ in play_games(start, [theirs, ours], "u", 400, judge=judge)])
        for judge in (None, ours)
    )
    gap = raw - less
    assert abs(gap.mean()) < 3.3 * gap.std() / 20
    assert less.std() < 0.6 * raw.std()


def test_training_repeats_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal rounds and seed give equal weights, whatever the threads, resumed or not."""
    monkeypatch.setattr(training, "GAMES", 40)
    monkeypatch.setattr(training, "LOG_EVERY", 1)
    ids = []
    for threads in (1, 3):
        monkeypatch.setattr(training, "THREADS", threads)
        training.train(3, 1, 7, tmp_path / f"{threads}.npz", rounds=2)
        ids.append(load(3, tmp_path / f"{threads}.npz").id)
    assert ids[0] == ids[1]
    lines = (tmp_path / "1.log.jsonl").read_text().splitlines()
    assert [json.loads(line)["games"] for line in lines] == [40, 80]
    save = training._save

    def interrupted(*args: Any) -> None:
        save(*args)
        raise KeyboardInterrupt

    out = tmp_path / "resumed.npz"
    monkeypatch.setattr(training, "_save", interrupted)
    with pytest.raises(KeyboardInterrupt):
        training.train(3, 1, 7, out, rounds=2)
    monkeypatch.setattr(training, "_save", save)
    assert load(3, out).id != ids[0]
    training.train(3, 1, 7, out, rounds=2, resume=True)
    assert load(3, out).id == ids[0]


def test_after_a_pass() -> None:
    """A position whose mover can only pass is judged as what follows it."""
    closed = "oxxxx/xoxxx/xxoxx/xxxox/xxxxo"
    boards = f"{closed}|ooo../...../...../...../.....|...../...../...../...../....."
    position = DICE.read(f"{boards} 0 2 - 2")
    leaf = leaf_for(position.game, "win")
    win, _, exact = after_pass(position, leaf)
    assert not exact
    assert win == pytest.approx(plain(shipped(3), position.apply("pass")[0]), abs=1e-5)
