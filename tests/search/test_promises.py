"""What an answer promises beside its values: whose view, how sure, how it ended."""

import time
from dataclasses import replace

import pytest
from sample_positions import DECISIONS

from shelfie.engine import GAMES, Position, Rng
from shelfie.search import AnalysisRequest, IllegalFilter, Limits, NoMoveLeft, analyze, evaluate
from shelfie.search.agents import make
from shelfie.search.analysis import Analysis, MoveValue, Root, SearchResult, margin
from shelfie.search.arena import walk
from shelfie.search.games import SEARCHERS
from shelfie.search.levels import TABLE, blur
from shelfie.search.mcts import Mcts
from shelfie.search.tile.evaluator import TileEvaluator
from shelfie.search.tile.model import shipped

SMALL = Limits(playouts=200)
ROOM_OF_ONE = (
    "9/9/9/9/4C4/9/9/9/9 5/5/5/5/5/3BT|5/5/5/5/5/CG3 1 0 staircase,x_shape ?,7 -"  # refill due
)
DICE_END = (  # two shelves without open items: the round is finished
    "oxxox/ooo../oxo../ooo../oooxx|ooo../ooo../xoo../ooo../xoo..|xoxo./oxo../xooox/oxo../ooxo. "
    "1 0 - 2"
)
ONLY_P2 = (
    "o.o../oo.../.o.../o..../o....|o..../oo.o./...o./o..../o.... 0 0 PPGGTC 0"  # one legal move
)


def games(players: int, seed: str) -> list[Position]:
    start = GAMES["tile"].new(players, Rng(seed))
    return list(walk(start, [make("greedy", "tile")] * players, seed))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_position_is_worth_the_same_whether_moves_are_ranked_or_not(players: int) -> None:
    seats = set()
    for position in [p for p in games(players, "same") if p.node == "decision"][3:11]:
        request = AnalysisRequest(limits=SMALL, include=frozenset())
        assert evaluate(position, request).root == analyze(position, request).root
        seats.add(position.to_move)
    assert len(seats) == players


def test_before_a_refill_the_value_is_that_of_the_refilled_rooms() -> None:
    position = GAMES["tile"].read(ROOM_OF_ONE)
    request = AnalysisRequest(limits=Limits(playouts=2000), include=frozenset())
    rooms = [position.apply("refill", None, Rng(f"room/{i}"))[0] for i in range(12)]
    mean = sum(analyze(room, replace(request, limits=SMALL)).root.win[1] for room in rooms) / 12
    answer = analyze(position, request)
    assert answer.root.win[1] == pytest.approx(mean, abs=0.08)
    assert answer.moves[0].standard_error == answer.root.standard_error > 0


def test_the_tree_refuses_to_rank_moves_where_nobody_chooses() -> None:
    position = GAMES["tile"].read(ROOM_OF_ONE)
    tree = Mcts(position, TileEvaluator(position.game, shipped(2)), 1)
    with pytest.raises(ValueError, match="decision"):
        tree.restrict([])


def test_a_forced_move_is_not_searched() -> None:
    """So that no clock can change the answer, and it is repeatable as it says."""
    position = GAMES["dice"].read(ONLY_P2)
    assert position.legal_moves() == ["mark:P2"]
    plain = analyze(position, AnalysisRequest(seed="1"))
    for limits in (Limits(time_ms=1000), Limits(depth=2)):
        answer = analyze(position, AnalysisRequest(limits=limits, seed="1"))
        answer.time_ms = plain.time_ms
        assert answer == plain
    assert (plain.status, plain.stopped_by, plain.reproducible) == ("forced", "forced", True)


def test_an_ending_cut_short_by_the_clock_is_not_called_repeatable() -> None:
    position = GAMES["dice"].read(DICE_END)
    request = AnalysisRequest(limits=Limits(depth=1))
    assert evaluate(position, request).stopped_by == "exact"
    late = evaluate(position, replace(request, deadline=time.monotonic() - 1))
    assert (late.stopped_by, late.reproducible) == ("deadline", False)


