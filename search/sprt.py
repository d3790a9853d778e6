"""The sequential probability ratio test of a match (Wald 1945), on the share of one agent.

A sample is one seed with all its rotations. The log-likelihood ratio uses the normal
approximation with the sample variance, as engine testing sites do for pairs of games.
"""

import math
from dataclasses import dataclass

ERROR = 0.05  # of either kind
LEAST_SAMPLES = 8  # before the variance is trusted
LEAST_VARIANCE = 1e-4


@dataclass(frozen=True, slots=True)
class Sprt:
    """Tests "the Elo difference is elo1" against "it is elo0"."""

    elo0: float
    elo1: float

    def share(self, elo: float, players: int) -> float:
        """The expected win share of an agent that is `elo` above the others."""
        odds = 10 ** (elo / 400) / (players - 1)
        return odds / (1 + odds)

    def ratio(self, values: list[float], players: int) -> float:
        """Log-likelihood ratio of the samples; 0 while they are too few."""
        n = len(values)
        if n < LEAST_SAMPLES:
            return 0.0
        mean = sum(values) / n
        variance = max(sum((v - mean) ** 2 for v in values) / (n - 1), LEAST_VARIANCE)
        s0, s1 = self.share(self.elo0, players), self.share(self.elo1, players)
        return n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)

    def decision(self, values: list[float], players: int) -> str:
        """ "elo1" or "elo0" once one of them is accepted, else ""."""
        ratio, bound = self.ratio(values, players), math.log((1 - ERROR) / ERROR)
        if ratio >= bound:
            return "elo1"
        return "elo0" if ratio <= -bound else ""
