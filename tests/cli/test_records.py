"""Files of records: what is read, and what is said of those that cannot be."""

import csv
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
from tests.cli.running import SAMPLE, Run, write_records

AS_ORIGINAL = {"lcs": True}
INPUT_ERROR = 3
SHORT = ["-x", "-n1", "-r1"]
OTHERS = dict.fromkeys(f"k{number}" for number in range(300))
PAIR = {"prediction": "a b", "references": ["a c"]}


def sample_records() -> list[dict[str, Any]]:
    lines = (SAMPLE / "records.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def write_parquet(folder: Path) -> list[str]:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(
        pyarrow.Table.from_pylist(sample_records()), folder / "r.parquet", row_group_size=5
    )
    return ["r.parquet"]


@pytest.mark.parametrize(
    "options",
    [["-w", "1.2"], ["-l", "5"], ["-b", "5"], ["--pairwise-lcs"], ["--tokenizer", "unicode"], []],
    ids=" ".join,
)
def test_a_lone_record(options: list[str], run: Run, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps(PAIR) + "\n")
    # One word of two is in the other text.
    scored = run("-n", "1", "--score-only", "ROUGE-1:F", *options, "r.jsonl", cwd=tmp_path)
    assert (scored.code, scored.out) == (0, b"0.50000\n")


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz", "-", "- compressed", "r.txt"])
def test_where_records_come_from(
    name: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"\xef\xbb\xbf" + json.dumps(PAIR).encode() + b"\r\n"
    packed = gzip.compress(data, mtime=0)
    stdin = io.TextIOWrapper(io.BytesIO(packed if name == "- compressed" else data))
    monkeypatch.setattr(sys, "stdin", stdin)
    for path, content in {"r.jsonl": data, "r.jsonl.gz": packed, "r.txt": data}.items():
        (tmp_path / path).write_bytes(content)
    found = run(*SHORT, name.removesuffix(" compressed"), "--records-format", "jsonl", cwd=tmp_path)
    # Standard input has no name.
    system = b"X" if name.startswith("-") else b"r"
    assert b"\n%b ROUGE-1 Average_R: 0.50000 " % system in found.out
    assert (found.code, found.err) == (0, "")


@pytest.mark.parametrize("parser", ["orjson", "json"])
def test_joined_files_with_byte_order_marks(
    parser: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if parser == "json":
        monkeypatch.setitem(sys.modules, "orjson", None)
    line = b"\xef\xbb\xbf" + json.dumps(PAIR).encode() + b"\n"
    (tmp_path / "r.jsonl").write_bytes(line + line)
    finished = run("-n", "1", "--score-only", "ROUGE-1:F", "r.jsonl", cwd=tmp_path)
    assert (finished.code, finished.out) == (0, b"0.50000\n")


def test_parquet_from_standard_input(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_parquet(tmp_path)
    data = (tmp_path / "r.parquet").read_bytes()
    (tmp_path / "z.parquet.gz").write_bytes(gzip.compress(data, mtime=0))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    expected = run(*SHORT, "r.parquet", cwd=tmp_path)
    assert expected.code == 0
    assert run(*SHORT, "--records-format", "parquet", "-") == expected
    assert run(*SHORT, "z.parquet.gz") == expected


def test_columns_of_parquet(run: Run, tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table(
        {
            "out.text": pyarrow.array(["a b"]).dictionary_encode(),
            "doc": [{"models": [["a c"], ["a b"]], "number": 7}],
            "more": [None],
        }
    )
    pyarrow.parquet.write_table(table, tmp_path / "r.parquet")
    fields = ["--prediction", "out.text", "--references", "doc.models", "--id", "doc.number"]
    found = run(*SHORT, "-d", "r.parquet", *fields, cwd=tmp_path)
    assert b"\nr ROUGE-1 Eval 7.r R:0.75000 " in found.out


# What problems have in common is held in tests/unit/test_errors.py.
MANY = range(1200)
TEXT = "expected a string, a list of sentences, or an object with 'text'"


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        # The column of the mistake, and what stands there, differ from line to line.
        ([f'{{"a": "{"x" * n}" b}}' for n in MANY], "not JSON: Expecting ',' delimiter; {}"),
        ([f'{{"a": "{n}' for n in MANY], "not JSON: Unterminated string; {}"),
        ([f"{n}" for n in MANY], "a number; {}"),
        ([json.dumps({**PAIR, "id": n, "prediction": n}) for n in MANY],
         f"field 'prediction' is a number; {TEXT}"),
        ([json.dumps({**PAIR, "id": n, "references": ["a"] * (n % 9) + [n]}) for n in MANY],
         f"field 'references': an item is a number; {TEXT}"),
        ([json.dumps({"id": n, "prediction": "a"}) for n in MANY],
         "no references in field 'references'; expected at least one"),
        ([json.dumps({**PAIR, "id": "ab"[n % 2] + "\0" * (n + 1)}) for n in MANY],
         "field 'id' has control characters; expected an ID, a string or a whole number without "
         "control characters"),
    ],
    ids=["column", "unterminated", "numbers", "field", "item", "references", "ids"],
)  # fmt: skip
def test_the_same_mistake_in_many_records_is_one_line(
    lines: list[str], problem: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "r.jsonl").write_text("\n".join([json.dumps({**PAIR, "id": "a"}), *lines]))
    finished = run(*SHORT, "r.jsonl", cwd=tmp_path)
    found = problem.format("expected one object a line")
    assert finished.refusal == f"Error: r.jsonl, line 2, line 3, line 4 and 1197 more: {found}"


def test_many_warnings_of_a_kind_are_one_line(run: Run, tmp_path: Path) -> None:
    rows = [{**PAIR, "id": n, "system": "ab"[n >= 1200]} for n in range(2400)]
    for row in rows[:1200]:
        row["prediction"] = "-"
    write_records(tmp_path / "r.jsonl", rows)
    finished = run("-n", "1", "-a", "r.jsonl", cwd=tmp_path)
    absent = "has no prediction; the text does not count for it"
    assert finished.error_lines == [
        f"Warning: text 1200, text 1201, text 1202 and 1197 more: system a {absent}",
        f"Warning: text 0, text 1, text 2 and 1197 more: system b {absent}",
        "Warning: text 0: r.jsonl, line 1; text 1: r.jsonl, line 2; text 2: r.jsonl, line 3 and "
        "1197 more: no tokens",
    ]
    assert finished.code == 0


def test_standard_input_is_closed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    finished = run(*SHORT, "--records-format", "csv", "-")
    assert finished.error_lines == ["Error: standard input is closed; expected a file of records"]


def test_a_source_that_breaks_off(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            raise OSError(5, "whatever")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Broken())))
    finished = run(*SHORT, "--records-format", "csv", "-")
    expected = "Error: standard input: Input/output error; expected a file of records"
    assert finished.refusal == expected


