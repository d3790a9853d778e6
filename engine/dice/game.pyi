"""The rules of the dice game (see game.pyx)."""

from shelfie.engine.game import Game

DEFAULT_COLUMNS: tuple[int, ...]
DEFAULT_VALUES: tuple[tuple[int, ...], ...]

class DiceGame(Game):
    values: tuple[tuple[int, ...], ...]
    @property
    def columns(self) -> tuple[int, ...]: ...
    @property
    def default_sheet(self) -> bool: ...

def dice_game(
    players: int,
    columns: tuple[int, ...] = ...,
    values: tuple[tuple[int, ...], ...] = ...,
) -> DiceGame: ...
