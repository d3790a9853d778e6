"""What a container may use of its machine, which the processor count of Python leaves out."""

import math
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")


def cores_allowed(cgroup: Path = CGROUP) -> int | None:
    """Cores that the container's limit on processor time comes to, rounded up; None: no limit.

    Asked in the words of both versions of Linux's control groups.
    """
    try:
        quota, period = (cgroup / "cpu.max").read_text().split()
    except (OSError, ValueError):
        try:
            quota = (cgroup / "cpu" / "cpu.cfs_quota_us").read_text().strip()
            period = (cgroup / "cpu" / "cpu.cfs_period_us").read_text().strip()
        except OSError:
            return None
    if not quota.isdigit() or not period.isdigit() or int(period) == 0:
        return None  # "max" and -1 are no limit
    return max(1, math.ceil(int(quota) / int(period)))
