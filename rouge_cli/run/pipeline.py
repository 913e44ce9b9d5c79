"""A run from its inputs to its results, step by step; and saved scores, reported again.

Source: specification, as a whole.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import field, replace
from functools import partial
from itertools import chain, islice
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError, OptionError, is_memory_left
from rouge_cli.inputs.blocks import Portion
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import Instances, OutsideScores, frozen_ids, ids_at
from rouge_cli.inputs.layout import find_layout, has_texts, open_corpus
from rouge_cli.inputs.source import Source
from rouge_cli.metrics.counts import InstanceScores, ScoredMetric
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.metric import metrics_of, prepared_columns
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.counting import GatheredScores, ScoredPortion, score_portion
from rouge_cli.run.processors import asked_jobs, usable_processors
from rouge_cli.run.text_findings import same_text_warnings
from rouge_cli.run.workers import keep_freed_memory, ordered_map, release_freed_memory
from rouge_cli.scores.bootstrap import BlockSums
from rouge_cli.scores.columns import join_scores, matched_cells, run_metrics
from rouge_cli.scores.results import MetricColumn, Results, ScoreTable, SystemTable
from rouge_cli.scores.summaries import summarise
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

INSTANCES_THAT_PAY, PORTIONS_THAT_PAY = 20_000, 10
"""From so many on, a second process saves more than its start costs. Portions tell where there are
few texts that are very long."""

BYTES_OF_PRODUCT = 32 << 20
"""What NumPy's library of linear algebra takes in each thread. Where it gets none, it ends the
process with the exit code of a missed threshold."""

INSTANCES_TO_RELEASE = 1 << 18
"""From so many on, what scoring has freed is given back before the bootstrap."""

PORTIONS_OF_THREAD = 2
"""So many portions for each thread, if there is enough work: the last one to end has less of it."""


Reader = Callable[[Corpus, Results], None]
"""What reads the texts of a corpus once its results are known."""

Check = Callable[[Sequence[str]], object]
"""What checks the IDs of all systems."""


@dataclass(frozen=True, slots=True, eq=False)
class RunContext:
    """The surroundings of a run, for which it has no option.

    `environment` may name the data directory. `progress` is called now and then with the number of
    instances that are done, and of all. `may_fork` says whether a long run may have processes that
    nobody asked for: a command is alone in its process, a program that calls this package is not.
    """

    environment: Mapping[str, str] = field(default_factory=dict)
    progress: Callable[[int, int], None] | None = None
    may_fork: bool = False

    def jobs(self, options: Options, *, in_threads: bool, is_long: bool = True) -> int:
        """Return how many threads or processes a run has, by its options and its length."""
        if in_threads or (self.may_fork and is_long):
            return thread_count(options)
        return options.run.jobs or asked_jobs() or 1


def thread_count(options: Options) -> int:
    """Return how many threads a run has: as many as it asks for, or one for each processor."""
    return options.run.jobs or asked_jobs() or usable_processors()


def with_outside_scores(options: Options) -> tuple[Options, list[OutsideScores]]:
    """Read the files of scores, and return them with options that know their metrics.

    Unless it is asked for, most protocols have no bootstrap. Raises OptionError and InputError.
    """
    protocol = options.metrics.protocol
    if protocol is not None and not protocol.has_bootstrap and "resamples" not in options.explicit:
        options = options.changed(resamples=0)
    if not options.joined.scores:
        return options, []
    from rouge_cli.inputs.judgements import read_score_files

    outside = read_score_files(options.joined.scores)
    names = tuple(metric for scores in outside for metric in scores.metrics)
    return options.with_input_facts(external_metrics=names), outside


@dataclass(frozen=True, slots=True, eq=False)
class TextRun:
    """A run that scores texts, with what is known before they are opened; see `resolved_run`."""

    source: Source
    options: Options
    outside: Sequence[OutsideScores]
    metrics: tuple[ScoredMetric, ...]
    has_texts: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """What to call an input without CONFIG; raises OptionError."""
        return find_layout(self.source, self.options.inputs).kind

    @property
    def system_id(self) -> str | None:
        """The word that names no file; raises OptionError."""
        return self.source.files(self.options.inputs.records_format)[1]

    @contextmanager
    def opened(self, reader: str = "") -> Iterator[tuple[Corpus, list[OutsideScores]]]:
        """Open the texts; yield them, and the scores from elsewhere that join theirs.

        Raises OptionError and InputError. `reader` says what reads texts, where there are none.
        """
        keep_freed_memory()
        # One source for all that reads it: standard input is read once, and kept.
        source = self.source.for_threads(thread_count(self.options))
        with open_corpus(source, self.options.inputs, self.options.metrics) as corpus:
            yield corpus, self._joined(source, corpus)

    def _joined(self, source: Source, corpus: Corpus) -> list[OutsideScores]:
        """Return all scores from elsewhere that join those of a corpus; raises InputError.

        Those of systems that the user has not chosen are left out.
        """
        inputs, chosen = self.options.inputs, list(self.outside)
        if not inputs.all and len(corpus.systems) == 1 and corpus.systems[0] in source.others:
            chosen = [scores.of_system(corpus.systems[0]) for scores in chosen]
        if inputs.column:
            from rouge_cli.inputs.judgements import read_record_columns

            chosen.append(read_record_columns(source, inputs.column, inputs))
        return chosen

    def results(
        self, context: RunContext, readers: Iterable[Reader] = (), check: Check = id
    ) -> Results:
        """Score the texts; raises OptionError and InputError before anything is scored.

        `readers` are called while the texts can still be read, and `check` with the systems before
        anything is scored.
        """
        with self.opened() as (corpus, joined):
            check(corpus.systems)
            results = score_corpus(corpus, self.options, context, joined)
            for read in readers:
                read(corpus, results)
            return results


@dataclass(frozen=True, slots=True, eq=False)
class SavedRun:
    """A run whose scores are at hand: in `files` of saved ones or, without any, in `outside`.

    `system_id` is the only system to report, if there is one.
    """

    options: Options
    outside: Sequence[OutsideScores]
    files: Sequence[Source] = ()
    system_id: str | None = None
    metrics: ClassVar[None] = None
    """Known only when the scores have been read."""
    has_texts: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What to call an input without CONFIG."""
        return ", ".join(self.options.joined.scores)

    def opened(self, reader: str) -> AbstractContextManager[tuple[Corpus, list[OutsideScores]]]:
        """Raise OptionError: there are no texts for `reader`, such as ``context reads texts``."""
        raise OptionError(f"{reader}, and the input holds saved scores")

    def results(
        self, context: RunContext, readers: Iterable[Reader] = (), check: Check = id
    ) -> Results:
        """Average the scores, and draw the bootstrap, anew; there are no texts for `readers`.

        `check` is called with the systems, those without scores from elsewhere left out. Raises
        InputError, and OptionError if an option needs other counts or texts than those that were
        saved, or a system is not among them.
        """
        from rouge_cli.scores.saved_scores import load_scores, without_texts

        asked, outside = self.options, self.outside
        saved = load_scores(self.files) if self.files else without_texts(outside[0], asked)
        table, options = saved.to_report(self.system_id, asked)
        if self.system_id is not None and len(table.systems) == 1:
            outside = [scores.of_system(self.system_id) for scores in outside]
        warnings = saved.warnings
        if options.metrics.protocol is not None:
            from rouge_cli.protocols.metric import saved_protocol

            choice, of_protocol = saved_protocol(asked.metrics.protocol or options.metrics.protocol)
            options = replace(options, metrics=replace(options.metrics, protocol=choice))
            warnings += of_protocol
        results = average_scores(table, options, outside, context, warnings)
        check(tuple(results.table.systems))
        return results


