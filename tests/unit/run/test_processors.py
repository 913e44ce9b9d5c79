"""How many processors a run takes: those there are, those it is let use, and what it is told."""

import os
from pathlib import Path

import pytest

import rouge_cli
from rouge_cli import threads
from rouge_cli.errors import OptionError
from rouge_cli.options.options import JOBS_VARIABLE, jobs_of_environment
from rouge_cli.threads import processor_quota, usable_processors


def made(folder: Path, groups: str, files: dict[str, str]) -> float | None:
    (folder / "cgroup").write_text(groups)
    (folder / "mounted").mkdir()
    for name, content in files.items():
        path = folder / "mounted" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return processor_quota(str(folder / "cgroup"), str(folder / "mounted"))


@pytest.mark.parametrize(
    ("groups", "files", "quota"),
    [
        # A container sees its own group as the root.
        ("0::/\n", {"cpu.max": "150000 100000\n"}, 1.5),
        ("0::/\n", {"cpu.max": "max 100000\n"}, None),
        ("0::/\n", {}, None),
        # A service of systemd, which is limited itself, or by what is above it, or by both.
        ("0::/a.slice/b\n", {"a.slice/b/cpu.max": "400000 100000\n"}, 4),
        ("0::/a.slice/b\n", {"a.slice/cpu.max": "50000 100000\n"}, 0.5),
        ("0::/a.slice/b\n",
         {"a.slice/b/cpu.max": "400000 100000\n", "a.slice/cpu.max": "300000 100000\n"}, 3),
        ("0::/a.slice/b\n",
         {"a.slice/b/cpu.max": "20000 10000\n", "a.slice/cpu.max": "max 100000\n"}, 2),
        # Another group is no business of this process.
        ("0::/a.slice/b\n", {"a.slice/c/cpu.max": "100000 100000\n"}, None),
        # A group outside of what the process sees.
        ("0::/../../other\n", {"cpu.max": "200000 100000\n"}, 2),
        # A path with a colon.
        ("0::/a:b\n", {"a:b/cpu.max": "200000 100000\n"}, 2),
        # Version 1: alone, with another controller, and where version 2 has the other controllers.
        ("3:memory:/m\n2:cpu:/x\n",
         {"cpu/x/cpu.cfs_quota_us": "250000\n", "cpu/x/cpu.cfs_period_us": "100000\n"}, 2.5),
        ("2:cpu,cpuacct:/docker/id\n",
         {"cpu,cpuacct/cpu.cfs_quota_us": "100000\n", "cpu,cpuacct/cpu.cfs_period_us": "50000\n"},
         2),
        ("2:cpu:/x\n0::/y\n",
         {"cpu/x/cpu.cfs_quota_us": "-1\n", "cpu/x/cpu.cfs_period_us": "100000\n"}, None),
        # Version 2 beside version 1.
        ("2:cpuset:/\n0::/y\n", {"unified/y/cpu.max": "300000 100000\n"}, 3),
        # What no kernel writes.
        ("0::/\n", {"cpu.max": "many\n"}, None),
        ("0::/\n", {"cpu.max": "100000\n"}, None),
        ("0::/\n", {"cpu.max": "100000 0\n"}, None),
        ("nonsense\n", {"cpu.max": "100000 100000\n"}, None),
        ("", {"cpu.max": "100000 100000\n"}, None),
    ],
)  # fmt: skip
def test_quotas(groups: str, files: dict[str, str], quota: float | None, tmp_path: Path) -> None:
    assert made(tmp_path, groups, files) == quota


def test_no_control_groups(tmp_path: Path) -> None:
    # As on macOS and Windows.
    assert processor_quota(str(tmp_path / "none"), str(tmp_path)) is None


@pytest.mark.parametrize(
    ("n_processors", "quota", "n_usable"),
    [(8, None, 8), (8, 2.0, 2), (8, 1.5, 2), (8, 0.1, 1), (2, 6.0, 2), (1, None, 1)],
)
def test_usable_processors(
    n_processors: int, quota: float | None, n_usable: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "_quota_of_process", lambda: quota)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(n_processors)), raising=False)
    assert usable_processors() == n_usable


def test_processors_where_none_are_kept_away(monkeypatch: pytest.MonkeyPatch) -> None:
    # As on macOS and Windows.
    monkeypatch.setattr(threads, "_quota_of_process", lambda: None)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert usable_processors() == 5
    # Not every system says.
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_processors() == 1


def test_jobs_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(JOBS_VARIABLE, raising=False)
    assert jobs_of_environment() is None
    for text, n_jobs in (("", None), ("1", 1), ("16", 16), ("1000", 1000)):
        monkeypatch.setenv(JOBS_VARIABLE, text)
        assert jobs_of_environment() == n_jobs


@pytest.mark.parametrize("text", ["0", "-1", "1001", "two", "1.5", " "])
def test_jobs_of_the_environment_that_are_none(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(JOBS_VARIABLE, text)
    message = f"^ROUGE_CLI_JOBS: found '{text}', expected a whole number from 1 to 1000$"
    with pytest.raises(OptionError, match=message):
        jobs_of_environment()
    with pytest.raises(OptionError, match=message):
        rouge_cli.evaluate(["a", "b"], ["a", "b"], max_ngram=1)
