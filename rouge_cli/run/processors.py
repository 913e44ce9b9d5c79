"""The number of threads or processes of a run.

The control groups of a container limit the processor time of its processes: a quota for each
period. Threads beyond it only take turns, so the quota limits their number as the processors do.
Source: https://docs.kernel.org/admin-guide/cgroup-v2.html, "cpu.max";
https://docs.kernel.org/scheduler/sched-bwc.html for version 1.
"""

import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from math import ceil

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import JOB_COUNT

VARIABLE = "ROUGE_CLI_JOBS"
"""Default of ``--jobs``, from Python too."""

GROUPS_OF_PROCESS, MOUNTED_GROUPS = "/proc/self/cgroup", "/sys/fs/cgroup"


def asked_jobs() -> int | None:
    """Return the number of jobs that the environment asks for; raises OptionError."""
    if not (text := os.environ.get(VARIABLE)):
        return None
    try:
        return JOB_COUNT(text)
    except ValueError as expected:
        raise OptionError(f"{VARIABLE}: found {text!r}, expected {expected}") from None


def usable_processors() -> int:
    """Return the number of processors that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        n_processors = len(os.sched_getaffinity(0))
    else:
        n_processors = os.cpu_count() or 1
    if n_processors == 1:
        return 1
    quota = _quota_of_process()
    # A fraction of a processor counts as a whole one.
    return n_processors if quota is None else max(1, min(n_processors, ceil(quota)))


@lru_cache(1)
def _quota_of_process() -> float | None:
    """Return the quota of this process; read once, since it takes as long as to score a pair."""
    return processor_quota(GROUPS_OF_PROCESS, MOUNTED_GROUPS)


def processor_quota(groups_of_process: str, mounted_groups: str) -> float | None:
    """Return the processors that the control groups of a process allow; None for no limit.

    `groups_of_process` is the file that names its groups, `mounted_groups` the folder of all. The
    groups above its own limit it too.
    """
    try:
        with open(groups_of_process, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return None
    quotas = [
        quota
        for line in lines
        for folder, is_second in _folders_of_group(line, mounted_groups)
        if (quota := _quota_in(folder, is_second=is_second)) is not None
    ]
    return min(quotas, default=None)


def _folders_of_group(line: str, mounted_groups: str) -> Iterator[tuple[str, bool]]:
    """Yield the folders of a group and of those above it, and whether they are of version 2.

    A line is ``ID:controllers:path``, without controllers in version 2. In a container the mounted
    folder may be that of its own group, while the path begins at the root of the machine: then only
    the mounted folder is there, and it is the right one.
    """
    _, _, group = line.partition(":")
    controllers, has_path, path = group.partition(":")
    if not has_path or (controllers and "cpu" not in controllers.split(",")):
        return
    mounts = ("cpu", controllers) if controllers else ("", "unified")
    steps = [step for step in path.split("/") if step]
    for mount in dict.fromkeys(mounts):
        root = os.path.join(mounted_groups, mount)
        # A path with `..` leads to a group that is invisible to this process.
        for folder in accumulate([root, *([] if ".." in steps else steps)], os.path.join):
            yield folder, not controllers


def _quota_in(folder: str, *, is_second: bool) -> float | None:
    """Return the quota of a single group, in processors; None without a limit."""
    names = ("cpu.max",) if is_second else ("cpu.cfs_quota_us", "cpu.cfs_period_us")
    try:
        words = []
        for name in names:
            # Not ASCII, whose codec would have to be loaded first: 0.4 ms in a first call.
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                words += file.read().split()
        quota, period = map(int, words)
    except (OSError, ValueError):
        # The file is missing, or has ``max`` for no limit.
        return None
    return quota / period if quota > 0 and period > 0 else None
