"""From a block of texts to the counts of each of its instances, metric by metric.

Source: specification, section 5.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.basic_elements import count_basic_elements, element_units
from rouge_cli.metrics.counts import Counts, joined_counts
from rouge_cli.metrics.lcs import count_lcs
from rouge_cli.metrics.ngrams import count_ngrams
from rouge_cli.metrics.pairwise_lcs import count_pairwise_lcs
from rouge_cli.metrics.skip_bigrams import count_skip_bigrams
from rouge_cli.metrics.wlcs import count_wlcs
from rouge_cli.options.every import Options
from rouge_cli.options.scores import BEST_F, SUM_OF_COUNTS
from rouge_cli.scoring.block_texts import BlockTexts
from rouge_cli.scoring.formulas import best_f_model, best_model, sum_models
from rouge_cli.scoring.inputs.blocks import Block, Pairs, Portion
from rouge_cli.scoring.metric_names import Metric, metrics_of
from rouge_cli.scoring.notices import Notices, notices_of
from rouge_cli.scoring.readings import Readings
from rouge_cli.text.tokenizer import Tokenizer

__all__ = ["CountedPortion", "count_portion"]


@dataclass(frozen=True, slots=True, eq=False)
class CountedPortion:
    """What was counted in a portion.

    Parameters
    ----------
    counts : list of Counts
        One for each metric, in the order of print; a row an instance.
    is_empty : ndarray of bool, shape (n_instances,)
        Whether there is nothing to count in the peer of an instance, or in one of its models.
    notices : Notices
    """

    counts: list[Counts]
    is_empty: NDArray[np.bool_]
    notices: Notices


def count_portion(portion: Portion, options: Options, tokenizer: Tokenizer) -> CountedPortion:
    """Count the hits of every instance of a portion; raises InputError."""
    counted = [_count_block(block, options, tokenizer) for block in portion.blocks()]
    return CountedPortion(
        [joined_counts(pieces) for pieces in zip(*(one.counts for one in counted), strict=True)],
        np.concatenate([one.is_empty for one in counted]),
        sum((one.notices for one in counted), start=Notices()),
    )


def _count_block(block: Block, options: Options, tokenizer: Tokenizer) -> CountedPortion:
    """Count the hits of every instance of a block."""
    texts = BlockTexts(block.texts, options, tokenizer)
    pieces = [
        _count_instances(Readings(texts, pairs, options), options)
        for pairs in block.pairs.pieces(texts.text_bytes)
    ]
    empty_texts = texts.empty_texts()
    return CountedPortion(
        [joined_counts(counts) for counts in zip(*pieces, strict=True)],
        block.pairs.with_any(empty_texts),
        notices_of(block, empty_texts, options.texts.empty, tokenizer),
    )


def _count_instances(readings: Readings, options: Options) -> list[Counts]:
    """Count the hits of the instances of some pairs, metric by metric."""
    pair_counts: list[Counts] = []
    for family in options.metrics.metric_families:
        pair_counts += COUNTERS[family](readings, options)
    return [
        _over_models(counts, metric, readings.pairs, options)
        for counts, metric in zip(pair_counts, metrics_of(options), strict=True)
    ]


def _over_models(counts: Counts, metric: Metric, pairs: Pairs, options: Options) -> Counts:
    """Go from pairs to instances by the formula that is asked for."""
    if options.scores.formula == SUM_OF_COUNTS:
        return sum_models(counts, pairs.starts)
    if options.scores.formula == BEST_F:
        return best_f_model(counts, pairs.starts, options.scores.alpha.value, metric.weight)
    is_rounded = metric.family not in {"L", "P", "W"}
    return best_model(counts, pairs.starts, weight=metric.weight, is_rounded=is_rounded)


def _ngrams(readings: Readings, options: Options) -> list[Counts]:
    """Count for ROUGE-N."""
    return count_ngrams(readings.matches("N"), options.metrics.max_ngram or 0)


def _lcs(readings: Readings, options: Options) -> list[Counts]:
    """Count for ROUGE-L."""
    return [count_lcs(readings.matches("L"), readings.tables("L"), readings.walked("L"))]


def _pairwise_lcs(readings: Readings, options: Options) -> list[Counts]:
    """Count for the normalised pairwise LCS."""
    return [count_pairwise_lcs(readings.matches("P"), readings.walked("P"))]


def _wlcs(readings: Readings, options: Options) -> list[Counts]:
    """Count for ROUGE-W."""
    if options.metrics.weight is None:
        return []
    matches, tables, walked = readings.matches("W"), readings.tables("W"), readings.walked("W")
    is_whole = options.metrics.weight.text.isdecimal()
    return [count_wlcs(matches, tables, walked, options.metrics.weight.value, is_whole=is_whole)]


def _skip_bigrams(readings: Readings, options: Options) -> list[Counts]:
    """Count for ROUGE-S and ROUGE-SU."""
    if options.metrics.max_gap is None:
        return []
    max_gap = int(options.metrics.max_gap.value)
    return count_skip_bigrams(readings.matches("S"), max_gap, options.metrics.skip_variants)


def _basic_elements(readings: Readings, options: Options) -> list[Counts]:
    """Count for ROUGE-BE."""
    texts, pairs, mode = readings.texts, readings.pairs, options.metrics.basic_elements or ""
    peer_stem, model_stem = readings.stems("BE")
    peers = [element_units(texts.elements[k], mode, peer_stem) for k in pairs.peers.tolist()]
    models = [element_units(texts.elements[k], mode, model_stem) for k in pairs.models.tolist()]
    return [count_basic_elements(peers, models)]


COUNTERS: dict[str, Callable[[Readings, Options], list[Counts]]] = {
    "N": _ngrams,
    "L": _lcs,
    "P": _pairwise_lcs,
    "W": _wlcs,
    "S": _skip_bigrams,
    "BE": _basic_elements,
}
