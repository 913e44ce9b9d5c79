"""A record longer than --max-record is refused before it fills the memory."""

import gzip
import sys
from pathlib import Path

import pytest

from tests.cli.running import Run, python, rouge

ERROR = "longer than 1 MB; expected shorter records, or a higher --max-record MB"
MEASURED = (
    "import atexit, pathlib, sys; from rouge_cli.cli.main import main;"
    "status = pathlib.Path('/proc/self/status');"
    "atexit.register(lambda: sys.stdout.write(status.read_text())); main()"
)
"""A program: what the system reports of a child that has ended counts the pages of its parent."""

LONG = "the cat " * 150_000
GOOD_RECORD = '{"prediction": "a cat", "references": "the cat"}'
LONG_RECORD = GOOD_RECORD.replace("a cat", LONG)
LONG_INPUTS = {
    "r.jsonl": (f"{GOOD_RECORD}\n{LONG_RECORD}\n", ", line 2: "),
    "r.json": (f"[{GOOD_RECORD},\n{LONG_RECORD}]", ", line 2: "),
    "r.csv": (f'prediction,references\na cat,the cat\n"{LONG}",the cat\n', ", line 3: "),
    "r.tsv": (f"prediction\treferences\na cat\tthe cat\n{LONG}\tthe cat\n", ", line 3: "),
    "lines": (f"a cat\n{LONG}\n", ", line 2: "),
}
"""A good record and a long one, with the place of this one."""


def write_table(path: Path, columns: dict[str, list[str]], compression: str = "zstd") -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    arrays = {name: pyarrow.array(values) for name, values in columns.items()}
    if path.name.startswith("dictionary"):
        arrays = {name: array.dictionary_encode() for name, array in arrays.items()}
    parquet.write_table(pyarrow.table(arrays), path, compression=compression)


def check_refused(run: Run, words: tuple[str, ...], place: str) -> None:
    refusal = run(*words, "-n1", "-x", "--max-record", "1").refusal
    assert refusal == f"Error: {words[-1]}{place}{ERROR}"
    assert run(*words, "-n1", "-x", "--max-record", "2").code == 0


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("name", LONG_INPUTS)
def test_a_long_record_is_refused(name: str, suffix: str, tmp_path: Path, run: Run) -> None:
    content, place = LONG_INPUTS[name]
    path, models = tmp_path / f"{name}{suffix}", tmp_path / "m"
    path.write_bytes(gzip.compress(content.encode()) if suffix else content.encode())
    models.write_text("a cat\nthe cat\n")
    lines = ("--model-lines", str(models), "--peer-lines") if name == "lines" else ()
    check_refused(run, (*lines, str(path)), place)


