"""Training repeats itself, resumes where it stopped, and learns."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shelfie.search.tile import train as training
from shelfie.search.tile.model import load


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds of a few games, saved every time."""
    monkeypatch.setattr(training, "GAMES_PER_ROUND", 24)
    monkeypatch.setattr(training, "BATCH", 64)
    monkeypatch.setattr(training, "SAVE_EVERY", 1)


@pytest.mark.usefixtures("short")
def test_equal_runs_give_equal_weights(tmp_path: Path) -> None:
    for name in ("a.npz", "b.npz"):
        training.train(2, 0, 5, tmp_path / name, rounds=3)
    a, b = load(tmp_path / "a.npz"), load(tmp_path / "b.npz")
    assert a.id == b.id
    training.train(2, 0, 6, tmp_path / "c.npz", rounds=3)
    assert load(tmp_path / "c.npz").id != a.id


@pytest.mark.usefixtures("short")
def test_a_stopped_run_goes_on_as_if_it_had_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training.train(2, 0, 5, tmp_path / "whole.npz", rounds=4)
    played = training._round

    def stop(*given: Any) -> Any:
        if given[4].rounds == 2:
            raise KeyboardInterrupt
        return played(*given)

    monkeypatch.setattr(training, "_round", stop)
    with pytest.raises(KeyboardInterrupt):
        training.train(2, 0, 5, tmp_path / "parts.npz", rounds=4)
    monkeypatch.setattr(training, "_round", played)
    training.train(2, 0, 5, tmp_path / "parts.npz", rounds=4, resume=True)
    assert load(tmp_path / "parts.npz").id == load(tmp_path / "whole.npz").id
    log = (tmp_path / "parts.log.jsonl").read_text().splitlines()
    assert [json.loads(line)["games"] for line in log] == [24, 48, 72, 96]


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("players", [2, 4])
def test_the_loss_falls(tmp_path: Path, players: int) -> None:
    training.train(players, 0, 5, tmp_path / "x.npz", rounds=16)
    log = (tmp_path / "x.log.jsonl").read_text().splitlines()
    losses = [json.loads(line)["score_loss"] for line in log]
    assert np.mean(losses[-4:]) < 0.5 * np.mean(losses[:2])
