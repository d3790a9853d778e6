"""The load tests themselves, run against the real server for some seconds.

Needs the network once, for locust in an environment of its own.
"""

import json
import subprocess
from pathlib import Path

import pytest
from http_client import CHECKOUT, SCRIPTS

QUICK = """
[quick]
bots = 1
batches = 0
calibration_s = 1
most_calls = 1000
most_users = 20
phases = [["warm-up", 1, 0.3], ["plateau", 4, 0.5]]
"""
STRICT = """
[quick]
error_share = 0.0
[quick.plateau]
"bot move" = { p95_ms = 0 }
"""


@pytest.fixture(scope="module")
def python() -> Path:
    """Python with locust."""
    done = subprocess.run(
        ["make", ".venv-load/stamp"], cwd=CHECKOUT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return CHECKOUT / ".venv-load" / "bin" / "python"


def load(python: Path, folder: Path, profile: str, *options: str) -> tuple[int, str]:
    """A run; its exit status and what it printed."""
    command = [
        str(python), str(CHECKOUT / "loadtests" / "load.py"), profile,
        "--shelfie", str(SCRIPTS / "shelfie"), "--reports", str(folder), *options,
    ]  # fmt: skip
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300
    )
    return done.returncode, done.stdout


def test_the_smoke_profile_is_met(python: Path, tmp_path: Path) -> None:
    """Bots finish games, batches are complete, a spike passes; from two processes."""
    status, output = load(python, tmp_path, "smoke", "--processes", "2")
    assert status == 0, output
    report = tmp_path / "load-smoke"
    found = json.loads((report / "verdict.json").read_text(encoding="utf-8"))
    assert found["met"]
    assert {"games", "batches", "recovery_s"} <= {each["name"] for each in found["results"]}
    page = (report / "report.html").read_text(encoding="utf-8")
    for kind in ("suggestion, spike", "bot move, plateau", "batch, "):
        assert kind in page


def test_a_missed_threshold_fails_the_run(python: Path, tmp_path: Path) -> None:
    profiles, thresholds = tmp_path / "profiles.toml", tmp_path / "thresholds.toml"
    profiles.write_text(QUICK, encoding="utf-8")
    thresholds.write_text(STRICT, encoding="utf-8")
    status, output = load(
        python, tmp_path, "quick", "--profiles", str(profiles), "--thresholds", str(thresholds)
    )
    assert status == 1, output
    assert "MISSED bot move, p95_ms" in output
    assert "ok     error_share" in output


def test_an_unknown_profile_is_told(python: Path, tmp_path: Path) -> None:
    status, output = load(python, tmp_path, "storm")
    assert status == 1
    assert "no [storm]; there are smoke, steady, spike, soak" in output
