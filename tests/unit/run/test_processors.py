"""How many processors a run takes: those there are, those it is let use, and what it is told."""

import os
from pathlib import Path

import pytest

import rouge_cli
from rouge_cli import threads
from rouge_cli.errors import OptionError
from rouge_cli.options.options import JOBS_VARIABLE, jobs_of_environment
from rouge_cli.threads import processor_quota, usable_processors
from tests.tables import NOTHING, tables_beside


@pytest.mark.parametrize(("given", "quotas"), tables_beside(__file__)["quotas"])
def test_quotas(given: str, quotas: list[str], tmp_path: Path) -> None:
    groups, _, files = given.partition(" <")
    lines = groups.removeprefix(NOTHING).split()
    (tmp_path / "cgroup").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "mounted").mkdir()
    for file in filter(None, files.split(" & ")):
        name, _, content = file.strip().partition(": ")
        path = tmp_path / "mounted" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{content}\n")
    quota = processor_quota(str(tmp_path / "cgroup"), str(tmp_path / "mounted"))
    assert ["no limit" if quota is None else f"{quota:g}"] == quotas


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
