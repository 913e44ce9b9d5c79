"""Scores beside what sentences of the source and humans reach."""

from collections.abc import Iterator
from typing import ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.charts import Estimate, interval_panel
from rouge_cli.reports.document import Cell, Column, Document, Figure, Note, Role, Section, Table
from rouge_cli.reports.fields import (
    BOUNDS,
    COUNT,
    FLAG,
    NUMBER,
    PROGRAM,
    TEXT,
    Field,
    Nullable,
    Record,
    Value,
    list_of,
    literal,
)
from rouge_cli.reports.wording import counted, number
from rouge_cli.studies.context import HUMAN, RULES, SYSTEM, Context, ContextRow
from rouge_cli.studies.context.extracts import BEST, LEAD, ORACLE, RANDOM

DECIMALS = 4
KINDS = {
    SYSTEM: "a system",
    HUMAN: "a human who wrote models",
    LEAD: "the first sentences of the source",
    RANDOM: "sentences of the source, at random",
    ORACLE: "sentences chosen by the models, one after the other",
    BEST: "the best combination of sentences",
}

# fmt: off
SCORE = Record((
    Field("metric", TEXT, lambda score: score[0][0]),
    Field("measure", TEXT, lambda score: score[0][1]),
    Field("mean", NUMBER, lambda score: score[1]),
    Field("interval", Nullable(BOUNDS), lambda score: score[2]),
), {
    "lower": lambda score: score[2] and score[2][0],
    "upper": lambda score: score[2] and score[2][1],
})
ROW = Record((
    Field("name", TEXT),
    Field("kind", literal(*KINDS)),
    Field("n_evals", COUNT),
    Field("scores", list_of(SCORE), lambda row: list(_scores(row))),
))
CONTEXT = Record((
    *PROGRAM,
    Field("signature", TEXT, "context.signature"),
    Field("n_evals", COUNT, "context.n_evals"),
    Field("take", COUNT, "context.take", about="the most sentences of a selection"),
    Field("rule", literal(*RULES), "context.rule", about="how the oracle counts n-grams"),
    Field("is_jackknifed", FLAG, "context.is_jackknifed"),
    Field("rows", list_of(ROW), "context.rows"),
    Field("warnings", list_of(TEXT), "context.warnings"),
), {"n_evals_of_run": "context.n_evals"})
# fmt: on


def _scores(
    row: ContextRow,
) -> Iterator[tuple[tuple[str, str], float, tuple[float, float] | None]]:
    """Yield metric and measure, mean and interval."""
    for key, mean in row.means.items():
        yield key, mean, row.intervals[key]


@dataclass(frozen=True, slots=True)
class ContextView(View):
    """What scores are worth."""

    kind: ClassVar[str] = "context"
    fields: ClassVar[Record] = CONTEXT
    columns: ClassVar[tuple[str, ...]] = (
        "name", "kind", "metric", "measure", "mean", "lower", "upper", "n_evals", "take", "rule",
        "is_jackknifed", "signature",
    )  # fmt: skip
    context: Context

    def document(self) -> Document:
        """Return a table of everything, lowest first in the first metric."""
        first = next(iter(self.context.rows[0].means))
        keys = list(self.context.rows[0].means)
        columns = [Column("", "l", Role.NAME)]
        columns += [Column(f"{metric} {letter}") for metric, letter in keys]
        rows = []
        for row in sorted(self.context.rows, key=lambda row: row.means[first]):
            cells = [Cell(escape_unprintable(row.name))]
            cells += [Cell(number(row.means[key], DECIMALS)) for key in keys]
            rows.append(tuple(cells))
        section = Section(
            "context", (Table(tuple(columns), tuple(rows)),), counted(self.context.n_evals, "EVAL")
        )
        return Document(
            (section,),
            tuple(map(Note.of, self._notes())),
            (self.context.signature,),
            title="What scores are worth",
            headline=" ".join(self._range(key) for key in keys),
        )

    def _range(self, key: tuple[str, str]) -> str:
        """Say where the systems lie between random sentences and the oracle."""
        means = {row.kind: row for row in self.context.rows}
        low, lead, high = (means[kind].means[key] for kind in (RANDOM, LEAD, ORACLE))
        metric = f"{key[0]} {key[1]}"
        text = (
            f"{metric}: {number(low, DECIMALS)} by random sentences, {number(lead, DECIMALS)} by "
            f"the lead, {number(high, DECIMALS)} by the oracle"
        )
        systems = [row for row in self.context.rows if row.kind == SYSTEM]
        if systems:
            best = max(systems, key=lambda row: row.means[key])
            name = escape_unprintable(best.name)
            text += f"; the best system, {name}, has {number(best.means[key], DECIMALS)}"
        humans = [row.means[key] for row in self.context.rows if row.kind == HUMAN]
        if humans:
            ends = sorted({number(human, DECIMALS) for human in humans})
            text += f", humans {' to '.join(dict.fromkeys((ends[0], ends[-1])))}"
        return f"{text}."

    def _notes(self) -> Iterator[str]:
        """Yield what the rows are."""
        context = self.context
        names = {row.kind: row.name for row in context.rows}
        plural = "s" * (context.take > 1)
        yield (
            f"Plain means. {names[LEAD]}: the first {context.take} sentence{plural} of the source; "
            f"{names[RANDOM]}: as many at random; {names[ORACLE]}: at most as many, one after the "
            "other, as long as ROUGE-1 F plus ROUGE-2 F against the models grows, its n-grams "
            + ("counted as ROUGE does." if context.rule == RULES[0] else "counted once each.")
        )
        if BEST in names:
            yield f"{names[BEST]}: the best combination of at most as many sentences."
        if context.is_jackknifed:
            yield (
                "Everything is measured against all models but one, and averaged, so that the "
                "humans who wrote the models can stand beside it."
            )

    def records(self) -> Iterator[dict[str, Value]]:
        """Yield a row for each name, metric and measure."""
        of_run = CONTEXT.cells(self, self.columns)
        for row in self.context.rows:
            for score in _scores(row):
                cells = of_run | ROW.cells(row, self.columns)
                yield cells | SCORE.cells(score, self.columns)

    def figures(self) -> tuple[Figure, ...]:
        """Return a panel for each metric, lowest first; systems are filled."""
        panels = []
        for key in self.context.rows[0].means:
            in_order = sorted(self.context.rows, key=lambda row: row.means[key])
            estimates = [
                Estimate(row.name, row.means[key], row.intervals[key], row.kind == SYSTEM)
                for row in in_order
            ]
            panels.append(interval_panel(f"{key[0]} {key[1]}", "", "mean", estimates))
        caption = (
            "Systems (filled) beside selections of sentences of the source"
            + (" and the humans who wrote the models" if self.context.is_jackknifed else "")
            + ", lowest first, with bootstrap intervals."
        )
        return (Figure("context", "What scores are worth", caption, tuple(panels)),)
