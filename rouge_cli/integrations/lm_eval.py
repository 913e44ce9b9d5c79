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

    Parameters
    ----------
    references, predictions : sequence of str
        Those of one document, each in a list, as the harness passes them.
    **options
        Options of `rouge_cli.evaluate`, written next to ``metric:``; by default
        ``preset="paper"``. A newline ends a sentence, which matters to ROUGE-L.

    Raises
    ------
    OptionError, InputError
        As `rouge_cli.evaluate`.
    """
    return mean_scores(framework_results(predictions, references, options))


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return F of each metric, for a document with several targets in the field ``references``.

    The harness itself only tells right from wrong if a document has several targets.

    Raises
    ------
    InputError
        As `rouge_cli.evaluate`, or if there is no such field.
    """
    return rouge([references_of(doc, "references", "document")], results)
