"""The steps of a run, from its inputs to its results; runs on saved scores, and on single pairs.

Source: specification, as a whole.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError, OptionError, is_memory_left, name_advice
from rouge_cli.inputs.batch import Batch
from rouge_cli.inputs.evaluation import OutsideScores
from rouge_cli.inputs.index import Index, Input, Jackknife
from rouge_cli.inputs.layout import ListInput, find_layout, has_texts, open_input
from rouge_cli.inputs.source import GivenTexts, Source
from rouge_cli.metrics.counts import PairCounts, ScoredMetric
from rouge_cli.metrics.metric import metrics_of, prepared_columns
from rouge_cli.options.options import DEFAULT_PRESET, Options, jobs_of_environment
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.counting import BatchScorer, GatheredScores, LonePairs
from rouge_cli.run.seen import Sample
from rouge_cli.run.text_findings import FLAGGED, find_in_texts
from rouge_cli.run.workers import ordered_map
from rouge_cli.scores.bootstrap import BlockSums
from rouge_cli.scores.columns import join_scores, run_metrics
from rouge_cli.scores.results import MetricColumn, Results, ScoreTable, SystemScores, SystemTable
from rouge_cli.scores.summaries import summarise
from rouge_cli.text.seen import is_any_seen
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer
from rouge_cli.threads import usable_processors

INSTANCES_THAT_PAY = 20_000
"""Minimum number of instances for which a second process saves more time than it takes to start."""

BYTES_OF_PRODUCT = 32 << 20
"""Memory that NumPy's linear algebra needs in each thread. If it cannot allocate this, it ends the
process with the exit code of a missed threshold."""

Reader = Callable[[Input, Results], None]
"""Called with an input and its results, to read the texts again for a report."""

Check = Callable[[Sequence[str]], object]
"""Called with the IDs of the systems; raises an exception if they cannot be used."""


@dataclass(frozen=True, slots=True, eq=False)
class RunContext:
    """The environment of a run: settings that are not options.

    `environment` may name the data directory. `progress` is called after each batch with the
    number of scored instances and the total. With `may_fork`, a long run may start processes
    unasked: a command owns its process, whereas this package shares that of a program that
    imports it.
    """

    environment: Mapping[str, str] = field(default_factory=dict)
    progress: Callable[[int, int], None] | None = None
    may_fork: bool = False

    def jobs(self, options: Options, *, in_threads: bool, is_long: bool = True) -> int:
        """Return the number of threads or processes, which depends on options and length."""
        has_all = in_threads or (self.may_fork and is_long)
        return options.run.jobs or jobs_of_environment() or (usable_processors() if has_all else 1)


def with_outside_scores(options: Options) -> tuple[Options, list[OutsideScores]]:
    """Read the files of external scores; return the options with their metrics, and the scores.

    Raises OptionError and InputError.
    """
    protocol = options.metrics.protocol
    # The packages behind most protocols print no intervals, so these are drawn only on request.
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
        """The name of an input without CONFIG, for messages; raises OptionError."""
        return find_layout(self.source, self.options.inputs).kind

    @property
    def system_id(self) -> str | None:
        """The SYSTEM_ID, which is the word that names no file; raises OptionError."""
        return self.source.files(self.options.inputs.records_format)[1]

    def opened(self, reader: str = "") -> Input:
        """Open the texts; raises OptionError and InputError.

        `reader` is the beginning of the error that `SavedRun.opened` raises; it is unused here.
        """
        return open_input(self.source, self.options.inputs, self.options.metrics)

    def outside_scores(self) -> list[OutsideScores]:
        """Return the external scores to add to those of the texts; raises InputError.

        They are limited to the systems that the user has selected.
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

        `check` is called with the systems as soon as they are known, `readers` with the results.
        """
        opened = self.opened()
        # Some layouts know their systems before the texts are read. Then an unknown system fails
        # here, before the scoring.
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
    """A run on existing scores: those saved in `files` or, without files, those in `outside`.

    `system_id`, if any, is the only system to report.
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
        """The name of an input without CONFIG, for messages."""
        return ", ".join(self.options.joined.scores)

    def outside_scores(self) -> list[OutsideScores]:
        """Return the external scores."""
        return list(self.outside)

    def opened(self, reader: str) -> Input:
        """Raise OptionError, since there are no texts.

        `reader` is the beginning of the message, such as ``context reads texts``.
        """
        raise OptionError(f"{reader}, and the input holds saved scores")

    def results(
        self, context: RunContext, readers: Iterable[Reader] = (), check: Check = id
    ) -> Results:
        """Average the saved scores and draw their bootstrap anew.

        `readers` are not called, as there are no texts. `check` is called with the systems that
        remain after external scores were added. Raises InputError, and OptionError if an option
        needs texts or counts that were not saved, or if a system is not among the saved ones.
        """
        from rouge_cli.scores.saved_scores import load_scores, scores_to_report, without_texts

        asked, outside = self.options, self.outside
        saved = load_scores(self.files) if self.files else without_texts(outside[0], asked)
        saved_table, saved_options, warnings = saved
        table, options = scores_to_report(saved_table, saved_options, self.system_id, asked)
        if self.system_id is not None and len(table.systems) == 1:
            outside = [scores.of_system(self.system_id) for scores in outside]
        if options.metrics.protocol is not None:
            from rouge_cli.protocols.metric import saved_protocol

            choice, of_protocol = saved_protocol(asked.metrics.protocol or options.metrics.protocol)
            options = replace(options, metrics=replace(options.metrics, protocol=choice))
            warnings += of_protocol
        results = average_scores(table, options, outside, context, warnings)
        check(tuple(results.table.systems))
        return results


