"""A record that is longer than --max-record is refused before it takes up the memory."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import Run

ERROR = "longer than 1 MB; expected shorter records, or a higher --max-record MB"


MEASURED = (
    "import atexit, pathlib, sys; from rouge_cli.cli.main import main;"
    "status = pathlib.Path('/proc/self/status');"
    "atexit.register(lambda: sys.stdout.write(status.read_text())); main()"
)
"""A program: what the system reports of a child that has ended counts the pages of its parent."""


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
    assert finished.refusal == f"Error: {path}, {PLACES[name]}: {ERROR}"
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
    command = [sys.executable, "-c", MEASURED, str(path), "-n1"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 3
    assert "line 1: longer than 64 MB" in finished.stderr
    assert int(finished.stdout.partition("VmHWM:")[2].split()[0]) < 300 * 1024  # kilobytes


GROWS = (
    "{}: grows to more than 250 times its size when it is read; expected texts or numbers that "
    "differ; if the file is as it should be, {}"
)
REPEATED = {
    "r.jsonl.gz": ("", '{"prediction": "a", "references": "b"}\n'),
    "r.json.gz": ("[", '{"prediction": "a", "references": "b"}, '),
    "e.json.gz": ("[", "{},"),
    "r.csv.gz": ("prediction,references\n", "a,b\n"),
    "r.tsv.gz": ("prediction\treferences\n", "a cat and a cat\tthe cat\n"),
    "j.jsonl.gz": ("", '{"system": "a", "eval": "b", "x": 1}\n'),
    "j.csv.gz": ("system,eval,x\n", "a,b,1\n"),
    "one.csv.gz": ("system,eval,x\n", "a"),
    "l.gz": ("", "a b\n"),
}
"""The beginnings of files that gzip shrinks to a thousandth, and what they repeat."""

SMALL = '{"id": "b", "system": "a", "prediction": "a cat", "references": "the cat"}\n'
READ_AS = {
    **{name: "{}" for name in REPEATED if name.startswith(("r", "e"))},
    "j.jsonl.gz": "small.jsonl --add scores:{}",
    "j.csv.gz": "small.jsonl --add scores:{}",
    "one.csv.gz": "small.jsonl --add scores:{}",
    "l.gz": "--peer-lines {} --model-lines {}",
    "r.parquet": "{}",
    "dictionary.parquet": "{}",
    "j.parquet": "small.jsonl --add scores:{}",
}


def write_repeated(path: Path) -> None:
    """Write a file of some kilobytes that holds 15 MB and more."""
    if path.suffix == ".gz":
        head, repeated = REPEATED[path.name]
        n_times = (15 << 20) // len(repeated)
        path.write_bytes(gzip.compress((head + repeated * n_times).encode()))
        return
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    n_rows = 500_000
    texts = {"prediction": ["the cat"] * n_rows, "references": ["a cat"] * n_rows}
    if path.name.startswith("j"):
        texts = {"system": ["a"] * n_rows, "eval": ["b"] * n_rows, "x": ["1"] * n_rows}
    if path.name.startswith("d"):
        texts = {"prediction": ["the cat " * 2000] * 5_000, "references": ["a cat"] * 5_000}
    columns = {name: pyarrow.array(values) for name, values in texts.items()}
    if path.name.startswith("d"):
        columns = {name: values.dictionary_encode() for name, values in columns.items()}
    parquet.write_table(pyarrow.table(columns), path, compression="zstd")


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of memory is that of Linux")
@pytest.mark.parametrize("name", READ_AS)
def test_what_grows_too_much_is_refused(name: str, tmp_path: Path) -> None:
    write_repeated(tmp_path / name)
    (tmp_path / "small.jsonl").write_text(SMALL)
    assert (tmp_path / name).stat().st_size < 100_000
    command = [sys.executable, "-c", MEASURED, *READ_AS[name].format(name, name).split(), "-n1"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    remedy = "decompress it first" if name.endswith("gz") else "save it as JSON lines"
    assert run.stderr.splitlines()[-1] == f"Error: {GROWS.format(name, remedy)}"
    assert run.returncode == 3
    # The most is for rows of four bytes, each a record: 266 MB.
    assert int(run.stdout.partition("VmHWM:")[2].split()[0]) < 400 * 1024  # kilobytes


@pytest.mark.parametrize("name", ["r.jsonl.gz", "r.json.gz", "r.parquet"])
def test_what_grows_too_much_is_refused_from_standard_input(name: str, tmp_path: Path) -> None:
    write_repeated(tmp_path / name)
    with (tmp_path / name).open("rb") as stdin:
        command = [sys.executable, "-m", "rouge_cli", "-n1", "-"]
        run = subprocess.run(command, stdin=stdin, capture_output=True, text=True, check=False)
    remedy = "decompress it first" if name.endswith("gz") else "save it as JSON lines"
    assert run.stderr.splitlines()[-1] == f"Error: {GROWS.format('standard input', remedy)}"
    assert (run.returncode, run.stdout) == (3, "")


def test_saved_scores_that_grow_too_much_are_refused(tmp_path: Path, run: Run) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "small.jsonl").write_text(SMALL)
    assert run("small.jsonl", "-n1", "--save", "s.parquet", cwd=tmp_path).code == 0
    table = parquet.read_table(tmp_path / "s.parquet")
    parquet.write_table(table.take([0] * 1_000_000), tmp_path / "s.parquet", compression="zstd")
    finished = run("s.parquet", cwd=tmp_path)
    assert finished.refusal == f"Error: {GROWS.format('s.parquet', 'save it as JSON lines')}"


def test_compressed_texts_are_read(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "r.jsonl.gz"
    words = " ".join(map(str, range(1000, 2000)))
    record = f'{{"prediction": "{words}", "references": "{words}"}}\n'
    # A fiftieth, and thus no more than is usual: 5 MB.
    other = "".join(f'{{"prediction": "{k * k}", "references": "a"}}\n' for k in range(10_000))
    content = (record * 500 + other).encode()
    assert len(content) > 4 << 20
    path.write_bytes(gzip.compress(content))
    assert len(content) > 40 * path.stat().st_size
    assert run(str(path), "-n1", "-x", "-r1").code == 0
