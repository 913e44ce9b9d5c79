"""Scoring batches of texts, and gathering their scores into the score table.

The texts of a batch are read into columns once for all metrics. Each metric then counts the pairs,
with the core or, without it, pair by pair. The score table has the order of the report.

Source: specification, section 2, "Limits", section 3 and section 5.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.errors import InputError, InstanceError, NothingLeftError, Problems, with_number
from rouge_cli.inputs.batch import Batch
from rouge_cli.inputs.evaluation import ids_at
from rouge_cli.inputs.files import read_file
from rouge_cli.inputs.index import Index, places_of
from rouge_cli.inputs.sentences import read_simple
from rouge_cli.metrics.arithmetic import score_pair
from rouge_cli.metrics.counts import (
    RPF,
    Counts,
    GrowingRows,
    InstanceScores,
    PairCounts,
    ScoredMetric,
    joined_scores,
    short_counts,
)
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.metric import metrics_of
from rouge_cli.metrics.paired_texts import Element, PairedTexts, PairUnits, Reading, Text, TextPair
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.text_findings import TextFindings, find_in_texts
from rouge_cli.scores.results import MetricColumn, ScoreTable, SystemTable
from rouge_cli.text.columns import (
    FlaggedTexts,
    PairCounter,
    ReadTexts,
    Spelling,
    TextColumns,
    TextDecodeError,
    is_utf8,
)
from rouge_cli.text.tokenizer import Tokenizer
from rouge_cli.threads import end_if_told

LoneCounts = tuple[tuple[int, int], Sequence[PairCounts], Sequence[int]]
"""The counts of a pair: the numbers of tokens of the peer and of the model, the counts for each
column of the metrics, and the number of newlines and the flags of both texts (empty unless they
are flagged)."""


class LonePairs:
    """Counts single pairs for a list of metrics, with the core or, without it, from their tokens.

    Why not as a batch? With arrays, scoring a list of one pair would take a third longer.
    With `has_flags`, the core also flags the texts.

    - `count`: the core's function for these metrics; None if there is no core, or it lacks one.
    - `places`: for each column of the metrics, the index of its hit in the result of `count`, and
      the number of tokens of a text minus its number of units.
    - `score_pair`: the function that turns counts into scores, of the core or in Python.
    """

    __slots__ = ("_has_flags", "_metrics", "_reader", "count", "places", "score_pair")

    def __init__(
        self, metrics: Sequence[Metric], reader: Tokenizer, *, has_flags: bool = False
    ) -> None:
        self._metrics, self._reader, self._has_flags = metrics, reader, has_flags
        self.count: PairCounter | None = None
        self.score_pair = score_pair
        self.places: tuple[tuple[int, int], ...] = ()
        of_metrics = [metric.core_units for metric in metrics]
        if (core := compiled_core()) is None or None in of_metrics:
            return
        units = list(chain.from_iterable(units or () for units in of_metrics))
        together = PairUnits.of(units)
        self.score_pair = core.score_pair
        self.count = reader.pair_counter(core, (*together, has_flags))
        # The first two numbers of a result are those of tokens.
        self.places = tuple((2 + together.row(unit), unit.order - 1) for unit in units)

    def __reduce__(self) -> tuple[Any, ...]:
        """Prepare anew when unpickled, because the other process may have no core."""
        return partial(LonePairs, has_flags=self._has_flags), (self._metrics, self._reader)

    def counts(self, peer: bytes, model: bytes) -> LoneCounts | None:
        """Count a pair; None if that requires arrays."""
        if self.count is None:
            return self._counted_tokens(peer, model) if compiled_core() is None else None
        counted = self.count(peer, model)
        if counted is None:
            return None
        n_peer, n_model = counted[:2]
        rows = [
            PairCounts(counted[place], max(n_model - less, 0), max(n_peer - less, 0))
            for place, less in self.places
        ]
        return (n_peer, n_model), rows, counted[-2:] if self._has_flags else ()

    def _counted_tokens(self, peer: bytes, model: bytes) -> LoneCounts | None:
        sentences = self._reader.split([peer, model])
        if sentences is None:
            return None
        pair = TextPair.of(*map(Text.of, sentences))
        rows: list[PairCounts] = []
        for metric in self._metrics:
            counts = metric.count_pair(pair)
            # `scores` knows one hit for recall and precision, and takes no roots.
            if counts is None or any(
                count.peer_hit is not None or count.model_base is not None for count in counts
            ):
                return None
            rows += counts
        return (len(pair.peer.tokens), len(pair.model.tokens)), rows, ()

    def scores(self, rows: Sequence[PairCounts], alpha: float) -> list[InstanceScores]:
        """Return the scores of a pair with its counts, in the form of those of a block."""
        # An item per column of the metrics, of shape (n_measures or n_counts, 1).
        values = np.array([self.score_pair(*row[:3], alpha) for row in rows])[:, :, np.newaxis]
        counted = short_counts(np.array([row[:3] for row in rows], np.int64)[:, :, np.newaxis])
        return [
            InstanceScores(of_metric, Counts(*of_counts))
            for of_metric, of_counts in zip(values, counted, strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBatch:
    """The scores of a batch.

    - `scores`: one item per column of the metrics, in print order.
    - `rows`, `systems`: as in `Batch`; `GatheredScores.table` finds their names in the `Index`.
    - `is_empty`, shape (n_instances,): whether the peer or a model has nothing to count.
    - `n_models`: the distinct numbers of models per instance.
    - `keys`, shape (2, n_instances): hashes of the peer and of the models of each instance, used
      to find equal texts; collisions are negligible. Shape (2, 0) if they are not needed.
    """

    scores: list[InstanceScores]
    rows: NDArray[np.int64]
    systems: NDArray[np.int64]
    is_empty: NDArray[np.bool_]
    findings: TextFindings
    n_models: frozenset[int]
    keys: NDArray[np.uint64]


ReadScores = tuple[list[InstanceScores], list[int], FlaggedTexts | None]
"""The scores of a batch, the numbers of texts with nothing to count, and the flags of all texts,
which are None if these were not read into columns, or only in part."""


class BatchScorer:
    """Scores batches under the options of a run. Processes prepare their own when it is pickled."""

    def __init__(self, options: Options, tokenizer: Tokenizer) -> None:
        self.options, self.tokenizer = options, tokenizer
        self.metrics = metrics_of(options.metrics)
        self._lone_pairs = LonePairs(self.metrics, tokenizer)

    def __reduce__(self) -> tuple[Any, ...]:
        return BatchScorer, (self.options, self.tokenizer)

    def __call__(self, batch: Batch) -> ScoredBatch:
        """Score every instance of a batch; raises InputError and OptionError."""
        end_if_told()
        # A batch of one pair, as `rouge_cli.score` makes it, takes a shorter way than all others.
        scores, empty_texts, flags = self._lone_pair_scores(batch) or self._scores(batch)
        empty = self.options.texts.empty
        is_empty = batch.pairs.with_any(empty_texts)
        findings = find_in_texts(batch, empty_texts, empty, self.tokenizer, flags)
        if batch.parts is not None:
            # Jackknifing: the scored instances are sets of models, to be averaged by instance.
            kept = np.flatnonzero(~is_empty) if empty == "skip" else np.arange(is_empty.size)
            parts, n_instances = batch.parts[kept], batch.rows.size
            scores = [
                mean_of_sets(of_metric.take(kept), parts, n_instances) for of_metric in scores
            ]
            is_empty = np.bincount(parts, minlength=n_instances) == 0
        has_keys = batch.has_keys and batch.parts is None
        keys = _keys(batch) if has_keys else np.zeros((2, 0), np.uint64)
        n_models = batch.pairs.n_models
        return ScoredBatch(scores, batch.rows, batch.systems, is_empty, findings, n_models, keys)

    def _scores(self, batch: Batch) -> ReadScores:
        texts = read_batch(batch, self.metrics, self.tokenizer)
        pieces = []
        n_done = 0
        # Pieces bound the memory that counting takes.
        for pairs in batch.pairs.pieces(texts.text_bytes):
            paired = PairedTexts(texts, pairs, self.options.texts, self.metrics)
            try:
                by_metric = (metric.score(paired, self.options.scores) for metric in self.metrics)
                pieces.append(list(chain.from_iterable(by_metric)))
            except InstanceError as error:
                peers = batch.pairs.peers[batch.pairs.starts[n_done:]].tolist()
                names = [batch.describe(peer) for peer in peers[: pairs.starts.size]]
                raise error.placed(names) from None
            n_done += pairs.starts.size
        scores = [joined_scores(of_metric) for of_metric in zip(*pieces, strict=True)]
        return scores, texts.empty_texts, texts.flags

    def _lone_pair_scores(self, batch: Batch) -> ReadScores | None:
        """Return the scores of a batch that is one pair without flags; None if it needs columns.

        With columns, a call that scores one pair takes a third longer: 0.56 ms instead of 0.43 ms.
        """
        if batch.pairs.peers.size != 1 or any(
            metric.reading.elements or any(column.measures != RPF for column in metric.columns)
            for metric in self.metrics
        ):
            return None
        peer, model = int(batch.pairs.peers[0]), int(batch.pairs.models[0])
        counts = self._lone_pairs.counts(batch.texts[peer], batch.texts[model])
        if counts is None:
            return None
        n_tokens, rows, _ = counts
        # This is a set, because a text may be its own model.
        empty_texts = {text for text, n in zip((peer, model), n_tokens, strict=True) if not n}
        scores = self._lone_pairs.scores(rows, self.options.scores.alpha.value)
        return scores, sorted(empty_texts), None


def mean_of_sets(
    scores: InstanceScores, instances: NDArray[np.int64], n_instances: int
) -> InstanceScores:
    """Return the mean scores and the summed counts over the sets of models of each instance.

    `instances`, shape (n_sets,), are the instances of the sets. The scores of an instance without
    sets are nan.
    """

    def add_up(values: NDArray[Any]) -> NDArray[Any]:
        # Sums of 32-bit counts may need 64 bits. Arrays of Python's numbers keep their type.
        sums = np.zeros(n_instances, np.int64 if values.dtype == np.int32 else values.dtype)
        np.add.at(sums, instances, values)
        return sums

    sums = np.stack([add_up(values) for values in scores.values])
    with np.errstate(invalid="ignore"):
        means = sums / np.bincount(instances, minlength=n_instances)
    return InstanceScores(means, None if scores.counts is None else scores.counts.apply(add_up))


def _keys(batch: Batch) -> NDArray[np.uint64]:
    sums = np.array(list(map(crc32, batch.texts)), np.uint64)
    pairs = batch.pairs
    # A sum, so that the order of the models does not matter.
    return np.stack(
        (sums[pairs.peers[pairs.starts]], np.add.reduceat(sums[pairs.models], pairs.starts))
    )


def read_batch(batch: Batch, metrics: Sequence[Metric], tokenizer: Tokenizer) -> "BatchTexts":
    """Read the texts of a batch in the forms that the metrics need; raises InputError."""
    try:
        readings = [metric.reading for metric in metrics]
        raw = _decoded(batch) if any(reading.raw for reading in readings) else ()
        return BatchTexts(batch.texts, readings, tokenizer, batch.first_texts, raw)
    except TextDecodeError as error:
        raise InputError(_undecodable(batch, error)) from None


def _undecodable(batch: Batch, error: TextDecodeError) -> str:
    # The text of a file may have been converted. The message then names the byte in the file.
    if batch.has_files:
        try:
            read_file(batch.place(error.text)).decode()
        except (OSError, UnicodeDecodeError) as in_file:
            if isinstance(in_file, UnicodeDecodeError):
                byte = in_file.object[in_file.start]
                error = TextDecodeError(error.text, in_file.start, byte)
    return f"{batch.describe(error.text)}: {error}"


class BatchTexts:
    """The texts of a batch as columns or, if only Basic Elements are counted, as Basic Elements.

    `readings` are the forms that the metrics read. `first_texts` is as in `Batch`; without it, all
    texts form one group.

    - `text_bytes`, shape (n_texts,): the length of each text.
    - `n_types`: upper bound of the numbers of types.
    - `elements`: the Basic Elements of each text; empty if it was read as words.
    - `raw`: the texts as strings; empty if no metric reads strings.
    - `empty_texts`: the numbers of the texts without tokens or Basic Elements or, under a protocol,
      which has tokens of its own, of the blank texts.
    - `unsummed_start`: as in `rouge_cli.text.columns.ReadTexts`.
    """

    def __init__(
        self,
        texts: Sequence[bytes],
        readings: Sequence[Reading],
        tokenizer: Tokenizer,
        first_texts: NDArray[np.int64] | None = None,
        raw: Sequence[str] = (),
    ) -> None:
        self.raw = raw
        self.n_texts = len(texts)
        self.text_bytes = np.fromiter(map(len, texts), np.int64, len(texts))
        self.stem = tokenizer.stem
        self.elements: list[tuple[Element, ...]] = [()] * len(texts)
        self.n_types = self.unsummed_start = 0
        self.flags: FlaggedTexts | None = None
        self._read: ReadTexts | None = None
        if any(reading.is_own for reading in readings):
            self.empty_texts = [number for number, text in enumerate(raw) if not text.strip()]
            return
        if all(reading.elements for reading in readings):
            self.elements = [read_simple(text, "") for text in texts]
            self.empty_texts = [text for text, elements in enumerate(self.elements) if not elements]
            return
        with_unsummed = any(reading.by_sentence for reading in readings)
        read = self._read = tokenizer.read(texts, with_unsummed=with_unsummed, starts=first_texts)
        self.n_types, self.unsummed_start, self.flags = (
            read.n_types,
            read.unsummed_start,
            read.flags,
        )
        columns = self.columns(stemmed=read.stemmed is not None)
        self.empty_texts = np.flatnonzero(columns.token_counts[: self.n_texts] == 0).tolist()

    def columns(self, *, stemmed: bool) -> TextColumns:
        """Return the columns, followed by those of the unsummed reading of a byte limit."""
        read = self._read
        columns = None if read is None else read.stemmed if stemmed else read.unstemmed
        if columns is None:
            # Metrics request only what their readings announce; a type checker cannot know that.
            raise ValueError("these texts were not read in this way")
        return columns

    def spelling(self) -> Spelling:
        """Return the words as strings; they are not cached."""
        if self._read is None:
            # Basic Elements have no spelling, and --soft does not read them.
            raise ValueError("these texts were not read as words that have a spelling")
        return self._read.spell()


def _decoded(batch: Batch) -> list[str]:
    try:
        return [text.decode() for text in batch.texts]
    except UnicodeDecodeError:
        undecodable = [text for text, raw in enumerate(batch.texts) if not is_utf8(raw)]
    what = "not UTF-8, which --add metric and --protocol need; save it as UTF-8"
    raise InputError(
        Problems.of("", ((batch.describe(text), what) for text in undecodable)).lines()
    )


VALUES: Final = "values"  # key of the scores, among the names of counts


class GatheredScores:
    """The scores of a run, batch by batch.

    `humans` maps the models that jackknifing scores to the numbers of their systems.
    """

    def __init__(self) -> None:
        self.n_done = 0
        self.humans: Mapping[str, int] = {}
        self.findings = TextFindings()
        self.n_models: frozenset[int] = frozenset()
        self._rows, self._systems = GrowingRows(), GrowingRows()
        self._is_empty, self._keys = GrowingRows(), GrowingRows()
        self._columns: dict[tuple[int, str], GrowingRows] = {}

    def add(self, scored: ScoredBatch) -> None:
        """Add the next batch."""
        self.n_done += scored.rows.size
        self.findings += scored.findings
        self.n_models |= scored.n_models
        self._rows.extend(scored.rows.astype(np.int32))
        self._systems.extend(scored.systems.astype(np.int32))
        self._is_empty.extend(scored.is_empty)
        self._keys.extend(scored.keys)
        for metric, scores in enumerate(scored.scores):
            counts = {} if scores.counts is None else scores.counts.arrays()
            for name, values in {VALUES: scores.values, **counts}.items():
                self._columns.setdefault((metric, name), GrowingRows()).extend(short_counts(values))

    def table(
        self, index: Index, metrics: Sequence[ScoredMetric], *, skips_empty: bool
    ) -> tuple[ScoreTable, tuple[str, ...], NDArray[np.int64] | None]:
        """Return the table, with systems in print order and their EVALs in input order.

        It comes with a warning about systems with equal texts, if there are any, and with the
        number of EVALs that share each set of models (None without keys). Raises NothingLeftError
        if a system has no EVALs left.
        """
        rows, systems = self._rows.take(), self._systems.take()
        is_empty, keys = self._is_empty.take(), self._keys.take()
        numbers = {name: index.systems.index(name) for name in index.order} | dict(self.humans)
        by_system = dict(zip(numbers, places_of(numbers.values(), systems, rows), strict=True))
        alike: tuple[str, ...] = ()
        sharing: NDArray[np.int64] | None = None
        if keys.size:
            alike = tuple(_alike(index, rows, by_system, keys[0]))
            _, firsts = np.unique(rows, return_index=True)
            sharing = np.unique(keys[1, firsts], return_counts=True)[1]
        del keys
        if skips_empty:
            by_system = {name: places[~is_empty[places]] for name, places in by_system.items()}
        if lost := [name for name, places in by_system.items() if not places.size]:
            raise NothingLeftError(f"nothing is left to score of: {', '.join(lost)}")
        whole = [self._whole(number, metric) for number, metric in enumerate(metrics)]
        tables = {}
        for name, places in by_system.items():
            # The only system of a run, already in order, needs no copy of its scores.
            is_all = places.size == rows.size and bool((np.diff(places) == 1).all())
            columns = {
                column.metric.name: column if is_all else column.take(places) for column in whole
            }
            tables[name] = SystemTable(
                name, ids_at(index.eval_ids, rows[places].astype(np.int64)), columns
            )
        return ScoreTable(tables, tuple(metrics), index.clusters), alike, sharing

    def _whole(self, number: int, metric: ScoredMetric) -> MetricColumn:
        names = [name for of, name in self._columns if of == number]
        columns = {name: self._columns.pop((number, name)).take() for name in names}
        scores = columns.pop(VALUES)
        return MetricColumn(metric, scores, Counts(**columns) if columns else None)


def _alike(
    index: Index,
    rows: NDArray[np.int32],
    by_system: Mapping[str, NDArray[np.intp]],
    keys: NDArray[np.uint64],
) -> Iterator[str]:
    first_of: dict[bytes, str] = {}
    same: list[tuple[str, str]] = []
    for name in index.order:
        texts = rows[by_system[name]].tobytes() + keys[by_system[name]].tobytes()
        if name not in index.made_systems and (first := first_of.setdefault(texts, name)) != name:
            same.append((name, first))
    if same:
        have = with_number(len(same), "1 system has", "{} systems have")
        yield (
            f"{have} the same predictions as another one in every text, such as "
            f"{same[0][0]!r} and {same[0][1]!r}: their scores are the same; give the "
            "predictions that are meant, or leave one of the systems out"
        )