def test_a_depth_that_would_take_too_long_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a time in the request the longest time allowed holds."""
    monkeypatch.setattr("shelfie.search.clock.MAX_TIME_MS", 0)
    position = GAMES["dice"].new(4, Rng("deep"))
    answer = evaluate(position, AnalysisRequest(limits=Limits(depth=3)))
    assert (answer.depth, answer.stopped_by, answer.reproducible) == (1, "time", False)
    far = AnalysisRequest(limits=Limits(depth=3), deadline=time.monotonic() - 1)
    assert evaluate(position, far).stopped_by == "deadline"


def test_a_deadline_that_is_over_leaves_the_distribution_out() -> None:
    position = games(4, "late")[4]
    answer = analyze(position, AnalysisRequest(deadline=time.monotonic() - 1))
    assert (answer.stopped_by, answer.root.percentiles) == ("deadline", None)
    assert answer.chosen is not None
    assert answer.chosen.move in position.legal_moves()
    far = AnalysisRequest(limits=SMALL, deadline=time.monotonic() + 1000)
    assert analyze(position, far).root == analyze(position, replace(far, deadline=None)).root


def test_the_standard_error_has_the_unit_of_the_objective() -> None:
    position = games(2, "unit")[6].masked()
    request = AnalysisRequest(limits=SMALL, include=frozenset(), objective="score", seed="1")
    found = SEARCHERS["tile"].search(position, position.moves(), request, 1)
    tree = Mcts(position, TileEvaluator(position.game, shipped(2), 1), 1)
    tree.restrict(position.moves())
    for _ in range(4):
        tree.run_slice(50)
    points = 20 * tree.root_value()[2]  # the tree counts margins in twenties of points
    assert found.root.standard_error == pytest.approx(points)
    # With the limit in points, hundreds of playouts cannot reach a hundredth of one.
    tight = replace(request, limits=Limits(playouts=320, standard_error=0.01))
    assert analyze(position, tight).stopped_by == "playouts"


@pytest.mark.parametrize("objective", ["win", "score"])
def test_moves_hardly_searched_are_not_called_certain(objective: str) -> None:
    position = games(2, "sure")[6]
    answer = analyze(position, AnalysisRequest(limits=SMALL, objective=objective))
    assert any(entry.playouts == 0 for entry in answer.moves)
    assert all(entry.standard_error > 0 for entry in answer.moves)


@pytest.mark.parametrize(("game", "text"), [("tile", ROOM_OF_ONE), ("dice", DICE_END)])
def test_filters_hold_where_only_chance_moves(game: str, text: str) -> None:
    position = GAMES[game].read(text)
    move = position.legal_moves()[0]
    assert analyze(position, AnalysisRequest(allow=(move,))).status == "chance"
    for filters in ({"allow": ()}, {"avoid": (move,)}, {"allow": (move,), "avoid": (move,)}):
        with pytest.raises(NoMoveLeft):
            analyze(position, AnalysisRequest(**filters))
    with pytest.raises(IllegalFilter):
        analyze(position, AnalysisRequest(avoid=("44>0", "mark:P1")))


@pytest.mark.parametrize("objective", ["win", "score"])
def test_noise_never_gives_away_more_than_the_cap(objective: str) -> None:
    position = GAMES["tile"].new(2, Rng("cap"))
    moves = position.moves()
    level = TABLE["tile"][0]
    unit = 1 if objective == "win" else 20
    for number in range(40):
        values = {}
        found = []
        for place, move in enumerate(moves):
            share = 0.9 - 0.8 * place / len(moves)
            score = [30 + 20 * share, 40.0]
            values[move] = share if objective == "win" else margin(score, 0)
            found.append(MoveValue(move, [share, 1 - share], score))
        result = SearchResult(found, Root([0.9, 0.1], [48.0, 40.0]), "", "", "exact")
        request = AnalysisRequest(level=1, objective=objective)
        blurred = blur(position, result, request, str(number))
        assert blurred.stopped_by == "playouts"  # nothing blurred is proven
        chosen = max(
            blurred.moves, key=lambda v: v.win[0] if objective == "win" else margin(v.score, 0)
        )
        assert max(values.values()) - values[chosen.move] <= level.cap * unit + 1e-9


def test_who_is_told_of_progress_may_search_meanwhile() -> None:
    position = GAMES["tile"].read(DECISIONS["tile"])
    request = AnalysisRequest(limits=Limits(playouts=600))
    told = []

    def progress(found: Analysis) -> None:
        told.append(found.playouts)
        other = AnalysisRequest(limits=Limits(playouts=50), objective="score")
        analyze(GAMES["tile"].new(4, Rng("another")), other)

    found = analyze(position, request, progress=progress)
    expected = analyze(position, request)
    assert told == [256, 512]
    assert (found.moves, found.root) == (expected.moves, expected.root)
