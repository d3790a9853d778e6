"""shelfie arena: matches between agents, every seed in every seat rotation."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shelfie.api.commands.common import add_json, bad_argument, print_json
from shelfie.engine import GAMES

if TYPE_CHECKING:
    from shelfie.search.arena import Match

AGENTS_HELP = (
    "joined by commas: random, greedy, level:3, full:playouts=1000, full:time_ms=100, http:URL"
)


PLUGINS = ("shelfie.api.remote_agent",)  # brings the agents http:URL


def add(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser("arena", help="Matches between agents, with intervals and Elo")
    command.add_argument("--game", choices=list(GAMES), required=True)
    command.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    command.add_argument("--agents", required=True, help=AGENTS_HELP)
    command.add_argument("--games", type=int, default=100, help="how many games (100)")
    command.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    command.add_argument("--seed", default="arena", help="equal seeds give equal matches")
    command.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="stop once the first agent is shown to be ELO1 above the rest, or only ELO0",
    )
    command.add_argument("--journal", type=Path, help="a file to go on from after a stop")
    add_json(command)
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> None:
    """Plays and prints."""
    from tqdm import tqdm

    from shelfie.search import LimitExceeded, arena
    from shelfie.search.sprt import Sprt

    match = match_of(given)
    quiet = given.json or not sys.stderr.isatty()
    with tqdm(unit="seed", disable=quiet, file=sys.stderr) as bar:

        def progress(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        try:
            found = arena.run(
                match,
                workers=given.workers,
                sprt=Sprt(*given.sprt) if given.sprt else None,
                journal=given.journal,
                plugins=PLUGINS,
                progress=progress,
            )
        except LimitExceeded as error:
            raise bad_argument(f"--agents: {error.field}: {error.detail}") from None
        except OSError as error:  # a service that does not answer, a journal not to be read
            raise bad_argument(str(error)) from None
    if given.json:
        print_json(found)
    else:
        print("\n".join(table(found)))


def match_of(given: argparse.Namespace) -> "Match":
    """The match that the arguments ask for; `Refused` when there is no such match."""
    from shelfie.search import agents, arena

    names = tuple(agents.split(given.agents))
    if len(names) != given.players:
        raise bad_argument(f"--agents: {given.players} players need as many agents")
    if given.games < 1 or given.workers < 1:
        raise bad_argument("--games and --workers: at least 1 is wanted")
    arena.load_plugins(PLUGINS)
    for name in names:
        try:
            agents.make(name, given.game)
        except (ValueError, TypeError, OSError) as error:
            raise bad_argument(f"--agents: {name}: {error}") from None
    return arena.Match(given.game, given.players, names, given.games, given.seed)


def table(found: dict[str, Any]) -> Iterator[str]:
    """The match in one line, then a line an agent."""
    yield (
        f"{found['game']}, {found['players']} players, {found['games']} games, "
        f"seed {found['seed']}; 95% intervals"
    )
    for agent in found["agents"]:
        share, wide = 100 * agent["win_share"], 100 * agent["win_share_95"]
        yield (
            f"{agent['agent']}: win share {share:.1f} +- {wide:.1f}%, score "
            f"{agent['score']:.1f} +- {agent['score_95']:.1f}, Elo {agent['elo']:+.0f}"
        )
    if "sprt" in found:
        test = found["sprt"]
        yield (
            f"SPRT {test['elo0']:g} against {test['elo1']:g} Elo: log-likelihood ratio "
            f"{test['log_likelihood_ratio']:.2f}, accepted: {test['accepted'] or 'none yet'}"
        )
