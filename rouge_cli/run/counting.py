"""From a batch of texts to the scores of its instances, metric by metric.

The texts of all metrics are read into columns, and each metric counts the pairs with the core or,
without it, pair by pair.

Source: specification, section 2, "Limits", section 3 and section 5.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, InstanceError, Problems
from rouge_cli.inputs.batch import Batch, text_lengths
from rouge_cli.inputs.files import read_file
from rouge_cli.inputs.formats import read_simple
from rouge_cli.metrics.counts import RPF, InstanceScores, joined_scores
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.metric import metrics_of
from rouge_cli.metrics.paired_texts import Element, PairedTexts, Reading
from rouge_cli.options.options import Options
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.jackknife import mean_of_sets
from rouge_cli.run.lone_pairs import LonePairs
from rouge_cli.run.text_findings import TextFindings, find_in_texts
from rouge_cli.text.columns import FlaggedTexts, Spelling, TextColumns, TextDecodeError
from rouge_cli.text.tokenizer import Tokenizer
from rouge_cli.threads import end_if_told


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBatch:
    """The scores of a batch, for each metric in print order.

    - `rows`, `systems`: as in `Batch`.
    - `is_empty`, shape (n_instances,): whether there is nothing to count in the peer or a model.
    - `n_models`: all numbers of models that instances have.
    - `keys`, shape (2, n_instances) or (2, 0): equal for equal peers, and for equal models, hardly
      ever for others; empty where nobody asks.
    """

    scores: list[InstanceScores]
    rows: NDArray[np.int64]
    systems: NDArray[np.int64]
    is_empty: NDArray[np.bool_]
    findings: TextFindings
    n_models: frozenset[int]
    keys: NDArray[np.uint64]


def score_batch(batch: Batch, options: Options, tokenizer: Tokenizer) -> ScoredBatch:
    """Score every instance of a batch; raises InputError and OptionError."""
    end_if_told()
    scores, empty_texts, flags = _scores_of(batch, options, tokenizer)
    empty = options.texts.empty
    is_empty = batch.pairs.with_any(empty_texts)
    findings = find_in_texts(batch, empty_texts, empty, tokenizer, flags)
    if batch.parts is not None:
        kept = np.flatnonzero(~is_empty) if empty == "skip" else np.arange(is_empty.size)
        parts, n_instances = batch.parts[kept], batch.rows.size
        scores = [mean_of_sets(of_metric.take(kept), parts, n_instances) for of_metric in scores]
        is_empty = np.bincount(parts, minlength=n_instances) == 0
    keys = _keys(batch) if batch.has_keys and batch.parts is None else np.zeros((2, 0), np.uint64)
    n_models = batch.pairs.n_models
    return ScoredBatch(scores, batch.rows, batch.systems, is_empty, findings, n_models, keys)


def _keys(batch: Batch) -> NDArray[np.uint64]:
    """Return `ScoredBatch.keys`, which ignore the order of models."""
    sums = np.array(list(map(crc32, batch.texts)), np.uint64)
    pairs = batch.pairs
    return np.stack(
        (sums[pairs.peers[pairs.starts]], np.add.reduceat(sums[pairs.models], pairs.starts))
    )


def _scores_of(
    batch: Batch, options: Options, tokenizer: Tokenizer
) -> tuple[list[InstanceScores], list[int], FlaggedTexts | None]:
    """Return the scores of a batch, the texts in which there is nothing to count, and flags.

    The flags are None where texts are not read, or not whole.
    """
    metrics = metrics_of(options.metrics)
    if (single := _single_scores(batch, metrics, options.scores, tokenizer)) is not None:
        return *single, None
    texts = read_batch(batch, metrics, tokenizer)
    pieces = []
    n_done = 0
    for pairs in batch.pairs.pieces(texts.text_bytes):
        paired = PairedTexts(texts, pairs, options.texts, metrics)
        try:
            by_metric = (metric.score(paired, options.scores) for metric in metrics)
            pieces.append(list(chain.from_iterable(by_metric)))
        except InstanceError as error:
            peers = batch.pairs.peers[batch.pairs.starts[n_done:]].tolist()
            names = [batch.describe(peer) for peer in peers[: pairs.starts.size]]
            raise error.placed(names) from None
        n_done += pairs.starts.size
    scores = [joined_scores(of_metric) for of_metric in zip(*pieces, strict=True)]
    return scores, texts.empty_texts(), texts.flags


def read_batch(batch: Batch, metrics: Sequence[Metric], tokenizer: Tokenizer) -> "BatchTexts":
    """Read the texts of a batch as the metrics want them; raises InputError."""
    try:
        readings = [metric.reading for metric in metrics]
        raw = _decoded(batch) if any(reading.raw for reading in readings) else ()
        return BatchTexts(batch.texts, readings, tokenizer, batch.first_texts, raw)
    except TextDecodeError as error:
        raise InputError(_undecodable(batch, error)) from None


def _undecodable(batch: Batch, error: TextDecodeError) -> str:
    if batch.has_files:
        try:
            read_file(batch.place(error.text)).decode()
        except (OSError, UnicodeDecodeError) as in_file:
            if isinstance(in_file, UnicodeDecodeError):
                byte = in_file.object[in_file.start]
                error = TextDecodeError(error.text, in_file.start, byte)
    return f"{batch.describe(error.text)}: {error}"


class BatchTexts:
    """The texts of a batch in columns or, if only Basic Elements are asked for, in these.

    `readings` are how the metrics read them; `first_texts` are those of a `Batch`, without which
    all texts are one group; `raw` are the texts as strings, if a metric reads them so.

    Attributes
    ----------
    text_bytes : ndarray of int64, shape (n_texts,)
    n_types : int
        Every type is below this number.
    elements : list of tuple of Element
        The Basic Elements of each text; none in a text that is read as words.
    raw : sequence of str
        The texts as strings; empty if no metric reads them so.
    flags : FlaggedTexts or None
    unsummed_start : int
        See `rouge_cli.text.columns.ReadTexts`.
    """

    __slots__ = (
        "_blank",
        "_spell",
        "_stemmed",
        "_unstemmed",
        "elements",
        "flags",
        "n_texts",
        "n_types",
        "raw",
        "stem",
        "text_bytes",
        "unsummed_start",
    )

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
        self.text_bytes = text_lengths(texts)
        self.stem = tokenizer.stem
        self.elements: list[tuple[Element, ...]] = [()] * len(texts)
        self.n_types = self.unsummed_start = 0
        self.flags: FlaggedTexts | None = None
        self._stemmed: TextColumns | None = None
        self._unstemmed: TextColumns | None = None
        self._spell: Callable[[], Spelling] | None = None
        self._blank: list[int] | None = None
        if any(reading.is_own for reading in readings):
            self._blank = [number for number, text in enumerate(self.raw) if not text.strip()]
            return
        if all(reading.elements for reading in readings):
            self.elements = [read_simple(text, "") for text in texts]
            return
        with_unsummed = any(reading.by_sentence for reading in readings)
        read = tokenizer.read(texts, with_unsummed=with_unsummed, starts=first_texts)
        self._stemmed, self._unstemmed, self.n_types = read.stemmed, read.unstemmed, read.n_types
        self.unsummed_start, self._spell, self.flags = read.unsummed_start, read.spell, read.flags

    def columns(self, *, stemmed: bool) -> TextColumns:
        """Return the columns, behind them those of the unsummed reading of a byte limit."""
        columns = self._stemmed if stemmed else self._unstemmed
        if columns is None:
            # A metric only asks for what its reading announces; a type checker cannot know.
            raise ValueError("these texts were not read in this way")
        return columns

    def spelling(self) -> Spelling:
        """Return the words as they are spelt; each call makes them again."""
        if self._spell is None:
            # Basic Elements have no spelling, and --soft does not read them.
            raise ValueError("these texts were not read as words that have a spelling")
        return self._spell()

    def empty_texts(self) -> list[int]:
        """Return the texts without tokens or Basic Elements; of a protocol, the blank texts."""
        if self._blank is not None:
            return self._blank
        columns = self._stemmed or self._unstemmed
        if columns is None:
            return [text for text, elements in enumerate(self.elements) if not elements]
        return [int(text) for text in np.flatnonzero(columns.token_counts[: self.n_texts] == 0)]


def _decoded(batch: Batch) -> list[str]:
    try:
        return [text.decode() for text in batch.texts]
    except UnicodeDecodeError:
        undecodable = [text for text, raw in enumerate(batch.texts) if not _is_utf8(raw)]
    what = "not UTF-8, which --add metric and --protocol need; save it as UTF-8"
    raise InputError(
        Problems.of("", ((batch.describe(text), what) for text in undecodable)).lines()
    )


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _single_scores(
    batch: Batch, metrics: Sequence[Metric], options: ScoreOptions, tokenizer: Tokenizer
) -> tuple[list[InstanceScores], list[int]] | None:
    """Return scores and empty texts of a batch of one pair; None if it needs columns.

    Columns take .3 ms for a pair, of which the core needs 11 us.
    """
    if batch.pairs.peers.size != 1 or any(
        metric.reading.elements or any(column.measures != RPF for column in metric.columns)
        for metric in metrics
    ):
        return None
    peer, model = int(batch.pairs.peers[0]), int(batch.pairs.models[0])
    pairs = LonePairs(metrics, tokenizer)
    counts = pairs.counts(batch.texts[peer], batch.texts[model])
    if counts is None:
        return None
    n_tokens = {peer: counts.n_peer, model: counts.n_model}
    empty_texts = sorted(text for text, n_of_text in n_tokens.items() if not n_of_text)
    return pairs.scores(counts.rows, options.alpha.value), empty_texts
