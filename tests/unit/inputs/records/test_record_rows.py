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
from tests.tables import rows_of


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
    """Return rows as the tables below have them."""
    return [
        f"{place} {json.dumps(value)}"
        if isinstance(place, int)
        else f"{place}: {value}".removeprefix(": ")
        for place, value in rows
    ] or ["(nothing)"]


JSONL = r"""
{"a": 1}\n{"a": 2}\n
  1 {"a": 1}
  2 {"a": 2}
\n{"a": 1}\n \t\n{"a": 2}
  2 {"a": 1}
  4 {"a": 2}

  (nothing)
\n\n
  (nothing)
{"a": 1}\n[1]\n"x"\nnull\n{"a": 2}\n
  1 {"a": 1}
  line 2: a list; expected one object a line
  line 3: a string; expected one object a line
  line 4: null; expected one object a line
  5 {"a": 2}
{"a": 1}\n{"a": 1 "b": 2, "c": "longest"}\n{"a": "b\n{"a": \n
  1 {"a": 1}
  line 2: not JSON: Expecting ',' delimiter (column 9), found '"b": 2, "c": "longes'; expected one
    object a line
  line 3: not JSON: Unterminated string (column 7), found '"b'; expected one object a line
  line 4: not JSON: Expecting value (column 6), found the end of the line; expected one object a
    line
{"a"\n{"a": 1}\nx\n
  line 1: not JSON: Expecting ':' delimiter (column 5), found the end of the line; expected one
    object a line
  2 {"a": 1}
  line 3: not JSON: Expecting value (column 1), found 'x'; expected one object a line
{\n"a": 1\n}\n
  one JSON document, not an object a line; give --records-format json
\n[{"a": 1}]\n
  one JSON document, not an object a line; give --records-format json
42\n
  line 1: the number 42; expected one object a line
"""
DOCUMENT = r"""
[{"a": 1},\n{"a": 2}]
  1 {"a": 1}
  2 {"a": 2}
[]
  (nothing)
 \n
  (nothing)
[{"a": 1}, 3, null]
  1 {"a": 1}
  record 2: the number 3; expected an object
  record 3: null; expected an object
"x"
  a string; expected a list of objects, or an object of parallel lists
[{"a": 1},\n {"a" 2}]
  line 2: not JSON: Expecting ':' delimiter (column 7), found '2}]'; expected a list of objects, or
    an object of parallel lists
{"a": 1}\n{"a": 2}\n
  line 2: not JSON: Extra data (column 1), found '{"a": 2}'; an object a line is read with
    --records-format jsonl
{"prediction": "a", "reference": ["b", "c"]}
  1 {"prediction": "a", "reference": ["b", "c"]}
{"predictions": ["a", "b"], "references": [["c"], "d"], "more": 1}
  1 {"predictions": "a", "references": ["c"]}
  2 {"predictions": "b", "references": "d"}
{"system": "s", "id": [3, 4], "predictions": ["a", "b"], "references": ["c", "d"]}
  1 {"predictions": "a", "references": "c", "id": 3, "system": "s"}
  2 {"predictions": "b", "references": "d", "id": 4, "system": "s"}
{"predictions": ["a", "b", "c"], "references": ["c", "d"], "id": 7}
  field 'id' is the number 7; expected a list, as field 'predictions' is one
  lists of different lengths: 'predictions' has 3; 'references' has 2; expected parallel lists
{"data": []}
  neither prediction nor references; name the fields with --prediction and --references; the record
    has: data
"""
CSV = r"""
a,b\n1,2\n
  2 {"a": "1", "b": "2"}
a,b\r\n1,2\r\n\r\n3,4
  2 {"a": "1", "b": "2"}
  4 {"a": "3", "b": "4"}
\na,b\n"x ""y"", z","p\nq\n"\n,\n
  3 {"a": "x \"y\", z", "b": "p\nq\n"}
  6 {"a": "", "b": ""}
a,b\n"x\r\ny",z\n
  2 {"a": "x\r\ny", "b": "z"}
a,b\n
  (nothing)

  (nothing)
a,b\n1\n1,2\n1,2,3\n
  line 2: 1 field; expected 2, as in the header
  3 {"a": "1", "b": "2"}
  line 4: 3 fields; expected 2, as in the header
,a,b\n0,1,2\n1,3,4\n
  2 {"a": "1", "b": "2"}
  3 {"a": "3", "b": "4"}
c,a,,a\n1,2,3,4\n
  line 1: column 3 has no name; expected a header that names every column
  line 1: columns 2, 4 all have the name 'a'; expected a name for each
a,b\n1,2\n\n3,"x\ny\n
  2 {"a": "1", "b": "2"}
  line 4: a quote that is never closed; expected "..." around a field, and "" for a quote within
a,b\n1,"x "y" z"\n2,3\n
  line 2: something after the quote that closes a field; expected a quote within a field as two, and
    quotes around the field
"""
READERS = {JSONL: jsonl, DOCUMENT: document, CSV: table}


@pytest.mark.parametrize(
    ("reader", "text", "expected"),
    [(reader, *row) for rows, reader in READERS.items() for row in rows_of(rows)],
)
def test_rows(
    reader: Callable[[str], list[tuple[Any, Any]]], text: str, expected: list[str]
) -> None:
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


TWICE = "more than once in an object; expected each key once: rename it, or take one out"


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ('{"a": 1, "b": 2, "a": 3}', "key 'a'"),
        (r'{"prediction": "x", "\u0070rediction": "y"}', "key 'prediction'"),
        ('{"a": {"b": 1, "b": 1}}', "key 'b'"),
        ('{"a": [{"c": 1, "b": {}, "c": "{"}]}', "key 'c'"),
        (r'{"a": "\"a\": 1", "b": "x", "b": "y"}', "key 'b'"),
        ('{"a": 1, "a": 2, "b": {"c": 1, "c": 2}, "a": 3}', "keys 'a', 'c'"),
        # As many colons as keys, but for the one that the escape hides.
        (r'{"a": 1, "a": "\u003a"}', "key 'a'"),
        (r'{"a": 1, "a": "\u003A"}', "key 'a'"),
        ('{"": 1, "": 2}', "key ''"),
    ],
)
def test_a_key_more_than_once(line: str, keys: str) -> None:
    problem = f"the {keys} {TWICE}"
    assert jsonl(f"{line}\n") == [("line 1", problem)]
    assert jsonl(f'{{"a": 1}}\n{line}\n{{"a": 2}}\n') == [
        (1, {"a": 1}),
        ("line 2", problem),
        (3, {"a": 2}),
    ]
    assert document(f'[{{"prediction": 1}},\n{line}]') == [("line 2", problem)]
    assert document(line) == [("line 1", problem)]


def test_keys_more_than_once_in_a_document() -> None:
    text = '[\n{"a": 1,\n"a": 2},\n\n{"b": {"c": 1}, "c": [],\n "b": 2, "c": ""}]'
    assert document(text) == [
        ("line 3", f"the key 'a' {TWICE}"),
        ("line 6", f"the keys 'b', 'c' {TWICE}"),
    ]


def test_what_is_no_json_comes_before_a_key_that_is_there_twice() -> None:
    (place, problem), *_ = jsonl('{"a": 1, "a": 2}]\n')
    assert place == "line 1"
    assert problem.startswith("not JSON: Extra data")


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
