"""The page on scores: who is best, whether that can be said, and every EVAL to look at."""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import Any, ClassVar

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.scores import MEAN_OVER_EVALS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import Row
from rouge_cli.reports import table as model
from rouge_cli.reports.citation import citation
from rouge_cli.reports.explorer import Opening, PackedTexts, explorer_of
from rouge_cli.reports.figure import Figure
from rouge_cli.reports.page import Origin, Page, Part
from rouge_cli.reports.table import Cell, Document, Role, Section, Table
from rouge_cli.reports.views.comparison import ComparisonView
from rouge_cli.reports.views.headlines import comparison_headline, score_headline
from rouge_cli.reports.views.score_figures import (
    difference_figure,
    distribution_figure,
    forest_figure,
    shared_wins,
    shown_pairs,
    wins_figure,
)
from rouge_cli.reports.views.scores import (
    ScoreView,
    compared,
    shown_columns,
    sort_column,
    sorted_systems,
)
from rouge_cli.reports.views.wording import counted, measure_label
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.signature import original_command, signature
from rouge_cli.scoring.summaries import summarise
from rouge_cli.statistics.comparison_records import Comparison, Ranking
from rouge_cli.statistics.score_columns import Column

__all__ = ["NO_TEXTS", "ScoredPage", "compared_page", "page_results"]

NO_TEXTS = "The texts are not in this file."