def test_a_long_record_of_parquet_is_refused(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "r.parquet"
    texts = ["a cat"] * 300 + [LONG]
    columns = {"prediction": texts, "references": ["the cat"] * 301}
    write_table(path, columns, compression="none")
    check_refused(run, (str(path),), ", record 301: ")
    # A long record alone is told by the size that it would have.
    write_table(path, {name: values[300:] for name, values in columns.items()})
    finished = run(str(path), "-n1", "-x", "--max-record", "1")
    assert finished.refusal == f"Error: {path}: a record {ERROR}"


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of memory is that of Linux")
def test_a_small_file_does_not_take_much_memory(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b'{"references": "the cat", "prediction": "')
        for _ in range(300):
            file.write(b"a" * (1 << 20))
    finished = python("-c", MEASURED, str(path), "-n1", text=True)
    assert finished.returncode == 3
    assert "line 1: longer than 64 MB" in finished.stderr
    assert int(finished.stdout.partition("VmHWM:")[2].split()[0]) < 300 * 1024  # kilobytes


GROWS = (
    "{}: grows to more than 250 times its size when it is read; expected texts or numbers that "
    "differ; if the file is as it should be, {}"
)
SMALL = '{"id": "b", "system": "a", "prediction": "a cat", "references": "the cat"}\n'
ADDED = "small.jsonl --add scores:{}"
REPEATED = {
    "r.jsonl.gz": ("{}", "", '{"prediction": "a", "references": "b"}\n'),
    "r.json.gz": ("{}", "[", '{"prediction": "a", "references": "b"}, '),
    "e.json.gz": ("{}", "[", "{},"),
    "r.csv.gz": ("{}", "prediction,references\n", "a,b\n"),
    "r.tsv.gz": ("{}", "prediction\treferences\n", "a cat and a cat\tthe cat\n"),
    "j.jsonl.gz": (ADDED, "", '{"system": "a", "eval": "b", "x": 1}\n'),
    "j.csv.gz": (ADDED, "system,eval,x\n", "a,b,1\n"),
    "one.csv.gz": (ADDED, "system,eval,x\n", "a"),
    "l.gz": ("--peer-lines {} --model-lines {}", "", "a b\n"),
}
"""The arguments, the beginnings of files that gzip shrinks to a thousandth, what they repeat."""

N_ROWS = 500_000
TABLES = {
    "r.parquet": ("{}", {"prediction": ["the cat"], "references": ["a cat"]}, N_ROWS),
    "dictionary.parquet": (
        "{}",
        {"prediction": ["the cat " * 2000], "references": ["a cat"]},
        N_ROWS // 100,
    ),
    "j.parquet": (ADDED, {"system": ["a"], "eval": ["b"], "x": ["1"]}, N_ROWS),
}


def arguments_for(path: Path) -> list[str]:
    """Write a file of some kilobytes that holds 15 MB and more; return what scores it."""
    if path.suffix == ".gz":
        words, head, repeated = REPEATED[path.name]
        n_times = (15 << 20) // len(repeated)
        path.write_bytes(gzip.compress((head + repeated * n_times).encode()))
    else:
        words, columns, n_rows = TABLES[path.name]
        rows = {name: values * n_rows for name, values in columns.items()}
        write_table(path, rows)
    return [*words.format(path.name, path.name).split(), "-n1"]


def growth(name: str, path: Path) -> str:
    remedy = "decompress it first" if path.suffix == ".gz" else "save it as JSON lines"
    return f"Error: {GROWS.format(name, remedy)}"


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of memory is that of Linux")
@pytest.mark.parametrize("name", [*REPEATED, *TABLES])
def test_what_grows_too_much_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    arguments = arguments_for(path)
    (tmp_path / "small.jsonl").write_text(SMALL)
    assert path.stat().st_size < 100_000
    finished = python("-c", MEASURED, *arguments, cwd=tmp_path, text=True)
    assert finished.stderr.splitlines()[-1] == growth(name, path)
    assert finished.returncode == 3
    # The most is for rows of four bytes, each a record: 266 MB.
    assert int(finished.stdout.partition("VmHWM:")[2].split()[0]) < 400 * 1024  # kilobytes


@pytest.mark.parametrize("name", ["r.jsonl.gz", "r.json.gz", "r.parquet"])
def test_what_grows_too_much_is_refused_from_standard_input(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    arguments_for(path)
    with path.open("rb") as stdin:
        finished = rouge("-n1", "-", stdin=stdin, text=True)
    assert finished.stderr.splitlines()[-1] == growth("standard input", path)
    assert (finished.returncode, finished.stdout) == (3, "")


def test_saved_scores_that_grow_too_much_are_refused(tmp_path: Path, run: Run) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "small.jsonl").write_text(SMALL)
    assert run("small.jsonl", "-n1", "--save", "s.parquet", cwd=tmp_path).code == 0
    table = parquet.read_table(tmp_path / "s.parquet")
    parquet.write_table(table.take([0] * 1_000_000), tmp_path / "s.parquet", compression="zstd")
    finished = run("s.parquet", cwd=tmp_path)
    assert finished.refusal == growth("s.parquet", tmp_path / "s.parquet")


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
