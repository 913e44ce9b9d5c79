"""Which fields of a record are read, how a path finds what is in them, and formats of records."""

from ast import literal_eval
from typing import Any

import pytest

from rouge_cli.inputs.records.rows import MISSING, choose_fields, field_value
from rouge_cli.inputs.source import records_format, sniffed_format
from rouge_cli.options.options import Options
from tests.tables import tables_beside

TABLES = tables_beside(__file__)


@pytest.mark.parametrize(("given", "expected"), TABLES["paths"])
def test_field_value(given: str, expected: list[str]) -> None:
    value, _, path = given.rpartition(" at ")
    value = field_value(literal_eval(value), path.encode().decode("unicode_escape"))
    assert ["missing" if value is MISSING else repr(value)] == expected


def test_a_place_of_more_digits_than_python_reads() -> None:
    assert field_value({"a": [1]}, "a." + "9" * 5000) is MISSING


def chosen(names: str, **given: Any) -> tuple[Any, ...]:
    fields = choose_fields(names.split(), Options.of(given).inputs)
    return fields.prediction, fields.references, fields.id, fields.system


@pytest.mark.parametrize(("names", "expected"), TABLES["fields"])
def test_defaults(names: str, expected: list[str]) -> None:
    prediction, references, *others = chosen(names)
    assert [" ".join((prediction, ",".join(references), *(x or "-" for x in others)))] == expected


def test_fields_that_are_asked_for() -> None:
    asked = {"prediction": "a.b", "references": ["c", "d"], "id": "e", "system": "f"}
    assert chosen("prediction references id system", **asked) == ("a.b", ("c", "d"), "e", "f")
    # What is asked for is not taken a second time.
    assert chosen("summary highlights", prediction="summary.text")[1] == ("highlights",)
    assert chosen("summary output", references=["summary"])[0] == "output"


@pytest.mark.parametrize(("given", "expected"), TABLES["nothing to read"])
def test_nothing_to_read(given: str, expected: list[str]) -> None:
    names, _, options = given.partition(" with ")
    with pytest.raises(ValueError, match="name") as raised:
        chosen(names, **literal_eval(options or "{}"))
    assert [str(raised.value)] == expected


def test_only_the_first_names_are_listed() -> None:
    names = [f"f{number}" for number in range(32)]
    with pytest.raises(ValueError, match=f"the record has: {', '.join(names[:30])} and 2 more$"):
        chosen(" ".join(names), prediction="f1")


@pytest.mark.parametrize(
    ("paths", "form"),
    [
        ("a.jsonl a.ndjson A.JSONL.GZ a.jsonl.bz2", "JSONL"),
        ("a.json", "JSON"),
        ("a.csv a.csv.xz", "CSV"),
        ("a.tsv.gz", "TSV"),
        ("a.parquet", "PARQUET"),
        ("config.xml jsonl a.jsonl.zst -", None),
    ],
)
def test_formats_by_name(paths: str, form: str | None) -> None:
    for path in paths.split():
        assert records_format(path) == form
        assert records_format(path, "TSV") == "TSV"


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (b'<?xml version="1.0"?><ROUGE-EVAL/>', "XML"),
        (b"\xef\xbb\xbf\n <ROUGE-EVAL/>", "XML"),
        (b"\xff\xfe<\0R\0O\0U\0G\0E\0-\0E\0V\0A\0L\0/\0>\0", "XML"),
        (b'\n {"a": 1}\n{"a": 2}\n', "JSONL"),
        (b'{"a": 1}', "JSONL"),
        (b'{"a":\n1}\n', "JSON"),
        (b'{"a": 1\n{"a": 2}\n', "JSONL"),
        (b'{"a": "\xff"}', "JSONL"),
        (b'[{"a": 1}]', "JSON"),
        (b"PAR1...", "PARQUET"),
        *((data, None) for data in (b"id,prediction\n", b"p.txt m.txt\n", b"", b" \n")),
    ],
)
def test_formats_by_content(data: bytes, form: str | None) -> None:
    assert sniffed_format(data) == form
