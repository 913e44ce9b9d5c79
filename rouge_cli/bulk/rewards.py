"""Rewards for reinforcement learning: one score of each completion."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.bulk.metric import DEFAULT, EXPECTED, metric_options
from rouge_cli.bulk.scorer import Scorer
from rouge_cli.errors import InputError, OptionError
from rouge_cli.options.scores import SINGLE_MEASURE, named_metric, named_score

LETTERS = "RPF"

Score = Callable[[Sequence[Any], Sequence[Any]], NDArray[np.float64]]


def metric_scorer(metric: str, options: Mapping[str, Any]) -> Score:
    """Return a function from predictions and their references to the scores in one measure.

    Threads take turns. Raises OptionError and InputError.
    """
    try:
        wanted = named_score(metric)
    except ValueError:
        raise OptionError(f"metric: found {metric!r}, expected {EXPECTED}") from None
    more = {}
    if options.get("protocol") is None:
        more = metric_options(wanted.metric, options.get("lcs_unit") or "sentence")
    scorer = Scorer(**{**options, **more})
    # Of n-grams the last order is meant, and under lcs_unit="text" ROUGE-L is ROUGE-L-text.
    last = None if options.get("protocol") else scorer.metrics[-1]
    name = named_metric(wanted.metric, scorer.metrics) or last
    letters = f"{LETTERS}{SINGLE_MEASURE}" if options.get("protocol") else LETTERS
    if name is None or wanted.measure not in letters:
        known = ", ".join(f"{known}:F" for known in scorer.metrics)
        raise OptionError(f"metric: found {metric!r}, expected {known}")
    # S, which is not among the letters, is in the last column.
    return partial(_column, scorer, Lock(), name, LETTERS.find(wanted.measure))


def _column(
    scorer: Scorer,
    lock: Lock,
    name: str,
    column: int,
    predictions: Sequence[Any],
    references: Sequence[Any],
) -> NDArray[np.float64]:
    with lock:
        return scorer.score(predictions, references)[name][:, column]


def completion_text(completion: Any) -> Any:
    """Return the text of a completion: a string, or messages, the last of which has it."""
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Sequence) and completion and isinstance(completion[-1], Mapping):
        content = completion[-1].get("content")
        if isinstance(content, Sequence) and not isinstance(content, str):
            return "".join(part.get("text") or "" for part in content if isinstance(part, Mapping))
        return content
    return None


def given_references(references: Any) -> list[str]:
    """Return the references of a completion as a list, empty if there are none."""
    if hasattr(references, "tolist"):
        references = references.tolist()
    if isinstance(references, str):
        return [references]
    if not isinstance(references, Sequence):
        return []
    return [text for text in references if isinstance(text, str)]


class Reward:
    """A reward function of TRL, see `reward`."""

    def __init__(self, metric: str, column: str, options: Mapping[str, Any]) -> None:
        self.__name__ = metric
        self._column = column
        self._score = metric_scorer(metric, options)

    def __call__(
        self, *, completions: Sequence[Any], prompts: Any = None, **columns: Any
    ) -> list[float | None]:
        """Return the score of each completion; None where it has no reference.

        Raises InputError if there is no such column, or a completion is no text.
        """
        if self._column not in columns:
            known = ", ".join(columns) or "none"
            raise InputError(f"reward: no column {self._column!r}; columns are: {known}")
        references = list(map(given_references, columns[self._column]))
        texts = list(map(completion_text, completions))
        if len(texts) != len(references):
            raise InputError(
                f"{len(texts)} completions but {len(references)} references; expected one for each"
            )
        if wrong := [str(number) for number, text in enumerate(texts) if text is None]:
            raise InputError(
                f"completions: no text at {', '.join(wrong)}; expected strings, or lists of "
                "messages with content"
            )
        return filled(self._score, texts, references, None)


def filled(
    score: Score, texts: Sequence[Any], references: Sequence[Sequence[str]], missing: Any
) -> list[Any]:
    """Return the score of each text as a float of Python; `missing` where it has no reference."""
    scored = [number for number, given in enumerate(references) if given]
    rewards = [missing] * len(texts)
    if scored:
        scores = score([texts[k] for k in scored], [references[k] for k in scored])
        for number, value in zip(scored, scores.tolist(), strict=True):
            rewards[number] = value
    return rewards


def reward(metric: str = DEFAULT, column: str = "reference", **options: Any) -> Reward:
    """Make a reward function for TRL.

    Parameters
    ----------
    metric : str
        Such as ``"ROUGE-2:F"``; under a protocol the package's name, such as ``"rougeL:F"``.
    column : str
        The column of the data set with the reference, or a list of several.
    **options
        As for `Scorer`.

    Returns
    -------
    Reward
        Called with ``completions``, strings or lists of messages, and the columns of the data set,
        it returns a float for each completion, or None where the reference is missing.

    Raises
    ------
    OptionError, InputError

    Examples
    --------
    >>> from rouge_cli import bulk
    >>> function = bulk.reward("ROUGE-1:F")
    >>> function(completions=["the cat sat", "a dog"], reference=["the cat", None])
    [0.8, None]
    """
    return Reward(metric, column, options)
