"""The HTML page of scores: which system is best, how sure that is, and every EVAL to look at."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from hashlib import sha256
from itertools import chain
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.inputs.index import Input
from rouge_cli.options.scores import MEAN_OVER_EVALS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.charts import bin_edges, shortened, wins_panel
from rouge_cli.reports.document import (
    Cell,
    Column,
    Document,
    Figure,
    Page,
    Part,
    Role,
    Section,
    Spec,
    Table,
)
from rouge_cli.reports.wording import (
    citation,
    column_label,
    counted,
    factor_of,
    listed,
    number,
    short_names,
    short_system_names,
    with_short_names,
)
from rouge_cli.scores.results import Results, average
from rouge_cli.scores.signature import original_command, signature
from rouge_cli.studies.compare.results import ComparisonResult, Ranking
from rouge_cli.studies.compare.view import (
    MOST_LETTERS_OF_TWO,
    ComparisonView,
    best_section,
    comparison_headline,
    difference_figure,
    shown_pairs,
)
from rouge_cli.studies.score.explorer import (
    PackedTexts,
    explorer_of,
    marked_batches,
    outstanding_evals,
    pack_texts,
)
from rouge_cli.studies.score.rows import length_ratio, mean_words
from rouge_cli.studies.score.view import (
    ScoreView,
    all_eval_ids,
    compared,
    distribution_figure,
    forest_figure,
    interval_notes,
    shown_columns,
    sort_column,
    sorted_systems,
)
from rouge_cli.studies.score_columns import ScoreColumn, measure_in, score_matrix

FEW_EVALS, MOST_EVALS = 600, 20_000
"""Number of texts up to which they keep the order of the input, and the maximum that is read."""

MOST_COMPARED = 40
"""The page of `score` compares at most this many systems, the best ones: 780 pairs per column."""

NO_TEXTS = PackedTexts(note="The texts are not in this file.")
FROM_SCORES = PackedTexts(note="The input holds saved scores: the texts are not in this file.")
LEFT_OUT = PackedTexts(note="The texts are left out of this file (--no-texts).")


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPage(View):
    """The scores of a run, with a comparison of systems and as many texts as fit.

    `comparison` is None for a single system, and for systems that cannot be compared, for which
    `uncompared` gives the reason.
    """

    kind: ClassVar[str] = "scores"
    results: Results
    comparison: ComparisonResult | None = None
    uncompared: str = ""
    texts: PackedTexts = field(default_factory=PackedTexts)

    def document(self) -> Document:
        return ScoreView(self.results, self.comparison).document()

    def figures(self) -> tuple[Figure, ...]:
        parts = (self._systems(), *self._compared())
        return tuple(figure for part in parts for figure in part.figures)

    def page(self) -> Page:
        """Return the page; raises OptionError if ``--sort`` names no metric of the run."""
        results, comparison = self.results, self.comparison
        column = sort_column(results)
        options, order = results.options, self._order
        if comparison is None:
            headline = [*score_headline(results, self.uncompared)]
        else:
            headline = [*comparison_headline(comparison, column, results)]
            if (n_compared := len(comparison.systems)) < len(order):
                headline.append(
                    f"The best {n_compared} of {len(order)} systems are compared with each other "
                    "here; the command compare compares all."
                )
        short, key = short_names(list(map(escape_unprintable, order)))
        short = short if key else {}
        n_evals = counted(len(all_eval_ids(results.table.systems.values())), "text")
        names = results.metric_names
        metrics = ", ".join(names) if len(names) <= MOST_METRICS else "ROUGE"
        chosen = column if column in shown_columns(results) else shown_columns(results)[0]
        return Page(
            title=f"{metrics}: {counted(len(order), 'system')}, {n_evals}",
            headline=tuple(with_short_names(sentence, short) for sentence in headline),
            warnings=results.warnings if comparison is None else comparison.warnings,
            parts=(self._systems(), *self._compared()),
            signatures=(signature(options),),
            citation="".join(citation(options)),
            explorer=explorer_of(results, self.texts, order, column_label(chosen)),
            short_names=short,
            original=original_command(options),
        )

    @property
    def _order(self) -> list[str]:
        return [system.id for system in sorted_systems(self.results)]

    def _systems(self) -> Part:
        # Notes after the first one repeat warnings, for which the page has a place of its own.
        document, of_intervals = self.document(), interval_notes(self.results)
        notes = [note for note in document.notes if note not in of_intervals][:1]
        figure = forest_figure(self.results, self._order, shown_columns(self.results))
        best = best_section(self.comparison) if self.comparison is not None else []
        sections = (self._with_lengths(document.sections[0]), *best)
        return Part("systems", "Systems", sections, (figure,), (*notes, *of_intervals))

    def _with_lengths(self, section: Section) -> Section:
        # Scores of every metric depend on the lengths of the outputs, so readers need to see these.
        systems = [self.results.table.systems[system] for system in self._order]
        ratios = [length_ratio(system) for system in systems]
        if None in ratios:
            return section
        columns = {"Length": [number(ratio, 2) for ratio in ratios]}
        about = " Length: words of the predictions by words of the references."
        words = [mean_words(system, self.results.options) for system in systems]
        if None not in words:
            columns = {"Words": [number(mean, 1) for mean in words], **columns}
            about = f" Words: mean of the predictions.{about}"
        (table,) = section.tables
        more = [tuple(map(Cell, texts)) for texts in zip(*columns.values(), strict=True)]
        rows = tuple(row + cells for row, cells in zip(table.rows, more, strict=True))
        table = replace(table, columns=(*table.columns, *map(Column, columns)), rows=rows)
        return replace(section, tables=(table,), caption=f"{section.caption}{about}")

    def _compared(self) -> Iterator[Part]:
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
        rank = {system: place for place, system in enumerate(self._order)}
        pairs = [(pair.system_a, pair.system_b) for pair in shown_pairs(ranking, ranking.pairs)]
        ordered = [(a, b) if rank[a] < rank[b] else (b, a) for a, b in pairs]
        return sorted(ordered, key=lambda pair: (rank[pair[0]], rank[pair[1]]))

    def _wins(self, pairs: Sequence[tuple[str, str]], columns: Sequence[ScoreColumn]) -> Table:
        heads = [Column(name, "l", Role.NAME) for name in "AB"]
        for label in map(column_label, columns):
            heads += [
                Column(sign, group=label, full_heading=f"{label}: {text}") for sign, text in WINS
            ]
        rows = []
        for pair in pairs:
            wins = [n for column in columns for n in shared_wins(self.results, pair, column)[1]]
            rows.append(tuple(map(Cell, (*map(escape_unprintable, pair), *map(str, wins)))))
        return Table(tuple(heads), tuple(rows))


MOST_METRICS = 3
DECIMALS = 4
N_PAIR = 2  # columns that name the systems of a pair
WINS = (("A", "A better"), ("=", "equal"), ("B", "B better"))
WINS_CAPTION = "In how many texts A is better, both are equal, and B is better."


class InputTexts:
    """A visitor of the input that packs its texts for a page, while the input is open.

    - `is_wanted`: whether the page shows texts.
    - `prepare`: turns the results of the run into those that the page shows.
    - `packed`: the packed texts, once the visitor was called; before, a note for saved scores.
    - `digest`: the SHA-256 digest of all texts, if they are in files that no option names.
    """

    def __init__(
        self, is_wanted: bool, prepare: Callable[[Results], Results] = lambda results: results
    ) -> None:
        self.is_wanted, self.prepare = is_wanted, prepare
        self.packed, self.digest = FROM_SCORES, ""

    def __call__(self, source: Input, results: Results) -> None:
        """Read the texts, and pack and digest them; raises InputError."""
        if source.has_files:
            digest = sha256()
            for texts in source.evals():
                for text in texts.texts:
                    digest.update(b"%d\n" % len(text.content) + text.content)
            self.digest = digest.hexdigest()
        self.packed = _packed(source, self.prepare(results)) if self.is_wanted else LEFT_OUT


def _packed(source: Input, results: Results) -> PackedTexts:
    """Pack the texts of all EVALs or, if there are many, of those most worth reading."""
    column = sort_column(results)
    order = [system.id for system in sorted_systems(results)]
    eval_ids = outstanding_evals(results.table, column, FEW_EVALS)[:MOST_EVALS]
    batches = marked_batches(source, eval_ids, results.options, os.environ)
    packed = pack_texts(batches, results.table, order)
    n_shown, n_evals = len(packed.eval_ids), len(all_eval_ids(results.table.systems.values()))
    if n_shown == n_evals:
        return packed
    differences = "largest differences between systems, the " if len(order) > 1 else ""
    note = (
        f"Predictions and references of {n_shown} of {n_evals} texts are in this file, so that it "
        f"does not grow too large: those with the {differences}lowest and the highest "
        f"{column_label(column)}. The scores of all texts are in it."
    )
    return replace(packed, note=note)


def compared_page(results: Results) -> ScoredPage:
    """Return the page of results; it compares their systems if that is possible."""
    comparison, reason, options = None, "", results.options
    if len(results.systems) > 1 and options.scores.counting != MEAN_OVER_EVALS:
        reason = "counts are pooled over texts (-t), and leave no scores to draw from."
    elif len(results.systems) > 1:
        # The time of the tests grows with the square of the number of systems.
        best = {system.id for system in sorted_systems(results)[:MOST_COMPARED]}
        try:
            comparison = compared(results, [name for name in results.systems if name in best])
        except (InputError, OptionError) as error:
            reason = f"{error}."
    return ScoredPage(results, comparison, reason, NO_TEXTS)


def study_page(results: Results, comparison: ComparisonResult) -> ScoredPage:
    """Return the page of scores that shows the result of the study `compare` among them."""
    return ScoredPage(results, comparison, texts=NO_TEXTS)


def _differences(comparison: ComparisonResult, *, percent: bool) -> Part:
    brief = ComparisonView(comparison, is_page=True).document()
    n_best = len(best_section(comparison))
    verbose = ComparisonView(comparison, is_verbose=True, is_page=True).document()
    tests = _all_tests(verbose.sections[n_best : n_best + len(comparison.rankings)])
    return Part(
        "differences",
        "Differences",
        tuple(map(Section.narrowed, brief.sections[n_best:])),
        (difference_figure(comparison, percent=percent),),
        brief.notes,
        opens_with_figures=True,
        details=Part("all-tests", "All tests", (tests,), notes=verbose.notes),
        is_behind=True,
    )


def _all_tests(sections: Sequence[Section]) -> Section:
    """Join the tests of all metrics in one table, whose first column names the metric."""
    widest: tuple[Column, ...] = ()
    rows: list[tuple[Cell, ...]] = []
    for section in map(Section.narrowed, sections):
        # The tables of a metric have the same pairs, and come side by side. The last one has means
        # and groups, which the page shows with the systems.
        first, *others = section.tables[:-1]
        widest = max(widest, sum((x.columns[N_PAIR:] for x in others), first.columns), key=len)
        for row, *more in zip(*(table.rows for table in section.tables[:-1]), strict=True):
            rows.append((Cell(section.title), *row, *chain(*(cells[N_PAIR:] for cells in more))))
    columns = (Column("Metric", "l", Role.NAME), *widest)
    # Tables of some metrics lack columns, such as effect sizes, and are filled up with blanks.
    filled = (row + (Cell(""),) * (len(columns) - len(row)) for row in rows)
    return Section("comparison-tests", (Table(columns, tuple(filled)),))


def score_headline(results: Results, uncompared: str) -> Iterator[str]:
    """Yield sentences on scores that are not compared.

    `uncompared` tells why systems are not compared; it is empty for a single system.
    """
    percent = results.options.reports.percent
    column, columns = sort_column(results), shown_columns(results)

    def shown(score: float, of: ScoreColumn) -> str:
        # The table has the column by which systems are sorted, or else its scores are not scaled.
        factor = factor_of(of, percent=percent) if of in columns else 1
        return number(score * factor, DECIMALS)

    if len(results.systems) == 1:
        (system,) = results.systems.values()
        scores = []
        for printed in columns:
            measure = measure_in(system, printed)
            bounds = [shown(bound, printed) for bound in measure.interval or ()]
            interval = f" [{', '.join(bounds)}]" if bounds else ""
            scores.append(
                f"{shown(average(measure), printed)} in {column_label(printed)}{interval}"
            )
        sizes = counted(len(system.eval_ids), "text")
        name = escape_unprintable(system.id)
        yield f"{name} scores {listed(scores, len(scores))}, over {sizes}."
        yield "There is one system, so nothing to compare it with."
        return
    means = {
        escape_unprintable(system.id): shown(average(measure_in(system, column)), column)
        for system in sorted_systems(results)
    }
    mean = next(iter(means.values()))
    names = [name for name, other in means.items() if other == mean]
    has = "has" if len(names) == 1 else "have"
    yield f"{listed(names)} {has} the highest {column_label(column)}, {mean}."
    yield f"Whether that is more than chance was not tested: {uncompared}"


# One system against another.

MOST_MAPS = 6  # columns for which two systems are drawn against each other


def wins_figure(results: Results, pair: tuple[str, str], columns: Sequence[ScoreColumn]) -> Figure:
    """Return a figure of two systems against each other; it has a panel for each of some columns.

    A panel counts EVALs by their scores of the first system and of the second.
    """
    short, key = short_system_names(pair)
    first, second = (shortened(short[name], MOST_LETTERS_OF_TWO) for name in pair)
    panels: list[Spec] = []
    bins = []
    for column in columns[:MOST_MAPS]:
        scores, (better, equal, worse) = shared_wins(results, pair, column)
        subtitle = f"{first} {better}, equal {equal}, {second} {worse} texts"
        label = column_label(column)
        axes = (f"{first}, {label}", f"{second}, {label}")
        scores *= factor_of(column, percent=results.options.reports.percent)
        panels.append(wins_panel(label, subtitle, axes, scores))
        bins.append((label, bin_edges(scores).tolist()))
    caption = (
        f"Texts by their scores of {first} (to the right) and of {second} (upwards): the stronger "
        f"the colour, the more. Below the dashed line {first} is better."
    )
    if len(columns) > MOST_MAPS:
        caption += f" The first {MOST_MAPS} of {len(columns)} scores."
    return Figure(
        "wins",
        f"{first} against {second}",
        caption,
        tuple(panels),
        bins=tuple(bins),
        pair=tuple(map(escape_unprintable, pair)),
        key=key,
    )


def shared_wins(
    results: Results, pair: tuple[str, str], column: ScoreColumn
) -> tuple[NDArray[np.float64], list[int]]:
    """Return the scores of two systems in the EVALs that both have, and who wins in how many.

    The scores have shape (2, n_evals). The three numbers are those of EVALs in which the first
    system has the higher score, both have the same, and the second has the higher one.
    """
    first, second = (results.table.systems[system] for system in pair)
    first_scores, second_scores = (score_matrix(table, [column])[:, 0] for table in (first, second))
    # Systems may lack EVALs, or have them in another order.
    if first.eval_ids != second.eval_ids:
        place_of = {eval_id: place for place, eval_id in enumerate(second.eval_ids)}
        both = [(k, place_of[name]) for k, name in enumerate(first.eval_ids) if name in place_of]
        first_places, second_places = (list(places) for places in zip(*both, strict=True))
        first_scores, second_scores = first_scores[first_places], second_scores[second_places]
    signs = np.sign(first_scores - second_scores)
    wins = [int((signs == sign).sum()) for sign in (1, 0, -1)]
    return np.stack([first_scores, second_scores]), wins
