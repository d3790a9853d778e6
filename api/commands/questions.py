"""analyze, legal-moves, apply, score, new: the API's operations from the command line."""

import argparse
from typing import Any

from shelfie.api.commands import texts
from shelfie.api.commands.common import (
    add_game,
    add_limits,
    add_position,
    limits_of,
    print_json,
    value_of,
)
from shelfie.api.json_text import check_text
from shelfie.api.operations import OPERATIONS, run

Commands = Any  # argparse's collection of subcommands has no public type


def add(commands: Commands) -> None:
    """Adds the five commands."""
    _add_new(commands)
    for name in ("legal-moves", "score"):
        command = commands.add_parser(name, help=OPERATIONS[name].summary)
        add_position(command)
        command.set_defaults(run=answer, operation=name, fields=())
    _add_apply(commands)
    _add_analyze(commands)


def _add_new(commands: Commands) -> None:
    command = commands.add_parser("new", help=OPERATIONS["new"].summary)
    add_game(command)
    command.add_argument("--players", type=int, default=2, help="2 (default) to 4")
    command.add_argument("--seed", help="equal seeds give equal positions")
    command.add_argument("--common-goals", type=int, help="tile: 1 or 2")
    command.add_argument(
        "--personal-goals", action=argparse.BooleanOptionalAction, help="tile: dealt or not"
    )
    command.add_argument("--rules", type=rules, help="tile: such as refill=keep;squares=same")
    command.add_argument("--sheet", help="dice: columns and values as JSON text or @FILE")
    fields = ("players", "seed", "common_goals", "personal_goals", "rules", "sheet")
    command.set_defaults(run=answer, operation="new", fields=fields)


def rules(text: str) -> dict[str, str]:
    """Rule switches written as in the notation."""
    pairs = [part.partition("=") for part in text.split(";") if part]
    if not all(equals for _, equals, _ in pairs):
        raise argparse.ArgumentTypeError("NAME=VALUE is wanted, several joined by ';'")
    return {name: value for name, _, value in pairs}


def _add_apply(commands: Commands) -> None:
    command = commands.add_parser("apply", help=OPERATIONS["apply"].summary)
    add_position(command)
    command.add_argument("move", metavar="MOVE", help="a move as legal-moves prints it")
    command.add_argument("--outcome", help="dice: six letters; tile: nine board rows joined by /")
    command.add_argument("--seed", help="draws the outcomes that are not given")
    command.add_argument("--until", choices=("next", "decision"), help="where to stop")
    fields = ("move", "outcome", "seed", "until")
    command.set_defaults(run=answer, operation="apply", fields=fields)


def _add_analyze(commands: Commands) -> None:
    command = commands.add_parser("analyze", help=OPERATIONS["analysis"].summary)
    add_position(command)
    command.add_argument("--level", type=int, help="1 to 10; full strength when left out")
    command.add_argument("--seed", help="derived from the request when left out")
    command.add_argument("--objective", choices=("win", "score"))
    command.add_argument("--information", choices=("player", "open"))
    add_limits(command)
    command.add_argument("--deadline-ms", type=int, help="milliseconds until the answer")
    command.add_argument("--top", type=int, help="moves to show; 0: all (default)")
    command.add_argument("--allow", nargs="+", metavar="MOVE", help="only these moves")
    command.add_argument("--avoid", nargs="+", metavar="MOVE", help="not these moves")
    fields = ("level", "seed", "objective", "information", "deadline_ms", "top", "allow", "avoid")
    command.set_defaults(run=answer, operation="analysis", fields=fields)


def request_of(given: argparse.Namespace) -> dict[str, Any]:
    """The request that the arguments stand for; what was not given is left out."""
    values = vars(given)
    request = {name: values[name] for name in given.fields if values[name] is not None}
    if "position" in values:
        request["position"] = value_of(given.position)
    if "outcome" in request:
        request["outcome"] = outcome(given.game, request["outcome"])
    if "sheet" in request:
        request["sheet"] = value_of(request["sheet"])
    return request | limits_of(given)


def outcome(game: str, argument: str) -> Any:
    """An outcome: six letters, or nine rows as a JSON array or joined by slashes."""
    value = value_of(argument)
    return value.split("/") if game == "tile" and isinstance(value, str) else value


def answer(given: argparse.Namespace) -> None:
    """Asks the operation and prints its answer."""
    request = request_of(given)
    check_text(request)  # an argument may hold bytes that are not UTF-8
    found = run(given.game, given.operation, request)
    if given.json:
        print_json(found)
    else:
        print(texts.TEXTS[given.operation](found))
