"""A metric for Hugging Face's ``evaluate``, which loads it by the path of this file.

``evaluate.load(hf_evaluate.__file__)``. Needs the packages evaluate and datasets. Source: the
documentation of ``evaluate.Metric``; tried with evaluate 0.4.6.
"""

from typing import Any

import datasets
import evaluate

from rouge_cli.integrations import framework_results, mean_scores

__all__ = ["HuggingFaceRouge"]

_TEXT = datasets.Value("string")


class HuggingFaceRouge(evaluate.Metric):  # type: ignore[misc]
    """ROUGE-1.5.5, or another package's numbers, with all options of `rouge_cli.evaluate`."""

    def _info(self) -> Any:
        return evaluate.MetricInfo(
            description="ROUGE as ROUGE-1.5.5 computes it.",
            citation="Chin-Yew Lin. 2004. ROUGE: A Package for Automatic Evaluation of Summaries.",
            features=[
                datasets.Features({"predictions": _TEXT, "references": datasets.Sequence(_TEXT)}),
                datasets.Features({"predictions": _TEXT, "references": _TEXT}),
            ],
        )

    def _compute(
        self, predictions: list[str], references: list[Any], **options: Any
    ) -> dict[str, float]:
        """Return F of each metric; `results` has the signature and the other measures.

        The default is ``preset="paper"``. With ``resamples=1000``, the bounds of intervals are
        returned, too.
        """
        self.results = framework_results(predictions, references, options)
        return mean_scores(self.results)
