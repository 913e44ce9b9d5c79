"""A metric for mbrs: `MetricROUGE`. Importing this module registers it as ``rouge``.

It needs the packages mbrs and torch. Source: the documentation of ``mbrs.metrics``; tried with mbrs
0.1.8 and torch 2.13.0.
"""

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np
import torch
from mbrs.metrics import Metric, register

from rouge_cli.bulk.metric import DEFAULT
from rouge_cli.bulk.pairs import pairwise
from rouge_cli.bulk.scorer import MetricScorer
from rouge_cli.quick_dataclass import dataclass

__all__ = ["MetricROUGE"]


@register("rouge")
class MetricROUGE(Metric):  # type: ignore[misc]
    """A measure of ROUGE as the utility of minimum Bayes risk decoding.

    `pairwise_scores` scores all hypotheses against all references at once. Tensors have the type
    float32, like those of the metrics in mbrs. Raises OptionError for an unknown metric or option,
    or an invalid value.
    """

    HIGHER_IS_BETTER = True

    @dataclass()
    class Config(Metric.Config):  # type: ignore[misc]
        """Arguments of `rouge_cli.bulk.pairwise`, with options such as ``{"stem": True}``."""

        metric: str = DEFAULT
        options: dict[str, Any] = field(default_factory=dict)

    def __init__(self, cfg: "MetricROUGE.Config") -> None:
        super().__init__(cfg)
        self._score = MetricScorer(cfg.metric, cfg.options)

    def score(self, hypothesis: str, reference: str, source: str | None = None) -> float:
        """Return the score of a hypothesis against a reference."""
        return float(self._score([hypothesis], [reference])[0])

    def scores(
        self, hypotheses: list[str], references: list[str], sources: list[str] | None = None
    ) -> torch.Tensor:
        """Return the score of each hypothesis against its reference; shape (n,)."""
        return _tensor(self._score(hypotheses, references))

    def pairwise_scores(
        self, hypotheses: list[str], references: list[str], source: str | None = None
    ) -> torch.Tensor:
        """Return the scores of all hypotheses against all references; (n, n_references)."""
        cfg = self.cfg
        return _tensor(pairwise(hypotheses, references, metric=cfg.metric, **cfg.options))

    def corpus_score(
        self,
        hypotheses: list[str],
        references_lists: Sequence[list[str]],
        sources: list[str] | None = None,
    ) -> float:
        """Return the mean over hypotheses; each list has one reference of every hypothesis."""
        return float(self._score(hypotheses, list(zip(*references_lists, strict=True))).mean())


def _tensor(scores: np.ndarray[Any, np.dtype[np.float64]]) -> torch.Tensor:
    return torch.from_numpy(scores.astype(np.float32))
