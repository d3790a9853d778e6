"""The rules of both games, and nothing but the rules: no search, no HTTP, no clock.

A game is a class below `shelfie.engine.game.Game`; its state is a flat C struct. Python code
meets it as a `Position` (see `shelfie.engine.position`): read from JSON or compact notation,
asked for its legal moves, and moved on by `apply`, which never touches the position it is
called on. `GAMES` finds a game by its id.
"""

from shelfie.engine.errors import Fault, IllegalMove, InvalidPosition
from shelfie.engine.games import GAMES
from shelfie.engine.position import Position
from shelfie.engine.rng import Rng

__all__ = ["GAMES", "Fault", "IllegalMove", "InvalidPosition", "Position", "Rng"]
