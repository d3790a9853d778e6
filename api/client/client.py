"""The calls, one method for each address of the service."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Any, Literal, TypedDict, Unpack

from shelfie.api.client.errors import CutShort, Problem, ServiceError
from shelfie.api.client.retries import Retries
from shelfie.api.client.transport import Request, Transport

Json = dict[str, Any]
Position = str | Mapping[str, Any]  # a line of notation, or the object

JSON = "application/json"
NDJSON = "application/x-ndjson"


class Limits(TypedDict, total=False):
    """What ends a search, whichever comes first; `playouts`: tile only, `depth`: dice only."""

    playouts: int
    depth: int
    time_ms: int
    standard_error: float


class SearchOptions(TypedDict, total=False):
    """What every search takes; docs/api.md tells what each means."""

    id: str
    level: int | None
    seed: str
    objective: Literal["win", "score"]
    information: Literal["player", "open"]
    limits: Limits
    deadline_ms: int


class AnalysisOptions(SearchOptions, total=False):
    """What an analysis or a move takes besides."""

    top: int
    allow: list[str]
    avoid: list[str]
    include: list[Literal["pv", "reasons", "distribution"]]


class NewOptions(TypedDict, total=False):
    """What a new game takes besides its number of players."""

    seed: str
    common_goals: int
    personal_goals: bool
    rules: Mapping[str, str]
    sheet: Mapping[str, Any]


class ApplyOptions(TypedDict, total=False):
    """What a move takes whose result chance decides."""

    outcome: str | list[str]
    seed: str
    until: Literal["next", "decision"]


class ReviewOptions(TypedDict, total=False):
    """What a review takes besides its record."""

    id: str
    seats: list[int]
    seed: str
    objective: Literal["win", "score"]
    information: Literal["player", "open"]
    limits: Limits


class Client:
    """The service at `url`. Threads may share one: each call has a connection of its own.

    key: sent as a Bearer token. timeout: seconds until the service has to say something;
    choose it above the longest search. retries: see `Retries`. cache: answers with a tag are
    kept in it and asked for again with If-None-Match; any mapping, a dict grows without bound
    (one that threads share has to bear it, as a dict does). sleep: called to wait.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        timeout: float = 60.0,
        retries: Retries | None = None,
        cache: MutableMapping[tuple[str, bytes], tuple[str, bytes]] | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        self._transport = Transport(url, headers, timeout, retries or Retries(), sleep)
        self._impatient = Transport(url, headers, timeout, Retries(attempts=1), sleep)
        self._cache = cache

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections that wait for the next call."""
        self._transport.close()
        self._impatient.close()

    # ---- the service

    def games(self) -> Json:
        """The games, with links."""
        return self._get("/v1/games")

    def game(self, game: str) -> Json:
        """Rules, levels, options with their ranges and limits of one game."""
        return self._get(f"/v1/games/{game}")

    def version(self) -> Json:
        """Version, build and models."""
        return self._get("/v1/version")

    def ready(self) -> bool:
        """Whether the service takes requests now; asked once, without repeats."""
        try:
            self._impatient.call(Request("GET", "/readyz"))
        except ServiceError:
            return False
        return True

    # ---- the rules

    def new(self, game: str, players: int, **options: Unpack[NewOptions]) -> Json:
        """A starting position."""
        return self._ask(game, "new", {"players": players, **options})

    def legal_moves(self, game: str, position: Position) -> Json:
        """Every legal move."""
        return self._ask(game, "legal-moves", {"position": position})

    def apply(
        self, game: str, position: Position, move: str, **options: Unpack[ApplyOptions]
    ) -> Json:
        """The position after a move."""
        return self._ask(game, "apply", {"position": position, "move": move, **options})

    def score(self, game: str, position: Position) -> Json:
        """Points per seat, and who has won."""
        return self._ask(game, "score", {"position": position})

    # ---- the search

    def analysis(self, game: str, position: Position, **options: Unpack[AnalysisOptions]) -> Json:
        """The moves, ranked."""
        return self._ask(game, "analysis", {"position": position, **options})

    def move(self, game: str, position: Position, **options: Unpack[AnalysisOptions]) -> Json:
        """The move a bot plays, and the position after it."""
        return self._ask(game, "move", {"position": position, **options})

    def evaluation(self, game: str, position: Position, **options: Unpack[SearchOptions]) -> Json:
        """The value of a position."""
        return self._ask(game, "evaluation", {"position": position, **options})

    def analysis_lines(
        self, game: str, position: Position, **options: Unpack[AnalysisOptions]
    ) -> Iterator[Json]:
        """An analysis while it goes on: objects with `partial`, and last the whole answer."""
        found: Json = {"partial": {}}
        for found in self._ask_lines(game, "analysis", {"position": position, **options}):
            yield found
        if "partial" in found:
            raise CutShort("The stream ended before the whole answer.")

    def review(
        self,
        game: str,
        position: Position,
        moves: Iterable[str | Mapping[str, Any]],
        **options: Unpack[ReviewOptions],
    ) -> Iterator[Json]:
        """Each move of a record against the best one, and last the line with the `summary`.

        moves: all since `position`, those of chance as {"move": ..., "outcome": ...}.
        """
        found: Json = {}
        request = {"position": position, "moves": list(moves), **options}
        for found in self._ask_lines(game, "review", request):
            yield found
        if "summary" not in found:
            raise CutShort("The stream ended before its summary.")

    # ---- many at once

    def batch(self, items: Iterable[Mapping[str, Any]]) -> Iterator[Json]:
        """The answer line of each item as it is finished, in any order; `index` is its place.

        Items are objects with `game`, `op`, `request` and, if wanted, `id`. The request is sent
        when the first line is asked for. `CutShort` when the stream ends before all have come.
        """
        body = b"".join(encoded(item) + b"\n" for item in items)
        seen, summary = 0, None
        for found in self._lines("/v1/batch", body, NDJSON):
            summary = found.get("summary")
            if summary is None:
                seen += 1
                yield found
        if summary is None or summary["items"] != seen or summary["complete"] is not True:
            raise CutShort(f"The stream ended after {seen} lines, before its summary.")

    # ---- how

    def _get(self, path: str) -> Json:
        return decoded(self._transport.call(Request("GET", path)).body)

    def _ask(self, game: str, operation: str, request: Mapping[str, Any]) -> Json:
        path, body = f"/v1/games/{game}/{operation}", encoded(request)
        headers = {"Content-Type": JSON}
        if self._cache is None:
            return decoded(self._transport.call(Request("POST", path, body, headers)).body)
        tag, known = self._cache.get((path, body), ("", b""))
        headers |= {"If-None-Match": tag} if tag else {}
        reply = self._transport.call(Request("POST", path, body, headers), (200, 304))
        if reply.status == 304:
            return decoded(known)
        if reply.headers["ETag"]:
            self._cache[path, body] = reply.headers["ETag"], reply.body
        return decoded(reply.body)

    def _ask_lines(self, game: str, operation: str, request: Mapping[str, Any]) -> Iterator[Json]:
        """The lines of an operation; a failure on the way is a last line with a problem alone."""
        for found in self._lines(f"/v1/games/{game}/{operation}", encoded(request), JSON):
            if found.keys() == {"problem"}:
                raise Problem(found["problem"])
            yield found

    def _lines(self, path: str, body: bytes, content_type: str) -> Iterator[Json]:
        headers = {"Content-Type": content_type, "Accept": NDJSON}
        for line in self._transport.lines(Request("POST", path, body, headers)):
            if not line.endswith(b"\n"):
                raise CutShort("The stream ended in the middle of a line.")
            yield decoded(line)


def encoded(value: Any) -> bytes:
    """The JSON text of a value."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


def decoded(body: bytes) -> Json:
    """The object of a JSON text."""
    found: Json = json.loads(body)
    return found
