"""A run from its inputs to its results, step by step; and saved scores, reported again.

Source: specification, as a whole.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import partial
from itertools import chain
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError, OptionError, is_memory_left, name_advice
from rouge_cli.inputs.batch import Batch
from rouge_cli.inputs.evaluation import OutsideScores
from rouge_cli.inputs.index import Index, Input
from rouge_cli.inputs.layout import find_layout, has_texts, open_input
from rouge_cli.inputs.source import Source
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.metric import metrics_of, prepared_columns
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.counting import GatheredScores, score_batch
from rouge_cli.run.jackknife import Jackknife
from rouge_cli.run.processors import asked_jobs, usable_processors
from rouge_cli.run.seen import Sample
from rouge_cli.run.workers import ordered_map
from rouge_cli.scores.bootstrap import BlockSums
from rouge_cli.scores.columns import join_scores, run_metrics
from rouge_cli.scores.results import Results, ScoreTable
from rouge_cli.scores.summaries import summarise
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

INSTANCES_THAT_PAY = 20_000
"""Minimum number of instances for which a second process saves more time than its start takes."""

BYTES_OF_PRODUCT = 32 << 20
"""Memory that NumPy's linear algebra needs in each thread. If it cannot allocate this, it ends the
process with the exit code of a missed threshold."""

Reader = Callable[[Input, Results], None]
"""Reads the texts of an input once its results are known."""

Check = Callable[[Sequence[str]], object]


@dataclass(frozen=True, slots=True, eq=False)
class RunContext:
    """The environment of a run: settings that are not options.

    `environment` may name the data directory. `progress` is called now and then with the number of
    scored instances and the total. With `may_fork`, a long run may start processes without being
    asked: a command has its process to itself, but a program that calls this package shares it.
    """

    environment: Mapping[str, str] = field(default_factory=dict)
    progress: Callable[[int, int], None] | None = None
    may_fork: bool = False

    def jobs(self, options: Options, *, in_threads: bool, is_long: bool = True) -> int:
        """Return the number of threads or processes for a run, by its options and length."""
        has_all = in_threads or (self.may_fork and is_long)
        return options.run.jobs or asked_jobs() or (usable_processors() if has_all else 1)


def with_outside_scores(options: Options) -> tuple[Options, list[OutsideScores]]:
    """Read the score files; return them, and the options with their metrics added.

    Most protocols have no bootstrap unless it is requested. Raises OptionError and InputError.
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
    """A run that scores texts, as `resolved_run` prepares it before the texts are opened."""

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
        """The SYSTEM_ID: the word that names no file; raises OptionError."""
        return self.source.files(self.options.inputs.records_format)[1]

    def opened(self, reader: str = "") -> Input:
        """Open the texts; raises OptionError and InputError.

        `reader` names what reads texts, for the error if the input has none.
        """
        return open_input(self.source, self.options.inputs, self.options.metrics)

    def outside_scores(self) -> list[OutsideScores]:
        """Return the external scores that join those of the texts; raises InputError.

        Scores of systems that the user has not selected are left out.
        """
        inputs, outside, system = self.options.inputs, list(self.outside), self.system_id
        if system is not None and not inputs.all:
            outside = [scores.of_system(system) for scores in outside]
        if inputs.column:
            from rouge_cli.inputs.judgements import read_record_columns

            outside.append(read_record_columns(self.source, inputs.column, inputs))
        return outside

    def results(
        self, context: RunContext, readers: Iterable[Reader] = (), check: Check = id
    ) -> Results:
        """Score the texts; raises OptionError and InputError.

        `check` is called with the systems, as soon as they are known, and `readers` in the end.
        """
        opened = self.opened()
        if is_known := bool(opened.index.order):
            check(opened.index.order)
        results = score_input(opened, self.options, context, self.outside_scores())
        if not is_known:
            check(opened.index.order)
        for read in readers:
            read(opened, results)
        return results


