"""Single pairs, as programs pass them one at a time: counted without arrays, prepared once.

The columns of a block and its arrays of scores take about 2 ms, however small the block, and the
setup of a run takes 0.2 ms. `LonePairs` counts a peer and a model for its metrics; `PairRun` is a
whole run on such a pair.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from rouge_cli.core import compiled_core
from rouge_cli.inputs.batch import Batch
from rouge_cli.inputs.layout import ListInput
from rouge_cli.inputs.source import GivenTexts
from rouge_cli.metrics.arithmetic import score_pair
from rouge_cli.metrics.counts import Counts, InstanceScores, PairCounts, short_counts
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.metric import metrics_of
from rouge_cli.metrics.paired_texts import PairUnits, Text, TextPair
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.text_findings import find_in_texts
from rouge_cli.scores.results import MetricColumn, Results, ScoreTable, SystemScores, SystemTable
from rouge_cli.scores.summaries import summarise
from rouge_cli.text.columns import PairCounter
from rouge_cli.text.seen import is_any_seen
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

PairScorer = Callable[[float, float, float, float], tuple[float, float, float]]
"""Maps hit, model count, peer count and alpha to recall, precision and F."""


class LoneCounts(NamedTuple):
    """The numbers of tokens of a peer and its model, and their counts per column of the metrics.

    `flags` are the newlines and flags of both, if they are flagged.
    """

    n_peer: int
    n_model: int
    rows: Sequence[PairCounts]
    flags: Sequence[int] = ()


class LonePairs:
    """Counts single pairs for some metrics, with the core or, without it, from their tokens.

    With `has_flags` the core also flags the texts.

    - `count`: counts with the core; None without it, or if it lacks one of the metrics.
    - `places`: for each column of the metrics, the index of its hit in the result of `count`, and
      the number of tokens of a text minus its number of units.
    - `score_pair`: the core's function or its Python counterpart.
    """

    __slots__ = ("_has_flags", "_metrics", "_reader", "count", "places", "score_pair")

    def __init__(
        self, metrics: Sequence[Metric], reader: Tokenizer, *, has_flags: bool = False
    ) -> None:
        self._metrics, self._reader, self._has_flags = metrics, reader, has_flags
        self.count: PairCounter | None = None
        self.score_pair: PairScorer = score_pair
        self.places: tuple[tuple[int, int], ...] = ()
        of_metrics = [metric.core_units for metric in metrics]
        if (core := compiled_core()) is None or None in of_metrics:
            return
        units = list(chain.from_iterable(units or () for units in of_metrics))
        together = PairUnits.of(units)
        self.score_pair = core.score_pair
        self.count = reader.pair_counter(core, (*together, has_flags))
        # After the numbers of tokens.
        self.places = tuple((2 + together.row(unit), unit.order - 1) for unit in units)

    def __reduce__(self) -> tuple[Any, ...]:
        """Unpickle by preparing anew, because the other process may have no core."""
        return partial(LonePairs, has_flags=self._has_flags), (self._metrics, self._reader)

    def counts(self, peer: bytes, model: bytes) -> LoneCounts | None:
        """Count a pair; return None if that requires arrays."""
        if self.count is None:
            return self._counted_tokens(peer, model) if compiled_core() is None else None
        counted = self.count(peer, model)
        if counted is None:
            return None
        n_peer, n_model = counted[:2]
        return LoneCounts(
            n_peer,
            n_model,
            [
                PairCounts(counted[place], max(n_model - less, 0), max(n_peer - less, 0))
                for place, less in self.places
            ],
            counted[-2:] if self._has_flags else (),
        )

    def _counted_tokens(self, peer: bytes, model: bytes) -> LoneCounts | None:
        sentences = self._reader.split([peer, model])
        if sentences is None:
            return None
        pair = TextPair.of(*map(Text.of, sentences))
        rows: list[PairCounts] = []
        for metric in self._metrics:
            counts = metric.count_pair(pair)
            # Recall and precision must share one hit, and no root may be taken.
            if counts is None or any(
                count.peer_hit is not None or count.model_base is not None for count in counts
            ):
                return None
            rows += counts
        return LoneCounts(len(pair.peer.tokens), len(pair.model.tokens), rows)

    def scores(self, rows: Sequence[PairCounts], alpha: float) -> list[InstanceScores]:
        """Return the counts of a pair with its scores, in the same form as for a block."""
        # One row per metric; in it, one row per measure or count, with a single instance.
        values = np.array([self.score_pair(*row[:3], alpha) for row in rows])[:, :, np.newaxis]
        counted = np.array([row[:3] for row in rows], np.int64)[:, :, np.newaxis]
        return [
            InstanceScores(of_metric, Counts(*map(short_counts, of_counts)))
            for of_metric, of_counts in zip(values, counted, strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPair:
    """A counted pair; its results share everything but scores and warnings with `like`.

    The table and the scores are made on demand.
    """

    like: Results
    pairs: LonePairs
    counts: LoneCounts
    warnings: tuple[str, ...]
    sentences_per_text: float | None

    def table(self) -> ScoreTable:
        """Return the score table of the single EVAL."""
        like, alpha = self.like.table, self.like.options.scores.alpha.value
        scores = self.pairs.scores(self.counts.rows, alpha)
        columns = {
            metric.name: MetricColumn(metric, of_metric.values, of_metric.counts)
            for metric, of_metric in zip(like.metrics, scores, strict=True)
        }
        (system,) = like.systems.values()
        return replace(like, systems={system.id: SystemTable(system.id, system.eval_ids, columns)})

    def systems(self, table: ScoreTable) -> dict[str, SystemScores]:
        """Average the scores of a table, and draw the bootstrap."""
        return summarise(table, self.like.options.scores)


class PairRun:
    """A run on one pair of plain texts after another; keeps what depends only on the options.

    Everything in `Results` except scores and warnings is the same for each pair, and is taken from
    the results of the first pair, which are computed by an ordinary run.
    """

    __slots__ = ("_batch", "_like", "_options", "_pairs", "_tokenizer")

    def __init__(self, options: Options) -> None:
        self._options = options
        self._tokenizer: Tokenizer = load_tokenizer(options.texts, {})
        self._pairs = LonePairs(metrics_of(options.metrics), self._tokenizer, has_flags=True)
        # The names that every pair of texts has.
        texts = ListInput(GivenTexts([""], [""]), None, options.metrics)
        self._batch: Batch = next(texts.batches())
        self._like: Results | None = None

    @property
    def can_count(self) -> bool:
        """Whether the core can count single pairs without arrays."""
        return self._pairs.count is not None

    def learn_from(self, results: Results) -> None:
        """Keep the part of a pair's results that all pairs share, unless its EVAL was left out."""
        n_evals = [len(system.eval_ids) for system in results.table.systems.values()]
        if self._like is None and n_evals == [1]:
            self._like = results

    def scored(self, peer: bytes, model: bytes) -> ScoredPair | None:
        """Score a pair; return None if it needs an ordinary run.

        The first pair, texts without tokens, and texts that deserve a warning of `text.seen` need
        one.
        """
        if (like := self._like) is None or is_any_seen(peer, model):
            return None
        counts = self._pairs.counts(peer, model)
        if counts is None or not (counts.n_peer and counts.n_model):
            return None
        return ScoredPair(like, self._pairs, counts, *self._found((model, peer), *counts.flags))

    def _found(
        self, texts: tuple[bytes, bytes], n_newlines: int, flags: int
    ) -> tuple[tuple[str, ...], float | None]:
        if not flags:
            return tuple(self._tokenizer.warnings), (n_newlines + len(texts)) / len(texts)
        batch = replace(self._batch, texts=list(texts))
        findings = find_in_texts(batch, (), self._options.texts.empty, self._tokenizer)
        warnings = (*self._tokenizer.warnings, *findings.warnings(self._options))
        return tuple(dict.fromkeys(warnings)), findings.sentences_per_text
