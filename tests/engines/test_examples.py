"""The examples of Dask, Ray, Hugging Face datasets, DuckDB and Polars; workers die."""

import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.engines.conftest import EXAMPLES, KEYWORDS, OPTIONS, Report, run_example

ENGINES = {"dask": "distributed", "ray": "ray.data", "polars": "polars", "datasets": "datasets"}


def need(engine: str) -> None:
    package = ENGINES.get(engine, engine)
    pytest.importorskip(package, reason=f"{package} is not installed: make spark installs it")


@pytest.mark.parametrize("engine", ENGINES)
def test_example(
    engine: str, records: Path, report: Report, expected: bytes, tmp_path: Path
) -> None:
    need(engine)
    run_example(f"{engine}_rouge.py", str(records), str(tmp_path / "parts"), *OPTIONS)
    assert report(tmp_path / "parts") == expected


@pytest.mark.parametrize("engine", ["dask", "spark"])
def test_modules_beside_the_data(
    engine: str, records: Path, report: Report, expected: bytes, tmp_path: Path
) -> None:
    need("pyspark" if engine == "spark" else engine)
    if engine == "spark" and shutil.which("java") is None:
        pytest.skip("there is no Java")
    for name in ("importlib", "json", "multiprocessing", "numpy", "pickle", "pyarrow", "rouge_cli"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')\n")
    run_example(f"{engine}_rouge.py", str(records), str(tmp_path / "parts"), *OPTIONS, cwd=tmp_path)
    assert report(tmp_path / "parts") == expected
    assert not (tmp_path / "mark").exists()


def test_a_dask_worker_is_killed(
    records: Path, report: Report, expected: bytes, tmp_path: Path
) -> None:
    need("dask")
    # In a process of its own, for workers import what starts them.
    program = f"""
import os, signal, sys
sys.path.insert(0, {str(EXAMPLES)!r})
import dask_rouge
from dask.distributed import Client, get_worker

count = dask_rouge.batches.Plan.count
write_part = dask_rouge.write_part

def dies_once(plan, source, target, number):
    write_part(plan, source, target, number)
    if number == 3 and not os.path.exists({str(tmp_path / "killed")!r}):
        open({str(tmp_path / "killed")!r}, "x").close()
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    dask_rouge.write_part = dies_once
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        dask_rouge.score(client, {str(records)!r}, {str(tmp_path / "parts")!r}, **{KEYWORDS!r})
"""
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert (tmp_path / "killed").exists()
    assert report(tmp_path / "parts") == expected


def test_a_ray_worker_is_killed(
    records: Path, report: Report, expected: bytes, tmp_path: Path
) -> None:
    need("ray")
    program = f"""
import os, signal, sys
sys.path.insert(0, {str(EXAMPLES)!r})
import ray, ray_rouge

class Plan:
    def __init__(self, plan):
        self.plan, self.schema = plan, plan.schema
        self.write_header = plan.write_header

    def count(self, batch):
        if not os.path.exists({str(tmp_path / "killed")!r}):
            open({str(tmp_path / "killed")!r}, "x").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return self.plan.count(batch)

plan = ray_rouge.batches.plan
ray_rouge.batches.plan = lambda *given, **options: Plan(plan(*given, **options))
ray.init(num_cpus=2, include_dashboard=False)
table = ray.data.read_parquet({str(records)!r}, override_num_blocks=6)
ray_rouge.score(table, {str(tmp_path / "parts")!r}, **{KEYWORDS!r})
"""
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert (tmp_path / "killed").exists()
    assert report(tmp_path / "parts") == expected


@pytest.mark.parametrize("engine", ["dask", "ray", "polars"])
def test_columns_are_checked_before_the_job(engine: str, tmp_path: Path) -> None:
    need(engine)
    numbers = pa.table({"id": ["d1"], "prediction": [1.5], "references": [["a"]]})
    parquet.write_table(numbers, tmp_path / "numbers.parquet")
    words = [str(tmp_path / "numbers.parquet"), str(tmp_path / "parts"), *OPTIONS]
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run_example(f"{engine}_rouge.py", *words)
    assert b"Error: batches: column 'prediction' holds double; expected" in failed.value.stderr
    assert not (tmp_path / "parts").exists()


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_overlap(engine: str, records: Path, tmp_path: Path) -> None:
    need(engine)
    from rouge_cli import evaluate

    found = tmp_path / "found.parquet"
    run_example("crawl_overlap.py", engine, str(records), str(found), "0.1")
    rows = parquet.read_table(records).to_pylist()
    scores = evaluate(
        [row["prediction"] for row in rows],
        [row["references"] for row in rows],
        max_ngram=2,
        lcs=False,
        resamples=0,
    )["ROUGE-2"].recall.per_eval
    overlapping = [row["id"] for row, score in zip(rows, scores, strict=True) if score >= 0.1]
    assert 0 < len(overlapping) < len(rows)
    assert parquet.read_table(found)["id"].to_pylist() == overlapping
