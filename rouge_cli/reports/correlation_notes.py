"""What stands below the correlations: what was drawn, what the marks mean, what was dropped."""

from collections.abc import Iterator
from math import isnan

from rouge_cli.statistics.correlation_records import CorrelationStudy
from rouge_cli.statistics.metric_tests import FEWEST_SYSTEMS

__all__ = ["correlation_notes", "shown_signatures"]

RESAMPLED_NAMES = {"evals": "EVALs", "systems": "systems", "both": "systems and EVALs"}

CONDITION_NOTES = {
    "as-is": "CASE: texts as they are.",
    "stem": "STEM: stemmed.",
    "stop": "STOP: without stopwords.",
    "stem+stop": "BOTH: stemmed, without stopwords.",
    "one": "1 model: only the first one of each EVAL.",
}


def correlation_notes(study: CorrelationStudy, best: str, tied: str) -> Iterator[str]:
    """Yield the notes, a paragraph each.

    Parameters
    ----------
    study : CorrelationStudy
    best, tied : str
        What marks the best metric of a column, and one that cannot be told apart from it.
    """
    plan = study.plan
    yield f"{len(study.systems)} systems, {_count(len(study.eval_ids), 'EVAL')}.{_intervals(study)}"
    if not study.is_per_eval:
        yield "One judgement a system: there is no summary level, and nothing to pool."
    if plan.resamples:
        yield (
            f"{best}: the best of its column. {tied}: cannot be told apart from the best (paired "
            f"permutation test, two-sided, p > {plan.significance:.4g}, {plan.resamples} "
            f"resamples, seed {plan.seed})."
        )
    else:
        yield f"{best}: the best of its column. No intervals and no permutation tests: -r 0."
    if study.is_by_condition:
        used = {name for one in study.conditions for name in (one.texts, one.model_set)}
        yield " ".join(text for name, text in CONDITION_NOTES.items() if name in used)
    if plan.tests_pairs:
        yield (
            "diff.: correlation of the first metric less that of the second, with the two-sided p "
            f"of the paired permutation test. {_williams(study)} No p is corrected for the number "
            "of tests."
        )
    yield from _dropped(study)


def shown_signatures(study: CorrelationStudy) -> tuple[str, ...]:
    """Return the signatures of the first condition; the headings say how the others differ."""
    return study.conditions[0].signatures


def _intervals(study: CorrelationStudy) -> str:
    """Say what the intervals are, where they are shown."""
    plan = study.plan
    if not plan.resamples or study.is_by_condition:
        return ""
    return (
        f" In brackets {plan.confidence.text}% intervals: bootstrap over "
        f"{RESAMPLED_NAMES[plan.resampled]}, percentiles of {plan.resamples} resamples, "
        f"seed {plan.seed}."
    )


def _williams(study: CorrelationStudy) -> str:
    """Say where Williams' test is, or why it is not."""
    if len(study.systems) < FEWEST_SYSTEMS:
        return f"Williams' test needs {FEWEST_SYSTEMS} systems."
    return "t: Williams' test, with its two-sided p, for Pearson at the system level."


def _dropped(study: CorrelationStudy) -> Iterator[str]:
    """Say what was dropped, as nothing varied in it."""
    found = [
        one for column in study.columns for one in column.correlations if not isnan(one.value.value)
    ]
    n_evals = max((one.value.n_dropped for one in found), default=0)
    if n_evals:
        yield (
            f"Summary level: up to {_count(n_evals, 'EVAL')} of {len(study.eval_ids)} "
            f"{'is' if n_evals == 1 else 'are'} left out of a mean, as scores or judgements do "
            "not vary there (--report csv counts them)."
        )
    n_resamples = max((one.interval.n_dropped for one in found if one.interval), default=0)
    if n_resamples and not study.is_by_condition:
        yield (
            f"Up to {_count(n_resamples, 'resample')} of {study.plan.resamples} without a "
            f"correlation {'is' if n_resamples == 1 else 'are'} left out of an interval "
            "(--report csv counts them)."
        )


def _count(number: int, what: str) -> str:
    """Say how many there are."""
    return f"{number} {what}{'s' * (number != 1)}"
