"""A metric for lm-evaluation-harness.

The YAML file of a task names it: ``metric: !function rouge_cli.integrations.lm_eval.rouge``. This
module does not import lm_eval. Source: its guide to tasks; tried with lm_eval 0.4.13.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rouge_cli.integrations import framework_results, mean_scores, references_of

__all__ = ["process_results", "rouge"]


def rouge(
    references: Sequence[str | Sequence[str]], predictions: Sequence[str], **options: Any
) -> dict[str, float]:
    """Return F of each metric for a document with one target.

    The harness passes two lists, with the reference and with the prediction of the document. The
    options, which are written next to ``metric:``, are those of `rouge_cli.evaluate`; by default
    ``preset="paper"``. A newline ends a sentence, which matters to ROUGE-L. Raises OptionError and
    InputError.
    """
    return mean_scores(framework_results(predictions, references, options))


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return F of each metric for a document with several targets in the field ``references``.

    For several targets, the harness itself can only say whether one matches. Raises InputError, for
    instance if the field is missing.
    """
    return rouge([references_of(doc, "references", "document")], results)
