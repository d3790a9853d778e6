"""What every response carries whatever it answers: safe headers, gzip, and CORS where allowed."""

import gzip

from flask import Flask, Response, request
from flask_cors import CORS

from shelfie.api.request_context import JSON, NDJSON
from shelfie.api.settings import Settings

# An answer is data: nothing in it is to be run, framed, guessed at or told to others.
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": DATA_POLICY,
}

LEAST = 1400  # bytes; a smaller body fits into one packet as it is
LEVEL = 5
# Streams are not here: a compressor holds lines back.
COMPRESSIBLE = {JSON, "application/problem+json", "text/html", "text/css", "text/javascript",
                "text/plain"}  # fmt: skip

TAKEN = ["Authorization", "Content-Type", "If-None-Match", "X-Request-Id", "traceparent"]
SHOWN = ["ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "Server-Timing",
         "WWW-Authenticate", "X-Request-Id"]  # fmt: skip
PREFLIGHT_SECONDS = 7200  # browsers keep it no longer


def install(app: Flask, settings: Settings) -> None:
    """Adds the headers; to be installed early, since what comes first here looks last."""
    origins = settings.cors_origins.split()

    @app.after_request
    def finish(response: Response) -> Response:
        for name, value in SAFE.items():
            response.headers.setdefault(name, value)
        if request.method == "OPTIONS" and response.status_code == 200:
            without_body(response)
        elif response.status_code == 304:
            response.vary.add("Accept-Encoding")  # as the answer itself would
        elif may_compress(response):
            response.vary.add("Accept-Encoding")
            if request.accept_encodings.quality("gzip") > 0:
                compress(response)
        return response

    if origins:
        anywhere = origins == ["*"]
        CORS(
            app,
            origins="*" if anywhere else origins,
            methods=["GET", "HEAD", "POST"],
            allow_headers=TAKEN,
            expose_headers=SHOWN,
            max_age=PREFLIGHT_SECONDS,
            send_wildcard=anywhere,
            always_send=False,
            intercept_exceptions=False,
        )


def without_body(response: Response) -> None:
    """What is available here: the methods in Allow, and what a POST may hold."""
    response.status_code = 204
    response.headers.remove("Content-Type")
    if "POST" in response.allow:
        batch = request.path == "/v1/batch"
        response.headers["Accept-Post"] = f"{NDJSON}, {JSON}" if batch else JSON


def may_compress(response: Response) -> bool:
    """Whether the body is worth it, whatever this caller takes."""
    return (
        not response.is_streamed
        and response.mimetype in COMPRESSIBLE
        and "Content-Encoding" not in response.headers
        and (response.content_length or 0) >= LEAST
    )


def compress(response: Response) -> None:
    """The body as gzip; without a time in it, so that equal bodies stay equal."""
    response.set_data(gzip.compress(response.get_data(), LEVEL, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
