"""A metric for lm-evaluation-harness, to be named in the YAML file of a task.

``metric: !function rouge_cli.integrations.lm_eval.rouge``. It does not import lm_eval. Source: its
guide to tasks; tried with lm_eval 0.4.13.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rouge_cli.integrations import framework_results, mean_scores, references_of

__all__ = ["process_results", "rouge"]


def rouge(
    references: Sequence[str | Sequence[str]], predictions: Sequence[str], **options: Any
) -> dict[str, float]:
    """Return F of each metric, for a document with one target.

    The harness passes the reference and the prediction of the document in a list each. The options,
    written next to ``metric:``, are those of `rouge_cli.evaluate`; by default ``preset="paper"``. A
    newline ends a sentence, which matters to ROUGE-L. Raises OptionError and InputError.
    """
    return mean_scores(framework_results(predictions, references, options))


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return F of each metric, for a document with several targets in the field ``references``.

    With several targets, the harness itself only tells right from wrong. Raises InputError, also if
    there is no such field.
    """
    return rouge([references_of(doc, "references", "document")], results)
