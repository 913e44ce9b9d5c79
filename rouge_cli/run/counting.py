"""From a portion to the scores of its instances: blocks of texts, read once, metric by metric.

A block has one path to its counts: the texts of all metrics are read into columns, and each metric
counts the pairs with the core or, without it, pair by pair. Only a block of a single pair may take
a shorter path, see `LonePairs`.

Source: specification, section 2, "Limits", section 3 and section 5.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.blocks import Block, Portion
from rouge_cli.inputs.formats import read_simple
from rouge_cli.inputs.stored_texts import INT32_LIMIT
from rouge_cli.metrics.counts import RPF, Counts, InstanceScores, joined_scores
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.metric import metrics_of
from rouge_cli.metrics.paired_texts import Element, PairedTexts, Reading
from rouge_cli.options.options import Options
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.lone_pairs import LonePairs
from rouge_cli.run.text_findings import TextFindings, find_in_texts
from rouge_cli.run.workers import make_room
from rouge_cli.text.columns import FlaggedTexts, Spelling, TextColumns, TextDecodeError
from rouge_cli.text.tokenizer import Tokenizer
from rouge_cli.threads import end_if_told

VALUES: Final = "values"
"""Stands for the scores themselves beside the names of counts."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPortion:
    """The scores of a portion, for each metric in the order of print.

    `is_empty`, shape (n_instances,), says whether there is nothing to count in the peer of an
    instance or in one of its models. `n_models` has all numbers of models that instances have.
    `model_keys`, shape (n_instances,) or (0,), are the same for instances that have the same
    models, and hardly ever for others; empty where nobody asks.
    """

    scores: list[InstanceScores]
    is_empty: NDArray[np.bool_]
    findings: TextFindings
    n_models: frozenset[int]
    model_keys: NDArray[np.uint64]


def score_portion(
    portion: Portion, options: Options, tokenizer: Tokenizer, *, has_keys: bool = False
) -> ScoredPortion:
    """Score every instance of a portion; raises InputError and OptionError.

    With `has_keys` the portion gets `ScoredPortion.model_keys`.
    """
    make_room()
    return joined_portions(
        [_score_block(block, options, tokenizer, has_keys) for block in portion.blocks()]
    )


def joined_portions(scored: Sequence[ScoredPortion]) -> ScoredPortion:
    """Join the scores of portions, or of the blocks of a portion, in their order."""
    if len(scored) == 1:
        return scored[0]
    return ScoredPortion(
        [joined_scores(column) for column in zip(*(part.scores for part in scored), strict=True)],
        np.concatenate([part.is_empty for part in scored]),
        sum((part.findings for part in scored), start=TextFindings()),
        frozenset().union(*(part.n_models for part in scored)),
        np.concatenate([part.model_keys for part in scored]),
    )


class GatheredScores:
    """The scores of a run, put where they belong portion by portion.

    Why not keep all portions, and join them at the end? These would then be in memory twice.
    `n_instances` is the number of all.
    """

    def __init__(self, n_instances: int) -> None:
        self.n_done = 0
        self._n_instances = n_instances
        self._parts: list[ScoredPortion] = []
        self._columns: dict[tuple[int, str], NDArray[Any]] = {}

    def add(self, part: ScoredPortion) -> None:
        """Take the next portion."""
        n_before, self.n_done = self.n_done, self.n_done + part.is_empty.size
        if part.is_empty.size < self._n_instances:
            for number, scores in enumerate(part.scores):
                counts = {} if scores.counts is None else scores.counts.arrays()
                for name, values in {VALUES: scores.values, **counts}.items():
                    self._column((number, name), values)[..., n_before : self.n_done] = values
            part = replace(part, scores=[])
        self._parts.append(part)

    def _column(self, key: tuple[int, str], values: NDArray[Any]) -> NDArray[Any]:
        """Return the column of all instances for values such as these.

        Counts have 32 bits as long as these are enough: with 64 they would take as much memory as
        the scores.
        """
        is_short = values.dtype == np.int64 and values.max(initial=0) < INT32_LIMIT
        kind = np.dtype(np.int32) if is_short else values.dtype
        column = self._columns.get(key)
        if column is None:
            column = np.empty((*values.shape[:-1], self._n_instances), kind)
        elif (kind := np.result_type(column, kind)) != column.dtype:
            # Whole numbers too large for 32 bits, or for 64.
            column = column.astype(kind)
        self._columns[key] = column
        return column

    def whole(self) -> ScoredPortion:
        """Return all portions as one."""
        whole = joined_portions(self._parts)
        if not self._columns:
            return whole
        by_metric: dict[int, dict[str, NDArray[Any]]] = {}
        for (number, name), column in self._columns.items():
            by_metric.setdefault(number, {})[name] = column
        scores = [
            InstanceScores(columns.pop(VALUES), Counts(**columns) if columns else None)
            for columns in by_metric.values()
        ]
        return replace(whole, scores=scores)


