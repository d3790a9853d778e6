"""The yardsticks of the tile game: the handcrafted judgement and the search a few moves deep."""

import pytest

from shelfie.engine import GAMES, Rng
from shelfie.search.agents import make
from shelfie.search.analysis import margin
from shelfie.search.arena import Match, run, walk
from shelfie.search.beam import Beam
from shelfie.search.tile.endgame import solve
from shelfie.search.tile.evaluator import TileEvaluator
from shelfie.search.tile.hand import HandEvaluator
from shelfie.search.tile.model import shipped

TILE = GAMES["tile"]


@pytest.mark.parametrize("judge", ["model", "hand"])
def test_wide_and_deep_it_plays_endings_exactly(judge: str) -> None:
    """With every move of the last turns looked at, nothing is judged and the best move found."""
    tried = 0
    for number in range(60):
        agents = [make("greedy", "tile")] * 2
        game = list(walk(TILE.new(2, Rng(f"beam/{number}")), agents, f"beam/{number}"))
        for position in game[-3:-1]:
            ending = position.node == "decision" and position.to_json()["end_token"] is not None
            moves = position.moves() if ending else []  # two moves at most are left
            solved = solve(position, moves, 5_000) if moves else None
            if solved is None or len(moves) > 60:
                continue
            evaluator = (
                HandEvaluator(position.game)
                if judge == "hand"
                else TileEvaluator(position.game, shipped(2))
            )
            seat = position.to_move
            found = dict(zip(moves, solved, strict=True))
            win, score = found[position.canonical(Beam(evaluator, 2, 1000).best(position, 1))]
            best = max((w[seat], margin(s, seat)) for w, s in solved)
            assert (win[seat], margin(score, seat)) == best
            tried += 1
    assert tried > 20


def test_each_yardstick_beats_the_one_below() -> None:
    for strong, weak in (
        ("hand", "greedy"),
        ("hand:depth=2", "hand"),
        ("static:depth=2", "static"),
    ):
        found = run(Match("tile", 2, (strong, weak), 24, "yardstick"))
        assert found["agents"][0]["win_share"] > 0.55


def test_what_it_cannot_search_is_refused() -> None:
    position = TILE.new(2, Rng("beam"))
    evaluator = HandEvaluator(position.game)
    for depth, width in ((0, 1), (9, 1), (1, 0)):
        with pytest.raises(ValueError, match="depth"):
            Beam(evaluator, depth, width)
    with pytest.raises(ValueError, match="decision"):
        Beam(evaluator, 1, 1).best(TILE.new(2, Rng("other")), 1)