def test_parquet_without_pyarrow(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_parquet(tmp_path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run(*SHORT, "r.parquet", cwd=tmp_path).refusal == (
        "Error: r.parquet: Parquet needs pyarrow, which is not installed: "
        "python -m pip install pyarrow"
    )


def test_damaged_parquet(run: Run, tmp_path: Path) -> None:
    write_parquet(tmp_path)
    data = (tmp_path / "r.parquet").read_bytes()
    (tmp_path / "r.parquet").write_bytes(data[:-60] + b"\xff" * 50 + data[-10:])
    finished = run(*SHORT, "r.parquet", cwd=tmp_path)
    # The reason comes from pyarrow, in words of its version.
    assert [line.rpartition(" records: ")[0] for line in finished.error_lines] == [
        "Error: r.parquet: damaged Parquet after 0"
    ]
    assert finished.code == INPUT_ERROR


def test_columns_of_the_same_name_in_parquet(run: Run, tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    columns = [pyarrow.array(["a"])] * 3
    names = ["prediction", "references", "references"]
    pyarrow.parquet.write_table(pyarrow.table(columns, names=names), tmp_path / "r.parquet")
    finished = run(*SHORT, "r.parquet", cwd=tmp_path)
    assert finished.error_lines == [
        "Error: r.parquet: columns 2, 3 all have the name 'references'; expected a name for each"
    ]


def test_parquet_without_a_field_for_the_models(run: Run, tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({"prediction": ["a"], "gold": ["a"]})
    pyarrow.parquet.write_table(table, tmp_path / "r.parquet")
    assert run(*SHORT, "r.parquet", cwd=tmp_path).refusal == (
        "Error: r.parquet, record 1: no references; name their field with --references, or their "
        "file with --references-from; the record has: prediction, gold"
    )


def test_models_in_a_json_list(run: Run, tmp_path: Path) -> None:
    rows = [["a", "the cat", '["the cat", "a dog\\nbarks"]'], ["b", "a dog", ' ["dogs"] ']]
    with (tmp_path / "r.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "prediction", "reference"], *rows])
    options = ["-n1", "-x", "-t2", "-d", "--references-json"]
    finished = run(*options, "r.csv", cwd=tmp_path)
    # Two models of two words, one of three; one of one: hits are 2 and 0, and 0.
    assert b"r ROUGE-1 Eval a.r R:5 P:4 F:2" in finished.out
    assert b"r ROUGE-1 Eval b.r R:1 P:2 F:0" in finished.out
    assert (finished.code, finished.err) == (0, "")
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    names = ["id", "prediction", "reference"]
    parquet.write_table(
        pyarrow.table(dict(zip(names, zip(*rows, strict=True), strict=True))),
        tmp_path / "r.parquet",
    )
    assert run(*options, "r.parquet").out == finished.out


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
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_fields_that_may_be_meant_too(
    form: str,
    record: dict[str, Any],
    options: list[str],
    unread: str | None,
    run: Run,
    tmp_path: Path,
) -> None:
    name = f"r.{form}"
    if form == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.Table.from_pylist([record]), tmp_path / name)
    else:
        (tmp_path / name).write_text(json.dumps(record), "utf-8")
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
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    reader: str,
    name: str,
    more: dict[str, Any],
) -> None:
    if reader == "json":
        monkeypatch.setitem(sys.modules, "orjson", None)
    records = [{"id": number, "references": ["a"], **more} for number in range(600)]
    lines = list(map(json.dumps, records))
    text = "\n".join(lines) if name == "r.jsonl" else f"[{','.join(lines)}]"
    (tmp_path / name).write_text(text)
    for limit, recall in (("4", b"1.00000"), ("3", b"0.00000")):
        found = run(*SHORT, "-b", limit, name, cwd=tmp_path)
        assert b"r ROUGE-1 Average_R: %b" % recall in found.out


@pytest.mark.parametrize("n_at_once", [1, 90])
@pytest.mark.parametrize(
    ("odd_line", "message"),
    [
        ("", ""),
        (" ", ""),
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
