"""One short text that changes when any answer of the search changes."""

import json
from functools import cache
from hashlib import blake2b

from shelfie.search.analysis import AnalysisRequest, Limits
from shelfie.search.analyze import analyze
from shelfie.search.fixed import positions

POSITIONS = 3  # of each game and number of players
PLAYOUTS = 150
LIMITS = {"tile": Limits(playouts=PLAYOUTS), "dice": Limits(depth=1)}


@cache
def fingerprint() -> str:
    """Digest of the ranked moves of fixed positions at fixed work and seed."""
    digest = blake2b(digest_size=8)
    for game, limits in LIMITS.items():
        request = AnalysisRequest(limits=limits, seed="fingerprint", include=frozenset())
        for players in (2, 3, 4):
            for position in positions(game, players, POSITIONS):
                answer = analyze(position, request)
                ranked = [[m.move, round(m.loss, 9), m.playouts] for m in answer.moves]
                digest.update(json.dumps(ranked).encode())
    return digest.hexdigest()
