"""Fast scoring of single pairs, which programs pass one at a time.

A run on a list of one pair takes 0.43 ms, of which the core needs 11 us. `PairRun` is a run on a
pair that prepares once whatever depends on options only, and takes 0.05 ms. `LonePairs` counts a
peer and a model without arrays; with arrays the list of one pair would take 0.56 ms.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

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
from rouge_cli.run.text_findings import find_in_texts
from rouge_cli.scores.results import MetricColumn, Results, ScoreTable, SystemScores, SystemTable
from rouge_cli.scores.summaries import summarise
from rouge_cli.text.columns import PairCounter
from rouge_cli.text.seen import is_any_seen
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

PairScorer = Callable[[float, float, float, float], tuple[float, float, float]]
"""Maps hit, model count, peer count and alpha to recall, precision and F."""


LoneCounts = tuple[tuple[int, int], Sequence[PairCounts], Sequence[int]]
"""The counts of a pair: the numbers of tokens of the peer and of the model, the counts for each
column of the metrics, and the number of newlines and the flags of both texts (empty unless they
are flagged)."""


class LonePairs:
    """Counts single pairs for a list of metrics, with the core or, without it, from their tokens.

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
        self.score_pair: PairScorer = score_pair
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


class PairRun:
    """A run on one pair of plain texts after another, which prepares once what depends on options.

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
        if findings.odd:
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
