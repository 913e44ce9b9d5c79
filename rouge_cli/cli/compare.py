"""The command ``compare``: which of several systems is better, and which cannot be told apart."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rouge_cli.cli.arguments import (
    HELP_SETTINGS,
    GroupedCommand,
    checked_options,
    input_arguments,
    options_of,
)
from rouge_cli.cli.output import exit_codes, warn, write_output
from rouge_cli.cli.pages import (
    CorpusTexts,
    drawn_files,
    named_inputs,
    study_pages,
    with_texts,
    write_drawings,
)
from rouge_cli.cli.run_context import run_context
from rouge_cli.errors import OptionError
from rouge_cli.options.beside import BesideOptions
from rouge_cli.options.every import Options
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.pages import SCORE_FIGURES, PageOptions
from rouge_cli.options.presets import PresetOptions
from rouge_cli.options.reports import RunOptions
from rouge_cli.options.scores import MEAN_OVER_EVALS, ScoreOptions
from rouge_cli.options.studies import ComparisonOptions
from rouge_cli.options.texts import TextOptions

if TYPE_CHECKING:
    from rouge_cli.inputs.corpus import Corpus
    from rouge_cli.inputs.source import Source
    from rouge_cli.reports import View
    from rouge_cli.scoring.results import Results
    from rouge_cli.statistics.comparison_records import Comparison

__all__ = [
    "NOT_TAKEN",
    "SCORING",
    "command",
    "exact_confidence",
    "scored_systems",
    "scoring_options",
    "source_of",
]

SCORING = (
    *(PresetOptions, MetricOptions, TextOptions, ScoreOptions, InputOptions, BesideOptions),
    RunOptions,
)

NOT_TAKEN = frozenset({"all"})
"""All systems are scored anyway."""


def _compare(input_words: tuple[str, ...], **given: Any) -> None:
    """Say which of several systems is better, and which differences could be chance.

    CONFIG or the options name the texts, as for score, and several files are several systems; all
    systems are compared, or those that --system-id names. Each pair is tested in each metric, on
    the EVALs that both systems have, by paired bootstrap and by approximate randomisation,
    two-sided. p is also given after Holm's correction over all pairs and metrics. Systems that
    share a letter cannot be told apart.
    """
    with exit_codes():
        own = ComparisonOptions.of(given)
        options = scoring_options(given)
        source = source_of(input_words)
        from rouge_cli.reports import write_report
        from rouge_cli.reports.views.comparison import ComparisonView
        from rouge_cli.reports.views.scored_page import ScoredPage, page_results

        paths = named_inputs(source, options)
        pages, is_page = study_pages(given, own.report, own.output, paths, SCORE_FIGURES)

        def shown(results: "Results") -> "Results":
            systems = own.system_ids or tuple(results.table.systems)
            return page_results(results, systems, own.measures)

        texts = CorpusTexts(pages.page_texts, shown) if is_page else None
        results, comparison = _compared(source, options, own, texts)
        warn(comparison.warnings)
        view: View = ComparisonView(comparison)
        drawings = {}
        if is_page or pages.plot:
            page = with_texts(ScoredPage(shown(results), comparison), texts, paths)
            drawings = drawn_files(page, pages.plot, "differences")
            view = page if is_page else view
        report = list(write_report(view, own.report))
    write_drawings(drawings)
    write_output(report, own.output)


def source_of(words: Sequence[str]) -> "Source":
    """Return the input of a command that is about all systems in it."""
    from rouge_cli.inputs.source import Source

    return Source.of(words, takes_system=False)


def scoring_options(given: Mapping[str, Any]) -> Options:
    """Check the options of the scores, which are means over EVALs, of all systems.

    Raises
    ------
    OptionError
    """
    # The scores need no bootstrap of their own.
    options = checked_options({**given, "all": True, "resamples": 0}, *SCORING)
    if options.scores.counting != MEAN_OVER_EVALS:
        raise OptionError(
            f"-t/--counting: found '{options.scores.counting}', expected 0; the tests are on "
            "means over EVALs, and counts that are pooled over EVALs have no scores to draw from"
        )
    return options


def exact_confidence(options: Options) -> Fraction:
    """Return the confidence as a share."""
    from rouge_cli.statistics.comparison_records import exact_share

    return exact_share(options.scores.confidence)


def scored_systems(
    source: "Source",
    options: Options,
    choose: Callable[[Sequence[str]], tuple[str, ...]],
    visit: "Callable[[Corpus, Results], None] | None" = None,
) -> "tuple[Results, tuple[str, ...]]":
    """Score all systems, or read their saved scores; return them, and those that are chosen.

    Parameters
    ----------
    choose : callable
        Takes the IDs of all systems, before any is scored if they are known; raises OptionError.
    visit : callable or None
        As `score_input` takes it.
    """
    from rouge_cli.inputs.layout import open_corpus
    from rouge_cli.scoring import pipeline

    options, outside = pipeline.with_outside_scores(options)
    with run_context() as context:
        if pipeline.are_scores_at_hand(source, options):
            results = pipeline.score_input(source, options, context, outside)
            return results, choose(tuple(results.table.systems))
        with open_corpus(source, options.inputs, options.metrics) as corpus:
            systems = choose(corpus.systems)
            joined = pipeline.corpus_scores(source, corpus, options, outside)
            results = pipeline.score_corpus(corpus, options, context, joined)
            if visit is not None:
                visit(corpus, results)
            # Some may have been left out, as they lack scores from elsewhere.
            return results, choose([one for one in systems if one in results.table.systems])


def _compared(
    source: "Source", options: Options, own: ComparisonOptions, texts: CorpusTexts | None
) -> "tuple[Results, Comparison]":
    """Score all systems, and compare those that are asked for."""
    from rouge_cli.statistics.comparison import check_systems, compare
    from rouge_cli.statistics.comparison_records import TestPlan

    plan = TestPlan.of(own, options.scores)
    results, systems = scored_systems(
        source, options, lambda known: check_systems(known, own.system_ids), texts
    )
    return results, compare(results, systems, plan)


command = GroupedCommand(
    "compare",
    params=[
        *input_arguments(takes_system=False),
        *options_of(ComparisonOptions, PageOptions, *SCORING, without=NOT_TAKEN),
    ],
    callback=_compare,
    help=_compare.__doc__,
    context_settings=HELP_SETTINGS,
)
