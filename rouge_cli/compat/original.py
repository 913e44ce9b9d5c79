"""The interface of ``rouge_score`` with the numbers of ROUGE-1.5.5 by default.

A program that imports ``rouge_score`` after ``install(like="1.5.5")`` gets these.
"""

from collections.abc import Sequence
from typing import Any

from rouge_cli.compat import rouge_scorer, scoring
from rouge_cli.compat.scoring import ORIGINAL

__all__ = ["BootstrapAggregator", "RougeScorer"]


class RougeScorer(rouge_scorer.RougeScorer):
    """Scores texts as ROUGE-1.5.5 does; see `rouge_cli.compat.rouge_scorer.RougeScorer`."""

    __slots__ = ()

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        super().__init__(rouge_types, use_stemmer, split_summaries, tokenizer, ORIGINAL)


class BootstrapAggregator(scoring.BootstrapAggregator):
    """Averages scores as ROUGE-1.5.5 does; see `rouge_cli.compat.scoring`."""

    __slots__ = ()

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000) -> None:
        super().__init__(confidence_interval, n_samples, ORIGINAL)
