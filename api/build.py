"""Which build answers: version and a digest of everything that can change an answer."""

from functools import cache
from hashlib import blake2b
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from typing import Any

from shelfie.api.options import models
from shelfie.search.fingerprint import fingerprint

# What an answer depends on: code, compiled code, weights. Not caches, stubs or declarations.
_SUFFIXES = (".py", ".so", ".pyd", ".json", ".npz", ".bin")


@cache
def version() -> str:
    """The installed version of the distribution."""
    return metadata.version("shelfie")


@cache
def build_digest() -> str:
    """A digest of the installed engine and search: code, compiled code and models."""
    return digest_of("shelfie.engine", "shelfie.search")


def digest_of(*packages: str) -> str:
    """A digest of everything in these packages that an answer can depend on."""
    digest = blake2b(digest_size=8)
    for package in packages:
        _add(digest, resources.files(package), package)
    return digest.hexdigest()


def _add(digest: "blake2b", folder: Traversable, name: str) -> None:
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        path = f"{name}/{entry.name}"
        if entry.is_dir():
            if entry.name != "__pycache__":
                _add(digest, entry, path)
        elif entry.name.endswith(_SUFFIXES):
            content = entry.read_bytes()
            digest.update(f"{path} {len(content)}\n".encode())
            digest.update(content)


def engine_identity(model: str) -> dict[str, Any]:
    """The `engine` part of an answer."""
    return {"version": version(), "model": model, "fingerprint": fingerprint()}


def version_document() -> dict[str, Any]:
    """The answer of /v1/version."""
    return {
        "name": "shelfie",
        "version": version(),
        "build": build_digest(),
        "models": models(),
        "fingerprint": fingerprint(),
    }
