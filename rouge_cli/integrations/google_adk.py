"""A metric for Google ADK: `rouge`, which an eval config names.

It needs the package google-adk. Source: its documentation of custom metrics; tried with 2.13.0.
"""

from collections.abc import Sequence
from typing import Any

from google.adk.evaluation.eval_case import Invocation
from google.adk.evaluation.eval_metrics import EvalMetric, EvalStatus
from google.adk.evaluation.evaluator import EvaluationResult, PerInvocationResult

from rouge_cli.errors import InputError
from rouge_cli.integrations import checked_metric, framework_results

__all__ = ["rouge"]

DEFAULTS = {"max_ngram": 2, "tokenizer": "unicode", "stemmer": "porter155"}
"""Options that read words in any script, and stem English words as ROUGE-1.5.5 does."""


def rouge(
    eval_metric: EvalMetric,
    actual_invocations: Sequence[Invocation],
    expected_invocations: Sequence[Invocation] | None,
    conversation_scenario: Any = None,
) -> EvaluationResult:
    """Score the final responses of an agent turn by turn. The overall score is the mean.

    The keys of the criterion are ``threshold``; ``metric``, such as ``ROUGE-2`` or ``ROUGE-1:R``,
    by default ``ROUGE-1``; and options of `rouge_cli.score`, by default `DEFAULTS`. The scenario is
    not used, since it has no expected responses. Raises OptionError for an unknown metric or
    option, and InputError for turns that lack an expected turn.
    """
    if expected_invocations is None or len(expected_invocations) != len(actual_invocations):
        raise InputError("rouge: found turns without expected ones, which are its references")
    criterion = eval_metric.criterion
    options = {} if criterion is None else criterion.model_dump(exclude_defaults=True)
    threshold = options.pop("threshold", eval_metric.threshold)
    name, options = options.pop("metric", "ROUGE-1"), options or DEFAULTS
    metric, letter = checked_metric(options, name)
    predictions, references = map(_text, actual_invocations), map(_text, expected_invocations)
    results = framework_results(predictions, references, options)
    measure = results[metric.name].measures[letter]

    def status(score: float) -> EvalStatus:
        is_met = score <= threshold if metric.is_lower_better else score >= threshold
        return EvalStatus.PASSED if is_met else EvalStatus.FAILED

    scores = measure.per_eval.tolist()
    turns = [
        PerInvocationResult(
            actual_invocation=actual,
            expected_invocation=expected,
            score=score,
            eval_status=status(score),
        )
        for actual, expected, score in zip(
            actual_invocations, expected_invocations, scores, strict=True
        )
    ]
    return EvaluationResult(
        overall_score=measure.mean,
        overall_eval_status=status(measure.mean),
        per_invocation_results=turns,
    )


def _text(turn: Invocation) -> str:
    parts = (turn.final_response and turn.final_response.parts) or []
    return "\n".join(part.text for part in parts if part.text and not part.thought)
