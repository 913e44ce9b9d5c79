"""A run from its inputs to its results, step by step.

Source: specification, as a whole.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import Instances
from rouge_cli.inputs.layout import has_texts, open_corpus
from rouge_cli.inputs.outside_scores import OutsideScores
from rouge_cli.inputs.source import Source
from rouge_cli.metrics.metric import prepared_metrics
from rouge_cli.options.every import Options
from rouge_cli.scoring.context import RunContext
from rouge_cli.scoring.counting import joined_portions, score_portion
from rouge_cli.scoring.joining import join_scores, matched_cells
from rouge_cli.scoring.memory import keep_freed_memory
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.run_metrics import run_metrics
from rouge_cli.scoring.summaries import score_table, summarise
from rouge_cli.scoring.workers import ordered_map
from rouge_cli.text.tokenizer import load_tokenizer
from rouge_cli.text.word_lists import with_data_dir

__all__ = [
    "are_scores_at_hand",
    "corpus_scores",
    "score_corpus",
    "score_input",
    "score_portions",
    "with_outside_scores",
]

INSTANCES_THAT_PAY, PORTIONS_THAT_PAY = 20_000, 10
"""From so many on a second process gains more than its start costs; portions, where few texts are
very long."""


def are_scores_at_hand(source: Source, options: Options) -> bool:
    """Say whether the input holds scores and no texts: saved ones, or files of scores alone."""
    if source.config is not None:
        from rouge_cli.scoring.loaded_scores import saved_inputs

        return saved_inputs(source) is not None
    return bool(options.beside.scores) and not has_texts(source, options.inputs)


def with_outside_scores(options: Options) -> tuple[Options, list[OutsideScores]]:
    """Read the files of scores; return options that know their metrics, too.

    Raises
    ------
    OptionError, InputError
    """
    if not options.beside.scores:
        return options, []
    from rouge_cli.inputs.outside_files import read_score_files

    outside = read_score_files(options.beside.scores)
    names = tuple(metric for one in outside for metric in one.metrics)
    return options.knowing(given_metrics=names), outside


def score_input(
    source: Source,
    options: Options,
    context: RunContext,
    outside: Sequence[OutsideScores] | None = None,
    visit: Callable[[Corpus, Results], None] | None = None,
) -> Results:
    """Score what a configuration, a file list, files of records or the options name.

    Parameters
    ----------
    source : Source
        As `open_corpus` takes it, or saved scores.
    outside : sequence of OutsideScores, optional
        What `with_outside_scores` returns beside these options, if it has been called.
    visit : callable, optional
        Called with the corpus and its scores while the texts can still be read; not for saved
        scores.

    Raises
    ------
    OptionError, InputError
        Before anything is scored.
    """
    if outside is None:
        options, outside = with_outside_scores(options)
    if are_scores_at_hand(source, options):
        from rouge_cli.scoring.loaded_scores import load_scores, saved_inputs, without_texts
        from rouge_cli.scoring.reported_again import report_again

        files, system_id = saved_inputs(source) or ((), None)
        loaded = load_scores(files) if files else without_texts(outside[0], options)
        return report_again(loaded, system_id, options, context, outside)
    with open_corpus(source, options.inputs, options.metrics) as corpus:
        joined = corpus_scores(source, corpus, options, outside)
        results = score_corpus(corpus, options, context, joined)
        if visit is not None:
            visit(corpus, results)
        return results


def corpus_scores(
    source: Source, corpus: Corpus, options: Options, outside: Sequence[OutsideScores]
) -> list[OutsideScores]:
    """Return all scores from elsewhere that join those of a corpus, whose metrics are checked.

    Those of systems that the user has not chosen are left out. Raises OptionError and InputError.
    """
    run_metrics(options)
    found = list(outside)
    if not options.inputs.all and len(corpus.systems) == 1 and corpus.systems[0] in source.others:
        found = [one.of_system(corpus.systems[0]) for one in found]
    if options.inputs.column:
        from rouge_cli.inputs.outside_files import read_record_columns

        found.append(read_record_columns(source, options.inputs.column, options.inputs))
    return found


def score_corpus(
    corpus: Corpus,
    options: Options,
    context: RunContext,
    outside: Sequence[OutsideScores] = (),
) -> Results:
    """Score a corpus, whatever its layout, and join scores from elsewhere; raises InputError."""
    if options.scores.jackknife:
        from rouge_cli.scoring.jackknife import jackknife_corpus

        corpus = jackknife_corpus(corpus, with_humans=options.scores.humans)
    instances = corpus.instances()
    if outside:
        # What is missing is told before anything is scored.
        matched_cells(instances.cells(), outside, options.beside.unmatched)
    return score_portions(corpus, instances, options, context, outside)


def score_portions(
    corpus: Corpus,
    instances: Instances,
    options: Options,
    context: RunContext,
    outside: Sequence[OutsideScores] = (),
) -> Results:
    """Score the portions of a corpus, which together have its instances, in their order."""
    keep_freed_memory()
    tokenizer = load_tokenizer(options.texts, context.environment)
    n_instances = instances.n_counted
    portions = corpus.portions()
    first = list(islice(portions, PORTIONS_THAT_PAY))
    is_long = n_instances >= INSTANCES_THAT_PAY or len(first) == PORTIONS_THAT_PAY
    jobs = options.run.jobs or (context.max_jobs if is_long else 1)
    metrics = prepared_metrics(options.metrics)
    # Only where systems are compared does it matter which EVALs share their models.
    has_keys = len(instances.systems) > 1 and instances.parts is None
    score = partial(score_portion, options=options, tokenizer=tokenizer, has_keys=has_keys)
    scored = []
    n_done = 0
    for portion in ordered_map(score, chain(first, portions), jobs):
        scored.append(portion)
        n_done += portion.is_empty.size
        if context.progress is not None:
            context.progress(n_done, n_instances)
    whole = joined_portions(scored)
    scored.clear()
    findings, scores = whole.findings, whole.scores
    if findings.empty_texts and options.texts.empty == "error":
        raise InputError(findings.empty_lines())
    sharing = _sharing(instances.eval_ids, whole.model_keys) if has_keys else None
    if findings.empty_texts and options.texts.empty == "skip":
        instances = instances.kept(~whole.is_empty)
        scores = [one.take(np.flatnonzero(~whole.is_empty)) for one in scores]
    table, left_out = join_scores(score_table(instances, metrics, scores), outside, options.beside)
    systems = summarise(table, options, jobs)
    found = (*tokenizer.warnings, *instances.absences, *findings.warnings(options), *left_out)
    facts = replace(
        options.input_facts,
        has_lists=corpus.has_lists,
        is_original=corpus.is_original,
        n_references=str(*whole.n_models) if len(whole.n_models) == 1 else "var",
    )
    texts = with_data_dir(options.texts, context.environment)
    return Results(
        systems,
        table,
        replace(options, texts=texts, input_facts=facts),
        (*corpus.warnings, *dict.fromkeys(found)),
        findings.sentences_per_text,
        corpus.notes,
        sharing,
    )


def _sharing(eval_ids: Sequence[str], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return how many EVALs have each set of models."""
    key_of_eval = dict(zip(eval_ids, keys.tolist(), strict=True))
    counts: NDArray[np.int64] = np.unique(list(key_of_eval.values()), return_counts=True)[1]
    return counts
