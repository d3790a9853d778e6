"""Plays a whole game against the service, one level a seat, and prints every move.

    python bot.py http://127.0.0.1:8000 dice 1 10         two players: level 1 against level 10
    python bot.py http://127.0.0.1:8000 tile 3 3 8 --seed monday

Needs Python 3.11 and the package `shelfie`, of which only the client is loaded.
"""

import argparse
import secrets
from typing import Any

from shelfie.api.client import Client


def play(client: Client, game: str, levels: list[int], seed: str) -> dict[str, Any]:
    """Plays a game to its end; the final score. Equal seeds give equal games."""
    answer = client.new(game, len(levels), seed=seed)
    turn = 0
    while answer["node"] != "terminal":
        turn += 1
        seat = answer["position"]["to_move"]
        level = levels[seat]
        # At a chance node the only move is to roll or to refill, which `move` does as well.
        answer = client.move(game, answer["position"], level=level, seed=f"{seed}/{turn}")
        print(f"{turn}. seat {seat}, level {level}: {answer['chosen']['move']}", flush=True)
    return client.score(game, answer["position"])


def main() -> None:
    parser = argparse.ArgumentParser(description="Plays a whole game against the service.")
    parser.add_argument("url")
    parser.add_argument("game", choices=["tile", "dice"])
    parser.add_argument("levels", nargs="+", type=int, metavar="level", help="one for each seat")
    parser.add_argument("--seed", default=secrets.token_hex(8))
    parser.add_argument("--key", help="where the service asks for one")
    given = parser.parse_args()
    with Client(given.url, key=given.key) as client:  # waits where the service is busy
        result = play(client, given.game, given.levels, given.seed)
    for seat, (score, share) in enumerate(zip(result["scores"], result["winners"], strict=True)):
        print(f"seat {seat}: {score['total']} points, win share {share:.2f}")


if __name__ == "__main__":
    main()
