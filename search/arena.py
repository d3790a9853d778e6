"""Matches between agents: every seed is played in every rotation of the seats.

In the dice game the exact luck of every roll is taken off the results, which leaves their means
as they are and narrows the intervals two to four times; see search/dice/luck.py.
"""

import importlib
import json
import math
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from shelfie.engine import GAMES, Position
from shelfie.engine.rng import Rng
from shelfie.search.agents import Agent, make
from shelfie.search.dice.luck import Luck
from shelfie.search.sprt import Sprt

Sample = tuple[list[float], list[float]]  # per agent: mean win share, mean score

LONGEST_GAME = 600  # steps; the longest possible game has fewer


@dataclass(frozen=True, slots=True)
class Match:
    """What is played. `agents` has one text a seat of the first rotation.

    adjusted: take the luck of the dice off the results (dice game only).
    """

    game: str
    players: int
    agents: tuple[str, ...]
    games: int
    seed: str = "arena"
    adjusted: bool = True

    @property
    def luck_adjusted(self) -> bool:
        return self.adjusted and self.game == "dice"


def walk(
    start: Position,
    agents: Sequence[Agent],
    seed: str,
    watch: Callable[[Position, str, Position], object] | None = None,
) -> Iterator[Position]:
    """Every position of a game, the last one terminal; agents[p] has seat p.

    Chance depends on `seed` alone. watch: told every step, position, move and next position.
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
        before, (here, _) = here, here.apply(move, rng=rng)
        if watch:
            watch(before, move, here)
    raise RuntimeError(f"no end after {LONGEST_GAME} steps: {here.notation()}")


def play(
    start: Position,
    agents: Sequence[Agent],
    seed: str,
    watch: Callable[[Position, str, Position], object] | None = None,
) -> Position:
    """The end of a game."""
    *_, end = walk(start, agents, seed, watch)
    return end


agent = cache(make)  # made once a process: the agent behind a text, and a game


def play_seed(match: Match, number: int) -> Sample:
    """All rotations of one seed; per agent the mean win share and score."""
    n = match.players
    wins, scores = [0.0] * n, [0.0] * n
    seed = f"{match.seed}/{number}"
    start = GAMES[match.game].new(n, Rng(seed))
    for shift in range(n):
        # Agent a sits on seat (a + shift) mod n.
        seated = [agent(match.agents[(p - shift) % n], match.game) for p in range(n)]
        luck = Luck(n)
        end = play(start, seated, seed, luck.watch if match.luck_adjusted else None)
        shares, points = end.winners() or [], end.scores()
        for p in range(n):
            wins[(p - shift) % n] += (shares[p] - luck.win[p]) / n
            scores[(p - shift) % n] += (points[p]["total"] - luck.score[p]) / n
    return wins, scores


def _play(task: tuple[Match, int]) -> Sample:
    return play_seed(*task)


def load_plugins(modules: Sequence[str]) -> None:
    """Imports modules that register more agents, in this process."""
    for module in modules:
        importlib.import_module(module)


def run(
    match: Match,
    *,
    workers: int = 1,
    sprt: Sprt | None = None,
    journal: Path | None = None,
    plugins: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Plays the match; per agent win share and score with 95% intervals.

    `games` is rounded up to whole rotations; with `sprt` it is the most that may be played, and
    the match ends once the first agent is decided on. Seeds found in `journal` are not played
    again. `plugins`: modules that register agents. The result does not depend on `workers`.
    """
    if len(match.agents) != match.players:
        raise ValueError(f"{match.players} players need as many agents")
    load_plugins(plugins)
    for spec in match.agents:
        make(spec, match.game)
    seeds = -(-match.games // match.players)
    kept = Journal(journal, match)
    tasks = [(match, number) for number in range(seeds) if number not in kept.samples]
    samples: list[Sample] = []
    with pool_of(workers, plugins) as pool:
        results = iter(pool.imap(_play, tasks) if pool else map(_play, tasks))
        for number in range(seeds):
            if number not in kept.samples:
                kept.add(number, next(results))
            samples.append(kept.samples[number])
            if progress:
                progress(len(samples), seeds)
            if sprt and sprt.decision([s[0][0] for s in samples], match.players):
                break
    return _summary(match, samples, sprt)


@contextmanager
def pool_of(workers: int, plugins: Sequence[str] = ()) -> Iterator[Any]:
    """So many processes, with their plugins loaded; None for one, which is this one."""
    if workers <= 1:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers, initializer=load_plugins, initargs=(plugins,)) as pool:
        yield pool


class Journal:
    """Samples of a match by seed number, kept in a file of one JSON line each."""

    def __init__(self, path: Path | None, match: Match) -> None:
        self.path = path
        self.match = [match.game, match.players, list(match.agents), match.seed]
        self.samples: dict[int, Sample] = {}
        if path is not None and path.exists():
            text = path.read_text()
            if text and not text.endswith("\n"):  # what a kill has cut short stays a line apart
                path.write_text(text + "\n")
            for line in text.splitlines():
                self._read(line)

    def _read(self, line: str) -> None:
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            return  # the line a kill has cut short
        if entry["match"] == self.match:
            self.samples[entry["seed"]] = (entry["win"], entry["score"])

    def add(self, number: int, sample: Sample) -> None:
        self.samples[number] = sample
        if self.path is not None:
            entry = {"match": self.match, "seed": number, "win": sample[0], "score": sample[1]}
            with self.path.open("a") as file:
                file.write(json.dumps(entry) + "\n")


def _summary(match: Match, samples: list[Sample], sprt: Sprt | None) -> dict[str, Any]:
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
    values = [s[0][0] for s in samples]
    test = sprt and {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "log_likelihood_ratio": sprt.ratio(values, match.players),
        "accepted": sprt.decision(values, match.players) or None,
    }
    return {
        "game": match.game,
        "players": match.players,
        "games": len(samples) * match.players,
        "seed": match.seed,
        "luck_adjusted": match.luck_adjusted,
        "agents": agents,
        **({"sprt": test} if test else {}),
    }


def mean_and_interval(values: list[float]) -> tuple[float, float]:
    """Mean and half width of its 95% interval; each seed with all its rotations is one sample."""
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, 1.0  # one sample says nothing of its own error
    variance = sum((v - mean) ** 2 for v in values) / (n - 1)
    return mean, 1.96 * math.sqrt(variance / n)


def elo(share: float, players: int) -> float:
    """Elo difference to the even share 1/players; cut at 1000 where a side won nothing."""
    odds = share * (players - 1) / max(1.0 - share, 1e-9)
    return round(min(max(400 * math.log10(max(odds, 1e-9)), -1000.0), 1000.0), 1)
