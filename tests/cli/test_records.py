"""Files of records: what is read, and messages about those that cannot be read."""

import gzip
import io
import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.inputs import decoding
from rouge_cli.inputs.records import json_rows
from tests.cli.running import SAMPLE, Run, records_of, write_records

AS_ORIGINAL = {"lcs": True}
INPUT_ERROR = 3
SHORT = ["-x", "-n1", "-r1"]
OTHERS = dict.fromkeys(f"k{number}" for number in range(300))
PAIR = {"prediction": "a b", "references": ["a c"]}


def write_table(folder: Path, **columns: Any) -> None:
    """Write ``r.parquet``."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table(columns), folder / "r.parquet")


def write_sample(folder: Path) -> bytes:
    """Write the records of the sample to ``r.parquet``, and return its bytes."""
    records = records_of(SAMPLE / "records.jsonl")
    write_table(folder, **{name: [record[name] for record in records] for name in records[0]})
    return (folder / "r.parquet").read_bytes()


def test_parquet_from_standard_input(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write_sample(tmp_path)
    (tmp_path / "z.parquet.gz").write_bytes(gzip.compress(data, mtime=0))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    expected = run(*SHORT, "r.parquet", cwd=tmp_path)
    assert expected.code == 0
    assert run(*SHORT, "--records-format", "parquet", "-") == expected
    assert run(*SHORT, "z.parquet.gz") == expected


def test_columns_of_parquet(run: Run, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    columns = {
        "out.text": pyarrow.array(["a b"]).dictionary_encode(),
        "doc": [{"models": [["a c"], ["a b"]], "number": 7}],
        "list": ['["a c", "a b"]'],
        "more": [None],
    }
    write_table(tmp_path, **columns)
    options = [*SHORT, "-d", "r.parquet", "--prediction", "out.text", "--id", "doc.number"]
    for references in (["doc.models"], ["list", "--references-json"]):
        found = run(*options, "--references", *references, cwd=tmp_path)
        assert b"\nr ROUGE-1 Eval 7.r R:0.75000 " in found.out


class Broken(io.RawIOBase):
    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        raise OSError(5, "whatever")


@pytest.mark.parametrize(
    ("stream", "problem"),
    [
        (None, "standard input is closed"),
        (io.TextIOWrapper(io.BufferedReader(Broken())), "standard input: Input/output error"),
    ],
    ids=["closed", "broken"],
)
def test_standard_input_that_gives_nothing(
    stream: Any, problem: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", stream)
    finished = run(*SHORT, "--records-format", "csv", "-")
    assert finished.refusal == f"Error: {problem}; expected a file of records"


def test_parquet_without_pyarrow(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_sample(tmp_path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run(*SHORT, "r.parquet", cwd=tmp_path).refusal == (
        "Error: r.parquet: Parquet needs pyarrow, which is not installed: "
        "python -m pip install pyarrow"
    )


def test_parquet_that_is_no_records(run: Run, tmp_path: Path) -> None:
    data = write_sample(tmp_path)
    (tmp_path / "r.parquet").write_bytes(data[:-60] + b"\xff" * 50 + data[-10:])
    # The reason comes from pyarrow, in words of its version.
    damaged = run(*SHORT, "r.parquet", cwd=tmp_path).refusal
    assert damaged.startswith("Error: r.parquet: damaged Parquet after 0 records: ")
    write_table(tmp_path, prediction=["a"], gold=["a"])
    assert run(*SHORT, "r.parquet").refusal == (
        "Error: r.parquet, record 1: no references; name their field with --references, or their "
        "file with --references-from; the record has: prediction, gold"
    )
    import pyarrow
    import pyarrow.parquet

    names = ["prediction", "references", "references"]
    twice = pyarrow.table([pyarrow.array(["a"])] * 3, names=names)
    pyarrow.parquet.write_table(twice, tmp_path / "r.parquet")
    assert run(*SHORT, "r.parquet").refusal == (
        "Error: r.parquet: columns 2, 3 all have the name 'references'; expected a name for each"
    )


@pytest.mark.parametrize(
    ("record", "options", "unread"),
    [
        ({"prediction": "a", "references": ["a"], "reference": "b"}, [], "field 'reference' is"),
        ({"prediction": "a", "references": ["a"], "summary": "b"}, [], "field 'summary' is"),
        ({"prediction": "a", "references": ["a"], "reference": "b", "response": "c"}, [],
         "fields 'response', 'reference' are"),
        # Both are read, or chosen, or a number; lm-eval has the raw response beside the filtered.
        ({"prediction": "a", "summary": "b"}, [], None),
        ({"prediction": "a", "reference": "a", "response": 3, "label": 1}, [], None),
        ({"filtered_resps": "a", "resps": [["a"]], "target": "b"}, [], None),
        ({"prediction": "a", "references": "a", "reference": "b", "response": "c"},
         ["--prediction", "prediction", "--references", "references"], None),
        ({"prediction": "a", "references": "a", "reference": "b", "response": "c"},
         ["--references", "references"], "field 'response' is"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["r.jsonl", "r.parquet"])
def test_fields_that_may_be_meant_too(
    name: str,
    record: dict[str, Any],
    options: list[str],
    unread: str | None,
    run: Run,
    tmp_path: Path,
) -> None:
    if name == "r.parquet":
        write_table(tmp_path, **{field: [value] for field, value in record.items()})
    else:
        write_records(tmp_path / name, [record])
    found = run(*SHORT, *options, name, cwd=tmp_path).error_lines
    assert len(found) == (unread is not None)
    for line in found:
        assert line.startswith(f"Warning: {name}: {unread} not read, though texts often have such ")
        assert line.endswith("; name others with --prediction and --references")


# Half of a surrogate pair is three bytes, so that -b 4 leaves "a" of the peer, as of the model;
# -b 3 would leave nothing.
HALF_OF_A_PAIR = "\udc80ab cd"


@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("reader", ["orjson", "json"])
@pytest.mark.parametrize("name", ["r.jsonl", "r.json"])
@pytest.mark.parametrize(
    "more", [{"prediction": HALF_OF_A_PAIR}, {"prediction": [HALF_OF_A_PAIR], "system": "r"}]
)
def test_bytes_of_half_a_surrogate_pair(
    reader: str,
    name: str,
    more: dict[str, Any],
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if reader == "json":
        monkeypatch.setitem(sys.modules, "orjson", None)
    records = [{"id": number, "references": ["a"], **more} for number in range(600)]
    if name == "r.jsonl":
        write_records(tmp_path / name, records)
    else:
        (tmp_path / name).write_text(json.dumps(records))
    for limit, recall in (("4", b"1.00000"), ("3", b"0.00000")):
        found = run(*SHORT, "-b", limit, name, cwd=tmp_path)
        assert b"r ROUGE-1 Average_R: %b" % recall in found.out


@pytest.mark.parametrize("n_at_once", [1, 90])
@pytest.mark.parametrize(
    ("odd_line", "message"),
    [
        ("", ""),
        (" ", ""),
        # Files that are joined have byte order marks inside.
        ('\ufeff{"id": "x", "prediction": "a", "references": ["a"]}', ""),
        ('{"id": "x", "prediction": "a\\u0062", "references": ["a"]}', ""),
        ('{"id": "\\u00e9", "references": "a", "prediction": "b"} ', ""),
        ('{"id": "x", "prediction": "a", "references": ["a"], "n": [NaN]}', ""),
        ('{"id": "x", "prediction": "a", "references": []}', "text x: no references"),
        ('{"id": "5", "prediction": "a", "references": ["a"]}', "line 21: text 5: a duplicate of"),
        ('{"id": "x", "prediction": "a"}', "line 21: text x: no references"),
        ('{"id": "x"', "line 21: not JSON: Expecting ',' delimiter (column 11)"),
        ('{"id": "x", "prediction": "a\tb", "references": ["a"]}', "line 21: not JSON: Invalid"),
        ('{"id": "\\n", "prediction": "a", "references": ["a"]}', "line 21: field 'id' is blank"),
        ('{"id": "a\\n", "prediction": "a", "references": ["a"]}', "line 21: field 'id' is 'a\\n'"),
        ('{"id": "x", "prediction": "\udcff", "references": ["a"]}', "line 21: byte 0xFF at col"),
        ('{"id": "x", "prediction": "\0", "references": ["a"]}', "line 21: a zero byte at col"),
        ("5", "line 21: the number 5"),
        ('{"id": "x", "prediction": "a", "references": "b", "prediction": "c"}',
         "line 21: the key 'prediction' more than once in an object; expected each key once"),
        ('{"id": "x", "prediction": "a", "references": "b", "\\u0069d": "y"}',
         "line 21: the key 'id' more than once"),
        ('{"id": "x", "prediction": "a", "references": "b", "n": 1, "m": 2, "n": 1}',
         "line 21: the key 'n' more than once"),
        ('{"id": "x", "prediction": "a", "references": "b", "n": [{"m": {"k": 1, "k": 1}}]}',
         "line 21: the key 'k' more than once"),
        ('{"id": "x", "prediction": "a", "references": "b", "n": {"id": 1}, "m": {"id": 1}}', ""),
        (json.dumps({"id": "x", "prediction": "a", "references": "b"} | OTHERS), ""),
        (json.dumps({"id": "x", "prediction": "a", "references": "b", "n": OTHERS}), ""),
    ],
)  # fmt: skip
def test_lines_that_orjson_leaves_to_json(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    odd_line: str,
    message: str,
    n_at_once: int,
) -> None:
    monkeypatch.setattr(json_rows, "LINES_AT_ONCE", n_at_once)
    monkeypatch.setattr(decoding, "DECODED_BYTES", 128)
    lines = [json.dumps({"id": number, **PAIR}) for number in range(40)]
    lines.insert(20, odd_line)
    content = "\n".join(lines).encode("utf-8", "surrogateescape")
    (tmp_path / "r.jsonl").write_bytes(content)
    outcomes = []
    for reader, jobs in product((json_rows.orjson_or_none, no_orjson), ("1", "3")):
        monkeypatch.setattr(json_rows, "orjson_or_none", reader)
        outcomes.append(run(*SHORT, "--jobs", jobs, str(tmp_path / "r.jsonl")))
    assert outcomes == [outcomes[0]] * 4
    assert (outcomes[0].code == INPUT_ERROR) == bool(message)
    assert message in outcomes[0].err


def no_orjson() -> None:
    """Stand in for `orjson_or_none` where it is not installed."""


READ = "'prediction' as prediction, 'references' as references"


@pytest.mark.parametrize("n_at_once", [1, 90])
@pytest.mark.parametrize(
    ("first", "later", "names"),
    [
        ({}, {"id": 7}, ["id"]),
        ({}, {"System": "x"}, ["System"]),
        ({"doc_id": 0}, {"doc_id": "x", "id": "y"}, ["id"]),
        ({"id": 0}, {"doc_id": "y", "id": "z"}, []),
        ({}, {"highlights": "a", "Output": ["b"]}, ["highlights", "Output"]),
        ({}, {"label": 3, "id": None, "other": "a"}, []),
    ],
)
def test_fields_that_the_first_record_does_not_have(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    first: dict[str, Any],
    later: dict[str, Any],
    names: list[str],
    n_at_once: int,
) -> None:
    monkeypatch.setattr(json_rows, "LINES_AT_ONCE", n_at_once)
    records = [PAIR | first | dict.fromkeys(first, f"{number}") for number in range(40)]
    for number in (20, 23, 30):
        records[number] |= {**later, **dict.fromkeys(first, f"{number}x")}
    write_records(tmp_path / "r.jsonl", records)
    (tmp_path / "r.json").write_text(json.dumps(records))
    read = "".join([READ, *(f", {name!r} as id" for name in first if name.endswith("id"))])
    for file, place in (("r.jsonl", "line 21"), ("r.json", "record 21")):
        expected = [
            f"Warning: {file}: field {name!r} is not read: it first occurs in {place}, and the "
            f"first record says what is read, fields {read}; give every record the same fields, "
            "or name those to read with --prediction, --references, --id and --system"
            for name in names
        ]
        for reader, jobs in product((json_rows.orjson_or_none, no_orjson), ("1", "3")):
            monkeypatch.setattr(json_rows, "orjson_or_none", reader)
            assert run(*SHORT, "--jobs", jobs, file, cwd=tmp_path).error_lines == expected


@pytest.mark.parametrize("n_cut", [4, 9, 2_000])
@pytest.mark.parametrize("n_at_once", [1, 5_000, 1 << 17])
def test_problems_before_a_truncated_end_are_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_at_once: int, n_cut: int
) -> None:
    monkeypatch.setattr(json_rows, "LINES_AT_ONCE", n_at_once)
    lines = [json.dumps({"id": number, **PAIR}) for number in range(3_000)]
    # Behind line 3,001 there are more compressed bytes than are cut off.
    lines += ["5", *(json.dumps({"id": f"{number**9:x}", **PAIR}) for number in range(900, 1_400))]
    stored = gzip.compress("\n".join(lines).encode())
    (tmp_path / "r.jsonl.gz").write_bytes(stored[:-n_cut])
    assert run(*SHORT, "r.jsonl.gz", cwd=tmp_path).refusal.splitlines() == [
        "Error: r.jsonl.gz, line 3001: the number 5; expected one object a line",
        "Error: r.jsonl.gz: truncated gzip, it ends before its end; fetch or compress it again; "
        "expected a file of records",
    ]
