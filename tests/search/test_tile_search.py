"""The tile search: legal, repeatable, exact where it says so, blind to what is hidden."""

import itertools

import pytest

from shelfie.engine import GAMES, Position, Rng
from shelfie.search import AnalysisRequest, Limits, NoMoveLeft, analyze, evaluate
from shelfie.search.agents import make
from shelfie.search.analysis import IllegalFilter, margin
from shelfie.search.arena import walk
from shelfie.search.tile.endgame import solve
from shelfie.search.tile.greedy import greedy_move

TILE = GAMES["tile"]
SMALL = Limits(playouts=60)


def greedy_game(players: int, seed: str, **options: object) -> list[Position]:
    """Every decision of a game that the greedy player plays with itself."""
    agents = [make("greedy", "tile")] * players
    start = TILE.new(players, Rng(seed), **options)
    return [here for here in walk(start, agents, seed) if here.node == "decision"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_legal_move_is_ranked_once_and_shares_sum_to_one(players: int) -> None:
    for position in greedy_game(players, "ranked")[::9]:
        answer = analyze(position, AnalysisRequest(limits=SMALL))
        assert sorted(m.move for m in answer.moves) == position.legal_moves()
        assert [m.rank for m in answer.moves] == list(range(1, len(answer.moves) + 1))
        assert answer.chosen is answer.moves[0]
        assert answer.moves[0].loss == 0
        for entry in answer.moves:
            assert sum(entry.win_probability) == pytest.approx(1, abs=1e-12)
            assert entry.loss >= 0
        assert sum(answer.root.win) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("objective", ["win", "score"])
def test_equal_requests_have_equal_answers(objective: str) -> None:
    position = greedy_game(2, "equal")[7]
    request = AnalysisRequest(limits=SMALL, objective=objective)
    first, second = analyze(position, request), analyze(position, request)
    second.time_ms = first.time_ms
    assert first == second
    assert first.playouts == 60
    assert first.stopped_by == "playouts"


def test_what_the_mover_cannot_see_changes_nothing() -> None:
    """Two positions alike to the mover: other cards of the other seats, or none known."""
    for position in greedy_game(3, "blind")[4::12]:
        seat = position.to_move
        views = []
        fields = position.to_json()
        free = [c for c in range(1, 13) if c != fields["personal_goals"][seat]]
        for cards in (free[:2], free[5:7], [None, None]):
            rest = iter(cards)
            goals = [g if p == seat else next(rest) for p, g in enumerate(fields["personal_goals"])]
            twin = TILE.read(fields | {"personal_goals": goals})
            answer = analyze(twin, AnalysisRequest(limits=SMALL))
            answer.time_ms, answer.warnings = 0, []
            views.append(answer)
        assert views[0] == views[1] == views[2]


def test_open_information_uses_the_known_cards() -> None:
    position = greedy_game(2, "open")[10]
    request = AnalysisRequest(limits=SMALL, information="open")
    assert analyze(position, request).root != analyze(position, AnalysisRequest(limits=SMALL)).root


def test_filters_hold_and_bad_ones_are_named() -> None:
    position = greedy_game(2, "filters")[3]
    moves = position.legal_moves()
    answer = analyze(position, AnalysisRequest(limits=SMALL, allow=tuple(moves[:5])))
    assert sorted(m.move for m in answer.moves) == moves[:5]
    answer = analyze(position, AnalysisRequest(limits=SMALL, avoid=tuple(moves[1:])))
    assert [m.move for m in answer.moves] == moves[:1]
    with pytest.raises(NoMoveLeft):
        analyze(position, AnalysisRequest(limits=SMALL, allow=()))
    with pytest.raises(IllegalFilter) as caught:
        analyze(position, AnalysisRequest(allow=("x",), avoid=(moves[0], "00>0", "refill")))
    assert [f[:2] for f in caught.value.faults] == [("allow", 0), ("avoid", 1), ("avoid", 2)]


def test_chance_nodes_have_a_value_and_one_move() -> None:
    players = [make("greedy", "tile")] * 2
    walked = walk(TILE.new(2, Rng("chance")), players, "chance")
    node = next(here for here in walked if here.node == "chance")
    answer = analyze(node, AnalysisRequest(limits=SMALL))
    assert answer.status == "chance"
    assert [m.move for m in answer.moves] == ["refill"]
    assert evaluate(node, AnalysisRequest(limits=SMALL)).root == answer.root


@pytest.mark.parametrize("players", [2, 3, 4])
def test_searching_beats_the_greedy_player(players: int) -> None:
    """Not a measurement, only far from chance: 12 games from one fixed seed."""
    agents = [make("full:playouts=40", "tile")] + [make("greedy", "tile")] * (players - 1)
    won = 0.0
    for number in range(12):
        *_, end = walk(TILE.new(players, Rng(f"beat/{number}")), agents, f"beat/{number}")
        won += (end.winners() or [0.0])[0]
    assert won >= 10


# ---- exact endings


def brute_force(position: Position, seat: int) -> int:
    """Margin of `seat` under best play of both, by trying everything."""
    if position.node == "terminal":
        return int(margin([s["total"] for s in position.scores()], seat))
    assert position.node == "decision"
    values = [brute_force(position.apply(m)[0], seat) for m in position.legal_moves()]
    return max(values) if position.to_move == seat else min(values)


def test_exact_endings_agree_with_trying_everything() -> None:
    tried = 0
    for number in itertools.count():
        for position in greedy_game(2, f"end/{number}")[-3:]:
            moves = position.moves()
            solved = solve(position, moves, 2_000)
            if solved is None or len(moves) > 40:
                continue
            seat = position.to_move
            for move, (win, score) in zip(moves, solved, strict=True):
                after, _ = position.apply(position.format_move(move))
                assert margin(score, seat) == brute_force(after, seat)
                if after.node == "terminal":
                    assert win == after.winners()
            tried += 1
        if tried >= 12:
            return


def test_an_exact_answer_says_so() -> None:
    position = greedy_game(2, "end/0")[-1]
    answer = analyze(position, AnalysisRequest(information="open"))
    assert answer.stopped_by in ("exact", "forced")
    assert all(m.standard_error == 0 for m in answer.moves)


# ---- levels and reasons


@pytest.mark.parametrize("level", [1, 4, 6])
def test_levels_repeat_themselves(level: int) -> None:
    position = greedy_game(2, "levels")[6]
    request = AnalysisRequest(level=level, seed="7")
    first, second = analyze(position, request), analyze(position, request)
    second.time_ms = first.time_ms
    assert first == second
    other = analyze(position, AnalysisRequest(level=level, seed="8"))
    assert level > 4 or [m.move for m in other.moves] != [m.move for m in first.moves]


def test_points_of_the_reasons_are_the_points_of_the_move() -> None:
    for players in (2, 3):
        for position in greedy_game(players, "reasons")[::5]:
            seat = position.to_move
            answer = analyze(position, AnalysisRequest(limits=SMALL))
            for entry in answer.moves:
                after, _ = position.apply(entry.move)
                gained = after.scores()[seat]["total"] - position.scores()[seat]["total"]
                assert sum(r.get("points", 0) for r in entry.reasons) == gained


def test_the_greedy_player_takes_the_most_points() -> None:
    for position in greedy_game(2, "greedy")[::4]:
        seat = position.to_move

        def total(move: str, position: Position = position, seat: int = seat) -> int:
            points: int = position.apply(move)[0].scores()[seat]["total"]
            return points

        chosen = position.format_move(greedy_move(position, 1))
        assert total(chosen) == max(map(total, position.legal_moves()))