def _score_block(
    block: Block, options: Options, tokenizer: Tokenizer, has_keys: bool
) -> ScoredPortion:
    """Score every instance of a block."""
    end_if_told()
    scores, empty_texts, flags = _scores_of(block, options, tokenizer)
    return ScoredPortion(
        scores,
        block.pairs.with_any(empty_texts),
        find_in_texts(block, empty_texts, options.texts.empty, tokenizer, flags),
        block.pairs.n_models,
        _model_keys(block) if has_keys else np.zeros(0, np.uint64),
    )


def _scores_of(
    block: Block, options: Options, tokenizer: Tokenizer
) -> tuple[list[InstanceScores], list[int], FlaggedTexts | None]:
    """Return the scores of a block, the texts in which there is nothing to count, and flags.

    The flags are None where texts are not read, or not whole.
    """
    metrics = metrics_of(options.metrics)
    if (lone := _lone_scores(block, metrics, options.scores, tokenizer)) is not None:
        return *lone, None
    texts = read_block(block, metrics, tokenizer)
    pieces = []
    for pairs in block.pairs.pieces(texts.text_bytes):
        paired = PairedTexts(texts, pairs, options.texts, metrics)
        by_metric = (metric.score(paired, options.scores) for metric in metrics)
        pieces.append(list(chain.from_iterable(by_metric)))
    scores = [joined_scores(of_metric) for of_metric in zip(*pieces, strict=True)]
    return scores, texts.empty_texts(), texts.flags


def read_block(block: Block, metrics: Sequence[Metric], tokenizer: Tokenizer) -> "BlockTexts":
    """Read the texts of a block as the metrics want them; raises InputError."""
    readings = [metric.reading for metric in metrics]
    try:
        return BlockTexts(block, readings, tokenizer)
    except (TextDecodeError, InputError):
        # The message names the first text in the order of the files.
        block = block.in_order()
    try:
        return BlockTexts(block, readings, tokenizer)
    except TextDecodeError as error:
        raise InputError(_undecodable(block, error)) from None


def _model_keys(block: Block) -> NDArray[np.uint64]:
    """Return a number for the models of each instance, whatever their order."""
    models, numbers = np.unique(block.pairs.models, return_inverse=True)
    sums = np.array(list(map(crc32, block.taken(models))), np.uint64)
    return np.add.reduceat(sums[numbers], block.pairs.starts)


def _undecodable(block: Block, error: TextDecodeError) -> str:
    """Say which byte of which text is not UTF-8, by its place in the file if it has one."""
    if block.content is not None:
        try:
            block.content(error.text).decode()
        except UnicodeDecodeError as in_file:
            byte = in_file.object[in_file.start]
            of_file = TextDecodeError(error.text, in_file.start, byte)
            return f"{block.describe(error.text)}: {of_file}"
    return f"{block.describe(error.text)}: {error}"


class BlockTexts:
    """The texts of a block in columns or, if only Basic Elements are asked for, in these.

    `readings` are how the metrics read them.

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

    def __init__(self, block: Block, readings: Sequence[Reading], tokenizer: Tokenizer) -> None:
        texts = block.texts
        self.raw: Sequence[str] = (
            _decoded(block) if any(reading.raw for reading in readings) else ()
        )
        self.n_texts = len(texts)
        self.text_bytes = block.text_bytes
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
        read = tokenizer.read(texts, with_unsummed=with_unsummed, starts=block.first_texts)
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


def _decoded(block: Block) -> list[str]:
    """Return the texts of a block as strings; raises InputError if one is not UTF-8."""
    try:
        return [text.decode() for text in block.texts]
    except UnicodeDecodeError:
        undecodable = [text for text, raw in enumerate(block.texts) if not _is_utf8(raw)]
    what = "not UTF-8, which --also and --protocol need; save it as UTF-8"
    raise InputError(
        Problems.of("", ((block.describe(text), what) for text in undecodable)).lines()
    )


def _is_utf8(text: bytes) -> bool:
    """Say whether a text is UTF-8."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _lone_scores(
    block: Block, metrics: Sequence[Metric], options: ScoreOptions, tokenizer: Tokenizer
) -> tuple[list[InstanceScores], list[int]] | None:
    """Return scores and empty texts of a block of one pair; None if it needs columns."""
    if block.pairs.peers.size != 1 or any(
        metric.reading.elements or any(column.measures != RPF for column in metric.columns)
        for metric in metrics
    ):
        return None
    peer, model = int(block.pairs.peers[0]), int(block.pairs.models[0])
    pairs = LonePairs(metrics, tokenizer)
    counts = pairs.counts(block.texts[peer], block.texts[model])
    if counts is None:
        return None
    n_tokens = {peer: counts.n_peer, model: counts.n_model}
    empty_texts = sorted(text for text, n_of_text in n_tokens.items() if not n_of_text)
    return pairs.scores(counts.rows, options.alpha.value), empty_texts
