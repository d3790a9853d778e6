"""Asks callers for a key where the configuration names some; off otherwise."""

import hmac
from collections.abc import Mapping
from http import HTTPStatus

from flask import Flask, Response, g, request

from shelfie.api.key_entries import digest_of
from shelfie.api.problems import problem

PROTECTED = "/v1/"  # probes, document and pages tell nothing worth a key
CHALLENGE = 'Bearer realm="shelfie"'


def caller_of(sent: str, keys: Mapping[str, str]) -> str | None:
    """Whose key was sent. All are compared, each in constant time."""
    digest = digest_of(sent)
    caller = None
    for name, known in keys.items():
        if hmac.compare_digest(digest, known):
            caller = name
    return caller


def install(app: Flask, keys: Mapping[str, str]) -> None:
    """Makes the app ask for a key, when there are any; `g.caller` is then the key's name."""

    @app.before_request
    def check_key() -> Response | None:
        # A browser asks by OPTIONS, without a key, whether it may send one.
        if not keys or request.method == "OPTIONS" or not request.path.startswith(PROTECTED):
            return None
        scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not sent.strip():
            return refused(401, "A key is wanted: Authorization: Bearer KEY.")
        caller = caller_of(sent.strip(), keys)
        if caller is None:
            return refused(403, "This key is not known here.")
        g.caller = caller
        return None


def refused(status: int, detail: str) -> Response:
    """The problem of a missing or a wrong key."""
    challenge = [("WWW-Authenticate", CHALLENGE)] if status == HTTPStatus.UNAUTHORIZED else []
    return problem(status, detail, headers=challenge)
