"""The searcher of the dice game: complete, consistent, repeatable, and it plays well."""

from operator import le
from random import Random
from typing import Any

import pytest

from shelfie.engine import GAMES, Rng
from shelfie.search.analysis import AnalysisRequest, Limits, SearchResult
from shelfie.search.dice.greedy import greedy_move, hasty_move
from shelfie.search.dice.leaf import MoverScore
from shelfie.search.dice.match import forecast, play_games
from shelfie.search.dice.potential import Potential
from shelfie.search.dice.reasons import reasons
from shelfie.search.dice.searcher import DiceSearcher

DICE = GAMES["dice"]
WIN, SCORE = AnalysisRequest(objective="win"), AnalysisRequest(objective="score")
SHEET = {"columns": [1, 2, 2, 3, 6], "values": [[1, 2, 3, 4, 5]] * 4 + [[0, 0, 0, 0, 9]]}
OPEN = "...../...../...../...../....."
MIDDLE = "o.o../.oo../o...o/ooo../.....|oo.../...../.o.../..o../ooo.. 1 0 {} 2"


def search(position: Any, request: AnalysisRequest = WIN, moves: Any = None) -> SearchResult:
    found = position.moves() if moves is None else moves
    return DiceSearcher().search(position, found, request)


def some_positions() -> list[Any]:
    """Decisions from random games, two to four players, two sheets."""
    found, random = [], Random(5)
    for players in (2, 3, 4):
        for sheet in (None, SHEET):
            position = DICE.new(players, None, sheet=sheet)
            for step in range(40):
                if position.node == "terminal":
                    break
                if position.node == "decision" and step % 5 == 1:
                    found.append(position)
                moves = position.legal_moves()
                final = [m for m in moves if not m.startswith("keep")]
                move = random.choice(random.choice([moves, final]))
                position, _ = position.apply(move, rng=Rng("p", step))
    return found


POSITIONS = some_positions()


@pytest.mark.parametrize("request_", [WIN, SCORE])
def test_every_move_is_valued(request_: AnalysisRequest) -> None:
    """All moves asked for, win shares sum to 1, the root is the best move, the pv is legal."""
    assert len(POSITIONS) > 20
    for position in POSITIONS:
        result = search(position, request_)
        assert [m.move for m in result.moves] == position.moves()
        assert sum(m.policy for m in result.moves) == pytest.approx(1)
        assert result.stopped_by in ("playouts", "exact")
        seat = position.to_move
        for found in result.moves:
            assert sum(found.win) == pytest.approx(1, abs=1e-12)
            assert min(found.win) >= 0
            assert found.pv[0] == position.format_move(found.move)
            assert (len(found.pv) == 2) == found.pv[0].startswith("keep:")
            assert (found.targets is not None) == found.pv[0].startswith("keep:")
        if request_ is WIN:
            best = max(m.win[seat] for m in result.moves)
            assert result.root.win[seat] == pytest.approx(best, abs=1e-9)
        trusted = max(result.moves, key=lambda m: m.policy)
        assert result.root.score == pytest.approx(trusted.score, abs=1e-6) or any(
            other is not trusted and other.policy == pytest.approx(trusted.policy)
            for other in result.moves
        )


def test_only_the_moves_asked_for() -> None:
    """A filtered search values the given moves as the full one does."""
    position = DICE.read(MIDDLE.format("PPGTJJ"))
    whole = {m.move: m for m in search(position).moves}
    some = position.moves()[::7]
    part = search(position, moves=some)
    assert [m.move for m in part.moves] == some
    for found in part.moves:
        assert (found.win, found.score) == (whole[found.move].win, whole[found.move].score)


def test_repeatable() -> None:
    """Equal questions have equal answers, whatever was asked in between."""
    before = [search(position) for position in POSITIONS]
    search(DICE.read(MIDDLE.format("CCCCCC")), SCORE)
    assert [search(position) for position in reversed(POSITIONS)] == before[::-1]


def test_shelves_are_alike() -> None:
    """Renaming shelves with the faces of their dice changes no value on the default sheet."""
    order = [3, 0, 4, 1, 2]
    here = DICE.read(MIDDLE.format("PPGTJJ")).to_json()
    there = {**here, "boards": [[board[i] for i in order] for board in here["boards"]]}
    renamed = {"PGBTC"[old]: "PGBTC"[new] for new, old in enumerate(order)} | {"J": "J"}
    there["dice"] = "".join(renamed[die] for die in here["dice"])
    first, second = search(DICE.read(here)), search(DICE.read(there))
    assert first.root.win == pytest.approx(second.root.win, abs=1e-12)
    assert first.root.score == pytest.approx(second.root.score, abs=1e-9)
    wins = [sorted(m.win[1] for m in result.moves) for result in (first, second)]
    assert wins[0] == pytest.approx(wins[1], abs=1e-12)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("objective", ["win", "score"])
