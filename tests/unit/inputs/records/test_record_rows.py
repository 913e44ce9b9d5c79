"""JSONL, JSON, CSV and TSV to rows."""

import json
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

import pytest

from rouge_cli.inputs.decoding import Decoder
from rouge_cli.inputs.records.json_rows import document_rows, line_runs
from rouge_cli.inputs.records.rows import Row, RowProblem
from rouge_cli.inputs.records.tables import table_rows
from rouge_cli.options.options import Options
from tests.tables import tables_beside


def plain(rows: Iterable[Row | RowProblem]) -> list[tuple[Any, Any]]:
    return [
        (row.number, row.record)
        if isinstance(row, Row)
        else (row.place, "; ".join(filter(None, (row.text, row.advice))))
        for row in rows
    ]


def jsonl_rows(text: str) -> list[Row | RowProblem]:
    runs = line_runs(BytesIO(text.encode()), Decoder("file", None))
    return [row for run in runs for row in run]


def jsonl(text: str) -> list[tuple[Any, Any]]:
    return plain(jsonl_rows(text))


def document(text: str, **given: Any) -> list[tuple[Any, Any]]:
    return plain(document_rows(text, Options.of(given).inputs))


def table(text: str, delimiter: str = ",") -> list[tuple[Any, Any]]:
    return plain(table_rows(text.splitlines(keepends=True), delimiter))


def shown(rows: list[tuple[Any, Any]]) -> list[str]:
    """Return rows as the tables beside this module have them."""
    return [
        f"{place} {json.dumps(value)}"
        if isinstance(place, int)
        else f"{place}: {value}".removeprefix(": ")
        for place, value in rows
    ] or ["(nothing)"]


TABLES = tables_beside(__file__)
TWICE = "more than once in an object; expected each key once: rename it, or take one out"


@pytest.mark.parametrize(
    ("reader", "text", "expected"),
    [
        (reader, *row)
        for name, reader in {"JSONL": jsonl, "document": document, "CSV": table}.items()
        for row in TABLES[name]
    ],
)
def test_rows(
    reader: Callable[[str], list[tuple[Any, Any]]], text: str, expected: list[str]
) -> None:
    expected = [line.replace("TWICE", TWICE) for line in expected]
    assert shown(reader(text.encode().decode("unicode_escape"))) == expected


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"a": ' + "1" * 5000 + "}", "JSON with a number of too many digits"),
        ("[" * 100_000, "JSON that is nested too deeply to be read"),
    ],
    ids=["digits", "brackets"],
)
def test_json_beyond_measure(line: str, problem: str) -> None:
    assert shown(jsonl(f'{{"a": 1}}\n{line}\n')) == [
        '1 {"a": 1}',
        f"line 2: {problem}; expected one object a line",
    ]


@pytest.mark.parametrize(("line", "keys"), TABLES["keys more than once"])
def test_a_key_more_than_once(line: str, keys: list[str]) -> None:
    problem = f"the {keys[0]} {TWICE}"
    assert jsonl(f"{line}\n") == [("line 1", problem)]
    assert jsonl(f'{{"a": 1}}\n{line}\n{{"a": 2}}\n') == [
        (1, {"a": 1}),
        ("line 2", problem),
        (3, {"a": 2}),
    ]
    assert document(f'[{{"prediction": 1}},\n{line}]') == [("line 2", problem)]
    assert document(line) == [("line 1", problem)]


@pytest.mark.parametrize(
    "line",
    [
        '{"a": {"b": 1}, "b": {"a": 1, "c": ["a", "a", {"a": 2}, {"a": 3}]}}',
        r'{"a:b": ":", "c": "\u003a \"a\":", "d": ["::"]}',
    ],
)
def test_the_same_key_in_other_objects(line: str) -> None:
    assert jsonl(f"{line}\n" * 2) == [(1, json.loads(line)), (2, json.loads(line))]


def test_paths_of_parallel_lists() -> None:
    text = '{"out": {"texts": ["a", "b"]}, "refs": [["c"], ["d"]]}'
    assert document(text, prediction="out.texts", references="refs") == [
        (1, {"out.texts": "a", "refs": ["c"]}),
        (2, {"out.texts": "b", "refs": ["d"]}),
    ]
    assert document(text, prediction="out.texts", references="gone") == [
        ("", "no field 'gone'; the record has: out, refs")
    ]


def test_carriage_returns_alone_end_no_line() -> None:
    assert plain(table_rows(["a,b\r1,2\r"], ",")) == [
        (
            "line 1",
            "a carriage return outside of quotes that is not the end of a line; save the file "
            "with newlines at the ends of its lines",
        )
    ]


def test_tsv() -> None:
    assert table('a\tb\n"x\ty"\t1, 2\n', "\t") == [(2, {"a": "x\ty", "b": "1, 2"})]


def test_a_field_may_have_any_length() -> None:
    text = "x" * 200_000
    assert table(f"a,b\n{text},1\n") == [(2, {"a": text, "b": "1"})]


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1.5, "b": [{"c": null}, [true, -1e300, "\\ud83d\\ude00"]]}',
        *("-0", "-0.0", "1e22", "8.5e-324", "0.30000000000000004441", "[1.0e19]"),
        *("9223372036854775807", "-9223372036854775808", "18446744073709551615"),
        *("9223372036854775808", "-9223372036854775809", "18446744073709551616", "9" * 400),
        *("[9223372036854775808]", '{"a": {"b": [123456789012345678901234567890]}}'),
        *("NaN", "[Infinity, -Infinity]", "1e400", '{"a": NaN}'),
        *('"\\ud800"', '"\\ude00\\ud83d"', '{"\\udfff": 1}', '"\\u0000\\/"'),
        '{"": ""}',
        *("[" * depth + "]" * depth for depth in (31, 32, 33, 34, 900)),
        *('{"a":' * depth + "0" + "}" * depth for depth in (31, 33, 34, 900)),
        *(' {"a": 1} \r', "[]", "{}", "null", "true", '"\x7f"'),
    ],
)
def test_values_are_those_of_json(text: str) -> None:
    value = json.loads(text)
    (row,) = document_rows(f'[{{"a": {text}}}]', Options.of({}).inputs)
    assert isinstance(row, Row)
    assert repr(row.record) == repr({"a": value})
    rows = jsonl_rows(f'{{"a": 0}}\n{{"a": {text}}}\n')
    assert repr(rows[1].record if isinstance(rows[1], Row) else rows[1]) == repr({"a": value})
