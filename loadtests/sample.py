"""What is learned from a running service before the load starts. Only its API is used, so that
the service may be anywhere and of any build."""

import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from service import Client, post_json

GAMES = ("tile", "dice")


def answer(client: Client, path: str, body: Any) -> Any:
    """A call that must succeed."""
    status, _, found = client.ask(post_json(path, body))
    if status != 200:
        raise SystemExit(f"{path}: {status} {found[:500].decode(errors='replace')}")
    return json.loads(found)


def positions(client: Client, game: str, games: int, seed: str) -> list[str]:
    """Every decision of some random games with two to four players, as notation."""
    draw = random.Random(f"{seed}/{game}")
    found = []
    for number in range(games):
        state = answer(
            client, f"/v1/games/{game}/new", {"players": 2 + number % 3, "seed": f"{seed}/{number}"}
        )
        while state["node"] != "terminal":
            at = {"position": state["notation"]}
            if state["node"] == "decision":
                found.append(state["notation"])
                moves = answer(client, f"/v1/games/{game}/legal-moves", at)["moves"]
                at["move"] = draw.choice(moves)
            else:
                at["move"] = "roll" if game == "dice" else "refill"
            at |= {"seed": f"{seed}/{number}/{len(found)}", "until": "decision"}
            state = answer(client, f"/v1/games/{game}/apply", at)
    draw.shuffle(found)
    return found


def suggestion(positions: dict[str, list[str]], number: int) -> tuple[str, dict[str, Any]]:
    """Path and body of the n-th call for suggestions: tile and dice in turn, default limits."""
    game = GAMES[number % len(GAMES)]
    those = positions[game]
    position = those[number // len(GAMES) % len(those)]
    return f"/v1/games/{game}/analysis", {"position": position, "top": 3}


def capacity(
    host: str, port: int, positions: dict[str, list[str]], callers: int, seconds: float
) -> float:
    """Suggestion calls a second of callers who ask without a pause, one for each slot."""
    end = time.monotonic() + seconds

    def ask(first: int) -> int:
        client, done = Client(port, host), 0
        while time.monotonic() < end:
            answer(client, *suggestion(positions, first + done))
            done += 1
        client.close()
        return done

    with ThreadPoolExecutor(callers) as pool:
        # Each starts elsewhere, so that they do not ask the same at once.
        counts = list(pool.map(ask, (caller * 7 for caller in range(callers))))
    return sum(counts) / (time.monotonic() - end + seconds)
