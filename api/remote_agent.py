"""An arena agent that asks another service: `http:URL`, or `http:URL,level=3,playouts=500`."""

import json
import time
import urllib.error
import urllib.request
from typing import Any

from shelfie.engine import Position
from shelfie.search.agents import EXTRA, Agent

TIMEOUT = 60.0  # seconds for one answer
TRIES = 5  # while the service says that it is busy


def remote(game: str, text: str) -> Agent:
    """The agent behind `text`; it sends what the player to move may see."""
    url, *options = text.split(",")
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"http:URL needs a URL of a service, not {url!r}")
    given = dict(option.split("=", 1) for option in options)
    level = given.pop("level", None)
    limits = {name: float(v) if "." in v else int(v) for name, v in given.items()}
    body: dict[str, Any] = {"level": int(level) if level else None, "top": 1, "include": []}
    if limits:
        body["limits"] = limits
    address = f"{url.rstrip('/')}/v1/games/{game}/analysis"

    def choose(position: Position, seed: str) -> str:
        asked = body | {"position": position.masked().notation(), "seed": seed}
        move: str = _post(address, asked)["chosen"]["move"]
        return move

    return choose


def _post(address: str, body: dict[str, Any]) -> dict[str, Any]:
    """The JSON answer; waits as Retry-After says where the service is busy."""
    data = json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    for attempt in range(TRIES):
        request = urllib.request.Request(address, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            if error.code != 503 or attempt == TRIES - 1:
                raise ValueError(f"{address}: {error.code} {error.read().decode()}") from None
            time.sleep(float(error.headers.get("Retry-After", 1)))
    raise AssertionError("the loop returns or raises")


EXTRA["http"] = remote
