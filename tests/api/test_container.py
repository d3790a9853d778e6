"""A container's limit on processor time is its number of cores."""

from pathlib import Path

import pytest

from shelfie.api.container import cores_allowed
from shelfie.api.settings import cores


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("200000 100000", 2),
        ("150000 100000", 2),
        ("50000 100000", 1),
        ("max 100000", None),
        ("", None),
    ],
)
def test_limits(tmp_path: Path, text: str, expected: int | None) -> None:
    (tmp_path / "cpu.max").write_text(text + "\n", encoding="utf-8")
    assert cores_allowed(tmp_path) == expected


@pytest.mark.parametrize(("quota", "expected"), [("400000", 4), ("-1", None)])
def test_limits_of_the_first_version(tmp_path: Path, quota: str, expected: int | None) -> None:
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(quota + "\n", encoding="utf-8")
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n", encoding="utf-8")
    assert cores_allowed(tmp_path) == expected


def test_no_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cores_allowed(tmp_path) is None
    monkeypatch.setattr("shelfie.api.settings.cores_allowed", lambda: None)
    everything = cores()
    monkeypatch.setattr("shelfie.api.settings.cores_allowed", lambda: 1)
    assert cores() == 1 <= everything
