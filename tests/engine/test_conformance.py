"""What every game promises, run over every game: random walks that look at each step.

A new game passes these before it is searched; nothing here knows a rule of any of them.
"""

from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import pytest

from shelfie.engine import GAMES, IllegalMove, InvalidPosition, Position, Rng
from shelfie.engine.errors import InvalidOption

CASES = list(product(GAMES, (2, 3, 4)))
SEEDS = range(6)
# Far above what the rules allow (30 turns a seat with tiles; 25 turns of a roll and two
# re-rolls with dice, refills and rolls included), far below a game that does not end.
STEPS_AT_MOST = {2: 250, 3: 375, 4: 500}

every_game = pytest.mark.parametrize(("game", "players"), CASES)


@dataclass
class Step:
    """One move of a walk."""

    before: Position
    move: str
    outcome: Any
    after: Position


def start(game: str, players: int, seed: int) -> Position:
    return GAMES[game].new(players, Rng(f"start-{seed}"))


def walk(game: str, players: int, seed: int) -> list[Step]:
    """Every step of one random game."""
    position, random, rng = start(game, players, seed), Random(seed), Rng(f"walk-{seed}")
    steps = []
    while position.node != "terminal":
        move = random.choice(position.legal_moves())
        after, outcome = position.apply(move, rng=rng)
        steps.append(Step(position, move, outcome, after))
        position = after
        assert len(steps) < STEPS_AT_MOST[players]
    return steps


def positions(game: str, players: int, seed: int) -> list[Position]:
    """Every position of one random game, the first and the last included."""
    steps = walk(game, players, seed)
    return [steps[0].before, *(step.after for step in steps)]


@every_game
def test_nodes_and_moves(game: str, players: int) -> None:
    """A live position has moves, sorted and each once; a chance node has its one; the end none."""
    for seed in SEEDS:
        for position in positions(game, players, seed):
            moves = position.legal_moves()
            assert position.node in ("decision", "chance", "terminal")
            assert position.players == players
            assert 0 <= position.to_move < players
            assert moves == sorted(set(moves))
            assert bool(moves) is (position.node != "terminal")
            if position.node == "chance":
                assert moves == [position.chance_move]
            if position.node != "decision":
                assert position.moves() == []


@every_game
def test_packed_moves_and_texts_are_one_to_one(game: str, players: int) -> None:
    for seed in SEEDS[:2]:
        for position in positions(game, players, seed):
            packed = position.moves()
            texts = [position.format_move(move) for move in packed]
            assert len(set(packed)) == len(set(texts)) == len(packed)
            assert [position.parse_move(text) for text in texts] == packed
            assert all(position.move_detail(move)["type"] for move in packed)
            if position.node == "decision":
                assert sorted(texts) == position.legal_moves()


@every_game
def test_apply_leaves_its_position_alone(game: str, players: int) -> None:
    for seed in SEEDS:
        position = start(game, players, seed)
        random, rng = Random(seed), Rng(f"{seed}")
        while position.node != "terminal":
            before = position.state_bytes(), position.notation(), position.to_json()
            after, _ = position.apply(random.choice(position.legal_moves()), rng=rng)
            assert (position.state_bytes(), position.notation(), position.to_json()) == before
            assert after is not position
            position = after


@every_game
def test_apply_equals_apply_on_what_was_written_and_read(game: str, players: int) -> None:
    """Nothing that matters is missing in the written forms: a copy through them plays alike."""
    for seed in SEEDS:
        for step in walk(game, players, seed):
            for written in (step.before.to_json(), step.before.notation()):
                copy = GAMES[game].read(written)
                after, outcome = copy.apply(step.move, outcome=step.outcome)
                assert outcome == step.outcome
                assert after.state_bytes() == step.after.state_bytes()


@every_game
def test_codec_round_trip(game: str, players: int) -> None:
    for seed in SEEDS:
        for position in positions(game, players, seed):
            for written in (position.to_json(), position.notation()):
                again = GAMES[game].read(written)
                assert again == position
                assert hash(again) == hash(position)
                assert again.key == position.key
                assert again.to_json() == position.to_json()
                assert again.notation() == position.notation()
                assert again.state_bytes() == position.state_bytes()
            assert "\n" not in position.notation()
            assert str(position.notation()) in repr(position)


@every_game
def test_written_json_is_the_callers_own(game: str, players: int) -> None:
    """Changing what `to_json` gave changes no position."""
    position = start(game, players, 1)
    before, value = position.notation(), position.to_json()
    for field in value.values():
        if isinstance(field, list):
            field.clear()
    assert position.notation() == before


