"""A block of one small pair, as programs have it that score pair by pair: counted without arrays.

The columns and kernels of a block cost some 2 ms however little there is in it.
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from rouge_cli.core.choice import compiled_core
from rouge_cli.inputs.blocks import Block
from rouge_cli.metrics.compiled import CompiledPair
from rouge_cli.metrics.counts import Counts, InstanceScores
from rouge_cli.metrics.metric import Metric
from rouge_cli.metrics.ratios import score_pair
from rouge_cli.metrics.single_pair import PairCounts, PairOfTexts, SinglePair, TextTokens
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.text.compiled import ReadPair
from rouge_cli.text.tokenizer import Tokenizer

__all__ = ["LonePair"]


class LonePair:
    """The only pair of a block.

    Parameters
    ----------
    empty_texts : list of int
        The texts of the block without tokens.
    """

    __slots__ = ("_pair", "empty_texts")

    def __init__(self, pair: SinglePair, empty_texts: list[int]) -> None:
        self._pair = pair
        self.empty_texts = empty_texts

    @classmethod
    def of(cls, block: Block, tokenizer: Tokenizer) -> "LonePair | None":
        """Return the pair of a block; None if it has several, or one that is large."""
        if block.pairs.peers.size != 1:
            return None
        peer, model = int(block.pairs.peers[0]), int(block.pairs.models[0])
        texts = block.texts
        core = compiled_core()

        def read(as_one_sentence: bool) -> ReadPair | None:
            return tokenizer.read_pair(
                core, texts[peer], texts[model], as_one_sentence=as_one_sentence
            )

        compiled = None if core is None else CompiledPair.of(core, read)
        if compiled is not None:
            found = zip((peer, model), compiled.has_tokens, strict=True)
            return cls(compiled, sorted({text for text, has_tokens in found if not has_tokens}))
        by_sentence = tokenizer.split(texts)
        if by_sentence is None:
            return None
        split = [
            TextTokens(list(filter(None, sentences)), list(chain.from_iterable(sentences)))
            for sentences in by_sentence
        ]
        pair = PairOfTexts(split[model], split[peer])
        if not pair.is_small(by_sentence=True):
            return None
        return cls(pair, [number for number, text in enumerate(split) if not text.whole])

    def score(
        self, metrics: Sequence[Metric], options: ScoreOptions
    ) -> list[InstanceScores] | None:
        """Score the pair in each metric; None if one of them needs arrays."""
        found: list[PairCounts] = []
        for metric in metrics:
            counts = metric.count_pair(self._pair)
            if counts is None:
                return None
            found += counts
        alpha = options.alpha.value
        # A row for each metric, in it a row for each measure or count, of one instance.
        values = np.array([score_pair(*counts, alpha) for counts in found])[:, :, np.newaxis]
        counted = np.array(found, np.int64)[:, :, np.newaxis]
        return [
            InstanceScores(of_metric, Counts(*counts))
            for of_metric, counts in zip(values, counted, strict=True)
        ]