def resolved_run(source: Source, options: Options) -> TextRun | SavedRun:
    """Decide whether a run scores texts or reports saved scores, and with which metrics.

    Raises OptionError if an option names a metric that the run does not have, and the errors of
    `with_outside_scores` and `saved_inputs`.
    """
    options, outside = with_outside_scores(options)
    if source.config is not None:
        from rouge_cli.scores.saved_scores import saved_inputs

        if (saved := saved_inputs(source)) is not None:
            return SavedRun(options, outside, *saved)
    elif outside and not has_texts(source, options.inputs):
        return SavedRun(options, outside)
    return TextRun(source, options, outside, run_metrics(options))


def default_preset(source: Source, typed: Mapping[str, Any]) -> str | None:
    """Return the preset to use if no option chooses metrics or the reading of texts.

    It is None for the inputs of ROUGE-1.5.5: a configuration and a file list. Raises InputError if
    standard input cannot be read.
    """
    if typed.get("paper_table") or typed.get("conditions"):
        # These studies of ``correlate`` choose metrics and stems themselves.
        return None
    if source.config is None:
        return DEFAULT_PRESET
    if typed.get("list_format"):
        return None
    if source.form_of_records(typed.get("records_format")) not in {None, "XML"}:
        return DEFAULT_PRESET
    # Few inputs are folders, and the module imports json.
    if not os.path.isdir(source.config):
        return None
    from rouge_cli.scores.saved_scores import is_saved

    return DEFAULT_PRESET if is_saved(source.config) else None


def score_input(
    source: Input, options: Options, context: RunContext, outside: Sequence[OutsideScores] = ()
) -> Results:
    """Score all batches of an input, and add external scores.

    Raises OptionError, and InputError with the problems of the whole input or, if it has none, with
    those of the first batch that cannot be scored.
    """
    scorer = BatchScorer(options, load_tokenizer(options.texts, context.environment))
    metrics = scorer.metrics
    # The core releases the interpreter's lock; anything else needs processes to run in parallel.
    in_threads = (
        compiled_core() is not None
        and scorer.tokenizer.is_compiled
        and all(metric.is_compiled for metric in metrics)
    )
    if not in_threads:
        # Scoring takes long, so the last line is checked before the first is scored.
        source.complete()
    jackknife = None
    batches = source.batches()
    sample = Sample(source.takes, scorer)
    parts: Iterator[Batch] = map(sample.of, batches)
    if options.scores.jackknife:
        if pooled := [metric.name for metric in prepared_columns(metrics) if metric.statistics]:
            raise OptionError(f"--jackknife averages scores, and {pooled[0]} is not an average")
        jackknife = Jackknife(source.index, with_humans=options.scores.humans)
        parts = map(jackknife.of, parts)
    gathered = GatheredScores()
    n_known = source.index.n_expected
    jobs = context.jobs(options, in_threads=in_threads, is_long=n_known >= INSTANCES_THAT_PAY)
    try:
        for scored in ordered_map(scorer, parts, jobs, in_threads=in_threads):
            gathered.add(scored)
            if context.progress is not None:
                context.progress(gathered.n_done, n_known)
    except InputError:
        # Reading on raises the problems of the input as a whole, which take precedence.
        for _ in batches:
            pass
        raise
    if jackknife is not None:
        jackknife.check()
        gathered.humans = jackknife.humans
    return _results(gathered, sample, source.index, context, outside)


