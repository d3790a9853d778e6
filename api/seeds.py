"""Seed texts: made at random for a new game, or derived from what a request says."""

import secrets
from hashlib import blake2b

from shelfie.api import json_text


def random_seed() -> str:
    """A new seed: sixteen hexadecimal digits (a string, since JavaScript rounds big numbers)."""
    return secrets.token_hex(8)


def derived_seed(*parts: str | None) -> str:
    """The seed that belongs to these texts; equal texts give equal seeds everywhere."""
    return blake2b(json_text.dumps(parts), digest_size=8).hexdigest()
