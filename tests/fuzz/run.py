"""Fuzzes one position reader with atheris: `python tests/fuzz/run.py TARGET [libFuzzer flags]`.

The readers are Python, so coverage guides the fuzzer through them; the compiled rules behind
them are driven, and in a checked build watched, but guide nothing.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atheris

sys.path.insert(0, str(Path(__file__).parent.parent))

with atheris.instrument_imports(include=["shelfie.engine", "shelfie.api.json_text"]):
    from fuzz.invariants import check_json, check_notation
from fuzz.mutate import mutated
from vectors import load

TARGETS: dict[str, tuple[str, str]] = {
    f"{game}-{form}": (game, form) for game in ("tile", "dice") for form in ("json", "notation")
}
WORDS = {
    "tile": [*"CBGFTP?", *"123456789", "22", "|", "/", ":", ",", "refill=keep", "squares=same",
             "four_quads", "x_shape", "staircase:1", " - ", "players", "end_token"],
    "dice": [*"PGBTCJox.", "|", "/", ":", ",", "ooooo", "xxxxx", " - 2", "1000000", "sheet",
             "columns", "values", "rerolls_left"],
}  # fmt: skip


def seeds(game: str, form: str) -> list[bytes]:
    """The vectors' positions, good and bad, as inputs."""
    cases = [*load(f"{game}_positions"), *load(f"{game}_invalid")]
    if form == "json":
        return [json.dumps(case["position"]).encode() for case in cases if "position" in case]
    return [case["notation"].encode() for case in cases if "notation" in case]


def prepare(target: str, folder: Path) -> list[str]:
    """Writes corpus and dictionary below a folder; the flags that name them."""
    game, form = TARGETS[target]
    corpus, words = folder / target, folder / f"{target}.dict"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(game, form)):
        (corpus / f"seed-{number}").write_bytes(seed)
    words.write_text("".join(f'"{word}"\n' for word in WORDS[game]))
    return [str(corpus), f"-dict={words}", f"-artifact_prefix={folder / target}-found-"]


def json_mutator(data: bytes, max_size: int, seed: int) -> bytes:
    """Half of the time a change of values, else of bytes."""
    found = mutated(data, seed) if seed % 2 else None
    return found if found is not None and len(found) <= max_size else atheris.Mutate(data, max_size)


def main() -> None:
    target, *flags = sys.argv[1:]
    game, form = TARGETS[target]
    check: Callable[[str, bytes], Any] = check_json if form == "json" else check_notation
    folder = Path("build") / "fuzz"
    arguments = [sys.argv[0], *prepare(target, folder), "-max_len=4096", *flags]
    more = {"custom_mutator": json_mutator} if form == "json" else {}
    atheris.Setup(arguments, lambda data: check(game, data), **more)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
