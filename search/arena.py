"""Matches between agents: every seed is played in every rotation of the seats."""

import math
import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shelfie.engine import GAMES, Position
from shelfie.engine.rng import Rng
from shelfie.search.agents import Agent, make

LONGEST_GAME = 600  # steps; the longest possible game has fewer


@dataclass(frozen=True, slots=True)
class Match:
    """What is played. `agents` has one text a seat of the first rotation."""

    game: str
    players: int
    agents: tuple[str, ...]
    games: int
    seed: str = "arena"


def walk(start: Position, agents: Sequence[Agent], seed: str) -> Iterator[Position]:
    """Every position of a game, the last one terminal; agents[p] has seat p.

    Chance depends on `seed` alone.
    """
    here = start
    chance = Rng(seed, 1)
    for turn in range(LONGEST_GAME):
        yield here
        if here.node == "terminal":
            return
        at_chance = here.node == "chance"
        move = here.chance_move if at_chance else agents[here.to_move](here, f"{seed}/{turn}")
        rng = chance if at_chance or move.startswith("keep:") else None
        here, _ = here.apply(move, rng=rng)
    raise RuntimeError(f"no end after {LONGEST_GAME} steps: {here.notation()}")


def play(start: Position, agents: Sequence[Agent], seed: str) -> Position:
    """The end of a game."""
    *_, end = walk(start, agents, seed)
    return end


_agents: dict[tuple[str, str], Agent] = {}


def play_seed(match: Match, number: int) -> tuple[list[float], list[float]]:
    """All rotations of one seed; per agent the mean win share and score."""
    for spec in match.agents:
        if (match.game, spec) not in _agents:
            _agents[match.game, spec] = make(spec, match.game)
    n = match.players
    wins, scores = [0.0] * n, [0.0] * n
    seed = f"{match.seed}/{number}"
    start = GAMES[match.game].new(n, Rng(seed))
    for shift in range(n):
        # Agent a sits on seat (a + shift) mod n.
        seated = [_agents[match.game, match.agents[(p - shift) % n]] for p in range(n)]
        end = play(start, seated, seed)
        shares, points = end.winners() or [], end.scores()
        for p in range(n):
            wins[(p - shift) % n] += shares[p] / n
            scores[(p - shift) % n] += points[p]["total"] / n
    return wins, scores


def _play(task: tuple[Match, int]) -> tuple[list[float], list[float]]:
    return play_seed(*task)


def run(
    match: Match, *, workers: int = 1, progress: Callable[[int, int], None] | None = None
) -> dict[str, Any]:
    """Plays the match; per agent win share and score with 95% intervals.

    `games` is rounded up to whole rotations. The result does not depend on `workers`.
    """
    if len(match.agents) != match.players:
        raise ValueError(f"{match.players} players need as many agents")
    for spec in match.agents:
        make(spec, match.game)
    seeds = -(-match.games // match.players)
    tasks = [(match, number) for number in range(seeds)]
    samples: list[tuple[list[float], list[float]]] = []
    if workers <= 1:
        _collect(map(_play, tasks), samples, seeds, progress)
    else:
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            _collect(pool.imap(_play, tasks), samples, seeds, progress)
    return _summary(match, samples)


def _collect(
    results: Iterable[tuple[list[float], list[float]]],
    samples: list[tuple[list[float], list[float]]],
    total: int,
    progress: Callable[[int, int], None] | None,
) -> None:
    for result in results:
        samples.append(result)
        if progress:
            progress(len(samples), total)


def _summary(match: Match, samples: list[tuple[list[float], list[float]]]) -> dict[str, Any]:
    agents = []
    for a, spec in enumerate(match.agents):
        win, win_interval = mean_and_interval([s[0][a] for s in samples])
        score, score_interval = mean_and_interval([s[1][a] for s in samples])
        agents.append(
            {
                "agent": spec,
                "win_share": win,
                "win_share_95": win_interval,
                "score": score,
                "score_95": score_interval,
                "elo": elo(win, match.players),
            }
        )
    return {
        "game": match.game,
        "players": match.players,
        "games": len(samples) * match.players,
        "seed": match.seed,
        "agents": agents,
    }


def mean_and_interval(values: list[float]) -> tuple[float, float]:
    """Mean and half width of its 95% interval; each seed with all its rotations is one sample."""
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, math.inf if n == 0 else 1.0
    variance = sum((v - mean) ** 2 for v in values) / (n - 1)
    return mean, 1.96 * math.sqrt(variance / n)


def elo(share: float, players: int) -> float:
    """Elo difference to the even share 1/players; cut at 1000 where a side won nothing."""
    odds = share * (players - 1) / max(1.0 - share, 1e-9)
    return round(min(max(400 * math.log10(max(odds, 1e-9)), -1000.0), 1000.0), 1)
