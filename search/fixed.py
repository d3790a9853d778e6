"""Fixed positions for benchmarks and the fingerprint, from plain games of fixed seeds."""

from functools import cache

from shelfie.engine import GAMES, Position, Rng
from shelfie.search.agents import make
from shelfie.search.arena import walk

EVERY = 5  # a game gives every fifth of its decisions


@cache
def positions(game: str, players: int, count: int) -> tuple[Position, ...]:
    """`count` decision nodes of games that the greedy player plays with itself."""
    greedy = make("greedy", game)
    found: list[Position] = []
    number = 0
    while len(found) < count:
        seed = f"fixed/{number}"
        start = GAMES[game].new(players, Rng(seed))
        steps = walk(start, [greedy] * players, seed)
        decisions = [here for here in steps if here.node == "decision"]
        found += decisions[number % EVERY :: EVERY]
        number += 1
    return tuple(found[:count])
