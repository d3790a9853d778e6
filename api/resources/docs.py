"""GET /docs: a page that shows /openapi.json and sends requests. It needs nothing from afar."""

from importlib.resources import files

from flask import Blueprint, Response

blueprint = Blueprint("docs", __name__)

_FILES = {
    "/docs": ("docs.html", "text/html"),
    "/docs/docs.css": ("docs.css", "text/css"),
    "/docs/docs.js": ("docs.js", "text/javascript"),
}
MEDIA_TYPES: dict[str, tuple[str, ...]] = {f"docs.{name}": (media_type,) for name, media_type in
               ((name.replace(".", "_"), media) for name, media in _FILES.values())}  # fmt: skip

# The page may load its own style and script and talk to its own service, and nothing else.
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def _add(path: str, name: str, media_type: str) -> None:
    content = files("shelfie.api.pages").joinpath(name).read_bytes()

    def view() -> Response:
        response = Response(content, content_type=f"{media_type}; charset=utf-8")
        response.headers["Content-Security-Policy"] = POLICY
        return response

    blueprint.add_url_rule(path, name.replace(".", "_"), view)


for _path, (_name, _media_type) in _FILES.items():
    _add(_path, _name, _media_type)
