"""Every writer shows every view, and what JSON has fits the schema of the fields."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
from jsonschema import Draft202012Validator

from rouge_cli.explanations.explained_evals import (
    ExplainedEval,
    ExplainedPeer,
    ExplainedRun,
    LeftOut,
    Question,
    SourceText,
)
from rouge_cli.explanations.explanation import (
    MetricExplanation,
    PairExplanation,
    SeenText,
    Tally,
    Word,
)
from rouge_cli.explanations.view import ExplanationView
from rouge_cli.metrics.marks import Match, PairMarks
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.options import Options
from rouge_cli.options.reports import REPORT_KINDS
from rouge_cli.reports import View, rows, write_report
from rouge_cli.reports.document import (
    BEST,
    BETTER,
    TIED,
    Cell,
    Column,
    Document,
    Note,
    Role,
    Section,
    Table,
)
from rouge_cli.reports.fields import NUMBER, PROGRAM, Field, Nullable, Record, json_schema, list_of
from rouge_cli.run.text_findings import PairedEval, PairedText, Pairing
from rouge_cli.studies.compare.view import ComparisonView
from rouge_cli.studies.correlate.correlation import SystemMeans
from rouge_cli.studies.correlate.view import CorrelationView
from rouge_cli.studies.score.pairing import PairingView
from rouge_cli.studies.score.view import ScoreView
from tests.unit.reports.made import made
from tests.unit.reports.test_comparison_reports import made as made_comparison
from tests.unit.reports.test_correlation_reports import STUDY
from tools.make_schemas import DOCS, generated

KINDS = [kind for kind in REPORT_KINDS if kind != "classic"]
"""The classic report is that of the original, and has scores alone."""


@dataclass(frozen=True, slots=True)
class LengthView(View):
    """How long texts are: a view with nothing but what every view must have."""

    kind: ClassVar[str] = "lengths"
    fields: ClassVar[Record] = Record(
        (
            *PROGRAM,
            Field(
                "lengths",
                list_of(Record((Field("text"), Field("words", Nullable(NUMBER))))),
                lambda view: view.lengths,
            ),
        )
    )
    columns: ClassVar[tuple[str, ...]] = ("version", "text", "words")
    lengths: tuple["Length", ...]

    def document(self) -> Document:
        rows = tuple((Cell(one.text), Cell(str(one.words))) for one in self.lengths)
        columns = (Column("Text <b>", "l", Role.NAME), Column("Words"))
        notes = (Note.of("Words & nothing else."),)
        return Document((Section("lengths", (Table(columns, rows),), "Lengths"),), notes, ("s|i",))

    def records(self) -> Iterator[dict[str, str | int | float | None]]:
        of_program = self.fields.cells(self, self.columns)
        for one in self.lengths:
            yield {**of_program, "text": one.text, "words": one.words}


@dataclass(frozen=True, slots=True)
class Length:
    """How long a text is."""

    text: str
    words: int | None


LENGTHS = LengthView((Length("a<i>b", 3), Length("c", None)))

STEMMED = Options.of({"stem": True, "max_ngram": 1, "lcs": False})
POLICE, KILLED = Word("police", "polic"), Word("killed", "kill")
PEER, MODEL = SeenText((POLICE, KILLED), (2,)), SeenText((POLICE,), (1,))
TALLY = Tally(1, 1, 2, None, (1.0, 0.5, 0.66667))
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
PAIRING = PairingView(
    Pairing(("s",), (PairedEval("1", (None,), (PairedText("a.txt", 1, 2),)),), as_elements=False)
)
MEANS = SystemMeans(
    tuple((0.1,) * len(STUDY.systems) for _ in STUDY.rows),
    tuple((3.0,) * len(STUDY.systems) for _ in STUDY.judgements),
)
VIEWS = {
    view.kind: view
    for view in (
        LENGTHS,
        EXPLANATION,
        PAIRING,
        ScoreView(made({"a": [0.2], "b": [0.1]}, per_eval=True)),
        ComparisonView(made_comparison()),
        CorrelationView(replace(STUDY, means=(MEANS,))),
    )
}


def written(view: View, kind: str) -> str:
    """Return a report."""
    return "".join(write_report(view, kind))


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_without_rows_is_written(kind: str) -> None:
    assert written(LengthView(()), kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", VIEWS)
def test_every_writer_shows_every_view(name: str, kind: str) -> None:
    assert written(VIEWS[name], kind).endswith("\n")


@pytest.mark.parametrize("name", VIEWS)
def test_data_fit_the_schema_of_the_fields(name: str) -> None:
    view = VIEWS[name]
    schema = (
        json_schema(view.fields, name, "Of a test.")
        if hasattr(view, "fields")
        else rows.json_schema(type(view.result), name, "Of a test.")
    )
    Draft202012Validator.check_schema(schema)
    found = json.loads(written(view, "json"))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(found)] == []


@pytest.mark.parametrize("name", VIEWS)
def test_columns_are_known(name: str) -> None:
    columns, *rows = VIEWS[name].rows()
    filled = {column for row in rows for column, value in zip(columns, row, strict=True) if value}
    assert rows
    assert filled


def test_generated_pages_and_schemas_are_current() -> None:
    for name, text in generated().items():
        assert (DOCS / name).read_text("utf-8") == text, "run make generated"


def test_page_of_a_view_without_one() -> None:
    page = written(LENGTHS, "html")
    assert "<title>Lengths</title>" in page
    assert "a&lt;i&gt;b" in page
    assert "Text &lt;b&gt;" in page
    assert "Words &amp; nothing else." in page
    assert "<i>b" not in page


def test_rows_and_data_from_one_list() -> None:
    assert written(LENGTHS, "csv").splitlines()[1:] == ["0.1.0,a<i>b,3", "0.1.0,c,"]
    assert LENGTHS.data()["lengths"] == [
        {"text": "a<i>b", "words": 3},
        {"text": "c", "words": None},
    ]


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


def test_rows_of_an_explanation() -> None:
    columns, row = EXPLANATION.rows()
    found = dict(zip(columns, row, strict=True))
    assert (found["eval"], found["system"], found["metric"]) == ("1", "s", "ROUGE-1")
    assert (found["recall"], found["precision"], found["f_measure"]) == TALLY.values
    assert (found["hit_count"], found["model_count"], found["peer_count"]) == (1, 1, 2)


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
    report = "".join(write_report(MarkView(()), kind))
    assert [report.count(sign) for sign in signs] == [1, 1, 1]
    assert "*: meaning." in report.replace("\\*", "*").replace("{*}", "*")
    assert report.count("meaning.") == 3