def resolved_run(source: Source, options: Options) -> TextRun | SavedRun:
    """Find out, once, what a run reads and what it computes.

    Raises OptionError if an option names a metric that the run does not have, and as
    `with_outside_scores` and `saved_inputs` do.
    """
    options, outside = with_outside_scores(options)
    if source.config is not None:
        from rouge_cli.scores.saved_scores import saved_inputs

        if (saved := saved_inputs(source)) is not None:
            return SavedRun(options, outside, *saved)
    elif outside and not has_texts(source, options.inputs):
        return SavedRun(options, outside)
    return TextRun(source, options, outside, run_metrics(options))


def score_corpus(
    corpus: Corpus,
    options: Options,
    context: RunContext,
    outside: Sequence[OutsideScores] = (),
) -> Results:
    """Score a corpus, whatever its layout, and join scores from elsewhere; raises InputError."""
    if options.scores.jackknife:
        from rouge_cli.run.jackknife import jackknife_corpus

        jackknifed = jackknife_corpus(corpus, with_humans=options.scores.humans)
        corpus, instances = jackknifed.sets(), jackknifed.instances
    else:
        instances = corpus.instances()
    if outside:
        # Missing scores are reported before anything is scored.
        matched_cells(instances.cells(), outside, options.joined.unmatched)
    return score_instances(corpus, instances, options, context, outside)