PAGE_RESAMPLES = 1000
"""Of the intervals of systems, where only those of differences were asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPage:
    """The scores of a run, what is to be said of them, and the texts.

    Parameters
    ----------
    comparison : Comparison or None
        Of the systems; None if there is one, or if they cannot be compared.
    uncompared : str
        Why several systems are not compared.
    texts : PackedTexts
        Those that the page has room for.
    texts_note : str
        Which EVALs have texts, and why the others have none.
    """

    kind: ClassVar[str] = "scores"
    results: Results
    comparison: Comparison | None = None
    uncompared: str = ""
    texts: PackedTexts = field(default_factory=PackedTexts)
    texts_note: str = ""
    origin: Origin = field(default_factory=Origin)

    def document(self) -> Document:
        """Return the tables of the scores."""
        return ScoreView(self.results, self.comparison).document()

    def rows(self) -> Iterator[Row]:
        """Yield the rows of the scores."""
        return ScoreView(self.results).rows()

    def data(self) -> dict[str, Any]:
        """Return the JSON report of the scores."""
        return ScoreView(self.results).data()

    def figures(self) -> tuple[Figure, ...]:
        """Return all figures: systems, differences, distributions, A against B."""
        parts = (self._systems(), *self._compared())
        return tuple(figure for part in parts for figure in part.figures)

    def page(self) -> Page:
        """Return the page.

        Raises
        ------
        OptionError
            If ``--sort`` names no metric of the run.
        """
        results, comparison = self.results, self.comparison
        column = sort_column(results)
        options, order = results.options, self._order
        if comparison is None:
            headline = score_headline(results, column, shown_columns(results), self.uncompared)
        else:
            headline = comparison_headline(comparison, results, column)
        chosen = column if column in shown_columns(results) else shown_columns(results)[0]
        return Page(
            title=f"{_names(results)}: {counted(len(order), 'system')}, {_n_evals(results)}",
            headline=tuple(headline),
            warnings=results.warnings if comparison is None else comparison.warnings,
            parts=(self._systems(), *self._compared()),
            signatures=(signature(options),),
            citation="".join(citation(options)),
            explorer=explorer_of(
                results.table,
                self.texts,
                self.texts_note,
                Opening(order, options.reports.percent, _label(chosen)),
            ),
            original=original_command(options),
            origin=self.origin,
        )

    @property
    def _order(self) -> list[str]:
        """The systems, best first."""
        return [system.id for system in sorted_systems(self.results)]

    def _systems(self) -> Part:
        """Return the table of the systems and its figure."""
        # The notes behind the first one are warnings, which have a place of their own.
        document = self.document()
        figure = forest_figure(self.results, self._order, shown_columns(self.results))
        return Part("systems", "Systems", document.sections[:1], (figure,), document.notes[:1])

    @property
    def _rankings(self) -> Sequence[Ranking]:
        """What was compared."""
        return () if self.comparison is None else self.comparison.rankings

    def _compared(self) -> Iterator[Part]:
        """Yield the parts on differences, on the spread of scores, and on A against B."""
        columns, percent = shown_columns(self.results), self.results.options.reports.percent
        if self.comparison is not None:
            document = ComparisonView(self.comparison).document()
            sections = tuple(
                replace(section, tables=(_joined(section.tables[:-1]),))
                for section in map(Section.narrowed, document.sections)
            )
            figure = difference_figure(self.comparison, percent=percent)
            yield Part(
                "differences",
                "Differences",
                sections,
                (figure,),
                document.notes,
                opens_with_figures=True,
            )
        spread = distribution_figure(self.results, self._order, columns)
        yield Part("distributions", "Distributions", figures=(spread,))
        if self.comparison is not None:
            compared = [ranking.column for ranking in self._rankings]
            pairs = self._pairs
            figure = wins_figure(self.results, pairs[0], compared)
            section = Section("wins-table", (self._wins(pairs, compared),), caption=WINS_CAPTION)
            yield Part("wins", "Wins and losses", (section,), (figure,))

    @property
    def _pairs(self) -> list[tuple[str, str]]:
        """The pairs of systems, the better one first; the two best systems first."""
        rank = {system: place for place, system in enumerate(self._order)}
        found = [(one.system_a, one.system_b) for one in shown_pairs(self._rankings[0])]
        ordered = [(a, b) if rank[a] < rank[b] else (b, a) for a, b in found]
        return sorted(ordered, key=lambda pair: (rank[pair[0]], rank[pair[1]]))

    def _wins(self, pairs: Sequence[tuple[str, str]], columns: Sequence[Column]) -> Table:
        """Make the table of wins and losses."""
        heads = [
            model.Column(sign, group=_label(column), full_heading=f"{_label(column)}: {text}")
            for column in columns
            for sign, text in WINS_HEADS
        ]
        rows = []
        for pair in pairs:
            cells = [Cell(escape_unprintable(system)) for system in pair]
            for column in columns:
                _, wins = shared_wins(self.results, pair, column)
                cells += [Cell(str(n)) for n in (wins.better, wins.equal, wins.worse)]
            rows.append(tuple(cells))
        labels = [model.Column(name, "l", Role.NAME) for name in "AB"]
        return Table((*labels, *heads), tuple(rows))


MOST_NAMES = 3
N_PAIR = 2
WINS_HEADS = (("A", "A better"), ("=", "equal"), ("B", "B better"))
WINS_CAPTION = "In how many EVALs A is better, both are equal, and B is better."


def compared_page(results: Results, texts_note: str = NO_TEXTS) -> ScoredPage:
    """Return the page of some results: their systems are compared, if they can be.

    Parameters
    ----------
    texts_note : str
        Why there are no texts.
    """
    comparison, reason = _comparison(results)
    return ScoredPage(results, comparison, reason, texts_note=texts_note)


def _comparison(results: Results) -> tuple[Comparison | None, str]:
    """Compare all systems, or say why they are not compared."""
    options = results.options
    if len(results.systems) == 1:
        return None, ""
    if options.scores.counting != MEAN_OVER_EVALS:
        return None, "counts are pooled over EVALs (-t), and leave no scores to draw from."
    try:
        return compared(results), ""
    except (InputError, OptionError) as error:
        return None, f"{error}."


def page_results(results: Results, systems: Sequence[str], measures: str) -> Results:
    """Return the scores of systems that are compared as a page shows them: with intervals.

    Parameters
    ----------
    results : Results
        Without a bootstrap.
    systems : sequence of str
        Those that are compared.
    measures : str
        The letters of the measures that are compared.
    """
    table = replace(
        results.table, systems={system: results.table.systems[system] for system in systems}
    )
    options = results.options.changed(resamples=PAGE_RESAMPLES, measures=measures)
    return replace(results, systems=summarise(table, options, 1), table=table, options=options)


def _joined(tables: Sequence[Table]) -> Table:
    """Put tables with the same pairs in their first columns side by side."""
    first, *others = tables
    columns = sum([one.columns[N_PAIR:] for one in others], first.columns)
    cells = zip(first.rows, *([row[N_PAIR:] for row in one.rows] for one in others), strict=True)
    return Table(columns, tuple(sum(parts, ()) for parts in cells))


def _label(column: Column) -> str:
    """Name a column as tables do."""
    return measure_label(column.metric, column.letter)


def _names(results: Results) -> str:
    """Name the metrics, if they are few."""
    names = results.metric_names
    return ", ".join(names) if len(names) <= MOST_NAMES else "ROUGE"


def _n_evals(results: Results) -> str:
    """Say how many EVALs there are altogether."""
    found = {eval_id for system in results.table.systems.values() for eval_id in system.eval_ids}
    return counted(len(found), "EVAL")
