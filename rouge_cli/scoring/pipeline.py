"""A run from its inputs to its results, step by step.

Source: specification, as a whole.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from rouge_cli.metrics.counts import Counts, joined_counts
from rouge_cli.options import Options
from rouge_cli.scoring.context import RunContext
from rouge_cli.scoring.counting import count_portion
from rouge_cli.scoring.inputs.blocks import Portion
from rouge_cli.scoring.inputs.corpus import Corpus
from rouge_cli.scoring.inputs.opening import open_corpus
from rouge_cli.scoring.inputs.unsplit import Tally, merged, unsplit_warnings
from rouge_cli.scoring.instances import Instances
from rouge_cli.scoring.memory import keep_freed_memory
from rouge_cli.scoring.metric_names import metrics_of
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.summaries import summarise
from rouge_cli.scoring.word_lists import load_word_lists, with_data_dir
from rouge_cli.scoring.workers import ordered_map

__all__ = ["score_corpus", "score_input", "score_portions"]

INSTANCES_THAT_PAY = 20_000
"""From so many on a second process gains more than its start costs."""


def score_input(
    config: str | None, system_id: str | None, options: Options, context: RunContext
) -> Results:
    """Score what a configuration, a file list, a file of records or the options name.

    Parameters
    ----------
    config : str or None
        The XML configuration, the file list or the file of records; None if the options name
        the texts.
    system_id : str or None
        The system to score, as `open_corpus` takes it.
    options : Options
    context : RunContext

    Raises
    ------
    OptionError, InputError
        Before anything is scored.
    """
    with open_corpus(config, system_id, options) as corpus:
        return score_corpus(corpus, options, context)


def score_corpus(corpus: Corpus, options: Options, context: RunContext) -> Results:
    """Score a corpus, whatever its layout; raises InputError."""
    if options.jackknife:
        from rouge_cli.scoring.jackknife import jackknife_corpus

        corpus = jackknife_corpus(corpus, with_humans=options.humans)
    results = score_portions(corpus.portions(), corpus.instances(), options, context)
    return replace(results, warnings=(*corpus.warnings, *results.warnings))


def score_portions(
    portions: Iterable[Portion], instances: Instances, options: Options, context: RunContext
) -> Results:
    """Score portions of work, which together have the given instances, in their order."""
    keep_freed_memory()
    words = load_word_lists(options, context.environment)
    n_instances = instances.n_counted
    jobs = options.jobs or (context.max_jobs if n_instances >= INSTANCES_THAT_PAY else 1)
    counted: list[list[Counts]] = [[] for _ in metrics_of(options)]
    empty_texts: dict[str, None] = {}
    tallies: tuple[Tally, ...] = ()
    n_done = 0
    count = partial(count_portion, options=options, words=words)
    for counts, empty_in_portion, tallies_of_portion in ordered_map(count, portions, jobs):
        for pieces_of_metric, piece in zip(counted, counts, strict=True):
            pieces_of_metric.append(piece)
        empty_texts |= dict.fromkeys(empty_in_portion)
        tallies = merged((*tallies, *tallies_of_portion))
        n_done += len(counts[0].hit)
        if context.progress is not None:
            context.progress(n_done, n_instances)
    counts_of_run = [joined_counts(pieces_of_metric) for pieces_of_metric in counted]
    systems = summarise(instances, counts_of_run, options, jobs)
    unsplit = unsplit_warnings(tallies, options.sentence_separator)
    warnings = dict.fromkeys((*words.warnings, *instances.absences, *unsplit, *empty_texts))
    known = with_data_dir(options, context.environment)
    return Results(systems, known, tuple(warnings))
