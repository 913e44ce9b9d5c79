"""From a block of texts to the scores of each of its instances, metric by metric.

Source: specification, section 5.
"""

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.inputs.blocks import Block, Portion
from rouge_cli.metrics.counts import InstanceScores, joined_scores
from rouge_cli.metrics.metric import Metric, metrics_of
from rouge_cli.metrics.paired_texts import PairedTexts
from rouge_cli.options.every import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.block_texts import BlockTexts
from rouge_cli.scoring.lone_pair import LonePair
from rouge_cli.scoring.text_findings import TextFindings, find_in_texts
from rouge_cli.text.reading import TextDecodeError
from rouge_cli.text.tokenizer import Tokenizer

__all__ = ["ScoredPortion", "joined_portions", "read_block", "score_portion"]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPortion:
    """The scores of a portion.

    Parameters
    ----------
    scores : list of InstanceScores
        One for each metric, in the order of print.
    is_empty : ndarray of bool, shape (n_instances,)
        Whether there is nothing to count in the peer of an instance, or in one of its models.
    n_models : frozenset of int
        All numbers of models that instances have.
    model_keys : ndarray of uint64, shape (n_instances,) or (0,)
        The same for instances that have the same models, and hardly ever for others; empty where
        nobody asks.
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

    Parameters
    ----------
    has_keys : bool
        Whether `ScoredPortion.model_keys` is wanted.
    """
    return joined_portions(
        [_score_block(block, options, tokenizer, has_keys) for block in portion.blocks()]
    )


def joined_portions(scored: Sequence[ScoredPortion]) -> ScoredPortion:
    """Put the scores of portions, or of the blocks of one, together in their order."""
    if len(scored) == 1:
        return scored[0]
    return ScoredPortion(
        [joined_scores(pieces) for pieces in zip(*(one.scores for one in scored), strict=True)],
        np.concatenate([one.is_empty for one in scored]),
        sum((one.findings for one in scored), start=TextFindings()),
        frozenset().union(*(one.n_models for one in scored)),
        np.concatenate([one.model_keys for one in scored]),
    )


def _score_block(
    block: Block, options: Options, tokenizer: Tokenizer, has_keys: bool
) -> ScoredPortion:
    """Score every instance of a block."""
    scores, empty_texts = _scores_of(block, options, tokenizer)
    return ScoredPortion(
        scores,
        block.pairs.with_any(empty_texts),
        find_in_texts(block, empty_texts, options.texts.empty, tokenizer),
        block.pairs.n_models,
        _model_keys(block) if has_keys else np.zeros(0, np.uint64),
    )


def _scores_of(
    block: Block, options: Options, tokenizer: Tokenizer
) -> tuple[list[InstanceScores], list[int]]:
    """Return the scores of a block, and the texts in which there is nothing to count."""
    metrics = metrics_of(options.metrics)
    if (lone := LonePair.of(block, tokenizer)) is not None:
        scores = lone.score(metrics, options.scores)
        if scores is not None:
            return scores, lone.empty_texts
    texts = read_block(block, metrics, tokenizer)
    pieces = []
    for pairs in block.pairs.pieces(texts.text_bytes):
        paired = PairedTexts(texts, pairs.peers, pairs.models, pairs.starts, options.texts)
        pieces.append([one for metric in metrics for one in metric.score(paired, options.scores)])
    return [joined_scores(scores) for scores in zip(*pieces, strict=True)], texts.empty_texts()


def read_block(block: Block, metrics: Sequence[Metric], tokenizer: Tokenizer) -> BlockTexts:
    """Read the texts of a block as the metrics want them; raises InputError."""
    try:
        return BlockTexts(block, [metric.reading for metric in metrics], tokenizer)
    except TextDecodeError as error:
        raise InputError(_undecodable(block, error)) from None


def _model_keys(block: Block) -> NDArray[np.uint64]:
    """Return a number for the models of each instance, whatever their order."""
    models, places = np.unique(block.pairs.models, return_inverse=True)
    sums = np.array([crc32(block.texts[model]) for model in models.tolist()], np.uint64)
    return np.add.reduceat(sums[places], block.pairs.starts)


def _undecodable(block: Block, error: TextDecodeError) -> str:
    """Say which byte of which text is not UTF-8, by its place in the file if it has one."""
    if block.content is not None:
        try:
            block.content(error.text).decode()
        except UnicodeDecodeError as found:
            byte = found.object[found.start]
            return f"{block.describe(error.text)}: {TextDecodeError(error.text, found.start, byte)}"
    return f"{block.describe(error.text)}: {error}"
