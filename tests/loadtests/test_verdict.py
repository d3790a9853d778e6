"""What a load run is judged by: every threshold can be missed."""

import importlib.util
import sys
import tomllib
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest
from http_client import CHECKOUT


def load_module(name: str) -> ModuleType:
    """A file of loadtests/, which is no package of the project."""
    spec = importlib.util.spec_from_file_location(
        f"loadtests_{name}", CHECKOUT / "loadtests" / "clients" / f"{name}.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


verdict = load_module("verdict")

LIMITS = {
    "error_share": 0.01,
    "refused_share": 0.1,
    "refused_p99_ms": 100,
    "refusals": True,
    "recovery_s": 3,
    "reached_share": 0.9,
    "games": 2,
    "batches": 2,
    "plateau": {"suggestion": {"p95_ms": 500, "p99_ms": 900}},
}
GOOD = [
    ("suggestion", "plateau", 100, 0, 400.0),
    ("suggestion", "spike", 100, 0, 2000.0),
    ("suggestion refused", "spike", 200, 0, 80.0),
    ("suggestion", "recovery", 100, 0, 300.0),
    ("bot move", "plateau", 50, 0, 700.0),
]
ASKED = {"plateau": 100, "spike": 300, "recovery": 100}
CALM = [(0.5, 2000.0, True), (1.5, 300.0, False), (2.5, 300.0, False)]
ENDED = {"games": 2, "batches": 2}


def missed(
    limits: dict[str, Any] = LIMITS,
    rows: Sequence[tuple[str, str, int, int, float]] = GOOD,
    asked: dict[str, float] = ASKED,
    notes: Sequence[tuple[float, float, bool]] = CALM,
    ended: dict[str, int] = ENDED,
) -> list[str]:
    """The names of the thresholds that a run like this misses; `at` is the same for all shares."""
    made = [verdict.Row(*row[:4], lambda _, value=row[4]: value) for row in rows]
    lengths = {"recovery": 10.0}
    results = list(verdict.judge(limits, made, asked, lengths, notes, ended))
    assert all(str(result).startswith(("ok", "MISSED")) for result in results)
    return [result.name for result in results if not result.met]


def changed(kind: str, phase: str, **values: Any) -> list[tuple[str, str, int, int, float]]:
    names = ("calls", "failures", "at")
    return [
        (row[0], row[1], *(values.get(n, old) for n, old in zip(names, row[2:], strict=True)))
        if row[:2] == (kind, phase)
        else row
        for row in GOOD
    ]  # type: ignore[misc]


def test_a_good_run_misses_nothing() -> None:
    assert missed() == []


@pytest.mark.parametrize(
    ("case", "name"),
    [
        ({"rows": changed("bot move", "plateau", failures=6)}, "error_share"),
        (
            {"rows": [*GOOD, ("suggestion refused", "plateau", 20, 0, 5.0)]},
            "refused_share",
        ),
        ({"rows": changed("suggestion refused", "spike", at=200.0)}, "refused_p99_ms"),
        (
            {"rows": changed("suggestion refused", "spike", calls=0), "asked": {}},
            "refusals in the spike",
        ),
        ({"rows": changed("suggestion", "spike", calls=50)}, "reached_share, spike"),
        ({"ended": {"games": 1, "batches": 2}}, "games"),
        ({"ended": {"games": 2, "batches": 0}}, "batches"),
        ({"rows": changed("suggestion", "plateau", at=600.0)}, "suggestion, p95_ms"),
        ({"notes": [(3.5, 100.0, True), (5.0, 100.0, False)]}, "recovery_s"),
        ({"notes": [(0.5, 100.0, False), (9.9, 900.0, False)]}, "recovery_s"),
        ({"notes": []}, "recovery_s"),
    ],
)
def test_each_threshold_can_be_missed(case: dict[str, Any], name: str) -> None:
    assert missed(**case) == [name]


def test_what_was_not_called_cannot_be_good() -> None:
    silent = [row for row in GOOD if row[:2] != ("suggestion", "plateau")]
    limits = {"plateau": LIMITS["plateau"]}
    assert missed(limits, rows=silent) == ["suggestion, p95_ms", "suggestion, p99_ms"]


@pytest.mark.parametrize(
    ("notes", "seconds"),
    [
        ([(0.2, 100.0, False), (5.0, 100.0, False)], 0.0),
        ([(0.2, 100.0, True), (0.3, 100.0, False), (5.0, 100.0, False)], 1.0),
        ([(2.2, 900.0, False), (5.0, 100.0, False)], 3.0),
        ([(2.2, 900.0, False)] + [(2.3, 100.0, False)] * 19, 0.0),  # one in twenty
        ([(2.2, 900.0, False)], None),
    ],
)
def test_recovery(notes: list[tuple[float, float, bool]], seconds: float | None) -> None:
    assert verdict.recovery(notes, 500, 10) == seconds


def test_every_profile_has_thresholds_and_phases_that_they_need() -> None:
    folder = CHECKOUT / "loadtests"
    profiles = tomllib.loads((folder / "profiles.toml").read_text(encoding="utf-8"))
    thresholds = tomllib.loads((folder / "thresholds.toml").read_text(encoding="utf-8"))
    assert set(profiles) == set(thresholds) == {"smoke", "steady", "spike", "soak"}
    for name, profile in profiles.items():
        phases = [phase for phase, _, _ in profile["phases"]]
        assert set(phases) <= {"warm-up", "plateau", "spike", "recovery"}
        assert set(thresholds[name]) <= set(LIMITS), name
        assert ("recovery_s" in thresholds[name]) == ("recovery" in phases)
    for name in ("smoke", "spike"):
        assert {load for phase, _, load in profiles[name]["phases"] if phase == "spike"} == {3.0}
    assert sum(seconds for _, seconds, _ in profiles["smoke"]["phases"]) == 20
