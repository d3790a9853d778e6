"""`shelfie positions`: varied, without repeats, equal for equal seeds, and fit for a batch."""

import gzip
import itertools
import json
from pathlib import Path

import pytest

from shelfie.api.cli import main
from shelfie.api.schemas import load
from shelfie.engine import GAMES
from shelfie.search.corpus import Corpus, positions

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize("game", GAMES)
def test_decisions_of_all_phases_without_repeats(game: str) -> None:
    found = list(itertools.islice(positions(Corpus(game, (2, 3, 4), "s")), 150))
    assert len(set(found)) == len(found)
    read = [GAMES[game].read(text) for text in found]
    assert {position.node for position in read} == {"decision"}
    assert {position.players for position in read} == {2, 3, 4}
    assert not any(position.hidden() for position in read), "others' cards are not shown"
    marks = [sum(score["total"] for score in position.scores()) for position in read]
    assert min(marks) == 0
    assert max(marks) > 20, "late positions as well as early ones"


@pytest.mark.parametrize("game", GAMES)
def test_workers_change_nothing_and_the_seed_all(game: str) -> None:
    first = list(itertools.islice(positions(Corpus(game, (2,), "s")), 60))
    with_two = positions(Corpus(game, (2,), "s"), workers=2)
    assert list(itertools.islice(with_two, 60)) == first
    with_two.close()
    other = set(itertools.islice(positions(Corpus(game, (2,), "t")), 60))
    assert len(other & set(first)) < 10


def test_lines_of_a_batch(tmp_path: Path, capsys: Captured) -> None:
    out, packed = tmp_path / "p.jsonl", tmp_path / "p.gz"
    arguments = ["positions", "--game", "tile", "--count", "12", "--workers", "1", "--seed", "s"]
    asked = ["--playouts", "40", "--top", "2", "--level", "3"]
    for file in (out, packed):
        assert main([*arguments, *asked, "--out", str(file)]) == 0
    assert gzip.decompress(packed.read_bytes()) == out.read_bytes()
    items = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert [item["id"] for item in items] == [f"tile-{number}" for number in range(12)]
    for item in items:
        values = load(item["game"], item["op"], item["request"])
        assert (values["top"], values["level"], values["limits"]["playouts"]) == (2, 3, 40)
    assert main([*arguments, "--plain", "--out", str(out)]) == 0
    assert out.read_text().splitlines() == [item["request"]["position"] for item in items]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "arguments",
    [["--count", "-1"], ["--workers", "0"], ["--depth", "1"], ["--level", "11"],
     ["--op", "score", "--top", "1"], ["--out", "/nothing/there"]],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(capsys: Captured, arguments: list[str]) -> None:
    assert main(["positions", "--game", "tile", "--workers", "1", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("shelfie: ")
