"""Players of the arena, made from short texts such as `greedy` or `full:playouts=400`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from shelfie.engine import Position
from shelfie.engine.rng import Rng, seed_number
from shelfie.search.analysis import AnalysisRequest, Limits
from shelfie.search.analyze import analyze
from shelfie.search.beam import Beam
from shelfie.search.dice.greedy import greedy_move as dice_greedy
from shelfie.search.games import SEARCHERS
from shelfie.search.levels import LEVELS
from shelfie.search.tile.evaluator import TileEvaluator
from shelfie.search.tile.greedy import greedy_move
from shelfie.search.tile.hand import HandEvaluator
from shelfie.search.tile.model import load, shipped

Agent = Callable[[Position, str], str]  # (position, seed) -> move

WIDTH = 12  # moves of a node that `static` and `hand` look at beyond the first move

# Kinds of agents that other layers add: name -> function of the game and the rest of the text.
EXTRA: dict[str, Callable[[str, str], Agent]] = {}


def make(spec: str, game: str) -> Agent:
    """The agent behind a text. Raises ValueError for an unknown one.

    `random`; `greedy`; `level:3`; `full`, with limits as in `full:playouts=1000,time_ms=100` or
    `full:depth=2`. Tile game: `static`, one move ahead on the model, and `hand`, one move ahead on
    a handcrafted judgement; both take `depth=3,width=12`, and `static` and `full` `model=FILE`.
    """
    name, _, rest = spec.partition(":")
    if name in EXTRA:
        return EXTRA[name](game, rest)
    options = _options(spec, rest)
    if name == "random":
        return _random
    if name == "greedy":
        return _greedy
    if name in ("static", "hand") and game == "tile":
        return _ahead(name, options)
    if name == "level" and rest.isdecimal() and int(rest) in LEVELS:
        return _level(int(rest))
    if name == "full":
        return _full(game, options)
    raise ValueError(f"unknown agent {spec!r}")


def _options(spec: str, text: str) -> dict[str, str]:
    """`a=1,b=2` as a dictionary; a text without "=" has none."""
    pairs = [part.partition("=") for part in text.split(",")] if "=" in text else []
    if not all(equals for _, equals, _ in pairs):
        raise ValueError(f"agent {spec!r} needs NAME=VALUE behind the colon")
    return {name: value for name, _, value in pairs}


def split(text: str) -> list[str]:
    """The agents of a text joined by commas; `a=1,b=2` behind an agent stays with it."""
    agents: list[str] = []
    for part in text.split(","):
        if agents and "=" in part and ":" not in part.partition("=")[0]:
            agents[-1] += "," + part
        elif part:
            agents.append(part)
    return agents


def _random(position: Position, seed: str) -> str:
    moves = position.moves()
    return position.format_move(moves[Rng(seed).below(len(moves))])


def _greedy(position: Position, seed: str) -> str:
    if position.game.id == "tile":
        return position.format_move(greedy_move(position, seed_number(seed)))
    return dice_greedy(position)


def _ahead(name: str, options: dict[str, str]) -> Agent:
    model = load(Path(options["model"])) if "model" in options else None
    depth, width = int(options.get("depth", 1)), int(options.get("width", WIDTH))

    def choose(position: Position, seed: str) -> str:
        seen = position.masked()
        evaluator = (
            HandEvaluator(seen.game)
            if name == "hand"
            else TileEvaluator(seen.game, model or shipped(seen.players))
        )
        return seen.format_move(Beam(evaluator, depth, width).best(seen, seed_number(seed)))

    return choose


def _level(level: int) -> Agent:
    def choose(position: Position, seed: str) -> str:
        request = AnalysisRequest(level=level, seed=seed, include=frozenset())
        chosen = analyze(position, request).chosen
        assert chosen is not None
        return chosen.move

    return choose


def _full(game: str, options: dict[str, str]) -> Agent:
    model = options.pop("model", None)
    numbers: dict[str, Any] = {
        k: float(v) if k == "standard_error" else int(v) for k, v in options.items()
    }
    limits = Limits(**numbers)
    searcher: Any = SEARCHERS[game] if model is None else type(SEARCHERS[game])(load(Path(model)))

    def choose(position: Position, seed: str) -> str:
        request = AnalysisRequest(limits=limits, seed=seed, include=frozenset())
        chosen = analyze(position, request, searcher=searcher).chosen
        assert chosen is not None
        return chosen.move

    return choose
