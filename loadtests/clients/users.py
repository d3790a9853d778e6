"""Three kinds of clients: bots that play, people who want a suggestion, and batches."""

import itertools
import json
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gevent
from locust import FastHttpUser, task

import plan as plans
import sample
from clients.phase import NOW

PLAN = plans.read(Path(os.environ["LOAD_FOLDER"]) / "plan.json")
BATCH_ITEMS = 40
# Every process counts from another place.
NUMBERS = itertools.count(random.SystemRandom().randrange(10**6))


def arrivals(rate: float) -> Callable[[Any], float]:
    """Calls at random moments, `rate` a second on average, however long the answers take."""

    def wait(user: Any) -> float:
        now = time.monotonic()
        user.due = getattr(user, "due", now) + random.expovariate(rate)
        return max(0.0, user.due - now)

    return wait


def fault_of_refusal(response: Any) -> str | None:
    """What is wrong with a 503, if anything: it must say when to come again, and why."""
    after = response.headers.get("Retry-After") or ""
    if not (after.isdigit() and int(after) >= 1):
        return f"503 with Retry-After {after!r}"
    try:
        kind = response.json()["type"]
    except (ValueError, KeyError, TypeError):
        return "503 that is no problem+json"
    return None if kind.endswith("/temporary-reduced-capacity") else f"503 {kind}"


class Caller(FastHttpUser):
    """What all have in common: names by phase, refusals apart, answers checked."""

    abstract = True
    network_timeout = 120.0
    connection_timeout = 30.0

    def ask(
        self, kind: str, path: str, check: Callable[[Any], Any], **body: Any
    ) -> tuple[Any, int]:
        """What `check` makes of an answer of 200, or None with the seconds to wait.

        check raises ValueError, KeyError or TypeError for an answer that is not right.
        """
        started, phase = time.time(), NOW.name
        found, wait = None, 0
        with self.client.post(
            path, name=f"{kind}, {phase}", catch_response=True, **body
        ) as response:
            refused = response.status_code == 503
            if refused:
                response.request_meta["name"] = f"{kind} refused, {phase}"
                fault = fault_of_refusal(response)
                wait = 1 if fault else int(response.headers["Retry-After"])
                response.failure(fault) if fault else response.success()
            elif response.status_code != 200:
                text = (response.text or "")[:200]
                response.failure(f"status {response.status_code} {text}")
            else:
                try:
                    found = check(response)
                    response.success()
                except (ValueError, KeyError, TypeError) as error:
                    response.failure(f"answer not right: {error!r}")
        if kind == "suggestion":
            NOW.note(started, response.request_meta["response_time"], refused)
        return found, wait

    def tell(self, kind: str, started: float) -> None:
        """Something that took several calls has come to its end."""
        self.environment.events.request.fire(
            request_type="", name=kind, response_time=1000 * (time.time() - started),
            response_length=0, exception=None, context={},
        )  # fmt: skip


class SuggestionUser(Caller):
    """Asks about one position after another and does not ask again when refused."""

    weight = 1
    wait_time = arrivals(plans.RATE)

    @task
    def suggest(self) -> None:
        path, body = sample.suggestion(PLAN.positions, next(NUMBERS))

        def check(response: Any) -> None:
            answer = response.json()
            if answer["status"] != "forced" and not answer["moves"]:
                raise ValueError("no move")
            if abs(sum(answer["root"]["win_probability"]) - 1) > 1e-3:
                raise ValueError("win shares do not add up to 1")

        self.ask("suggestion", path, check, json=body)


class BotUser(Caller):
    """Plays whole games with random levels; waits as long as it is told to when refused."""

    fixed_count = PLAN.bots
    wait_time = arrivals(2.0)  # games
    least_pause = 0.05  # of thought, seconds

    @task
    def play(self) -> None:
        number = next(NUMBERS)
        game = sample.GAMES[number % len(sample.GAMES)]
        path, seed, started = f"/v1/games/{game}", f"load/{number}", time.time()
        levels = [random.randrange(1, 11) for _ in range(2 + number % 3)]
        start = {"players": len(levels), "seed": seed}
        state, _ = self.ask("bot rules", f"{path}/new", lambda r: r.json(), json=start)
        turn = 0
        while state and state["node"] != "terminal":
            turn += 1
            level = levels[state["position"]["to_move"]]
            body = {"position": state["position"], "level": level, "seed": f"{seed}/{turn}"}
            state = self.move(f"{path}/move", body)
        if state:
            final = {"position": state["position"]}
            over, _ = self.ask("bot rules", f"{path}/score", self.check_score, json=final)
            if over:
                self.tell("game", started)

    def move(self, path: str, body: dict[str, Any]) -> Any:
        """The position after the bot's move; None when that failed."""
        while True:
            gevent.sleep(self.least_pause)
            state, wait = self.ask("bot move", path, self.check_move, json=body)
            if not wait:
                return state
            gevent.sleep(wait)

    @staticmethod
    def check_move(response: Any) -> Any:
        answer = response.json()
        if not answer["chosen"]["move"]:
            raise ValueError("no move")
        return answer

    @staticmethod
    def check_score(response: Any) -> bool:
        answer = response.json()
        if not answer["over"] or abs(sum(answer["winners"]) - 1) > 1e-9:
            raise ValueError("a game that is over has winners")
        return True


class BatchUser(Caller):
    """Sends batches, one after the other."""

    fixed_count = PLAN.batches
    wait_time = arrivals(1.0)

    @task
    def evaluate(self) -> None:
        first, started = next(NUMBERS), time.time()
        lines = []
        for number in range(first, first + BATCH_ITEMS):
            path, body = sample.suggestion(PLAN.positions, number)
            game = path.split("/")[3]
            if game == "tile":
                body["limits"] = {"playouts": 200}
            lines.append(json.dumps({"game": game, "op": "analysis", "request": body}))
        headers = {"Content-Type": "application/x-ndjson", "Accept": "application/x-ndjson"}
        done, wait = self.ask("batch", "/v1/batch", self.check, data="\n".join(lines),
                              headers=headers)  # fmt: skip
        if done:
            self.tell("whole batch", started)
        gevent.sleep(wait)

    @staticmethod
    def check(response: Any) -> bool:
        *items, last = [json.loads(line) for line in response.text.splitlines()]
        if last["summary"] != {"items": BATCH_ITEMS, "ok": BATCH_ITEMS, "failed": 0,
                               "complete": True}:  # fmt: skip
            raise ValueError(f"summary {last['summary']}")
        if sorted(item["index"] for item in items) != list(range(BATCH_ITEMS)):
            raise ValueError("not one line for each item")
        return True
