"""The interface of ``rouge_score`` with its own defaults and signatures.

A program that imports ``rouge_score`` after `rouge_cli.compat.install` gets these: with the numbers
of the package or, after ``install(like="1.5.5")``, those of `Original`. The classes can be imported
from here, so that processes without an installation can unpickle their objects.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from rouge_cli.compat import rouge_scorer, scoring
from rouge_cli.compat.scoring import GOOGLE, ORIGINAL
from rouge_cli.compat.tokenizers import DefaultTokenizer

__all__ = ["BootstrapAggregator", "Original", "RougeScorer", "tokenize"]

LONGEST_KEPT = 3
"""Length of the longest tokens that `tokenize` does not stem."""


class RougeScorer(rouge_scorer.RougeScorer):
    """Scores texts as ``rouge_score`` does: `rouge_cli.compat.rouge_scorer.RougeScorer`."""

    __slots__ = ("__dict__",)
    LIKE = GOOGLE

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        super().__init__(rouge_types, use_stemmer, split_summaries, tokenizer, self.LIKE)


class BootstrapAggregator(scoring.BootstrapAggregator):
    """Averages scores as ``rouge_score`` does: `rouge_cli.compat.scoring.BootstrapAggregator`."""

    __slots__ = ("__dict__",)
    LIKE = GOOGLE

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000) -> None:
        super().__init__(confidence_interval, n_samples, self.LIKE)


_Scorer: TypeAlias = RougeScorer
_Aggregator: TypeAlias = BootstrapAggregator


class Original:
    """The classes with the numbers of ROUGE-1.5.5, under the names that programs import."""

    class RougeScorer(_Scorer):
        """Scores texts as ROUGE-1.5.5 does."""

        __slots__ = ()
        LIKE = ORIGINAL

    class BootstrapAggregator(_Aggregator):
        """Averages scores as ROUGE-1.5.5 does."""

        __slots__ = ()
        LIKE = ORIGINAL


def tokenize(text: str, stemmer: Any) -> list[str]:
    """Return the tokens of a text; the method ``stem`` of a stemmer stems the longer ones.

    Without stems the stemmer is None. Raises TypeError if the text is not a string.
    """
    tokens = DefaultTokenizer().tokenize(text)
    if stemmer is None:
        return tokens
    return [stemmer.stem(token) if len(token) > LONGEST_KEPT else token for token in tokens]
