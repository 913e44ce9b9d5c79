"""A scorer for Inspect: `rouge`, which Inspect calls ``rouge_cli/rouge``.

It needs the package inspect-ai, which loads this module by the entry point ``inspect_ai``. Source:
its documentation of custom scorers; tried with 0.3.285.
"""

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from rouge_cli.integrations import checked_metric, framework_results, mean_scores

__all__ = ["rouge"]


@scorer(metrics={"*": [mean(), stderr()]})  # type: ignore[untyped-decorator]
def rouge(**options: Any) -> Scorer:
    """Return a scorer that computes F of each metric, with all targets of a sample as references.

    The options are those of `rouge_cli.score`; by default ``preset="paper"``. A newline ends a
    sentence, which matters to ROUGE-L. The metadata of each score contain the signature. Raises
    OptionError for an unknown option or an invalid value.
    """
    checked_metric(options)

    async def score(state: TaskState, target: Target) -> Score:
        results = framework_results([state.output.completion], [list(target)], options)
        return Score(
            value=mean_scores(results),
            answer=state.output.completion,
            metadata={"signature": results.signature},
        )

    return score
