"""The layers: api -> search -> engine, read from the import and cimport lines of every source."""

import re
from pathlib import Path

import pytest
from http_client import CHECKOUT

LAYERS = {"engine": {"engine"}, "search": {"engine", "search"}, "api": {"engine", "search", "api"}}
# Libraries that only the outermost layer may know.
WEB = {"flask", "flask_smorest", "marshmallow", "webargs", "apispec", "werkzeug", "gunicorn"}
SUFFIXES = {".py", ".pyi", ".pyx", ".pxd"}

IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<origin>[\w.]+)[ \t]+c?import[ \t]+(?P<names>\([^)]*\)|[^\n]+)"
    r"|c?import[ \t]+(?P<modules>[^\n]+))",
    re.MULTILINE,
)

SOURCES = [
    path
    for layer in LAYERS
    for path in sorted((CHECKOUT / layer).rglob("*"))
    if path.suffix in SUFFIXES
]


def names(text: str) -> list[str]:
    """The names in the tail of an import line, without `as` and comments."""
    text = re.sub(r"#[^\n]*", "", text).strip("() \t")
    return [part.split(" as ")[0].strip() for part in text.replace("\n", " ").split(",") if part]


def imported(text: str) -> set[str]:
    """Every module a source names, with `from a import b` as both `a` and `a.b`."""
    found = set()
    for match in IMPORT.finditer(text):
        if match["origin"]:
            found.add(match["origin"])
            found |= {f"{match['origin']}.{name}" for name in names(match["names"]) if name}
        else:
            found |= set(names(match["modules"]))
    return found


def faults(layer: str, text: str) -> list[str]:
    """What in a source of this layer breaks the rules."""
    broken = []
    for module in sorted(imported(text)):
        first, _, rest = module.partition(".")
        if first in LAYERS or first == "":
            broken.append(f"{module}: import it as shelfie.{module.lstrip('.')}")
        elif first == "shelfie" and rest and rest.split(".")[0] not in LAYERS[layer]:
            broken.append(f"{module}: not for {layer}")
        elif first in WEB and layer != "api":
            broken.append(f"{module}: only for api")
    return broken


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(CHECKOUT).as_posix())
def test_imports_run_one_way(path: Path) -> None:
    layer = path.relative_to(CHECKOUT).parts[0]
    assert faults(layer, path.read_text(encoding="utf-8")) == []


def test_all_layers_are_read() -> None:
    assert {path.relative_to(CHECKOUT).parts[0] for path in SOURCES} == set(LAYERS)
    assert {path.suffix for path in SOURCES} == SUFFIXES


@pytest.mark.parametrize(
    ("layer", "text"),
    [
        ("engine", "from shelfie.search import analyze"),
        ("engine", "import shelfie.api.app"),
        ("search", "    from shelfie.api.app import create_app"),
        ("search", "from shelfie import (\n    api,  # the layer above\n)"),
        ("engine", "from shelfie.search.mcts cimport Node"),
        ("engine", "cimport shelfie.search.mcts as mcts"),
        ("api", "from engine import GAMES"),
        ("api", "import search"),
        ("api", "from . import app"),
        ("search", "import numpy, flask"),
        ("engine", "from marshmallow import Schema"),
    ],
)
def test_what_breaks_the_rules_is_seen(layer: str, text: str) -> None:
    assert faults(layer, f'"""Doc."""\n{text}\n') != []


@pytest.mark.parametrize(
    ("layer", "text"),
    [
        ("engine", "from libc.stdint cimport uint64_t"),
        ("search", "from shelfie.engine.game cimport Game, move_t"),
        ("api", "from shelfie.search import (\n    analyze,\n    evaluate,\n)\nimport flask"),
        ("search", "from shelfie import engine"),
    ],
)
def test_what_keeps_the_rules_passes(layer: str, text: str) -> None:
    assert faults(layer, text) == []


def test_the_package_is_the_installed_one() -> None:
    """Tests run against what is installed, never against a folder that happens to be near."""
    import shelfie

    assert getattr(shelfie, "__file__", None) is None, "shelfie is a namespace package"
    assert not (CHECKOUT / "shelfie").exists()
