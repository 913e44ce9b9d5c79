"""Every writer shows every view, and what JSON has fits the schema of its rows."""

import json
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from rouge_cli.options.reports import REPORT_KINDS
from rouge_cli.reports import View
from rouge_cli.reports.document import Document, Note, Section
from rouge_cli.reports.rows import Shown, data_of, table_of
from rouge_cli.studies.compare.view import ComparisonView
from rouge_cli.studies.correlate.view import CorrelationView
from rouge_cli.studies.score.view import ScoreView
from tests.unit.reports.made import EXPLANATION, STUDY, comparison, made, report
from tools.json_schemas import json_schema
from tools.make_schemas import DOCS, generated

KINDS = [kind for kind in REPORT_KINDS if kind != "classic"]
"""The classic report is that of the original, and has scores alone."""


@dataclass(frozen=True, slots=True)
class Length:
    """How long a text is."""

    text: Annotated[str, Shown("The text.", heading="Text <b>")]
    words: Annotated[int | None, Shown("Number of its words.", heading="Words", write=str)]


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long texts are."""

    unit: Annotated[str, Shown("What is counted.")]
    lengths: Annotated[tuple[Length, ...], Shown("The texts.")]


@dataclass(frozen=True, slots=True)
class LengthView(View):
    """How long texts are: a view with nothing but what every view must have."""

    kind: ClassVar[str] = "lengths"
    csv_path: ClassVar[str] = "lengths"
    result: Lengths

    def document(self) -> Document:
        table = table_of(self.result.lengths, Length, "text", "words")
        notes = (Note.of("Words & nothing else."),)
        return Document((Section("lengths", (table,), "Lengths"),), notes, ("s|i",))


LENGTHS = LengthView(Lengths("word", (Length("a<i>b", 3), Length("c", None))))
NO_LENGTHS = LengthView(Lengths("word", ()))

CELLS = (np.full((3, 5, 3), 0.1), np.full((1, 3, 5), 3.0))
VIEWS = {
    view.kind: view
    for view in (
        LENGTHS,
        EXPLANATION,
        ScoreView(made({"a": [0.2], "b": [0.1]}, per_eval=True)),
        ComparisonView(comparison()),
        CorrelationView(replace(STUDY, cells=CELLS)),
    )
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_without_rows_is_written(kind: str) -> None:
    assert report(NO_LENGTHS, kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", VIEWS)
def test_every_writer_shows_every_view(name: str, kind: str) -> None:
    assert report(VIEWS[name], kind).endswith("\n")


@pytest.mark.parametrize("name", VIEWS)
def test_data_fit_the_schema_of_the_fields(name: str) -> None:
    view = VIEWS[name]
    schema = json_schema(type(view.result), name, "Of a test.")
    Draft202012Validator.check_schema(schema)
    found = json.loads(report(view, "json"))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(found)] == []


def test_generated_pages_and_schemas_are_current() -> None:
    for name, text in generated().items():
        assert (DOCS / name).read_text("utf-8") == text, "run make generated"


class Sized(NamedTuple):
    """A record with an optional value, one that may be null, a flag and a pair."""

    size: Annotated[int | None, Shown(optional=True)]
    width: Annotated[int | None, Shown()]
    is_whole: Annotated[bool, Shown()]
    pair: Annotated[tuple[int, int], Shown()]


def test_a_value_that_is_left_out_is_never_null() -> None:
    properties = json_schema(Sized, "sizes", "Of a test.")["properties"]
    count = {"type": "integer", "minimum": 0}
    assert properties["size"] == count
    assert properties["width"] == {"type": ["integer", "null"], "minimum": 0}
    assert properties["pair"] == {"type": "array", "items": count, "minItems": 2, "maxItems": 2}
    assert data_of(Sized(None, None, True, (1, 2))) == {
        "width": None,
        "is_whole": True,
        "pair": [1, 2],
    }


def test_flags_are_aligned_as_text() -> None:
    table = table_of([Sized(3, 4, True, (1, 2))], Sized, "size", "is_whole")
    assert [column.side for column in table.columns] == ["r", "l"]
    assert [cell.text for cell in table.rows[0]] == ["3", "yes"]


def test_page_of_a_view_without_one() -> None:
    page = report(LENGTHS, "html")
    assert "<title>Lengths</title>" in page
    assert "a&lt;i&gt;b" in page
    assert "Text &lt;b&gt;" in page
    assert "Words &amp; nothing else." in page
    assert "<i>b" not in page
