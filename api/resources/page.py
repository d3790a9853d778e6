"""GET /: the page to play and analyse in a browser, plain files below api/web."""

import hashlib
from importlib.resources import files

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

blueprint = Blueprint("page", __name__)

TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
MEDIA_TYPES: dict[str, tuple[str, ...]] = {
    "page.index": ("text/html",),
    "page.asset": tuple(TYPES.values()),
}

# The page may load its own files and talk to its own service, and nothing else.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def _read() -> dict[str, tuple[bytes, str, str]]:
    """Each file by name: content, media type, tag. Read once; a request opens no file."""
    found = {}
    root = files("shelfie.api").joinpath("web")
    for folder, prefix in ((root, ""), (root.joinpath("texts"), "texts/")):
        for entry in folder.iterdir():
            media_type = TYPES.get(entry.name[entry.name.rfind(".") :])
            if media_type:
                content = entry.read_bytes()
                tag = hashlib.sha256(content).hexdigest()[:16]
                found[prefix + entry.name] = (content, media_type, tag)
    return found


_FILES = _read()


def _answer(name: str) -> Response:
    content, media_type, tag = _FILES[name]
    response = Response(content, content_type=f"{media_type}; charset=utf-8")
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Cache-Control"] = "no-cache"  # kept, but asked for each time: names stay
    response.set_etag(tag, weak=True)  # weak, since the body may go out as gzip
    response.make_conditional(request)
    return response


@blueprint.get("/")
def index() -> Response:
    """The page itself."""
    return _answer("index.html")


@blueprint.get("/web/<path:name>")
def asset(name: str) -> Response:
    """A style, a script or a picture of the page."""
    if name not in _FILES:
        raise NotFound
    return _answer(name)
