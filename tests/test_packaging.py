"""What is shipped: the Dockerfile's own commands in a fresh environment, and the result started.

Needs the network for the packages that the wheel depends on.
"""

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from http_client import CHECKOUT, ask, free_port, running

from shelfie.api.examples import request_example

DOCKERFILE = (CHECKOUT / "Dockerfile").read_text(encoding="utf-8")


def run(command: str, folder: Path) -> str:
    """A shell command in a folder; its output is shown when it fails."""
    done = subprocess.run(
        ["sh", "-ec", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def docker_lines(word: str) -> list[str]:
    """What follows an instruction, one string each, without mounts."""
    joined = DOCKERFILE.replace("\\\n", " ")
    found = re.findall(rf"^{word} (.+)$", joined, re.MULTILINE)
    return [re.sub(r"^--mount=\S+\s+", "", line) for line in found]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the Dockerfile copies into its build stage, and no others."""
    folder = tmp_path_factory.mktemp("source")
    left_out = shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    for line in docker_lines("COPY"):
        if line.startswith("--from"):
            continue
        *names, target = line.split()
        for name in names:
            if (CHECKOUT / name).is_dir():
                shutil.copytree(CHECKOUT / name, folder / target, ignore=left_out)
            else:
                shutil.copy(CHECKOUT / name, folder / target)
    return folder


@pytest.fixture(scope="module")
def installed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a fresh environment in which the Dockerfile's pip lines have run.

    That of the cluster's image is only tried: what it asks for is there.
    """
    base = tmp_path_factory.mktemp("image")
    wheels, environment = base / "wheels", base / "environment"
    run(f"{sys.executable} -m venv {environment}", base)
    pip = f"{environment}/bin/pip --disable-pip-version-check"
    lines = [line for line in docker_lines("RUN") if line.startswith("pip ")]
    build, cluster, service = (line.replace("/wheels", str(wheels)) for line in lines)
    assert "[cluster]" in cluster
    assert "[cluster]" not in service
    cluster = cluster.replace("pip install", "pip install --dry-run", 1)
    for line in (build, cluster, service):
        run(re.sub(r"^pip ", f"{pip} ", line), source)
    return environment / "bin"


@pytest.fixture(scope="module")
def wheel(installed: Path) -> Iterator[zipfile.ZipFile]:
    (path,) = (installed.parent.parent / "wheels").glob("shelfie-*.whl")
    with zipfile.ZipFile(path) as opened:
        yield opened


def test_the_wheel_holds_one_top_level_name(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"shelfie"}
    layers = {name.split("/")[1] for name in wheel.namelist() if name.startswith("shelfie/")}
    assert layers == {"engine", "search", "api"}


def test_the_wheel_holds_what_is_needed(wheel: zipfile.ZipFile) -> None:
    """Every module and data file of the checkout, each Cython module compiled, no C source."""
    held = set(wheel.namelist())
    for layer in ("engine", "search", "api"):
        for path in (CHECKOUT / layer).rglob("*"):
            name = f"shelfie/{path.relative_to(CHECKOUT).as_posix()}"
            if path.suffix in (".py", ".pyi", ".pxd", ".html", ".css", ".js", ".svg", ".json",
                               ".npz", ".bin") or path.name == "py.typed":  # fmt: skip
                assert name in held
            if path.suffix == ".pyx":
                stem = name.removesuffix(".pyx")
                assert [n for n in held if n.startswith(f"{stem}.") and n.endswith(".so")]
    assert [name for name in held if name.endswith((".c", ".pyx"))] == []


def test_the_installed_program(installed: Path, tmp_path: Path) -> None:
    assert re.fullmatch(r"shelfie \d+\.\d+\.\d+\n", run(f"{installed}/shelfie --version", tmp_path))
    shown = run(f"{installed}/pip list --format freeze", tmp_path)
    project = re.search(r'^version = "(.+)"$', (CHECKOUT / "pyproject.toml").read_text(), re.M)
    assert project is not None
    assert f"shelfie=={project[1]}" in shown
    assert "distributed==" not in shown, "the service's image needs no Dask"
    found = run(f"{installed}/shelfie new dice --seed x --json", tmp_path)
    assert '"game":"dice"' in found


def test_the_installed_service(installed: Path, tmp_path: Path) -> None:
    """The image's own command and health check, on a loopback port."""
    command = re.findall(r'^CMD \["(.+)"\]$', DOCKERFILE, re.MULTILINE)[-1].split('", "')
    check = re.search(r'^HEALTHCHECK .*CMD \["(.+)"\]$', DOCKERFILE, re.MULTILINE)
    assert check is not None
    assert command == ["shelfie", "serve"]
    with running([str(installed / command[0]), *command[1:]]) as (port, _):
        for game in ("tile", "dice"):
            request = request_example(game, "move")
            assert ask(port, "POST", f"/v1/games/{game}/move", request)[0] == 200
        health = check[1].replace('", "', " ")
        run(f"PORT={port} {installed}/{health}", tmp_path)
    done = subprocess.run(
        ["sh", "-c", f"PORT={port} {installed}/{health}"], cwd=tmp_path, capture_output=True
    )
    assert done.returncode == 1, "nobody listens there any more"


# The root file system is read-only but for a tmpfs on /dev/shm, in a view of its own.
READ_ONLY = (
    "mount --bind / / && mount -o remount,ro,bind / && mount -t tmpfs tmpfs /dev/shm && "
    "! touch {folder}/x 2>/dev/null && exec setpriv --reuid 10001 --regid 10001 --clear-groups {do}"
)


@pytest.mark.skipif(
    subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0,
    reason="needs the right to mount",
)
def test_the_service_on_a_read_only_root(installed: Path, tmp_path: Path) -> None:
    """As the manifests have it: no root, no capability, nothing to write to but memory."""
    # Under a folder that only root may enter, nobody else could start it.
    for folder in (*installed.parents, installed):
        if folder != Path("/") and not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o011)
    command = READ_ONLY.format(folder=tmp_path, do=f"{installed}/shelfie serve --workers 2")
    environment = {"SHELFIE_METRICS_PORT": str(free_port()), "HOME": "/nonexistent"}
    with running(["unshare", "--mount", "sh", "-ec", command], environment) as (port, _):
        request = request_example("tile", "move")
        assert ask(port, "POST", "/v1/games/tile/move", request)[0] == 200
        status, _, text = ask(int(environment["SHELFIE_METRICS_PORT"]), "GET", "/metrics")
        assert status == 200
        assert b"shelfie_playouts_total" in text