def test_two_turns_are_the_mean_over_the_next(players: int, objective: str) -> None:
    """At depth 2 a final move is worth what the next player's solved turn leaves the mover."""
    others = ".o.../o..../oo.../...../....."
    boards = "|".join(["oo.../oo.../o..../.o.../....."] + [others] * (players - 1))
    position = DICE.read(f"{boards} 0 0 PPGGBC 0")
    deeper = AnalysisRequest(objective=objective, limits=Limits(depth=2))
    result = search(position, deeper)
    assert (result.depth, result.stopped_by) == (2, "playouts")
    for found in result.moves:
        after, _ = position.apply(position.format_move(found.move))
        root = DiceSearcher().evaluate(after, AnalysisRequest(objective=objective)).root
        assert found.win == pytest.approx(root.win, abs=1e-12)
        assert found.score == pytest.approx(root.score, abs=1e-9)


def test_out_of_time_falls_back() -> None:
    """With no time for the second turn the answer is that of the first, and says so."""
    position = DICE.read("...../...../...../...../.....|...../...../...../...../..... 0 0 PPGGBC 2")
    hurried = search(position, AnalysisRequest(limits=Limits(time_ms=0)))
    assert (hurried.depth, hurried.stopped_by) == (1, "time")
    assert hurried.root == search(position).root
    late = search(position, AnalysisRequest(deadline=0.0))
    assert (late.depth, late.stopped_by) == (1, "deadline")


def test_the_last_round_is_solved() -> None:
    """Two turns before the end the answer is exact, and its root is the best of its moves."""
    second, third = "oo.../o..../ooo../oo.../.....", "o..../oo.../.o.../...../o...."
    boards = f"xxxxx/xxxxx/ooo../oo.../o....|{second}|{third}"
    position = DICE.read(f"{boards} 1 0 PBBBJC 1")
    result = search(position)
    assert (result.depth, result.stopped_by) == (2, "exact")
    assert result.root.win[1] == pytest.approx(max(m.win[1] for m in result.moves), abs=1e-12)


def test_reasons_add_up() -> None:
    """Points among the reasons are the change of the mover's total; a keep names its aims."""
    seen = set()
    for position in POSITIONS:
        seat = position.to_move
        for move in position.moves():
            found = reasons(position, move)
            seen |= {entry["type"] for entry in found}
            text = position.format_move(move)
            points = sum(entry.get("points", 0) for entry in found)
            if text.startswith("keep"):
                assert all(0 < entry["gain"] <= entry["probability"] <= 1 for entry in found)
                assert len(found) <= 3
            else:
                after, _ = position.apply(text)
                gained = after.scores()[seat]["total"] - position.scores()[seat]["total"]
                assert points == gained
    assert seen >= {"aim", "shelf_points", "column_points", "items_marked"}
    stuck = DICE.read(f"o.oo./oo.o./oo.o./oo.o./..o.o|{OPEN} 0 0 GGBBTT 0")
    given_up = {"type": "items_given_up", "items": [["P", 2], ["P", 5]]}
    assert given_up in reasons(stuck, stuck.parse_move("cross:P"))
    blocking = DICE.read(".oooo/.o.../...../.o.../.o...|...../...../...../...../..... 0 1 PBBCCC 0")
    entries = reasons(blocking, blocking.parse_move("mark:P1,B2"))
    assert {"type": "shelf_completed", "shelf": "P"} in entries
    assert {"type": "column_completed", "column": 2} in entries
    denied = [entry for entry in entries if entry["type"] == "denial"]
    assert [(entry["seat"], len(entry["items"])) for entry in denied] == [(1, 9)]


def test_targets() -> None:
    """Each open item once, the likeliest first; kept dice that suffice give certainty."""
    position = DICE.read(MIDDLE.format("PPGTJJ"))
    keeps = [m for m in search(position).moves if m.targets is not None]
    for found in keeps:
        assert found.targets is not None
        chances = [entry["probability"] for entry in found.targets]
        assert chances == sorted(chances, reverse=True)
        items = {entry["item"]: entry["probability"] for entry in found.targets}
        assert len(items) == len(chances) == bin(position.open_items(1)).count("1")
        assert all(0 < chance <= 1 for chance in chances)
        if found.pv[0] == "keep:PPJ":
            assert items["P3"] == 1.0
            assert items["G2"] < 1.0


