"""The page on scores: who is best, whether that can be said, and every EVAL to look at."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from hashlib import sha256
from typing import ClassVar

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.options.scores import MEAN_OVER_EVALS
from rouge_cli.options.studies import StudyOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.document import Cell, Document, Figure, Role, Section, Table
from rouge_cli.reports.document import Column as TableColumn
from rouge_cli.reports.fields import Record, Value
from rouge_cli.reports.page import Details, Origin, Page, Part, citation
from rouge_cli.reports.wording import (
    column_label,
    counted,
    factor_of,
    listed,
    number,
)
from rouge_cli.scores.results import Results, average
from rouge_cli.scores.signature import original_command, signature
from rouge_cli.studies.compare.results import Comparison, Ranking
from rouge_cli.studies.compare.view import ComparisonView, comparison_headline
from rouge_cli.studies.score.explorer import explorer_of, marked_batches, outstanding_evals
from rouge_cli.studies.score.figures import (
    difference_figure,
    distribution_figure,
    forest_figure,
    shared_wins,
    shown_pairs,
    wins_figure,
)
from rouge_cli.studies.score.packing import PackedTexts, pack_texts
from rouge_cli.studies.score.view import (
    ScoreView,
    compared,
    interval_notes,
    shown_columns,
    sort_column,
    sorted_systems,
)
from rouge_cli.studies.score_columns import Column
from rouge_cli.studies.study import Answer, Study

FEW_EVALS, MOST_EVALS = 600, 20_000
"""With how many EVALs texts stand in the order of the input, and of how many they are read."""

NO_TEXTS = PackedTexts(note="The texts are not in this file.")
FROM_SCORES = PackedTexts(note="The input holds saved scores: the texts are not in this file.")
LEFT_OUT = PackedTexts(note="The texts are left out of this file (--no-texts).")


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPage(View):
    """The scores of a run, with the findings and the texts that the page has room for.

    There is no `comparison` of one system, nor of systems that cannot be compared: `uncompared`
    says why.
    """

    kind: ClassVar[str] = "scores"
    fields: ClassVar[Record] = ScoreView.fields
    columns: ClassVar[tuple[str, ...]] = ScoreView.columns
    results: Results
    comparison: Comparison | None = None
    uncompared: str = ""
    texts: PackedTexts = field(default_factory=PackedTexts)
    origin: Origin = field(default_factory=Origin)

    def document(self) -> Document:
        """Return the tables of the scores."""
        return ScoreView(self.results, self.comparison).document()

    def records(self) -> Iterable[Mapping[str, Value]]:
        """Return the rows of the scores."""
        return ScoreView(self.results).records()

    def figures(self) -> tuple[Figure, ...]:
        """Return all figures: systems, differences, distributions, A against B."""
        parts = (self._systems(), *self._compared())
        return tuple(figure for part in parts for figure in part.figures)

    def page(self) -> Page:
        """Return the page; raises OptionError if ``--sort`` names no metric of the run."""
        results, comparison = self.results, self.comparison
        column = sort_column(results)
        options, order = results.options, self._order
        if comparison is None:
            headline = score_headline(results, column, shown_columns(results), self.uncompared)
        else:
            headline = comparison_headline(comparison, column, results)
        n_evals = counted(_n_evals(results), "EVAL")
        chosen = column if column in shown_columns(results) else shown_columns(results)[0]
        return Page(
            title=f"{_names(results)}: {counted(len(order), 'system')}, {n_evals}",
            headline=tuple(headline),
            warnings=results.warnings if comparison is None else comparison.warnings,
            parts=(self._systems(), *self._compared()),
            signatures=(signature(options),),
            citation="".join(citation(options)),
            explorer=explorer_of(
                results.table,
                self.texts,
                order,
                results.fields,
                percent=options.reports.percent,
                chosen=column_label(chosen),
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
        # The other notes behind the first one are warnings, which have a place of their own.
        document, of_intervals = self.document(), interval_notes(self.results)
        notes = [note for note in document.notes if note not in of_intervals][:1]
        figure = forest_figure(self.results, self._order, shown_columns(self.results))
        return Part("systems", "Systems", document.sections[:1], (figure,), (*notes, *of_intervals))

    def _compared(self) -> Iterator[Part]:
        """Yield the parts on differences, on the spread of scores, and on A against B."""
        spread = distribution_figure(self.results, self._order, shown_columns(self.results))
        distributions = Part("distributions", "Distributions", figures=(spread,), is_behind=True)
        if self.comparison is None:
            yield distributions
            return
        yield _differences(self.comparison, percent=self.results.options.reports.percent)
        yield distributions
        columns = [ranking.column for ranking in self.comparison.rankings]
        pairs = self._pairs(self.comparison.rankings[0])
        section = Section("wins-table", (self._wins(pairs, columns),), caption=WINS_CAPTION)
        figures = (wins_figure(self.results, pairs[0], columns),)
        yield Part("wins", "Wins and losses", (section,), figures, is_behind=True)

    def _pairs(self, ranking: Ranking) -> list[tuple[str, str]]:
        """Return the pairs of systems, the better one first; the two best systems first."""
        rank = {system: place for place, system in enumerate(self._order)}
        pairs = [(pair.system_a, pair.system_b) for pair in shown_pairs(ranking)]
        ordered = [(a, b) if rank[a] < rank[b] else (b, a) for a, b in pairs]
        return sorted(ordered, key=lambda pair: (rank[pair[0]], rank[pair[1]]))

    def _wins(self, pairs: Sequence[tuple[str, str]], columns: Sequence[Column]) -> Table:
        """Make the table of wins and losses."""
        heads = [
            TableColumn(
                sign, group=column_label(column), full_heading=f"{column_label(column)}: {text}"
            )
            for column in columns
            for sign, text in WINS_HEADS
        ]
        rows = []
        for pair in pairs:
            cells = [Cell(escape_unprintable(system)) for system in pair]
            for column in columns:
                _, wins = shared_wins(self.results, pair, column)
                cells += [Cell(str(n)) for n in wins]
            rows.append(tuple(cells))
        labels = [TableColumn(name, "l", Role.NAME) for name in "AB"]
        return Table((*labels, *heads), tuple(rows))


MOST_METRICS = 3
DECIMALS = 4
N_PAIR = 2
WINS_HEADS = (("A", "A better"), ("=", "equal"), ("B", "B better"))
WINS_CAPTION = "In how many EVALs A is better, both are equal, and B is better."


@dataclass(slots=True)
class CorpusTexts:
    """Takes from a corpus what a page shows of it, while its texts can be read.

    - `is_wanted`: whether the page shows texts.
    - `prepare`: from the results of the run to those that the page shows.
    - `packed`: what it has taken.
    - `digest`: SHA-256 of all texts, where they stand in files that nobody has named.
    """

    is_wanted: bool
    prepare: Callable[[Results], Results] = lambda results: results
    packed: PackedTexts = FROM_SCORES
    digest: str = ""

    def __call__(self, corpus: Corpus, results: Results) -> None:
        """Read the texts; raises InputError."""
        if corpus.texts.as_files() is not None:
            self.digest = _digest(corpus)
        self.packed = _packed(corpus, self.prepare(results)) if self.is_wanted else LEFT_OUT


def _digest(corpus: Corpus) -> str:
    """Return the checksum of all texts."""
    digest = sha256()
    for texts in corpus.eval_texts():
        for text in (*texts.peers.values(), *texts.models):
            digest.update(b"%d\n" % len(text) + text)
    return digest.hexdigest()


def _packed(corpus: Corpus, results: Results) -> PackedTexts:
    """Pack the texts of all EVALs or, of many, those that one would look at first."""
    column = sort_column(results)
    order = [system.id for system in sorted_systems(results)]
    eval_ids = outstanding_evals(results.table, column, FEW_EVALS)[:MOST_EVALS]
    batches = marked_batches(corpus, eval_ids, results.options, os.environ)
    packed = pack_texts(batches, results.table, order)
    n_shown, n_evals = len(packed.eval_ids), _n_evals(results)
    if n_shown == n_evals:
        return packed
    differences = "largest differences between systems, the " if len(order) > 1 else ""
    note = (
        f"The texts of {n_shown} of {n_evals} EVALs are in this file, so that it does not "
        f"grow too large: those with the {differences}lowest and the highest "
        f"{column_label(column)}. The scores of all EVALs are in it."
    )
    return replace(packed, note=note)


def compared_page(results: Results) -> ScoredPage:
    """Return the page of some results: their systems are compared, if they can be."""
    comparison, reason = _comparison(results)
    return ScoredPage(results, comparison, reason, NO_TEXTS)


def scored_study_page(study: Study, answer: Answer, asked: StudyOptions) -> ScoredPage:
    """Return the page of a study that shows every EVAL, with its result among the scores.

    Raises ValueError if the study has scores of several runs.
    """
    if answer.scores is None:
        raise ValueError("a page of EVALs shows the scores of one run")
    scores = study.page_scores(answer.scores, asked)
    return ScoredPage(scores, answer.result, texts=NO_TEXTS)


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


def _differences(comparison: Comparison, *, percent: bool) -> Part:
    """Return the part on differences: what is found in one table, and all tests behind it."""
    brief = ComparisonView(comparison).document()
    verbose = ComparisonView(comparison, is_verbose=True).document()
    n_columns = len(comparison.rankings)
    tests = [
        replace(section, tables=(_joined(section.tables[:-1]),))
        for section in map(Section.narrowed, verbose.sections[:n_columns])
    ]
    return Part(
        "differences",
        "Differences",
        tuple(map(Section.narrowed, brief.sections)),
        (difference_figure(comparison, percent=percent),),
        brief.notes,
        opens_with_figures=True,
        details=Details("All tests", (_stacked(tests),), verbose.notes),
        is_behind=True,
    )


def _stacked(sections: Sequence[Section]) -> Section:
    """Put the tables of metrics below each other in one, with their names in the first column."""
    tables = [table for section in sections for table in section.tables]
    widest = max(tables, key=lambda table: len(table.columns))
    rows = [
        (Cell(section.title), *row, *[Cell("")] * (len(widest.columns) - len(row)))
        for section in sections
        for table in section.tables
        for row in table.rows
    ]
    columns = (TableColumn("Metric", "l", Role.NAME), *widest.columns)
    return Section("comparison-tests", (Table(columns, tuple(rows)),))


def _joined(tables: Sequence[Table]) -> Table:
    """Put tables with the same pairs in their first columns side by side."""
    first, *others = tables
    columns = sum([table.columns[N_PAIR:] for table in others], first.columns)
    other_rows = ([row[N_PAIR:] for row in table.rows] for table in others)
    cells = zip(first.rows, *other_rows, strict=True)
    return Table(columns, tuple(sum(parts, ()) for parts in cells))


def _names(results: Results) -> str:
    """Name the metrics, if they are few."""
    names = results.metric_names
    return ", ".join(names) if len(names) <= MOST_METRICS else "ROUGE"


def _n_evals(results: Results) -> int:
    """Return how many EVALs there are altogether."""
    systems = results.table.systems.values()
    return len({eval_id for system in systems for eval_id in system.eval_ids})


def score_headline(
    results: Results, column: Column, columns: Sequence[Column], uncompared: str
) -> Iterator[str]:
    """Yield sentences on scores that are not compared.

    Systems are sorted by `column`; `columns` are shown. `uncompared` says why there is no
    comparison; empty if there is one system.
    """
    percent = results.options.reports.percent
    factors = {column: factor_of(column, percent=percent) for column in columns}
    if len(results.systems) == 1:
        (system,) = results.systems.values()
        scores = []
        for printed, factor in factors.items():
            measure = system.metrics[printed.metric].measures[printed.letter]
            mean = number(average(measure) * factor, DECIMALS)
            scores.append(f"{mean} in {column_label(printed)}{_interval(measure.interval, factor)}")
        sizes = counted(len(system.eval_ids), "EVAL")
        name = escape_unprintable(system.id)
        yield f"{name} scores {listed(scores, len(scores))}, over {sizes}."
        yield "There is one system, so nothing to compare it with."
        return
    best = sorted_systems(results)[0]
    score = average(best.metrics[column.metric].measures[column.letter])
    mean = number(score * factors.get(column, 1), DECIMALS)
    yield f"{escape_unprintable(best.id)} has the highest {column_label(column)}, {mean}."
    yield f"Whether that is more than chance was not tested: {uncompared}"


def _interval(interval: tuple[float, float] | None, factor: int) -> str:
    """Write an interval in brackets, if there is one."""
    if interval is None:
        return ""
    lower, upper = (number(bound * factor, DECIMALS) for bound in interval)
    return f" [{lower}, {upper}]"
