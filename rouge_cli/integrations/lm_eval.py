"""A metric for lm-evaluation-harness, which the YAML file of a task names.

``metric: !function rouge_cli.integrations.lm_eval.rouge``. It imports nothing of lm_eval, which is
loaded already where it is called. Source: its guide to tasks; tried with lm_eval 0.4.13.
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
        As the harness gives them: of one document, each in a list.
    **options
        Options of `rouge_cli.evaluate`, from beside ``metric:``; without any those of
        ``preset="paper"``. A newline in a text ends a sentence, on which ROUGE-L depends.

    Raises
    ------
    OptionError, InputError
        As `rouge_cli.evaluate`.
    """
    return mean_scores(framework_results(predictions, references, options))


def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Return what `rouge` does, for a document with several targets in its field ``references``.

    The harness itself takes a document with several targets for right or wrong.

    Raises
    ------
    InputError
        As `rouge_cli.evaluate`, or if there is no such field.
    """
    return rouge([references_of(doc, "references", "document")], results)
