"""How far final scores lie from what the model expects: its own games, by how far they were.

A row of the table holds the 10th, 50th and 90th percentile of (final score less expected score)
of any seat, for positions with so many open items a seat on average. Answers need no games of
their own for their percentiles, so these cost nothing.
"""

from itertools import chain
from typing import Any

import numpy as np

from shelfie.engine.dice.position import DicePosition
from shelfie.search.dice.leaf import Leaf
from shelfie.search.dice.match import forecast

SHARES = (10, 50, 90)
ROWS = 26  # open items a seat: 0 to 25
GAMES = 1000
LEAST = 200  # samples of a row; with fewer it takes in its neighbours'


def measure(start: DicePosition, leaf: Leaf, games: int = GAMES) -> Any:
    """The table (ROWS, 3) of a leaf, from games of its own."""
    samples: list[list[float]] = [[] for _ in range(ROWS)]
    for said in forecast(start, leaf, "spread", games):
        samples[said.open_items // start.players] += np.subtract(
            said.scores, said.expected
        ).tolist()
    table = np.zeros((ROWS, len(SHARES)), np.float32)
    for row in range(ROWS):
        reach, found = 0, samples[row]
        while len(found) < LEAST and reach < ROWS:
            reach += 1
            found = list(chain(*samples[max(row - reach, 0) : row + reach + 1]))
        table[row] = np.percentile(found, SHARES)
    return table


def percentiles(
    table: Any, open_items: int, points: list[int], expected: list[float]
) -> dict[str, list[float]]:
    """Percentiles of the final score per seat; nobody ends below the points made already.

    open_items: on all sheets. points, expected: per seat.
    """
    row = table[open_items // len(expected)]
    return {
        f"p{share}": [
            max(float(made), round(mean + float(offset), 1))
            for made, mean in zip(points, expected, strict=True)
        ]
        for share, offset in zip(SHARES, row, strict=True)
    }