def _results(
    gathered: GatheredScores,
    sample: Sample,
    index: Index,
    context: RunContext,
    outside: Sequence[OutsideScores],
) -> Results:
    scorer, findings = sample.scorer, gathered.findings
    options, columns = scorer.options, prepared_columns(scorer.metrics)
    if findings.empty_texts and options.texts.empty == "error":
        raise InputError(findings.empty_lines())
    # Neither the table nor the bootstrap should come on top of what the step before it has freed.
    is_large = gathered.n_done >= INSTANCES_THAT_PAY
    if is_large:
        _release_memory()
    table, alike, sharing = gathered.table(
        index, columns, skips_empty=options.texts.empty == "skip"
    )
    if is_large:
        _release_memory()
    warnings = (
        *index.warnings,
        *scorer.tokenizer.warnings,
        *alike,
        *index.absences(),
        *findings.warnings(options, sample.effect),
        *sample.warnings(),
    )
    facts = options.with_input_facts(
        has_lists=index.has_lists,
        is_original=index.is_original,
        n_references=str(*gathered.n_models) if len(gathered.n_models) == 1 else "var",
    )
    return replace(
        average_scores(table, facts, outside, context, warnings),
        sentences_per_text=findings.sentences_per_text,
        notes=(*index.notes, *findings.details(options)),
        model_sharing=sharing,
        fields=index.fields,
    )


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
    """Add external scores to a table, average all, and draw the bootstrap.

    `warnings` are those of the steps before, and come first in the results. Raises OptionError for
    an unknown system, and the errors of `join_scores` and `summarise`.
    """
    wanted = options.reports.system_ids
    for system in wanted:
        if system not in table.systems:
            advice = name_advice(system, tuple(table.systems))
            raise OptionError(f"--system-id: no system {system!r}; {advice}")
    if wanted:
        table = replace(table, systems={name: table.systems[name] for name in wanted})
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


class PairRun:
    """A run on one pair of plain texts after another, which prepares once what depends on options.

    It takes 0.05 ms; a run on a list of one pair takes 0.43 ms, of which the core needs 11 us.
    Everything in `Results` except scores and warnings is the same for each pair. It is taken from
    the results of the first pair, which an ordinary run computes.
    """

    __slots__ = ("_batch", "_like", "_options", "_pairs", "_tokenizer")

    def __init__(self, options: Options) -> None:
        self._options = options
        self._tokenizer: Tokenizer = load_tokenizer(options.texts, {})
        self._pairs = LonePairs(metrics_of(options.metrics), self._tokenizer, has_flags=True)
        # A batch of one pair, for the names that every pair of texts has in warnings.
        texts = ListInput(GivenTexts([""], [""]), None, options.metrics)
        self._batch: Batch = next(texts.batches())
        self._like: Results | None = None

    @property
    def can_count(self) -> bool:
        """Whether the core can count single pairs without arrays."""
        return self._pairs.count is not None

    def learn_from(self, results: Results) -> None:
        """Keep what the results of all pairs share, unless the EVAL of this pair was left out."""
        n_evals = [len(system.eval_ids) for system in results.table.systems.values()]
        if self._like is None and n_evals == [1]:
            self._like = results

    def scored(self, peer: bytes, model: bytes) -> Results | None:
        """Score a pair; return None if it needs an ordinary run.

        That is the case for the first pair, for texts without tokens, and for texts that deserve a
        warning of `text.seen`, which comes with the score without the finding.
        """
        if (like := self._like) is None or is_any_seen(peer, model):
            return None
        counts = self._pairs.counts(peer, model)
        if counts is None or 0 in counts[0]:
            return None
        _, rows, flags = counts
        findings = self._found((model, peer), *flags)
        if findings is None:
            return None
        return Results.of_pair(like, partial(_built, like, self._pairs, rows), *findings)

    def _found(
        self, texts: tuple[bytes, bytes], n_newlines: int, flags: int
    ) -> tuple[tuple[str, ...], float | None] | None:
        """Return the warnings about two texts, and their mean number of sentences.

        Returns None if a warning has to come with a score.
        """
        if not flags:
            return tuple(self._tokenizer.warnings), (n_newlines + len(texts)) / len(texts)
        batch = replace(self._batch, texts=list(texts))
        findings = find_in_texts(batch, (), self._options.texts.empty, self._tokenizer)
        if not FLAGGED.keys().isdisjoint(findings.found):
            return None
        warnings = (*self._tokenizer.warnings, *findings.warnings(self._options))
        return tuple(dict.fromkeys(warnings)), findings.sentences_per_text


def _built(
    like: Results, pairs: LonePairs, rows: Sequence[PairCounts], name: str, results: Results
) -> ScoreTable | dict[str, SystemScores]:
    """Return the table of a counted pair or, if `name` is ``"systems"``, its averaged scores."""
    if name == "systems":
        return summarise(results.table, like.options.scores)
    scores = pairs.scores(rows, like.options.scores.alpha.value)
    columns = {
        metric.name: MetricColumn(metric, of_metric.values, of_metric.counts)
        for metric, of_metric in zip(like.table.metrics, scores, strict=True)
    }
    (system,) = like.table.systems.values()
    table = SystemTable(system.id, system.eval_ids, columns)
    return replace(like.table, systems={system.id: table})
