"""What the manifests name exists: ports, paths, settings, commands, files, labels."""

import re
from pathlib import Path
from typing import Any

import pytest
from deploy.manifests import COMPOSE, DEPLOY, KUBERNETES, containers, read, resources
from distributed.cli import dask_scheduler, dask_worker
from http_client import CHECKOUT

from shelfie.api.app import create_app
from shelfie.api.settings import Settings

DOCKERFILE = (CHECKOUT / "Dockerfile").read_text(encoding="utf-8")
IMAGE = dict(re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"^ENV (.+)$", DOCKERFILE, re.M))))
DEPLOYMENT = resources(DEPLOY / "kubernetes/deployment.yaml")[0]
POD = DEPLOYMENT["spec"]["template"]
SERVICE = POD["spec"]["containers"][0]


def settings_of(environment: dict[str, Any]) -> Settings:
    """As the service would read them in its image; fails on what it would refuse."""
    return Settings.from_environment({**IMAGE, **{k: str(v) for k, v in environment.items()}})


def kubernetes_settings() -> Settings:
    fields = {"limits.cpu": SERVICE["resources"]["limits"]["cpu"]}
    found = {}
    for variable in SERVICE["env"]:
        source = variable.get("valueFrom", {})
        if "value" in variable:
            found[variable["name"]] = variable["value"]
        elif "resourceFieldRef" in source:
            found[variable["name"]] = fields[source["resourceFieldRef"]["resource"]]
        else:
            assert source["secretKeyRef"]["optional"]
            found[variable["name"]] = ""
    return settings_of(found)


def test_settings_and_ports_of_kubernetes() -> None:
    settings = kubernetes_settings()
    assert settings.workers == settings.slots == 2
    ports = {port["name"]: port["containerPort"] for port in SERVICE["ports"]}
    assert ports == {"http": settings.port, "metrics": settings.metrics_port}
    notes = POD["metadata"]["annotations"]
    assert notes["prometheus.io/port"] == str(settings.metrics_port)
    assert settings.host == "0.0.0.0"


def test_probes_ask_what_is_served() -> None:
    paths = {rule.rule for rule in create_app(Settings()).url_map.iter_rules()}
    for name in ("startupProbe", "livenessProbe", "readinessProbe"):
        probe = SERVICE[name]["httpGet"]
        assert probe["path"] in paths
        assert probe["port"] == "http"
    assert POD["metadata"]["annotations"]["prometheus.io/path"] in paths
    assert SERVICE["livenessProbe"]["httpGet"]["path"] == "/livez"


def test_nothing_is_cut_off_by_a_stop() -> None:
    """The platform waits longer than the service takes."""
    pause = int(SERVICE["lifecycle"]["preStop"]["exec"]["command"][1])
    assert POD["spec"]["terminationGracePeriodSeconds"] >= pause + 62
    stop = read(DEPLOY / "compose.yaml")["services"]["shelfie"]["stop_grace_period"]
    assert int(stop.removesuffix("s")) >= 62


def test_service_links_would_be_taken_for_settings() -> None:
    """Kubernetes sets SHELFIE_PORT and the like for a service of this name."""
    with pytest.raises(ValueError, match="there is no such setting"):
        settings_of({"SHELFIE_SERVICE_HOST": "10.0.0.1"})
    for pod, _ in containers():
        assert pod["enableServiceLinks"] is False


def test_labels_meet() -> None:
    """Selectors of services, budgets and policies find pods; ports are named as there."""
    pods = {}
    for path in KUBERNETES:
        for resource in resources(path):
            if resource["kind"] == "Deployment":
                template = resource["spec"]["template"]
                labels = template["metadata"]["labels"]
                assert resource["spec"]["selector"]["matchLabels"] == labels
                pods[labels["app"]] = {
                    port["name"]: port["containerPort"]
                    for container in template["spec"]["containers"]
                    for port in container.get("ports", [])
                }
    for path in KUBERNETES:
        for resource in resources(path):
            spec = resource["spec"]
            if resource["kind"] == "Service":
                assert spec["ports"][0]["targetPort"] in pods[spec["selector"]["app"]]
            if resource["kind"] == "PodDisruptionBudget":
                assert spec["selector"]["matchLabels"]["app"] in pods
            if resource["kind"] == "HorizontalPodAutoscaler":
                assert spec["scaleTargetRef"]["name"] == DEPLOYMENT["metadata"]["name"]
            if path.name == "network.yaml":
                named = {rule["port"] for way in spec["ingress"] for rule in way["ports"]}
                assert named == set(pods[spec["podSelector"]["matchLabels"]["app"]])


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: str(path.relative_to(DEPLOY)))
def test_compose_names_what_is_there(path: Path) -> None:
    for service in read(path)["services"].values():
        build = service.get("build")
        if build:
            context = build if isinstance(build, str) else build["context"]
            assert (path.parent / context / "Dockerfile").exists()
            if isinstance(build, dict):
                assert re.search(rf"^FROM .* AS {build['target']}$", DOCKERFILE, re.M)
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert not source.startswith(".") or (path.parent / source).is_dir()
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:")


def test_settings_of_compose() -> None:
    services = read(DEPLOY / "compose.yaml")["services"]
    settings = settings_of(services["shelfie"]["environment"])
    assert services["shelfie"]["ports"] == [f"127.0.0.1:8000:{settings.port}"]
    scraped = read(DEPLOY / "prometheus/prometheus.yaml")["scrape_configs"][0]
    assert scraped["static_configs"][0]["targets"] == [f"shelfie:{settings.metrics_port}"]
    # The command and health check are the image's own.
    assert "command" not in services["shelfie"]
    assert "command" not in SERVICE


def dask_commands() -> list[list[str]]:
    found = [each["command"] for each in read(DEPLOY / "dask/compose.yaml")["services"].values()]
    for _, container in containers():
        if container["image"] == "shelfie-cluster":
            found.append(container["command"])
    return found


@pytest.mark.parametrize("command", dask_commands(), ids=lambda command: command[1])
def test_dask_understands_its_commands(command: list[str]) -> None:
    assert command[0] == "dask"
    known = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}
    context = known[command[1]].make_context(command[1], command[2:])
    if command[1] == "worker":
        assert context.params["scheduler"].endswith("scheduler:8786")
        assert context.params["nthreads"] == 1
    else:
        assert context.params["port"] == "8786"


def test_nobody_is_root_or_writes() -> None:
    user = re.findall(r"^USER (\d+):(\d+)$", DOCKERFILE, re.M)
    assert len(set(user)) == 1
    for pod, container in containers():
        assert pod["securityContext"]["runAsNonRoot"]
        assert str(pod["securityContext"]["runAsUser"]) == user[0][0]
        assert container["securityContext"]["readOnlyRootFilesystem"]
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
    for path in COMPOSE:
        for name, service in read(path)["services"].items():
            assert service.get("read_only") or name == "prometheus"
