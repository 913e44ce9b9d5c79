"""What the tests of engines share: records, what one process says of them, and where Java is.

``make spark`` runs them where the engines are installed; elsewhere each says what it misses.
"""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from rouge_cli import batches

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
OPTIONS = ["-n", "2", "-m"]
KEYWORDS = {"max_ngram": 2, "stem": True}
N_RECORDS = 1200
JAVA = shutil.which("java") or shutil.which("bin/java", path=os.environ.get("JAVA_HOME", ""))
NO_JAVA = "" if JAVA else "Spark needs Java: apt-get install default-jre-headless"

Report = Callable[[Path], bytes]

Happening = Callable[[int, int], None]
"""Called with the numbers of a partition and of an attempt at it, when half of it is done."""


@pytest.fixture(scope="session", autouse=True)
def environment() -> Iterator[None]:
    """What the engines are told: which Python, which address, and that no Java lives for long."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYSPARK_PYTHON", sys.executable)
        patched.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        # Half the time: code is compiled once, and in haste.
        patched.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        yield


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    drawn = random.Random(17)
    words = [
        f"{stem}{ending}"
        for stem in ("ferr", "walk", "hous", "tid")
        for ending in ("y", "ies", "ed", "ing", "es", "e", "s")
    ]
    texts = [" ".join(drawn.choices(words, k=12)) for _ in range(N_RECORDS * 2)]
    rows = [
        {
            "id": f"doc-{number // 2}",
            "system": ("bart", "t5")[number % 2],
            "prediction": texts[number],
            "references": texts[N_RECORDS + number // 2 * 2 :][:2],
        }
        for number in range(N_RECORDS)
    ]
    path = tmp_path_factory.mktemp("records") / "records.parquet"
    parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=N_RECORDS // 6)
    return path


@pytest.fixture(scope="session")
def report() -> Report:
    """What the command line says of an input, a file of records or a folder of parts."""

    def run(path: Path) -> bytes:
        options = OPTIONS if path.suffix else []
        finished = subprocess.run(
            [sys.executable, "-m", "rouge_cli", str(path), *options, "--report", "json"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        assert finished.stderr == b""
        return finished.stdout

    return run


@pytest.fixture(scope="session")
def expected(records: Path, report: Report) -> bytes:
    return report(records)


def run_example(name: str, *words: str, launcher: str | None = None, cwd: Path = ROOT) -> None:
    found = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    program = [launcher or sys.executable, str(EXAMPLES / name), *words]
    told = {**os.environ, "PATH": found}
    subprocess.run(program, cwd=cwd, env=told, check=True, capture_output=True)


def score_with_spark(
    session: Any, records: Path, target: Path, n_parts: int, happening: Happening | None = None
) -> None:
    from pyspark.sql.pandas.types import from_arrow_schema

    plan = batches.plan(parquet.read_schema(records), on_error="collect", **KEYWORDS)

    def count(parts: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        for number, part in enumerate(parts):
            yield plan.count(part)
            if number == 0 and happening is not None:
                happening(context.partitionId(), context.attemptNumber())

    table = session.read.parquet(str(records))
    shuffled = table.repartition(n_parts)
    scores = shuffled.mapInArrow(count, from_arrow_schema(plan.schema))
    scores.write.parquet(str(target))
    plan.write_header(str(target), n_records=table.count())