@dataclass(frozen=True, slots=True, eq=False)
class SavedRun:
    """A run on existing scores: saved in `files` or, without files, in `outside`.

    `system_id` is the only system to report, if there is one.
    """

    options: Options
    outside: Sequence[OutsideScores]
    files: Sequence[Source] = ()
    system_id: str | None = None
    metrics: ClassVar[None] = None
    """Known only once the scores have been read."""
    has_texts: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What to call an input without CONFIG."""
        return ", ".join(self.options.joined.scores)

    def outside_scores(self) -> list[OutsideScores]:
        """Return the scores from elsewhere."""
        return list(self.outside)

    def opened(self, reader: str) -> Input:
        """Raise OptionError: there are no texts for `reader`, such as ``context reads texts``."""
        raise OptionError(f"{reader}, and the input holds saved scores")

    def results(
        self, context: RunContext, readers: Iterable[Reader] = (), check: Check = id
    ) -> Results:
        """Average the scores, and draw the bootstrap, anew; there are no texts for `readers`.

        `check` is called with the systems that have external scores. Raises InputError, and
        OptionError if an option needs texts or counts that were not saved, or a system is not among
        the saved ones.
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
    """Determine once what a run reads and computes.

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


def score_input(
    source: Input, options: Options, context: RunContext, outside: Sequence[OutsideScores] = ()
) -> Results:
    """Score all batches of an input, and join scores from elsewhere.

    Raises InputError with what is wrong with the input as a whole, or else with its first batch
    that cannot be scored, and OptionError.
    """
    tokenizer = load_tokenizer(options.texts, context.environment)
    metrics = metrics_of(options.metrics)
    in_threads = _are_threads_enough(metrics, tokenizer, options)
    if not in_threads:
        # Scoring takes long, so the last line is checked before the first is scored.
        source.complete()
    jackknife = None
    batches = source.batches()
    sample = Sample(source.takes)
    parts: Iterator[Batch] = map(sample.of, batches)
    if options.scores.jackknife:
        if pooled := [metric.name for metric in prepared_columns(metrics) if metric.n_statistics]:
            raise OptionError(f"--jackknife averages scores, and {pooled[0]} is no average")
        jackknife = Jackknife(source.index, with_humans=options.scores.humans)
        parts = map(jackknife.of, parts)
    score = partial(score_batch, options=options, tokenizer=tokenizer)
    gathered = GatheredScores()
    n_known = source.index.n_expected
    jobs = context.jobs(options, in_threads=in_threads, is_long=n_known >= INSTANCES_THAT_PAY)
    try:
        for scored in ordered_map(score, parts, jobs, in_threads=in_threads):
            gathered.add(scored)
            if context.progress is not None:
                context.progress(gathered.n_done, n_known)
    except InputError:
        for _ in batches:
            pass
        raise
    if jackknife is not None:
        jackknife.check()
    humans = {} if jackknife is None else jackknife.humans
    return _results(gathered, source.index, options, context, tokenizer, outside, humans, sample)


def _results(  # noqa: PLR0913, PLR0917
    gathered: GatheredScores,
    index: Index,
    options: Options,
    context: RunContext,
    tokenizer: Tokenizer,
    outside: Sequence[OutsideScores],
    humans: Mapping[str, int],
    sample: Sample,
) -> Results:
    findings, columns = gathered.findings, prepared_columns(metrics_of(options.metrics))
    if findings.empty_texts and options.texts.empty == "error":
        raise InputError(findings.empty_lines())
    # Neither the table nor the bootstrap should come on top of what the step before it has freed.
    is_large = gathered.n_done >= INSTANCES_THAT_PAY
    if is_large:
        _release_memory()
    table, alike, sharing = gathered.table(
        index, columns, humans, skips_empty=options.texts.empty == "skip"
    )
    if is_large:
        _release_memory()
    in_order = index.warnings, tokenizer.warnings, alike, index.absences()
    seen = sample.warnings(options, tokenizer)
    effect = partial(sample.effect, options=options, tokenizer=tokenizer)
    told, details = findings.warnings(options, effect), findings.details(options)
    warnings = (*chain.from_iterable(in_order), *told, *seen)
    facts = options.with_input_facts(
        has_lists=index.has_lists,
        is_original=index.is_original,
        n_references=str(*gathered.n_models) if len(gathered.n_models) == 1 else "var",
    )
    return replace(
        average_scores(table, facts, outside, context, warnings),
        sentences_per_text=findings.sentences_per_text,
        notes=(*index.notes, *details),
        model_sharing=sharing,
        fields=index.fields,
    )


def _are_threads_enough(metrics: Iterable[Metric], tokenizer: Tokenizer, options: Options) -> bool:
    return (
        compiled_core() is not None
        and tokenizer.is_compiled
        and all(metric.is_compiled for metric in metrics)
    )


def _with_wanted_systems(table: ScoreTable, wanted: Sequence[str]) -> ScoreTable:
    for system in wanted:
        if system not in table.systems:
            advice = name_advice(system, tuple(table.systems))
            raise OptionError(f"--system-id: no system {system!r}; {advice}")
    return replace(table, systems={name: table.systems[name] for name in wanted or table.systems})


def _release_memory() -> None:
    """Return free pages to the system: glibc keeps 60 MB of the batches of a million pairs."""
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        ctypes.CDLL(None).malloc_trim(0)


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
    table = _with_wanted_systems(table, options.reports.system_ids)
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
    warnings = tuple(dict.fromkeys((*options.warnings, *warnings, *left_out, *of_protocol)))
    return Results(systems, table, options, warnings)
