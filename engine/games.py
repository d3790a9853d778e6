"""The two games by id."""

from shelfie.engine.dice.position import DicePosition
from shelfie.engine.position import Position
from shelfie.engine.tile.position import TilePosition

GAMES: dict[str, type[Position]] = {"tile": TilePosition, "dice": DicePosition}
