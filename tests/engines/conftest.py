"""What the tests of engines share: records, what one process says of them, and where Java is.

``make spark`` runs them where the engines are installed; elsewhere each says what it misses.
"""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
OPTIONS = ["-n", "2", "-m"]
KEYWORDS = {"max_ngram": 2, "stem": True}
N_RECORDS = 1200

Report = Callable[[Path], bytes]


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of two systems, in six row groups."""
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
    """What one process says of the records."""
    return report(records)


def run_example(name: str, *words: str, launcher: str | None = None) -> None:
    """Run an example as its first lines say, with the packages of this interpreter."""
    found = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    program = [launcher or sys.executable, str(EXAMPLES / name), *words]
    environment = {
        **os.environ,
        "PATH": found,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }
    subprocess.run(program, cwd=ROOT, env=environment, check=True, capture_output=True)
