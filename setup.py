"""Compiles the Cython modules and maps the top-level folders to the package ``shelfie``.

Everything static stands in pyproject.toml. Two environment variables steer a build:
``SHELFIE_CHECKED=1`` turns bounds checks on; ``SHELFIE_MARCH`` replaces the processor
baseline (x86-64-v3 on that architecture, the compiler's own default elsewhere).
"""

import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent
FOLDERS = ("engine", "search", "api")
CHECKED = os.environ.get("SHELFIE_CHECKED", "") not in ("", "0")
# Cython checks Python's containers and memoryviews; the compiler checks C arrays and shifts.
SANITIZER = (
    ["-fsanitize=bounds,shift,alignment,null", "-fno-sanitize-recover=all"] if CHECKED else []
)


def namespace_view() -> str:
    """Make build/namespace/shelfie/* links, so that `shelfie.engine.game` can be cimported."""
    view = ROOT / "build" / "namespace" / "shelfie"
    view.mkdir(parents=True, exist_ok=True)
    for folder in FOLDERS:
        link = view / folder
        if not link.is_symlink():
            link.symlink_to(Path("..", "..", "..", folder))
    return str(view.parent)


def packages() -> dict[str, str]:
    """Every folder below the three that holds an __init__.py: installed name -> folder."""
    found = sorted(p.parent for f in FOLDERS for p in (ROOT / f).rglob("__init__.py"))
    return {
        "shelfie." + ".".join(p.relative_to(ROOT).parts): p.relative_to(ROOT).as_posix()
        for p in found
    }


def compiler_flags() -> list[str]:
    march = os.environ.get("SHELFIE_MARCH")
    if march is None and platform.machine() in ("x86_64", "AMD64"):
        march = "x86-64-v3"
    flags = ["-O3", "-fno-math-errno", "-fno-trapping-math", "-Wno-unused-function"]
    return flags + ([f"-march={march}"] if march else []) + SANITIZER


def extensions() -> list[Extension]:
    sources = sorted(p.relative_to(ROOT) for f in FOLDERS for p in (ROOT / f).rglob("*.pyx"))
    return [
        Extension(
            "shelfie." + ".".join(path.with_suffix("").parts),
            [path.as_posix()],
            extra_compile_args=compiler_flags(),
            extra_link_args=SANITIZER,
        )
        for path in sources
    ]


setup(
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
    packages=list(packages()),
    package_dir=packages(),
    ext_modules=cythonize(
        extensions(),
        build_dir="build/cython-checked" if CHECKED else "build/cython",
        include_path=[namespace_view()],
        nthreads=os.cpu_count() or 1,
        compiler_directives={
            "language_level": 3,
            "embedsignature": True,
            "boundscheck": CHECKED,
            "wraparound": True,  # negative list indices mean what they mean in Python
            "initializedcheck": CHECKED,
            "cdivision": not CHECKED,
        },
    ),
)
