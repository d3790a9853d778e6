"""Hypothesis profiles. The default is the same on every run, so that a red test stays red.

`HYPOTHESIS_PROFILE=explore pytest ...` looks at new and many more examples instead.
"""

import os

from hypothesis import HealthCheck, settings

SLOW_IS_FINE = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
]

settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    max_examples=100,
    database=None,
    suppress_health_check=SLOW_IS_FINE,
)
settings.register_profile(
    "explore", deadline=None, max_examples=3000, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
