"""From texts in columns to the scores of each pair, through the socket of metrics."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.compat.readers import TextReadings
from rouge_cli.compat.rouge_types import RougeType
from rouge_cli.compat.scoring import ORIGINAL, Score
from rouge_cli.metrics.counts import Counts, InstanceScores
from rouge_cli.metrics.metric import metrics_of
from rouge_cli.metrics.paired_texts import Element, PairedTexts
from rouge_cli.metrics.ratios import quotients
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.reading import Spelling

__all__ = ["score_pairs"]


@dataclass(frozen=True, slots=True, eq=False)
class _Texts:
    """Columns as metrics ask for them; stems, where there are any, are types like others."""

    of_texts: TextColumns
    n_types: int
    unsummed_start: int = 0
    stem: None = None

    @property
    def elements(self) -> list[tuple[Element, ...]]:
        """Basic Elements, which no metric of this package reads."""
        raise NotImplementedError

    @property
    def raw(self) -> Sequence[str]:
        """Strings, which no metric of this package reads."""
        raise NotImplementedError

    def columns(self, *, stemmed: bool) -> TextColumns:
        """Return the columns."""
        return self.of_texts

    def spelling(self) -> Spelling:
        """Words, which no metric of this package reads."""
        raise NotImplementedError


def score_pairs(
    rouge_types: Sequence[RougeType],
    texts: TextReadings,
    peers: NDArray[np.int64],
    models: NDArray[np.int64],
    like: str,
) -> list[list[Score]]:
    """Score some pairs: a list for each metric, in which each pair has its score.

    Parameters
    ----------
    peers, models : ndarray of int64, shape (n_pairs,)
        The texts of each pair.
    like : str
        ``"1.5.5"``: precision and recall are rounded to 5 decimals, and so is F, which is formed
        from these. Otherwise nothing is rounded.
    """
    max_ngram = max((one.order for one in rouge_types), default=0)

    def paired(columns: TextColumns) -> PairedTexts:
        starts = np.arange(peers.size)
        return PairedTexts(_Texts(columns, texts.n_types), peers, models, starts, TextOptions())

    sentences = paired(texts.by_sentence)
    whole = sentences if texts.have_same_tokens else paired(texts.whole)
    found: dict[MetricOptions, list[InstanceScores]] = {}
    scores = []
    for one in rouge_types:
        # All orders of ROUGE-N are counted together.
        options = MetricOptions(lcs=False, max_ngram=max_ngram) if one.order else one.options
        if options not in found:
            (metric,) = metrics_of(options)
            readable = sentences if one.reads_sentences else whole
            found[options] = metric.score(readable, ScoreOptions())
        scores.append(found[options][max(one.order - 1, 0)])
    return [_pair_scores(of_type, like) for of_type in scores]


def _pair_scores(scores: InstanceScores, like: str) -> list[Score]:
    """Return the score of each pair."""
    recall, precision, f = (
        scores.values if like == ORIGINAL or scores.counts is None else _unrounded(scores.counts)
    )
    return list(map(Score, precision.tolist(), recall.tolist(), f.tolist()))


def _unrounded(counts: Counts) -> NDArray[np.float64]:
    """Return recall, precision and F of each row; shape (3, n_pairs)."""
    recall = quotients(counts.hit, counts.model_count)
    precision = quotients(counts.hit, counts.peer_count)
    divisor = precision + recall
    f = np.divide(2 * precision * recall, divisor, out=np.zeros_like(divisor), where=divisor > 0)
    return np.stack((recall, precision, f))
