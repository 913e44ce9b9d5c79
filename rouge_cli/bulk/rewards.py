"""Rewards for reinforcement learning: one score for each completion."""

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.bulk.metric import DEFAULT, EXPECTED, metric_options
from rouge_cli.bulk.scorer import Scorer
from rouge_cli.errors import InputError, OptionError
from rouge_cli.options.scores import SINGLE_MEASURE, named_metric, named_score

LETTERS = "RPF"


class MetricScorer:
    """Scores predictions in one measure, and remembers the references that it has read.

    Parameters
    ----------
    metric : str
        As for `reward`.
    options : mapping
        The options of `Scorer`.

    Raises
    ------
    OptionError, InputError
    """

    def __init__(self, metric: str, options: Mapping[str, Any]) -> None:
        try:
            wanted = named_score(metric)
        except ValueError:
            raise OptionError(f"metric: found {metric!r}, expected {EXPECTED}") from None
        is_protocol = options.get("protocol") is not None
        more: dict[str, Any] = {}
        if not is_protocol:
            more = metric_options(wanted.metric, options.get("lcs_unit") or "sentence")
        self._scorer, self._lock = Scorer(**{**options, **more}), Lock()
        names = self._scorer.metrics
        name = named_metric(wanted.metric, names)
        if name is None and not is_protocol:
            # Of the orders of n-grams the last is meant, and ROUGE-L may be ROUGE-L-text.
            name = names[-1]
        if name is None or wanted.measure not in (LETTERS + SINGLE_MEASURE * is_protocol):
            known = ", ".join(f"{known}:F" for known in names)
            raise OptionError(f"metric: found {metric!r}, expected {known}")
        # The measure is the last column.
        self._name, self._column = name, LETTERS.find(wanted.measure)

    def __call__(
        self, predictions: Sequence[Any], references: Sequence[Any]
    ) -> NDArray[np.float64]:
        """Return the score of each prediction, shape (n,); threads take turns."""
        with self._lock:
            return self._scorer.score(predictions, references)[self._name][:, self._column]


def completion_text(completion: Any) -> Any:
    """Return the text of a completion: a string, or the last of its messages."""
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
        self._score = MetricScorer(metric, options)

    def __call__(
        self, *, completions: Sequence[Any], prompts: Any = None, **columns: Any
    ) -> list[float | None]:
        """Return the score of each completion, or None if it has no reference.

        Raises InputError if the column is missing, or a completion is not a text.
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
    score: MetricScorer, texts: Sequence[Any], references: Sequence[Sequence[str]], missing: Any
) -> list[Any]:
    """Return the scores as Python floats, and `missing` for a text without a reference."""
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
        A name such as ``"ROUGE-2:F"``; with a protocol the package's own, such as ``"rougeL:F"``.
    column : str
        The column of the data set that holds the reference, or a list of them.
    **options
        As for `Scorer`.

    Returns
    -------
    Reward
        Called with ``completions``, strings or lists of messages, and the columns of the data set,
        it returns a float for each completion, or None if its reference is missing.

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