def score_instances(
    corpus: Corpus,
    instances: Instances,
    options: Options,
    context: RunContext,
    outside: Sequence[OutsideScores] = (),
) -> Results:
    """Score the portions of a corpus, which hold these instances in their order."""
    tokenizer = load_tokenizer(options.texts, context.environment)
    # Only a comparison of systems asks which EVALs share their models.
    has_keys = len(instances.systems) > 1 and instances.parts is None
    score = partial(score_portion, options=options, tokenizer=tokenizer, has_keys=has_keys)
    metrics = metrics_of(options.metrics)
    in_threads = _are_threads_enough(metrics, tokenizer, options)
    portions, jobs = _portions_and_jobs(
        corpus, instances.n_counted, options, context, in_threads=in_threads
    )
    gathered = GatheredScores(instances.n_counted)
    for portion in ordered_map(score, portions, jobs, in_threads=in_threads):
        gathered.add(portion)
        if context.progress is not None:
            context.progress(gathered.n_done, instances.n_counted)
    whole = gathered.whole()
    if instances.n_counted >= INSTANCES_TO_RELEASE:
        release_freed_memory()
    sharing = _model_sharing(instances.eval_ids, whole.model_keys) if has_keys else None
    instances, scores = _without_empty(instances, whole, options.texts.empty)
    of_texts = score_table(instances, prepared_columns(metrics), scores)
    alike = same_text_warnings(corpus, of_texts) if len(instances.systems) > 1 else ()
    warnings = (
        *corpus.warnings,
        *tokenizer.warnings,
        *alike,
        *instances.absences,
        *whole.findings.warnings(options),
    )
    facts = _with_facts(options, corpus, whole.n_models)
    return replace(
        average_scores(of_texts, facts, outside, context, warnings),
        sentences_per_text=whole.findings.sentences_per_text,
        notes=corpus.notes,
        model_sharing=sharing,
        fields=corpus.fields,
    )


def _are_threads_enough(metrics: Iterable[Metric], tokenizer: Tokenizer, options: Options) -> bool:
    """Say whether threads gain as much as processes: the core reads and counts, not Python."""
    return (
        compiled_core() is not None
        and tokenizer.is_compiled
        and options.inputs.sentences is None
        and all(metric.is_compiled for metric in metrics)
    )


def _portions_and_jobs(
    corpus: Corpus, n_instances: int, options: Options, context: RunContext, *, in_threads: bool
) -> tuple[Iterable[Portion], int]:
    """Cut a corpus into portions; return them, and how many threads or processes score them."""
    if in_threads and n_instances > 1:
        jobs = context.jobs(options, in_threads=True)
        return corpus.portions(jobs * PORTIONS_OF_THREAD if jobs > 1 else 1), jobs
    portions = corpus.portions()
    first = list(islice(portions, PORTIONS_THAT_PAY))
    is_long = n_instances >= INSTANCES_THAT_PAY or len(first) == PORTIONS_THAT_PAY
    jobs = context.jobs(options, in_threads=False, is_long=is_long)
    return chain(first, portions), jobs


