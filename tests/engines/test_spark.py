"""Spark: the example, and a cluster on this machine in which executors die and tasks fail."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engines.conftest import NO_JAVA, OPTIONS, Report, run_example, score_with_spark

pyspark = pytest.importorskip("pyspark", reason="Spark is not installed: make spark installs it")
if NO_JAVA:
    pytest.skip(NO_JAVA, allow_module_level=True)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.executor.memory": "512m",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50",
        "spark.local.dir": str(tmp_path_factory.mktemp("spark")),
        "spark.excludeOnFailure.enabled": "false",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,512]").appName("rouge-cli")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


def test_spark_submit(records: Path, report: Report, expected: bytes, tmp_path: Path) -> None:
    words = ["spark_rouge.py", str(records), str(tmp_path / "parts"), *OPTIONS]
    run_example(*words, launcher="spark-submit")
    assert report(tmp_path / "parts") == expected


@pytest.mark.parametrize("n_parts", [1, 7, 100])
def test_sizes_of_partitions(
    n_parts: int, cluster: Any, records: Path, report: Report, expected: bytes, tmp_path: Path
) -> None:
    score_with_spark(cluster, records, tmp_path / "parts", n_parts)
    assert report(tmp_path / "parts") == expected


def test_a_task_fails_twice(
    cluster: Any, records: Path, report: Report, expected: bytes, tmp_path: Path
) -> None:
    marks = str(tmp_path)

    def fails(partition: int, attempt: int) -> None:
        if partition == 2 and attempt < 2:
            Path(marks, f"failed-{attempt}").touch()
            raise RuntimeError(f"attempt {attempt} fails")

    score_with_spark(cluster, records, tmp_path / "parts", 4, fails)
    assert {path.name for path in tmp_path.glob("failed-*")} == {"failed-0", "failed-1"}
    assert report(tmp_path / "parts") == expected


def test_an_executor_is_killed(
    cluster: Any, records: Path, report: Report, expected: bytes, tmp_path: Path
) -> None:
    mark = str(tmp_path / "killed")

    def kills(partition: int, attempt: int) -> None:
        import os
        import signal

        if partition != 1 or os.path.exists(mark):
            return
        open(mark, "x").close()
        # This process, the one that forked it, and the executor above.
        number = os.getpid()
        while b"CoarseGrainedExecutorBackend" not in Path(f"/proc/{number}/cmdline").read_bytes():
            number = int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(number, signal.SIGKILL)

    score_with_spark(cluster, records, tmp_path / "parts", 4, kills)
    assert Path(mark).exists()
    assert report(tmp_path / "parts") == expected
