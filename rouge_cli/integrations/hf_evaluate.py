"""A metric for Hugging Face's ``evaluate``, which loads it by the path of this file.

Load it with ``evaluate.load(hf_evaluate.__file__)``. It needs the packages evaluate and datasets.
Source: the documentation of ``evaluate.Metric``; tried with evaluate 0.4.6.
"""

from typing import Any

import datasets
import evaluate

from rouge_cli.integrations import framework_results, mean_scores

__all__ = ["HuggingFaceRouge"]

_TEXT = datasets.Value("string")


class HuggingFaceRouge(evaluate.Metric):  # type: ignore[misc]
    """Scores of ROUGE-1.5.5 or of another package, with all options of `rouge_cli.evaluate`."""

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
        """Return F of each metric; afterwards, `results` has the signature and the other measures.

        The default is ``preset="paper"``. ``resamples=1000`` adds the bounds of intervals.
        """
        self.results = framework_results(predictions, references, options)
        return mean_scores(self.results)
