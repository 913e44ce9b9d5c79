"""A record that is longer than --max-record is refused before it takes up the memory."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import Run

ERROR = "longer than 1 MB; expected shorter records, or a higher --max-record MB"


def contents(n_characters: int) -> dict[str, str]:
    """Return files in which a text has so many characters, and a good record before it."""
    text = "the cat " * (n_characters // 8)
    good = '{"prediction": "a cat", "references": "the cat"}'
    long = f'{{"prediction": "{text}", "references": "the cat"}}'
    return {
        "r.jsonl": f"{good}\n{long}\n",
        "r.json": f"[{good},\n{long}]",
        "r.csv": f'prediction,references\na cat,the cat\n"{text}",the cat\n',
        "r.tsv": f"prediction\treferences\na cat\tthe cat\n{text}\tthe cat\n",
    }


PLACES = {"r.jsonl": "line 2", "r.json": "line 2", "r.csv": "line 3", "r.tsv": "line 3"}


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("name", PLACES)
def test_a_long_record_is_refused(name: str, suffix: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / f"{name}{suffix}"
    content = contents(1_200_000)[name].encode()
    path.write_bytes(gzip.compress(content) if suffix else content)
    finished = run(str(path), "-n1", "-x", "--max-record", "1")
    assert (finished.code, finished.out) == (3, b"")
    assert finished.error_lines == [f"Error: {path}, {PLACES[name]}: {ERROR}"]
    assert run(str(path), "-n1", "-x", "--max-record", "2").code == 0


def test_a_field_over_many_lines_is_refused(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "r.csv"
    path.write_text('prediction,references\na cat,"the cat\n' + "a cat,the cat\n" * 100_000)
    finished = run(str(path), "-n1", "--max-record", "1")
    assert finished.error_lines == [
        f"Error: {path}, line 2: a field {ERROR}; a quote may never be closed"
    ]


def test_a_long_line_of_a_line_file_is_refused(tmp_path: Path, run: Run) -> None:
    peers, models = tmp_path / "p.gz", tmp_path / "m"
    peers.write_bytes(gzip.compress(b"a cat\n" + b"the cat " * 300_000 + b"\n"))
    models.write_bytes(b"a cat\nthe cat\n")
    lines = ["--peer-lines", str(peers), "--model-lines", str(models), "-n1", "-x"]
    finished = run(*lines, "--max-record", "2")
    expected = ERROR.replace("1 MB", "2 MB")
    assert finished.error_lines == [f"Error: {peers}, line 2: {expected}"]
    assert run(*lines, "--max-record", "3").code == 0


def test_a_long_record_of_parquet_is_refused(tmp_path: Path, run: Run) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "r.parquet"
    good = {"prediction": "a cat", "references": ["the cat"]}
    long = {"prediction": "the cat " * 150_000, "references": ["the cat"]}
    parquet.write_table(pyarrow.Table.from_pylist([good] * 300 + [long]), path)
    finished = run(str(path), "-n1", "-x", "--max-record", "1")
    assert finished.error_lines == [f"Error: {path}, record 301: {ERROR}"]
    assert run(str(path), "-n1", "-x", "--max-record", "2").code == 0
    parquet.write_table(pyarrow.Table.from_pylist([long]), path, compression="zstd")
    finished = run(str(path), "-n1", "-x", "--max-record", "1")
    assert finished.error_lines == [f"Error: {path}: a record {ERROR}"]


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of memory is that of Linux")
def test_a_small_file_does_not_take_much_memory(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b'{"references": "the cat", "prediction": "')
        for _ in range(300):
            file.write(b"a" * (1 << 20))
    # What the system reports of a child that has ended counts the pages of its parent, too.
    code = (
        "import atexit, pathlib, sys; from rouge_cli.cli.main import main;"
        "status = pathlib.Path('/proc/self/status');"
        "atexit.register(lambda: sys.stdout.write(status.read_text())); main()"
    )
    command = [sys.executable, "-c", code, str(path), "-n1"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 3
    assert "line 1: longer than 64 MB" in finished.stderr
    assert int(finished.stdout.partition("VmHWM:")[2].split()[0]) < 300 * 1024  # kilobytes
