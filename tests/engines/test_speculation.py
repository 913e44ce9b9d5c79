"""Spark starts a second copy of a slow task, on another machine as it insists on.

The machines are two addresses of this one: a worker at each, and a master, make a cluster.
"""

import os
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.engines.conftest import NO_JAVA, Report, score_with_spark

pyspark = pytest.importorskip("pyspark", reason="Spark is not installed: make spark installs it")
if NO_JAVA:
    pytest.skip(NO_JAVA, allow_module_level=True)

SPARK = Path(pyspark.__file__).parent
PATIENCE = 120.0
"""Seconds: for the start of a process, and for what a slow task would take."""

HOSTS = ("127.0.0.2", "127.0.0.3")
"""All of 127.0.0.0/8 is this machine on Linux; elsewhere it may be one address."""


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a master with two workers; all are ended."""
    for host in HOSTS:
        with socket.socket() as tried:
            try:
                tried.bind((host, 0))
            except OSError as error:
                pytest.skip(f"no second machine at {host}: {error.strerror}")
    folder = tmp_path_factory.mktemp("machines")
    with ExitStack() as running:
        running.enter_context(_process(folder / "master.log", "master.Master", "127.0.0.1"))
        address = _logged(folder / "master.log", r"Starting Spark master at (spark://\S+)")
        for host in HOSTS:
            log = folder / f"{host}.log"
            share = ("--cores", "1", "--memory", "512m", "--work-dir", str(folder / host))
            running.enter_context(_process(log, "worker.Worker", host, *share, address))
        for host in HOSTS:
            _logged(folder / f"{host}.log", "Successfully registered with (master)")
        yield address


@contextmanager
def _process(log: Path, name: str, host: str, *words: str) -> Iterator[None]:
    environment: Mapping[str, str] = {
        **os.environ,
        "SPARK_HOME": str(SPARK),
        "SPARK_LOCAL_IP": host,
        "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",
    }
    program = [str(SPARK / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}"]
    program += ["--host", host, "--port", "0", "--webui-port", "0", *words]
    with log.open("wb") as file:
        running = subprocess.Popen(program, stdout=file, stderr=file, env=environment)
    try:
        yield
    finally:
        running.terminate()
        try:
            running.wait(PATIENCE / 4)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


def _logged(log: Path, pattern: str) -> str:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if found := re.search(pattern, log.read_text()):
            return found.group(1)
        time.sleep(0.1)
    raise TimeoutError(f"no {pattern!r} after {PATIENCE:.0f} s in:\n{log.read_text()[-4000:]}")


@pytest.fixture
def cluster(master: str, tmp_path: Path) -> Iterator[Any]:
    """An application on it that begins slow tasks twice, and forgives no failed one."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.executor.memory": "512m",
        "spark.local.dir": str(tmp_path / "spark"),
        "spark.speculation": "true",
        "spark.speculation.interval": "100ms",
        "spark.speculation.quantile": "0.5",
        "spark.speculation.multiplier": "1.5",
        # By then Python has started for the first attempt, even on a busy machine.
        "spark.speculation.minTaskRuntime": "8s",
        # A second attempt can then only be a copy.
        "spark.task.maxFailures": "1",
    }
    builder = SparkSession.builder.master(master).appName("rouge-cli")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    # Spark would wait for workers that are gone.
    watch = threading.Timer(2 * PATIENCE, session.sparkContext.cancelAllJobs)
    watch.start()
    yield session
    watch.cancel()
    session.stop()


def test_a_slow_task_is_begun_twice(
    cluster: Any, records: Path, report: Report, expected: bytes, tmp_path: Path
) -> None:
    marks, patience = str(tmp_path), PATIENCE

    def is_slow(partition: int, attempt: int) -> None:
        if partition != 2:
            return
        Path(marks, f"attempt-{attempt}").touch(exist_ok=False)
        if attempt == 0:
            time.sleep(patience)
            Path(marks, "awake").touch()

    score_with_spark(cluster, records, tmp_path / "parts", 4, is_slow)
    # The second copy began and ended while the first one slept.
    assert {path.name for path in tmp_path.glob("attempt-*")} == {"attempt-0", "attempt-1"}
    assert not (tmp_path / "awake").exists()
    assert report(tmp_path / "parts") == expected
