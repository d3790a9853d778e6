"""The least a Flask service can do: read JSON, answer JSON. A yardstick for loadtests/rules.py.

It runs under the same gunicorn with the same settings as the service.
"""

import json
import os
import sys
from pathlib import Path

from flask import Flask, Response, request

from shelfie.api.server import Server, gunicorn_options
from shelfie.api.settings import Settings

ANSWER = json.loads(Path(os.environ["BARE_ANSWER"]).read_text(encoding="utf-8"))


class Bare(Server):
    """The same server around another application."""

    def load(self) -> Flask:
        app = Flask("bare")

        @app.post("/bare")
        def bare() -> Response:
            request.get_json()
            return Response(json.dumps(ANSWER), content_type="application/json")

        return app


def main() -> None:
    settings = Settings.from_environment()
    options = gunicorn_options(settings)
    for hook in ("post_worker_init", "child_exit"):
        del options[hook]
    Bare(settings, options).run()


if __name__ == "__main__":
    sys.exit(main())
