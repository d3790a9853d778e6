"""The files below deploy/, read; shared by the tests."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from http_client import CHECKOUT

DEPLOY = CHECKOUT / "deploy"
KUBERNETES = [
    path
    for path in sorted([*(DEPLOY / "kubernetes").glob("*.yaml"), DEPLOY / "dask/kubernetes.yaml"])
    if path.name != "kustomization.yaml"
]
COMPOSE = [DEPLOY / "compose.yaml", DEPLOY / "dask/compose.yaml"]


def read(path: Path) -> Any:
    """The only document of a file."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def resources(path: Path) -> list[dict[str, Any]]:
    """All documents of a file."""
    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))


def containers() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Pod specification and container of every workload."""
    for path in KUBERNETES:
        for resource in resources(path):
            if resource["kind"] == "Deployment":
                pod = resource["spec"]["template"]["spec"]
                yield from ((pod, container) for container in pod["containers"])
