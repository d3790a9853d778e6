"""What has to be in place before the application is imported and its workers are forked."""

import os
import shutil
import tempfile
from pathlib import Path

# The metrics library reads this variable when it is imported.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SHARED_MEMORY = Path("/dev/shm")


def shared_memory() -> str | None:
    """A folder in memory, where there is one that can be written."""
    usable = SHARED_MEMORY.is_dir() and os.access(SHARED_MEMORY, os.W_OK)
    return str(SHARED_MEMORY) if usable else None


def make_metrics_folder() -> Path | None:
    """An empty folder for the counts of all workers, named in the environment.

    The result is the one to be removed at the end: None when the operator has named a folder,
    which is emptied of old counts and kept.
    """
    named = os.environ.get(SHARED_FOLDER)
    if named:
        Path(named).mkdir(parents=True, exist_ok=True)
        for old in Path(named).glob("*.db"):
            old.unlink()
        return None
    made = tempfile.mkdtemp(prefix="shelfie-metrics-", dir=shared_memory())
    os.environ[SHARED_FOLDER] = made
    return Path(made)


def remove(folder: Path) -> None:
    """Removes what `make_metrics_folder` made."""
    shutil.rmtree(folder, ignore_errors=True)
