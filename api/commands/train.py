"""shelfie train: rebuilds the model of a game from self-play."""

import argparse
from pathlib import Path
from typing import Any

from shelfie.engine import GAMES


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser("train", help="Trains the model of a game by self-play")
    command.add_argument("--game", choices=list(GAMES), required=True)
    command.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    command.add_argument("--minutes", type=float, default=10.0, help="how long (10)")
    command.add_argument(
        "--rounds", type=int, help="a number of rounds instead of minutes: the same weights again"
    )
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--out", type=Path, required=True, help="the weights, an .npz file")
    command.add_argument("--resume", action="store_true", help="go on with an earlier run")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Trains; the log stands beside the weights."""
    from shelfie.search import training

    given.out.parent.mkdir(parents=True, exist_ok=True)
    training.train(
        given.game,
        given.players,
        given.minutes,
        given.seed,
        given.out,
        rounds=given.rounds,
        resume=given.resume,
    )
