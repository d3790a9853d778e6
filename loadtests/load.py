"""Load on the service by locust, judged by thresholds.

    python loadtests/load.py PROFILE [--target http://HOST:PORT] [--processes N]

Without a target a service is started on a loopback port. Its capacity is measured first, with one
caller for each slot; profiles.toml says what multiples of it come then, thresholds.toml what has
to be met. The exit status is 1 when that is missed. Reports are left in reports/load-PROFILE.
"""

import argparse
import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import sample
from plan import Plan, toml_section
from service import SHELFIE, Client, served

HERE = Path(__file__).resolve().parent
GAMES_TO_SAMPLE = 3  # one for each number of players


@contextlib.contextmanager
def target(given: argparse.Namespace) -> Iterator[tuple[str, int]]:
    """Host and port to load: as given, or of a service that lives as long."""
    if given.target:
        parts = urlsplit(given.target)
        if parts.scheme != "http" or not parts.hostname:
            raise SystemExit("--target http://HOST:PORT is wanted")
        yield parts.hostname, parts.port or 80
        return
    with served((given.shelfie, "serve")) as (port, _):
        yield "127.0.0.1", port


def make_plan(given: argparse.Namespace, host: str, port: int) -> Plan:
    """Asks the service for positions and for its capacity."""
    profile = toml_section(given.profiles, given.profile)
    thresholds = toml_section(given.thresholds, given.profile)
    client = Client(port, host)
    positions = {
        game: sample.positions(client, game, GAMES_TO_SAMPLE, "load") for game in sample.GAMES
    }
    client.close()
    full = sample.capacity(host, port, positions, given.slots, profile.pop("calibration_s"))
    return Plan(given.profile, **profile, thresholds=thresholds, capacity=full, positions=positions)


def locust(plan: Plan, host: str, port: int, folder: Path, processes: int) -> int:
    """Runs locust headless; its exit status."""
    plan.write(folder / "plan.json")
    command = [
        str(Path(sys.executable).with_name("locust")),
        *("-f", str(HERE / "clients" / "locustfile.py"), "--headless", "--only-summary"),
        *("--host", f"http://{host}:{port}", "--stop-timeout", "10", "--exit-code-on-error", "0"),
        *("--html", str(folder / "report.html"), "--csv", str(folder / "stats")),
        *("--loglevel", "WARNING"),
        *(("--processes", str(processes)) if processes > 1 else ()),
    ]
    variables = {
        **os.environ,
        "LOAD_FOLDER": str(folder),
        "PYTHONPATH": str(HERE),
    }
    return subprocess.run(command, env=variables).returncode


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Load on the service, judged by thresholds.")
    parser.add_argument("profile", help="out of profiles.toml: smoke, steady, spike, soak")
    parser.add_argument("--target", help="a service that runs already; default: one of its own")
    parser.add_argument("--slots", type=int, default=len(os.sched_getaffinity(0)),
                        help="search slots of the service; default: the cores here")  # fmt: skip
    parser.add_argument("--shelfie", default=SHELFIE, help="the program that is started")
    parser.add_argument("--profiles", type=Path, default=HERE / "profiles.toml")
    parser.add_argument("--thresholds", type=Path, default=HERE / "thresholds.toml")
    parser.add_argument("--reports", type=Path, default=HERE.parent / "reports")
    parser.add_argument("--processes", type=int, default=1, help="of the generator of load")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    folder = given.reports.resolve() / f"load-{given.profile}"
    folder.mkdir(parents=True, exist_ok=True)
    with target(given) as (host, port):
        plan = make_plan(given, host, port)
        print(
            f"{plan.profile}: capacity {plan.capacity:.1f} suggestions/s, "
            f"{plan.seconds:.0f} s on {host}:{port}",
            flush=True,
        )
        status = locust(plan, host, port, folder, given.processes)
    print(f"reports: {folder}")
    return status


if __name__ == "__main__":
    sys.exit(main())
