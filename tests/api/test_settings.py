"""Settings: read, checked all at once, printed without secrets, and documented."""

import json
from pathlib import Path

import pytest
from http_client import CHECKOUT

from shelfie.api.cli import main
from shelfie.api.commands.config import text_of
from shelfie.api.settings import Settings, SettingsError, described, variable_of


def read(**environment: str) -> Settings:
    return Settings.from_environment(environment)


def faults(**environment: str) -> list[str]:
    with pytest.raises(SettingsError) as error:
        read(**environment)
    return error.value.faults


def test_variables_are_read() -> None:
    found = read(HOST="::1", PORT="0", SHELFIE_SLOTS="3", SHELFIE_METRICS="off", PATH="/bin")
    assert (found.host, found.port, found.slots, found.metrics) == ("::1", 0, 3, False)
    assert read(SHELFIE_QUEUE="").queue == Settings().queue


def test_arguments_go_before_variables() -> None:
    assert Settings.from_environment({"PORT": "1"}, port=2, host=None).port == 2


def test_everything_wrong_is_told_at_once() -> None:
    found = faults(
        PORT="high", SHELFIE_WORKERS="-1", SHELFIE_METRICS="maybe", SHELFIE_LOG_LEVEL="loud",
        SHELFIE_WORKER="2",
    )  # fmt: skip
    for name in ("PORT", "SHELFIE_WORKERS", "SHELFIE_METRICS", "SHELFIE_LOG_LEVEL"):
        assert len([fault for fault in found if fault.startswith(f"{name}:")]) == 1
    assert "SHELFIE_WORKER: there is no such setting" in found
    assert len(found) == 5


def test_too_few_threads_are_refused() -> None:
    """Else calls that wait for a slot would keep probes waiting."""
    assert "at least 8" in faults(
        SHELFIE_THREADS="7", SHELFIE_SLOTS="2", SHELFIE_QUEUE="3", SHELFIE_BATCHES="2"
    )[0]  # fmt: skip
    few = read(SHELFIE_THREADS="8", SHELFIE_SLOTS="2", SHELFIE_QUEUE="3", SHELFIE_BATCHES="2")
    assert few.worker_threads == 8
    assert Settings().worker_threads > Settings().threads_needed


def test_metrics_have_a_port_of_their_own() -> None:
    assert "SHELFIE_METRICS_PORT" in faults(PORT="5000", SHELFIE_METRICS_PORT="5000")[0]


def test_all_are_documented() -> None:
    rows = Path(CHECKOUT, "docs", "settings.md").read_text(encoding="utf-8").splitlines()
    listed = [row for row in rows if row.startswith("| `")]
    assert listed == [
        f"| `{variable}` | {default and f'`{default}`'} | {values} | {about} |"
        for variable, default, values, about in described()
    ]


def test_config_prints_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELFIE_QUEUE", "5")
    assert main(["config", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["SHELFIE_QUEUE"] == 5
    assert list(found) == [variable for variable, *_ in described()]
    assert main(["config"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "SHELFIE_QUEUE=5" in lines
    assert "SHELFIE_METRICS=on" in lines
    # What is printed can be read back.
    assert read(**dict(line.split("=", 1) for line in lines)) == Settings.from_environment()


@pytest.mark.parametrize("command", ["config", "serve"])
def test_wrong_ones_keep_the_service_from_starting(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELFIE_QUEUE", "many")
    monkeypatch.setenv("SHELFIE_SLOTS", "-2")
    assert main([command]) == 2
    told = capsys.readouterr().err
    assert "SHELFIE_QUEUE: a whole number is wanted" in told
    assert "SHELFIE_SLOTS: 0 to 1024 is wanted" in told


def test_names() -> None:
    assert variable_of("host") == "HOST"
    assert variable_of("max_batch_items") == "SHELFIE_MAX_BATCH_ITEMS"
    assert (text_of(True), text_of(3)) == ("on", "3")
