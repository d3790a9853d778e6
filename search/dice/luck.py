"""The luck of the dice in a game, as exact as the model: what each roll was worth to each seat.

The value of a turn after a roll less its expectation before it, both by the exact turn over the
model, has mean zero whoever plays and whatever is kept. So results less the sum of it have the
same mean as the results themselves and vary far less.
"""

from shelfie.engine.dice.position import DicePosition
from shelfie.engine.dice.tables import dice_index
from shelfie.engine.position import Position
from shelfie.search.dice.searcher import leaf_for
from shelfie.search.dice.solution import TurnSolution


class Luck:
    """Adds up the luck of one game, watched from the beginning of a turn on.

    win, score: luck per seat, in win shares (they sum to 0) and points.
    """

    def __init__(self, players: int) -> None:
        self.win = [0.0] * players
        self.score = [0.0] * players
        self._turn: TurnSolution | None = None

    def watch(
        self, before: Position, move: str, after: Position
    ) -> tuple[list[float], list[float]] | None:
        """One step of the game: its luck per seat, (win, score); None where nothing is rolled.

        ValueError in a turn whose beginning was not watched.
        """
        assert isinstance(before, DicePosition)
        assert isinstance(after, DicePosition)
        if move == "roll":
            self._turn = TurnSolution(leaf_for(before.game, "win"), before)
            _, win, score = self._turn.root()
        elif move.startswith("keep:"):
            if self._turn is None:
                raise ValueError("not watched from the beginning of the turn")
            kept = dice_index(move[len("keep:") :].replace("-", ""))
            win, score = self._turn.at_keep(before.rerolls_left, kept)
        else:
            return None
        assert after.dice is not None
        luckily, points = self._turn.at_roll(after.rerolls_left, dice_index(after.dice))
        win = [now - then for now, then in zip(luckily, win, strict=True)]
        score = [now - then for now, then in zip(points, score, strict=True)]
        for seat in range(len(self.win)):
            self.win[seat] += win[seat]
            self.score[seat] += score[seat]
        return win, score
