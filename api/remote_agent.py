"""An arena agent that asks another service: `http:URL`, or `http:URL,level=3,playouts=500`."""

from typing import Any

from shelfie.api.client import Client, Retries, ServiceError
from shelfie.engine import Position
from shelfie.search.agents import EXTRA, Agent

PATIENCE = Retries(attempts=20, seconds=600)  # a match is long, and one missed move ends it


def remote(game: str, text: str) -> Agent:
    """The agent behind `text`; it sends what the player to move may see."""
    url, *named = text.split(",")
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"http:URL needs a URL of a service, not {url!r}")
    given = dict(option.split("=", 1) for option in named)
    level = given.pop("level", None)
    limits = {name: float(v) if "." in v else int(v) for name, v in given.items()}
    options: dict[str, Any] = {"level": int(level) if level else None, "top": 1, "include": []}
    if limits:
        options["limits"] = limits

    def choose(position: Position, seed: str) -> str:
        shown = position.masked().notation()
        try:
            with Client(url, retries=PATIENCE) as client:
                found = client.analysis(game, shown, seed=seed, **options)
        except ServiceError as error:
            raise ValueError(f"{url}: {error}") from error
        move: str = found["chosen"]["move"]
        return move

    return choose


EXTRA["http"] = remote
