"""The fingerprint is the same in every process and thread, and whatever came before."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from shelfie.engine import GAMES, Rng
from shelfie.search import AnalysisRequest, Limits, analyze
from shelfie.search.fingerprint import fingerprint

FRESH = fingerprint.__wrapped__
PRINT = "from shelfie.search.fingerprint import fingerprint; print(fingerprint())"


def test_repeats_and_threads_agree() -> None:
    first = fingerprint()
    # Fill the evaluators' tables with something else in between.
    analyze(GAMES["tile"].new(2, Rng("other")), AnalysisRequest(limits=Limits(playouts=300)))
    with ThreadPoolExecutor(3) as pool:
        assert {f.result() for f in [pool.submit(FRESH) for _ in range(3)]} == {first}


def test_processes_agree() -> None:
    for seed in ("1", "77"):
        found = subprocess.run(
            [sys.executable, "-c", PRINT],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=os.path.dirname(sys.executable),
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.strip() == fingerprint()
