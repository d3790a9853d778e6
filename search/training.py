"""Training of the models by self-play: one entrance for both games."""

from pathlib import Path
from typing import Any

from shelfie.search.dice.train import train as train_dice
from shelfie.search.tile.train import train as train_tile

TRAINERS: dict[str, Any] = {"tile": train_tile, "dice": train_dice}


def train(
    game: str,
    players: int,
    minutes: float,
    seed: int,
    out: Path,
    *,
    rounds: int | None = None,
    resume: bool = False,
) -> None:
    """Trains the model of a game for a number of players; see `train` of each game."""
    TRAINERS[game](players, minutes, seed, out, rounds=rounds, resume=resume)