@every_game
def test_drawn_outcomes_are_accepted_and_given_back(game: str, players: int) -> None:
    drawn = 0
    for seed in SEEDS:
        for step in walk(game, players, seed):
            if step.outcome is None:
                continue
            drawn += 1
            after, outcome = step.before.apply(step.move, outcome=step.outcome)
            assert outcome == step.outcome
            assert after == step.after
    assert drawn > 0


@every_game
def test_same_seed_same_draws(game: str, players: int) -> None:
    def texts(walked: list[Step]) -> list[Any]:
        return [(step.move, step.outcome, step.after.notation()) for step in walked]

    assert texts(walk(game, players, 3)) == texts(walk(game, players, 3))
    ends = {walk(game, players, seed)[-1].after.notation() for seed in SEEDS}
    assert len(ends) == len(SEEDS)


@every_game
def test_chance_needs_an_outcome_or_a_generator(game: str, players: int) -> None:
    for step in walk(game, players, 0):
        if step.outcome is None:
            with pytest.raises(IllegalMove) as refused:
                step.before.apply(step.move, outcome=["nothing"])
        else:
            with pytest.raises(IllegalMove) as refused:
                step.before.apply(step.move)
        assert refused.value.field == "outcome"


@every_game
def test_scores_and_winners(game: str, players: int) -> None:
    """Scores for every seat at any time; win shares at the end only, and they sum to one."""
    for seed in SEEDS:
        for position in positions(game, players, seed):
            scores = position.scores()
            assert len(scores) == players
            assert all(score["total"] >= 0 for score in scores)
            shares = position.winners()
            if position.node != "terminal":
                assert shares is None
                continue
            assert len(shares) == players
            assert sum(shares) == pytest.approx(1.0, abs=1e-12)
            best = max(score["total"] for score in scores)
            for score, share in zip(scores, shares, strict=True):
                assert 0.0 <= share <= 1.0
                assert share == 0.0 or score["total"] == best


@every_game
def test_other_texts_are_refused(game: str, players: int) -> None:
    """Moves of other positions and junk: IllegalMove, which names the move as what is wrong."""
    texts = {step.move for name in GAMES for step in walk(name, players, 0)}
    texts |= {"", " ", "resign", "0", "٣٣>0", "\ud800", "34>0\n", "x" * 100_000, "34>0" * 30_000}
    for position in positions(game, players, 0)[::5]:
        listed = position.legal_moves()
        respelled = {tuple(sorted(move)) for move in listed}  # may be accepted in another order
        for text in sorted(texts):
            if tuple(sorted(text)) in respelled:
                continue
            with pytest.raises(IllegalMove) as refused:
                position.apply(text, rng=Rng("refuse"))
            assert refused.value.field == "move"
            assert refused.value.detail


@every_game
@pytest.mark.parametrize("value", [None, 7, 1.5, True, b"34>0", ["34>0"], {"move": "34>0"}])
def test_only_texts_are_moves(game: str, players: int, value: Any) -> None:
    for position in positions(game, players, 0)[::9]:
        with pytest.raises(IllegalMove):
            position.apply(value, rng=Rng("refuse"))


@every_game
def test_nothing_moves_after_the_end(game: str, players: int) -> None:
    end = walk(game, players, 0)[-1].after
    assert end.legal_moves() == []
    for step in walk(game, players, 0)[:20]:
        with pytest.raises(IllegalMove):
            end.apply(step.move, outcome=step.outcome)


@every_game
def test_other_values_are_no_positions(game: str, players: int) -> None:
    """Anything but a position is refused with InvalidPosition that names its faults."""
    good = start(game, players, 0).to_json()
    bad = [None, True, 7, 1.5, float("nan"), [], {}, "", "x", "\ud800", "9 " * 50_000, b"", ()]
    bad += [{name: good[name] for name in good if name != missing} for missing in good]
    bad += [{**good, "players": wrong} for wrong in (0, 1, 5, 10**40, -1, 2.0, True, "2", None)]
    bad += [{**good, "extra": 1}, [good], {**good, "to_move": players}, {**good, "to_move": -1}]
    for value in bad:
        with pytest.raises(InvalidPosition) as refused:
            GAMES[game].read(value)
        assert refused.value.faults
        assert all(fault.code and fault.detail for fault in refused.value.faults)
        pointers = [fault.pointer for fault in refused.value.faults]
        assert len(set(pointers)) == len(pointers)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [0, 1, 5, -2, 10**40, 2.0, True, "2", None, [2]])
def test_games_are_for_two_to_four(game: str, players: Any) -> None:
    with pytest.raises(InvalidOption) as refused:
        GAMES[game].new(players, Rng("option"))
    assert [fault.pointer for fault in refused.value.faults] == ["/players"]