def average_scores(
    table: ScoreTable,
    options: Options,
    outside: Sequence[OutsideScores],
    context: RunContext,
    warnings: Sequence[str],
) -> Results:
    """Join scores from elsewhere, average all, and draw the bootstrap; raises InputError.

    The scores of `table` have just been counted, or were saved. `warnings` are of what came before.
    """
    table, left_out = join_scores(table, outside, options.joined)

    def map_blocks(sums: BlockSums, blocks: Iterable[range]) -> Iterable[NDArray[np.float64]]:
        in_threads = compiled_core() is not None
        jobs = context.jobs(options, in_threads=in_threads)
        if in_threads and not is_memory_left(jobs * BYTES_OF_PRODUCT):
            jobs = 1
        return ordered_map(sums, blocks, jobs, in_threads=in_threads)

    systems = summarise(table, options.scores, map_blocks)
    of_protocol: Iterable[str] = ()
    if (protocol := options.metrics.protocol) is not None and protocol.metric is not None:
        of_protocol = protocol.metric.warnings(systems)
        systems = protocol.metric.reported(systems)
    of_options = options.scores.warnings
    warnings = tuple(dict.fromkeys((*of_options, *warnings, *left_out, *of_protocol)))
    return Results(systems, table, options, warnings)


def _without_empty(
    instances: Instances, scored: ScoredPortion, empty: str
) -> tuple[Instances, list[InstanceScores]]:
    """Treat texts without anything to count as ``--empty`` says; raises InputError."""
    if scored.findings.empty_texts and empty == "error":
        raise InputError(scored.findings.empty_lines())
    if scored.findings.empty_texts and empty == "skip":
        rows = np.flatnonzero(~scored.is_empty)
        return instances.kept(~scored.is_empty), [scores.take(rows) for scores in scored.scores]
    return instances, scored.scores


def _with_facts(options: Options, corpus: Corpus, n_models: frozenset[int]) -> Options:
    """Return options with facts about the input that the signature needs."""
    return options.with_input_facts(
        has_lists=corpus.has_lists,
        is_original=corpus.is_original,
        n_references=str(*n_models) if len(n_models) == 1 else "var",
    )


def _model_sharing(eval_ids: Sequence[str], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return how many EVALs have each set of models."""
    key_of_eval = dict(zip(eval_ids, keys.tolist(), strict=True))
    counts: NDArray[np.int64] = np.unique(list(key_of_eval.values()), return_counts=True)[1]
    return counts


def score_table(
    instances: Instances, metrics: Sequence[ScoredMetric], scores: Sequence[InstanceScores]
) -> ScoreTable:
    """Put the scores of all instances into a table.

    Raises OptionError if instances were jackknifed, and the score of a metric is no average.

    `scores` has those of each metric, in the order in which `instances` are counted.
    """
    if instances.parts is not None:
        if pooled := [metric.name for metric in metrics if metric.n_statistics]:
            raise OptionError(f"--jackknife averages scores, and {pooled[0]} is no average")
        from rouge_cli.run.jackknife import mean_of_sets

        n_instances = len(instances.eval_ids)
        scores = [mean_of_sets(of_metric, instances.parts, n_instances) for of_metric in scores]
    systems = {}
    rows_of_system = _rows_of_systems(instances)
    for system, rows in zip(instances.systems, rows_of_system, strict=True):
        eval_ids, of_system = instances.eval_ids, scores
        if len(instances.systems) > 1:
            eval_ids = ids_at(eval_ids, rows)
            of_system = [of_metric.take(rows) for of_metric in scores]
        columns = {
            metric.name: _score_column(metric, of_metric)
            for metric, of_metric in zip(metrics, of_system, strict=True)
        }
        systems[system] = SystemTable(system, frozen_ids(eval_ids), columns)
    return ScoreTable(systems, tuple(metrics), instances.clusters)


def _rows_of_systems(instances: Instances) -> list[NDArray[np.intp]]:
    """Return the numbers of the instances of each system, ascending."""
    numbers = np.asarray(instances.system_numbers)
    # Sorted once: to look for each system among all instances is quadratic in the systems.
    in_order = np.argsort(numbers, kind="stable")
    firsts = np.searchsorted(numbers[in_order], np.arange(1, len(instances.systems)))
    return np.split(in_order, firsts)


def _score_column(metric: ScoredMetric, scores: InstanceScores) -> MetricColumn:
    """Return the column of a metric, with its statistics apart from its measures."""
    if not metric.n_statistics:
        return MetricColumn(metric, scores.values, scores.counts)
    values, statistics = np.split(scores.values, [len(metric.measures)])
    by_name = dict(zip(metric.statistics, statistics, strict=True))
    return MetricColumn(metric, values, scores.counts, by_name)
