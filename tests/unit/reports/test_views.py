"""Every writer shows every view, and what JSON has fits the schema of its rows."""

import json
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from rouge_cli.explanations import (
    ExplainedEval,
    ExplainedPeer,
    ExplainedRun,
    LeftOut,
    MetricExplanation,
    PairExplanation,
    Question,
    ScoredCounts,
    SeenText,
    SourceText,
)
from rouge_cli.explanations.view import ExplanationView
from rouge_cli.metrics.counts import Match, PairMarks
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.options import Options
from rouge_cli.options.reports import REPORT_KINDS
from rouge_cli.reports import View, write_report
from rouge_cli.reports.document import (
    BEST,
    BETTER,
    TIED,
    Cell,
    Column,
    Document,
    Note,
    Section,
    Table,
)
from rouge_cli.reports.rows import Shown, data_of, table_of
from rouge_cli.studies.compare.view import ComparisonView
from rouge_cli.studies.correlate.view import CorrelationView
from rouge_cli.studies.score.view import ScoreView
from tests.unit.reports.made import made
from tests.unit.reports.test_comparison_reports import made as made_comparison
from tests.unit.reports.test_correlation_reports import STUDY
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

STEMMED = Options.of({"stem": True, "max_ngram": 1, "lcs": False})
PEER = SeenText(("police", "killed"), (2,), ("polic", "kill"))
MODEL = SeenText(("police",), (1,), ("polic",))
TALLY = ScoredCounts(1, 1, 2, None, (1.0, 0.5, 0.66667))
MARKS = PairMarks((Match(((0,),), ((0,),), 1),))
PAIR = PairExplanation(TALLY, True, PEER, MODEL, b"\2\0", b"\2", MARKS)
EXPLANATION = ExplanationView(
    ExplainedRun(
        (
            ExplainedEval(
                "1",
                (SourceText("A", "a.txt", ("police",), LeftOut()),),
                (
                    ExplainedPeer(
                        SourceText("s", "s.txt", ("police killed",), LeftOut()),
                        (
                            MetricExplanation(
                                scored_metrics(STEMMED.metrics)[0], TALLY.values, TALLY, (PAIR,)
                            ),
                        ),
                    ),
                ),
            ),
        ),
        Question(),
        STEMMED,
    )
)
CELLS = (np.full((3, 5, 3), 0.1), np.full((1, 3, 5), 3.0))
VIEWS = {
    view.kind: view
    for view in (
        LENGTHS,
        EXPLANATION,
        ScoreView(made({"a": [0.2], "b": [0.1]}, per_eval=True)),
        ComparisonView(made_comparison()),
        CorrelationView(replace(STUDY, cells=CELLS)),
    )
}


def written(view: View, kind: str) -> str:
    return "".join(write_report(view, kind))


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_without_rows_is_written(kind: str) -> None:
    assert written(NO_LENGTHS, kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", VIEWS)
def test_every_writer_shows_every_view(name: str, kind: str) -> None:
    assert written(VIEWS[name], kind).endswith("\n")


@pytest.mark.parametrize("name", VIEWS)
def test_data_fit_the_schema_of_the_fields(name: str) -> None:
    view = VIEWS[name]
    schema = json_schema(type(view.result), name, "Of a test.")
    Draft202012Validator.check_schema(schema)
    found = json.loads(written(view, "json"))
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
    page = written(LENGTHS, "html")
    assert "<title>Lengths</title>" in page
    assert "a&lt;i&gt;b" in page
    assert "Text &lt;b&gt;" in page
    assert "Words &amp; nothing else." in page
    assert "<i>b" not in page


def test_marked_words() -> None:
    legend = "word→stem: the stems are compared"
    assert "[police→polic] killed→kill" in written(EXPLANATION, "table")
    assert f"{legend}\n" in written(EXPLANATION, "table")
    assert "**police→polic** killed→kill" in written(EXPLANATION, "markdown")
    assert r"\textbf{police$\rightarrow$polic} killed$\rightarrow$kill" in written(
        EXPLANATION, "latex"
    )
    assert "<b>police→polic</b> <span>killed→kill</span>" in written(EXPLANATION, "notebook")
    police, kill = (
        f'{word}<small class="stem"> →\u00a0{stem}</small>'
        for word, stem in (("police", "polic"), ("killed", "kill"))
    )
    assert f"<b>{police}</b> <span>{kill}</span>" in written(EXPLANATION, "html")
    for kind in ("html", "notebook"):
        assert f"{legend}.</p>" in written(EXPLANATION, kind)
    # TALLY: of a peer with 2 words and a model with 1.
    assert '<td class="r">1</td><td class="r">1</td><td class="r">2</td>' in written(
        EXPLANATION, "html"
    )


class MarkView(LengthView):
    """A row with the largest value, one with what a test found, and one with neither."""

    def document(self) -> Document:
        marked = tuple((Cell("x", mark=mark),) for mark in (BEST, BETTER, TIED, ""))
        notes = tuple(Note(((mark, "meaning."),)) for mark in (BEST, BETTER, TIED))
        return Document((Section("marks", (Table((Column("m"),), marked),), "Marks"),), notes, ())


@pytest.mark.parametrize(
    ("kind", "signs"),
    [
        ("table", ("x^", "x*", "x~")),
        ("markdown", ("| **x** |", r"| x\* |", "| _x_ |")),
        ("latex", (r"\textbf{x}", r"x\textsuperscript{*}", r"\textit{x}")),
        ("notebook", ("<b>x</b>", ">x*<", "<i>x</i>")),
        ("html", ("<b>x</b>", ">x*<", "<i>x</i>")),
    ],
)
def test_the_largest_and_the_significantly_better_have_different_marks(
    kind: str, signs: tuple[str, str, str]
) -> None:
    report = "".join(write_report(MarkView(NO_LENGTHS.result), kind))
    assert [report.count(sign) for sign in signs] == [1, 1, 1]
    assert "*: meaning." in report.replace("\\*", "*").replace("{*}", "*")
    assert report.count("meaning.") == 3
