"""A reward function for verl: set ``custom_reward_function.path`` to the path of this file.

`compute_score` serves both the managers that pass one solution at a time and the batch manager. The
``reward_kwargs`` of the configuration are ``metric`` and options of `rouge_cli.Scorer`. This module
does not import verl. Source: verl's documentation of reward functions; tried with verl 0.9.1.

After an exception, verl prints it and continues with rewards of 0, and likewise after numbers that
are not Python's. So the function always returns floats, and a warning says what was wrong.
"""

import warnings
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rouge_cli.bulk.metric import DEFAULT
from rouge_cli.bulk.scorer import MetricScorer, completion_text, filled, given_references
from rouge_cli.errors import RougeError, RougeWarning
from rouge_cli.options.options import OPTIONS

__all__ = ["compute_score"]

MOST_SCORERS = 8


def compute_score(  # noqa: PLR0913 - both signatures are verl's
    data_source: Any = None,
    solution_str: Any = None,
    ground_truth: Any = None,
    extra_info: Any = None,
    *,
    data_sources: Any = None,
    solution_strs: Any = None,
    ground_truths: Any = None,
    extra_infos: Any = None,
    metric: str = DEFAULT,
    **options: Any,
) -> float | list[float]:
    """Return the reward of a solution, or the rewards of a batch.

    A ground truth is a reference, or a list of references. The metric is that of
    `rouge_cli.bulk.reward`, and the options are those of `rouge_cli.Scorer`; sources of data and
    extra information are not used. A reward is 0.0, with a `RougeWarning`, if the reference is
    missing or anything else is wrong.
    """
    if solution_strs is None:
        return _rewards([solution_str], [ground_truth], metric, options)[0]
    solutions = list(solution_strs)
    references = [] if ground_truths is None else list(ground_truths)
    references += [None] * (len(solutions) - len(references))
    return _rewards(solutions, references[: len(solutions)], metric, options)


def _rewards(
    solutions: Sequence[Any], ground_truths: Sequence[Any], metric: str, options: Mapping[str, Any]
) -> list[float]:
    known = {name: value for name, value in options.items() if name in OPTIONS}
    problems = [f"no option {name!r}, which is ignored" for name in options if name not in known]
    texts = list(map(completion_text, solutions))
    references = [
        given_references(given) if text is not None else []
        for text, given in zip(texts, ground_truths, strict=True)
    ]
    n_missing = sum(not given for given in references)
    if n_missing:
        problems.append(
            f"{n_missing} of {len(texts)} solutions have no text or no reference: their reward is 0"
        )
    try:
        rewards = filled(_scorer(metric, known), texts, references, 0.0)
    # verl would turn any exception into rewards of 0, without saying why.
    except Exception as error:
        message = str(error) if isinstance(error, RougeError) else repr(error)
        problems.append(f"all rewards are 0: {message}")
        rewards = [0.0] * len(texts)
    if problems:
        warnings.warn(f"verl: {'; '.join(problems)}", RougeWarning, stacklevel=3)
    return rewards


def _scorer(metric: str, options: Mapping[str, Any]) -> MetricScorer:
    # Cached, since a scorer remembers the references that it has read.
    try:
        return _kept_scorer(metric, tuple(sorted(options.items())))
    except TypeError:
        # The value of an option has no hash.
        return MetricScorer(metric, options)


_kept_scorer = lru_cache(MOST_SCORERS)(lambda metric, options: MetricScorer(metric, dict(options)))
