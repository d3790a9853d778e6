"""Matches: rotations, independence of workers, journal, sequential test, agents."""

import json
from pathlib import Path

import pytest

from shelfie.search.agents import make, split
from shelfie.search.arena import Match, run
from shelfie.search.sprt import Sprt

MATCH = Match("dice", 2, ("greedy", "random"), 12, "test")


def test_the_number_of_workers_changes_nothing() -> None:
    assert run(MATCH) == run(MATCH, workers=2)


def test_games_are_whole_rotations_and_shares_sum_to_one() -> None:
    found = run(Match("tile", 3, ("greedy", "random", "random"), 4, "test"))
    assert found["games"] == 6
    assert sum(agent["win_share"] for agent in found["agents"]) == pytest.approx(1)


def test_equal_agents_share_evenly() -> None:
    """Every seat is taken by every agent, so nothing is left of who began."""
    found = run(Match("dice", 2, ("greedy", "greedy"), 10, "test"))
    assert [agent["win_share"] for agent in found["agents"]] == pytest.approx([0.5, 0.5])


def test_a_journal_goes_on_where_it_stopped(tmp_path: Path) -> None:
    journal = tmp_path / "match.jsonl"
    whole = run(MATCH, journal=journal)
    lines = journal.read_text().splitlines()
    assert len(lines) == 6
    journal.write_text("\n".join(lines[:3]) + "\n" + lines[3][:20])
    assert run(MATCH, journal=journal) == whole
    other = Match("dice", 2, ("random", "greedy"), 12, "test")
    assert run(other, journal=journal)["agents"][0]["agent"] == "random"
    written = [line for line in journal.read_text().splitlines() if line.endswith("}")]
    kept = [json.loads(line) for line in written]
    assert {tuple(entry["match"][2]) for entry in kept} == {
        ("greedy", "random"),
        ("random", "greedy"),
    }


def test_the_sequential_test_stops_a_clear_match() -> None:
    found = run(Match("dice", 2, ("greedy", "random"), 200, "test"), sprt=Sprt(0, 50))
    assert found["sprt"]["accepted"] == "elo1"
    assert found["games"] < 200
    found = run(Match("dice", 2, ("random", "greedy"), 200, "test"), sprt=Sprt(0, 50))
    assert found["sprt"]["accepted"] == "elo0"


def test_the_share_behind_an_elo_difference() -> None:
    test = Sprt(0, 400)
    assert test.share(0, 2) == pytest.approx(1 / 2)
    assert test.share(0, 4) == pytest.approx(1 / 4)
    assert test.share(400, 2) == pytest.approx(10 / 11)


def test_texts_of_agents() -> None:
    text = "random,full:playouts=5,time_ms=9,http:http://127.0.0.1:1/a,level=3,greedy"
    assert split(text) == [
        "random",
        "full:playouts=5,time_ms=9",
        "http:http://127.0.0.1:1/a,level=3",
        "greedy",
    ]
    with pytest.raises(ValueError, match="unknown agent"):
        make("level:11", "tile")
    with pytest.raises(ValueError, match="as many agents"):
        run(Match("dice", 3, ("greedy", "random"), 6))
