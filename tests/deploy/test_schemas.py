"""Manifests and compose files are what Kubernetes and Compose understand, nothing misspelt."""

import copy
from pathlib import Path

import kubernetes_validate
import pytest
from compose_spec import PyCompose
from deploy.manifests import COMPOSE, DEPLOY, KUBERNETES, read, resources

# The oldest and the newest whose schemas the validator ships, and that policy/v1 and the like
# have been in for long.
VERSIONS = ["1.30.0", kubernetes_validate.latest_version()]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("path", KUBERNETES, ids=lambda path: str(path.relative_to(DEPLOY)))
def test_kubernetes(path: Path, version: str) -> None:
    for resource in resources(path):
        kubernetes_validate.validate(resource, version, strict=True)


def test_a_misspelt_field_would_be_found() -> None:
    resource = copy.deepcopy(resources(DEPLOY / "kubernetes/deployment.yaml")[0])
    pod = resource["spec"]["template"]["spec"]
    pod["containers"][0]["livenesProbe"] = pod["containers"][0].pop("livenessProbe")
    with pytest.raises(kubernetes_validate.ValidationError, match="livenesProbe"):
        kubernetes_validate.validate(resource, VERSIONS[0], strict=True)


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: str(path.relative_to(DEPLOY)))
def test_compose(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    PyCompose.from_yaml(text).validate()
    with pytest.raises(ValueError, match="imagge"):
        PyCompose.from_yaml(text.replace("image:", "imagge:", 1))


def test_every_manifest_is_applied() -> None:
    folder = DEPLOY / "kubernetes"
    named = read(folder / "kustomization.yaml")["resources"]
    assert sorted(named) == [path.name for path in KUBERNETES if path.parent == folder]
