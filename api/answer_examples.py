"""The answers that the OpenAPI document shows: made by the service, kept beside this file.

`python -m shelfie.api.answer_examples FILE` makes them anew; tests hold them against what the
service answers.
"""

import json
import sys
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

FILE = "answer_examples.json"
NDJSON = "application/x-ndjson"

Examples = dict[str, dict[str, Any]]  # operationId -> media type -> example of its 200


@cache
def kept() -> Examples:
    """The examples that go into the document."""
    text = resources.files("shelfie.api").joinpath(FILE).read_text(encoding="utf-8")
    found: Examples = json.loads(text)
    return found


def add_to(spec: dict[str, Any]) -> dict[str, Any]:
    """The document with an example of every answer."""
    for _, _, operation in operations(spec):
        for media_type, content in operation["responses"]["200"]["content"].items():
            content["example"] = kept()[operation["operationId"]][media_type]
    return spec


def operations(spec: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and description of every operation of the document."""
    for path, item in spec["paths"].items():
        for method, operation in item.items():
            if method in ("get", "post"):
                yield method, path, operation


def asked(client: Any, spec: dict[str, Any]) -> Examples:
    """What the service answers to the document's own requests; of lines the first."""
    found: Examples = {}
    for method, path, operation in operations(spec):
        content = operation.get("requestBody", {}).get("content", {})
        body = content.get("application/json", {}).get("example")
        examples = found.setdefault(operation["operationId"], {})
        for media_type in operation["responses"]["200"]["content"]:
            answer = client.open(
                path.replace("{kind}", "draining"),
                method=method.upper(),
                headers={"Accept": media_type},
                **({} if body is None else {"json": body}),
            )
            assert answer.status_code == 200, answer.get_data(as_text=True)
            text = answer.get_data(as_text=True)
            examples[media_type] = json.loads(text.split("\n")[0] if media_type == NDJSON else text)
    return found


def main(file: Path) -> None:
    """Writes the examples."""
    from shelfie.api.app import create_app
    from shelfie.api.settings import Settings

    client = create_app(Settings()).test_client()
    found = asked(client, client.get("/openapi.json").get_json())
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in found.items()]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