def test_pass_and_finished_games() -> None:
    """A pass is valued by what follows; a finished game has its result."""
    closed = "oxxxx/xoxxx/xxoxx/xxxox/xxxxo"
    passing = DICE.read(f"ooo../...../...../...../.....|{closed} 1 0 - 2")
    result = search(passing)
    assert [m.pv for m in result.moves] == [["pass"]]
    assert result.stopped_by == "exact"
    assert result.root.win == [1.0, 0.0]
    over = passing.apply("pass")[0]
    assert DiceSearcher().evaluate(over, WIN).root.win == [1.0, 0.0]
    assert DiceSearcher().evaluate(over, WIN).root.score == [6.0, 0.0]
    boards = f"{closed}|ooo../...../...../...../.....|...../...../...../...../....."
    middle = DICE.read(f"{boards} 0 2 - 2")
    assert search(middle).stopped_by == "playouts"
    assert sum(DiceSearcher().evaluate(middle, WIN).root.win) == pytest.approx(1)


def test_objective_score() -> None:
    """With the game decided, the score objective still takes the points."""
    boards = "ooooo/ooooo/oooxx/xxxxx/oooxo|xxxxx/xxxxx/oo.../xxxxx/xxxxx"
    position = DICE.read(f"{boards} 1 0 BBBCCC 1")
    assert all(m.win == [1.0, 0.0] for m in search(position).moves)
    result = search(position, SCORE)
    best = max(result.moves, key=lambda m: m.policy)
    assert best.pv[0] == greedy_move(position) == "keep:BBB"
    assert result.stopped_by == "exact"


def test_greedy_and_hasty() -> None:
    """Greedy plans re-rolls for points, hasty never rolls again."""
    position = DICE.read("oo.../...../...../...../.....|...../...../...../...../..... 0 0 PPCGTT 2")
    assert greedy_move(position) == "keep:PP"
    assert hasty_move(position).startswith("mark:")
    sure = DICE.read("oo.../...../...../...../.....|...../...../...../...../..... 0 0 PPPGTC 0")
    both = "mark:P3,G1,T1"  # 6 points for the shelf and 3 for the first column
    assert greedy_move(sure) == hasty_move(sure) == both
    with pytest.raises(ValueError, match="no decision"):
        greedy_move(DICE.new(2, None))


@pytest.mark.parametrize(
    ("players", "sheet", "share"),
    [(2, None, 0.65), (2, SHEET, 0.65), (3, None, 0.45), (4, None, 0.32)],
)
def test_stronger_than_playing_for_own_points(players: int, sheet: Any, share: float) -> None:
    """Over games in every seat rotation the potential beats play for the own points clearly."""
    start = DICE.new(players, None, sheet=sheet)
    ours, theirs, games = Potential(start.game), MoverScore(start.game), 100
    total = 0.0
    for seat in range(players):
        leaves = [ours if s == seat else theirs for s in range(players)]
        played = play_games(start, leaves, "match", games)
        assert played == play_games(start, leaves, "match", games)
        total += sum(win[seat] for win, _, _ in played)
    assert total / (players * games) > share


def test_forecast_is_calibrated() -> None:
    """Said win shares are close to what the games gave, in every fifth of the scale."""
    start = DICE.new(2, None)
    said = [(f.shares[0], f.win[0]) for f in forecast(start, Potential(start.game), "f", 300)]
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        band = [(p, w) for p, w in said if low <= p <= low + 0.2]
        gap = sum(p - w for p, w in band) / len(band)
        assert abs(gap) < 0.15, (low, gap, len(band))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("sheet", [None, SHEET])
def test_percentiles_of_scores(players: int, sheet: Any) -> None:
    """In order, around the expected score, never below the points made; left out unless asked."""
    start = DICE.new(players, None, sheet=sheet)
    told = DiceSearcher().evaluate(start, WIN, seed=1).root.percentiles
    assert told is not None
    assert told == DiceSearcher().evaluate(start, WIN, seed=1).root.percentiles
    for low, middle, high in zip(told["p10"], told["p50"], told["p90"], strict=True):
        assert 0 <= low < middle < high
    plain = AnalysisRequest(include=frozenset({"pv"}))
    assert DiceSearcher().evaluate(start, plain).root.percentiles is None
    late = DICE.read(MIDDLE.format("-"))
    made = [part["total"] for part in late.scores()]
    told = DiceSearcher().evaluate(late, WIN).root.percentiles
    assert told is not None
    assert all(map(le, made, told["p10"]))


def test_late_percentiles_of_own_sheets_are_cut_by_the_deadline() -> None:
    start = DICE.new(2, None, sheet=SHEET)
    over = DiceSearcher().evaluate(start, AnalysisRequest(deadline=0.0))
    assert (over.root.percentiles, over.stopped_by) == (None, "deadline")
