"""Scores next to those of sentences of the source and of humans."""

from collections.abc import Iterator
from typing import ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.charts import Estimate, interval_panel
from rouge_cli.reports.document import Cell, Column, Document, Figure, Note, Role, Section, Table
from rouge_cli.reports.wording import counted, number
from rouge_cli.studies.context import CLIPPED, HUMAN, PRESUMM, SETS, SYSTEM, Context
from rouge_cli.studies.context.extracts import BEST, LEAD, ORACLE, RANDOM

DECIMALS = 4

_COUNTED = {
    CLIPPED: "counted as ROUGE does.",
    SETS: "counted once each.",
    PRESUMM: "counted as PreSumm does.",
}


@dataclass(frozen=True, slots=True)
class ContextView(View):
    """Scores next to those of selections and humans."""

    kind: ClassVar[str] = "context"
    csv_path: ClassVar[str] = "rows.scores"
    result: Context

    def document(self) -> Document:
        """Return a table of everything, lowest first in the first metric."""
        first = next(iter(self.result.rows[0].by_column))
        keys = list(self.result.rows[0].by_column)
        columns = [Column("", "l", Role.NAME)]
        columns += [Column(f"{metric} {letter}") for metric, letter in keys]
        rows = []
        for row in sorted(self.result.rows, key=lambda row: row.by_column[first].mean):
            cells = [Cell(escape_unprintable(row.name))]
            cells += [Cell(number(row.by_column[key].mean, DECIMALS)) for key in keys]
            rows.append(tuple(cells))
        section = Section(
            "context", (Table(tuple(columns), tuple(rows)),), counted(self.result.n_evals, "EVAL")
        )
        return Document(
            (section,),
            tuple(map(Note.of, self._notes())),
            (self.result.signature,),
            title="What scores are worth",
            headline=" ".join(self._range(key) for key in keys),
        )

    def _range(self, key: tuple[str, str]) -> str:
        means = {row.kind: row for row in self.result.rows}
        low, lead, high = (means[kind].by_column[key].mean for kind in (RANDOM, LEAD, ORACLE))
        metric = f"{key[0]} {key[1]}"
        text = (
            f"{metric}: {number(low, DECIMALS)} by random sentences, {number(lead, DECIMALS)} by "
            f"the lead, {number(high, DECIMALS)} by the oracle"
        )
        systems = [row for row in self.result.rows if row.kind == SYSTEM]
        if systems:
            best = max(systems, key=lambda row: row.by_column[key].mean)
            name = escape_unprintable(best.name)
            text += f"; the best system, {name}, has {number(best.by_column[key].mean, DECIMALS)}"
        humans = [row.by_column[key].mean for row in self.result.rows if row.kind == HUMAN]
        if humans:
            ends = sorted({number(human, DECIMALS) for human in humans})
            text += f", humans {' to '.join(dict.fromkeys((ends[0], ends[-1])))}"
        return f"{text}."

    def _notes(self) -> Iterator[str]:
        context = self.result
        names = {row.kind: row.name for row in context.rows}
        plural = "s" * (context.take > 1)
        yield (
            f"Plain means. {names[LEAD]}: the first {context.take} sentence{plural} of the source; "
            f"{names[RANDOM]}: as many at random; {names[ORACLE]}: at most as many, one after the "
            "other, as long as ROUGE-1 F plus ROUGE-2 F against the models grows, its n-grams "
            + _COUNTED[context.rule]
        )
        if BEST in names:
            yield f"{names[BEST]}: the best combination of at most as many sentences."
        if context.is_jackknifed:
            yield (
                "Everything is measured against all models but one, and averaged, so that the "
                "humans who wrote the models can stand beside it."
            )

    def figures(self) -> tuple[Figure, ...]:
        """Return a panel for each metric, lowest in the first one first; systems are filled."""
        panels, keys = [], list(self.result.rows[0].by_column)
        in_order = sorted(self.result.rows, key=lambda row: row.by_column[keys[0]].mean)
        names = [escape_unprintable(row.name) for row in in_order]
        for metric, letter in keys:
            scores = [row.by_column[metric, letter] for row in in_order]
            estimates = [
                Estimate(name, score.mean, score.interval, row.kind == SYSTEM)
                for name, row, score in zip(names, in_order, scores, strict=True)
            ]
            panels.append(interval_panel(f"{metric} {letter}", "", "mean", estimates))
        caption = (
            "Systems (filled) beside selections of sentences of the source"
            + (" and the humans who wrote the models" if self.result.is_jackknifed else "")
            + ", lowest first, with bootstrap intervals."
        )
        title = "What scores are worth"
        return (Figure("context", title, caption, tuple(panels), has_common_names=True),)
