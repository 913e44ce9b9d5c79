"""A metric for DeepEval: `RougeMetric` is a ``BaseMetric``, for ``evaluate`` and ``assert_test``.

Needs the package deepeval. Source: its documentation of custom metrics; tried with 4.3.1.
"""

from collections.abc import Mapping
from typing import Any

from deepeval.metrics import BaseMetric

from rouge_cli.integrations import checked_metric, framework_results
from rouge_cli.options.scores import MEASURE_NAMES

__all__ = ["RougeMetric"]


class RougeMetric(BaseMetric):  # type: ignore[misc]
    """A score of ROUGE-1.5.5 of the actual output against the expected one.

    Use it as in ``evaluate(test_cases, [RougeMetric("ROUGE-2", threshold=0.2)])``. The metric is
    such as ``"ROUGE-2"`` for F, or ``"ROUGE-2:R"`` for recall; with a protocol, a name that the
    package prints. A test case with a score below the threshold, from 0 to 1, fails. The options
    are those of `rouge_cli.score`; by default ``preset="paper"``. A newline ends a sentence, which
    matters to ROUGE-L. Raises OptionError for an unknown metric or option, or an invalid value.
    """

    def __init__(
        self,
        metric: str = "ROUGE-2",
        threshold: float = 0.2,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        # DeepEval copies a metric by the attributes that have the names of its parameters.
        self.metric, self.threshold, self.options = metric, threshold, dict(options or {})
        self._scored, self._letter = checked_metric(self.options, metric)

    def measure(self, test_case: Any, *args: Any, **kwargs: Any) -> float:
        """Score a test case, and store score, reason and success."""
        results = framework_results(
            [test_case.actual_output], [test_case.expected_output], self.options
        )
        measures = results[self._scored.name].measures
        self.score_breakdown = {
            MEASURE_NAMES[letter]: float(measure.mean) for letter, measure in measures.items()
        }
        self.score = self.score_breakdown[MEASURE_NAMES[self._letter]]
        parts = (f"{name} {value:.5f}" for name, value in self.score_breakdown.items())
        self.reason = f"{', '.join(parts)}; {results.signature}"
        is_low, is_high = self.score <= self.threshold, self.score >= self.threshold
        self.success = is_low if self._scored.is_lower_better else is_high
        return self.score

    async def a_measure(self, test_case: Any, *args: Any, **kwargs: Any) -> float:
        """Score a test case by calling `measure`; nothing is awaited."""
        return self.measure(test_case)

    @property
    def __name__(self) -> str:
        """The name of the metric in DeepEval's reports."""
        return f"{self._scored.name} {MEASURE_NAMES[self._letter]}"
