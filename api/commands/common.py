"""What several commands share: the position argument, and writing JSON."""

import argparse
import sys
from pathlib import Path
from typing import Any

from shelfie.api import json_text
from shelfie.api.refusals import Refused, refuse
from shelfie.api.schemas import load
from shelfie.engine import GAMES, Position

POSITION_HELP = "notation, JSON text, @FILE holding either, or - for standard input"


def add_game(command: argparse.ArgumentParser) -> None:
    """The GAME argument and --json."""
    command.add_argument("game", choices=list(GAMES), metavar="GAME", help=" or ".join(GAMES))
    add_json(command)


def add_json(command: argparse.ArgumentParser) -> None:
    """The --json switch."""
    command.add_argument("--json", action="store_true", help="print JSON, as the API answers")


def add_position(command: argparse.ArgumentParser) -> None:
    """GAME, POSITION and --json."""
    add_game(command)
    command.add_argument("position", metavar="POSITION", help=POSITION_HELP)


LIMITS = ("playouts", "depth", "time_ms", "standard_error")


def add_limits(command: Any, each: str = "") -> None:
    """The limits of a search; each: of what, where a command makes several."""
    command.add_argument("--playouts", type=int, help=f"tile: tree descents{each}")
    command.add_argument("--depth", type=int, help="dice: turns looked ahead")
    command.add_argument("--time-ms", type=int, help=f"milliseconds of searching{each}")
    command.add_argument("--standard-error", type=float, help="stop when known this well")


def limits_of(given: argparse.Namespace) -> dict[str, Any]:
    """The field `limits` of a request; nothing when no limit was given."""
    values = vars(given)
    limits = {name: values[name] for name in LIMITS if values.get(name) is not None}
    return {"limits": limits} if limits else {}


def text_of(argument: str) -> str:
    """The text an argument stands for: itself, a file's (@FILE) or standard input's (-)."""
    try:
        if argument == "-":
            return sys.stdin.read().strip()
        if argument.startswith("@"):
            return Path(argument[1:]).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise bad_argument(f"{argument} cannot be read: {error}") from None
    return argument


def bad_argument(detail: str) -> Refused:
    """The refusal of a command line whose fault has no place in a request."""
    return refuse("", "argument", detail)


def value_of(argument: str) -> Any:
    """JSON when the text looks like an object or an array, else the text itself."""
    text = text_of(argument)
    return json_text.loads(text) if text.startswith(("{", "[")) else text


def read_position(game: str, argument: str) -> Position:
    """The position behind an argument; `Refused` with its faults."""
    position: Position = load(game, "legal-moves", {"position": value_of(argument)})["position"]
    return position


def print_json(answer: Any) -> None:
    """The same bytes as the API's answer, and a line end."""
    sys.stdout.write(json_text.dumps(answer).decode("utf-8") + "\n")
