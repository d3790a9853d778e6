"""Keys of callers as the configuration holds them: names and digests, never a key.

A key is 256 random bits, so a plain SHA-256 of it cannot be searched backwards: salts and slow
hashes protect passwords, which people choose.
"""

import re
import secrets
from hashlib import sha256
from pathlib import Path

_ENTRY = re.compile(r"([A-Za-z0-9._-]{1,64}):([0-9a-fA-F]{64})")


def new_key() -> str:
    """A new key, with a start by which scanners for leaked secrets can know it."""
    return f"shelfie_{secrets.token_urlsafe(32)}"


def digest_of(key: str) -> str:
    """What the configuration holds of a key."""
    return sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


def entry_of(name: str, key: str) -> str:
    """The entry of SHELFIE_KEYS for a key; ValueError for a name that is none."""
    entry = f"{name}:{digest_of(key)}"
    if not _ENTRY.fullmatch(entry):
        raise ValueError("a name has 1 to 64 letters, digits, dots, hyphens and underscores")
    return entry


def read_keys(text: str) -> dict[str, str]:
    """Name -> digest from entries `name:digest` between commas or blanks, or from @FILE.

    In a file there may be comments after #. ValueError says what is wrong with which entry.
    """
    if text.startswith("@"):
        text = read_file(Path(text[1:]))
    found: dict[str, str] = {}
    for number, entry in enumerate(re.split(r"[,\s]+", text.strip(", \t\r\n")), 1):
        if not entry:
            continue
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise ValueError(f"SHELFIE_KEYS: entry {number} is not NAME:SHA256 in hexadecimal")
        name, digest = match.groups()
        if name in found:
            raise ValueError(f"SHELFIE_KEYS: the name {name} is there twice")
        found[name] = digest.lower()
    return found


def read_file(path: Path) -> str:
    """A file's text without its comments."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"SHELFIE_KEYS: {path} cannot be read: {error}") from None
    return "\n".join(line.partition("#")[0] for line in lines)
