"""Varied positions from games that players of mixed strength play with each other."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

from shelfie.engine import GAMES, Position
from shelfie.engine.rng import Rng
from shelfie.search.arena import agent, pool_of, walk

EVERY = 3  # a game gives every third of its decisions, so that neighbours differ
# Who plays: mostly sensible players, some that err. Those that search long would add little.
AGENTS = ("random", "greedy", *(f"level:{level}" for level in range(1, 9)))
AHEAD = 8  # games per process that are played before they are asked for


@dataclass(frozen=True, slots=True)
class Corpus:
    """Positions of a game for these numbers of players, one after the other; equal for equal
    seeds."""

    game: str
    players: tuple[int, ...]
    seed: str


def positions(corpus: Corpus, workers: int = 1) -> Generator[str, None, None]:
    """Decisions as notations, as the player to move sees them, without end and without repeats.

    They do not depend on `workers`.
    """
    seen: set[str] = set()
    with pool_of(workers) as pool:
        for found in _games(corpus, pool, workers):
            for notation in found:
                if notation not in seen:
                    seen.add(notation)
                    yield notation


def play(task: tuple[Corpus, int]) -> list[str]:
    """The positions of one game."""
    corpus, number = task
    players = corpus.players[number % len(corpus.players)]
    seed = f"{corpus.seed}/{number}"
    draw = Rng(seed, 2)
    agents = [agent(AGENTS[draw.below(len(AGENTS))], corpus.game) for _ in range(players)]
    steps = walk(GAMES[corpus.game].new(players, Rng(seed)), agents, seed)
    decisions = [here for here in steps if here.node == "decision"]
    return [_shown(here) for here in decisions[draw.below(EVERY) :: EVERY]]


def _shown(position: Position) -> str:
    return position.masked().notation()


def _games(corpus: Corpus, pool: Any, workers: int) -> Iterator[list[str]]:
    number = 0
    while True:
        tasks = [(corpus, n) for n in range(number, number + AHEAD * workers)]
        yield from pool.imap(play, tasks) if pool else map(play, tasks)
        number += len(tasks)
