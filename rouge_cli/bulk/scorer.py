"""Scorers for programs that score texts repeatedly, and reward functions based on them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rouge_cli.bulk.metric import (
    DEFAULT,
    EXPECTED,
    BothSides,
    Floats,
    Numbers,
    PairNumbers,
    metric_options,
    paired_texts,
    protocol_pairs,
    protocol_scores,
)
from rouge_cli.bulk.texts import (
    BulkTexts,
    TextReader,
    checked_options,
    joined_texts,
    listed,
    normalised,
    warn_about,
)
from rouge_cli.errors import InputError, OptionError
from rouge_cli.metrics.metric import metrics_of, prepared_columns
from rouge_cli.options.options import Options
from rouge_cli.options.scores import SINGLE_MEASURE, named_metric, named_score
from rouge_cli.protocols.counting import ProtocolMeasure, measures_of
from rouge_cli.protocols.protocol import Protocol

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text

# Largest numbers of words of references, and of different words, that are kept. Once either is
# exceeded, all references are forgotten, so that memory stays bounded.
MOST_TOKENS, MOST_TYPES = 1 << 17, 1 << 20


class Scorer:
    """Scores predictions against references, and remembers the references it has read.

    Parameters
    ----------
    **options
        The options of `rouge_cli.evaluate` that determine what is counted and how texts are read.
        The default is ROUGE-1, ROUGE-2 and ROUGE-L with stemming. There is no bootstrap.

    Raises
    ------
    OptionError, InputError
        As `rouge_cli.evaluate`.

    Examples
    --------
    >>> import rouge_cli
    >>> scorer = rouge_cli.Scorer(max_ngram=1)
    >>> scorer.score(["the cat sat"], ["the cat"])["ROUGE-1"].tolist()
    [[1.0, 0.66667, 0.8]]
    """

    def __init__(self, **options: Any) -> None:
        self._options: Options = checked_options(options, "scorer")
        choice = self._options.metrics.protocol
        self._protocol: Protocol | None = None if choice is None else choice.metric.protocol
        self._measures = [] if self._protocol is None else _measures_of(self._protocol)
        self._metrics = metrics_of(self._options.metrics)
        self._columns = prepared_columns(self._metrics)
        self._known = _References(self._options)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, in the order of the scores."""
        return tuple(column.name for column in self._columns)

    def score(
        self, predictions: "Iterable[Text]", references: "Iterable[Text | Iterable[Text]]"
    ) -> dict[str, Floats]:
        """Score each prediction against its references.

        Parameters
        ----------
        predictions : iterable of texts
        references : iterable of texts, or of iterables of texts
            One reference, or several, for each prediction.

        Returns
        -------
        dict of str to ndarray of float64, shape (n_predictions, 3)
            For each metric, recall, precision and F, as `rouge_cli.evaluate` returns them for each
            EVAL. A metric with a single score has that score as F, and nan for the other two.

        Raises
        ------
        InputError
            For values that are not texts, and if the numbers of predictions and references differ.
        """
        peers = normalised(listed(predictions, "predictions"), "predictions")
        by_prediction = _by_prediction(listed(references, "references"))
        if len(peers) != len(by_prediction):
            raise InputError(
                f"{len(peers)} predictions but references for {len(by_prediction)}; expected "
                "equally many"
            )
        models = normalised(list(chain.from_iterable(by_prediction)), "references")
        ends = np.cumsum([0, *map(len, by_prediction)])
        if not peers:
            return {name: np.zeros((0, 3)) for name in self.metrics}
        if self._known.is_full:
            self._known = _References(self._options)
        known = self._known
        read = known.reader.read(peers, self._options, "predictions")
        of_references, numbers = known.read(models)
        warn_about([read, of_references])
        pairs = PairNumbers(np.repeat(np.arange(len(peers)), np.diff(ends)), numbers, ends[:-1])
        if self._protocol is not None:
            return self._protocol_scores(self._protocol, (read, of_references), pairs)
        paired = paired_texts(self._metrics, self._options, (read, of_references), pairs)
        scored = [metric.score(paired, self._options.scores) for metric in self._metrics]
        return {
            name: np.ascontiguousarray(scores.values.T)
            for name, scores in zip(self.metrics, chain.from_iterable(scored), strict=True)
        }

    def _protocol_scores(
        self, protocol: Protocol, sides: BothSides, pairs: PairNumbers
    ) -> dict[str, Floats]:
        ends = np.append(pairs.starts, pairs.peers.size)
        has_several = (np.diff(ends) > 1).any()
        if protocol.scores.references == "single" and has_several:
            raise InputError(f"{protocol.name} takes one reference for each text")
        if protocol.text.prepare == "jieba-again" and has_several:
            raise InputError(
                f"{protocol.name} changes a prediction with each reference: give Scorer one "
                "reference for each text, or use rouge_cli.evaluate"
            )
        has_sentences = any(
            columns.sentence_offsets.size > columns.text_offsets.size
            for texts in sides
            for columns in texts.columns.values()
        )
        measures = self._measures[has_sentences]
        paired = {}
        for by_sentence in {item.reads_sentences for item in measures}:
            # The core counts these units in one pass.
            units = [unit for item in measures if not by_sentence and (unit := item.unit)]
            paired[by_sentence] = protocol_pairs(
                protocol, sides, pairs, by_sentence=by_sentence, units=units
            )
        # Scoring all metrics takes as long as scoring one, unless some take roots.
        together: dict[tuple[float | None, bool], list[ProtocolMeasure]] = {}
        for item in measures:
            has_own_formula = protocol.scores.lcs_formula is not None and item.is_lcs
            together.setdefault((item.root, has_own_formula), []).append(item)
        scores: dict[str, Floats] = {}
        for group in together.values():
            columns = np.hstack([item.counts(paired[item.reads_sentences]) for item in group])
            starts = [ends[:-1] + k * ends[-1] for k in range(len(group))]
            all_ends = np.concatenate((*starts, [len(group) * ends[-1]]))
            table = protocol_scores(protocol, group[0], columns, all_ends)
            for item, of_item in zip(group, np.split(table, len(group), axis=1), strict=True):
                rows = np.ascontiguousarray(of_item.T[:, [1, 0, 2]])
                if protocol.scores.only_f:
                    rows[:, 2] = of_item["PRF".index(item.letter)]
                    rows[:, :2] = np.nan
                scores[item.key] = rows
        return {name: scores[name] for name in self.metrics}


def _measures_of(protocol: Protocol) -> list[Sequence[ProtocolMeasure]]:
    """Return the metrics of a protocol for texts of one sentence each, and those for others."""
    choices = single = protocol.counts
    if protocol.text.sentence_words is None and choices.union == "clipped":
        # The union LCS of two single sentences is their LCS.
        names = {"ROUGE-L": "ROUGE-L-text"}
        metrics = tuple((key, names.get(metric, metric)) for key, metric in choices.metrics)
        single = replace(choices, metrics=metrics)
    return [measures_of(single), measures_of(choices)]


class _References:
    """The references that have been read so far, found by their texts."""

    def __init__(self, options: Options) -> None:
        self.reader, self._options = TextReader(options), options
        self._numbers: dict[str | bytes, int] = {}
        self.texts: BulkTexts | None = None  # all of them

    @property
    def is_full(self) -> bool:
        """Whether the table of words is full, and has to be dropped."""
        if self.texts is None:
            return False
        columns = next(iter(self.texts.columns.values()))
        return columns.types.size > MOST_TOKENS or self.reader.n_types > MOST_TYPES

    def read(self, texts: Sequence[str | bytes]) -> tuple[BulkTexts, Numbers]:
        """Read new references; return all so far, and the number of each text among them."""
        known = self._numbers
        if new := list(dict.fromkeys(texts).keys() - known.keys()):
            read = self.reader.read(new, self._options, "references")
            self.texts = read if self.texts is None else joined_texts([self.texts, read])
            known.update(zip(new, range(len(known), len(known) + len(new)), strict=True))
        numbers = np.array(list(map(known.__getitem__, texts)), np.int64)
        return cast("BulkTexts", self.texts), numbers


def _by_prediction(references: Sequence[Any]) -> list[Sequence[Any]]:
    """Return the references of each prediction; raises InputError if a prediction has none."""
    if set(map(type, references)) == {str}:
        return list(zip(references))
    listed_texts: list[Sequence[Any]] = [
        [texts] if isinstance(texts, str | bytes) else listed(texts, f"references[{number}]")
        for number, texts in enumerate(references)
    ]
    if empty := [str(number) for number, texts in enumerate(listed_texts) if not texts]:
        raise InputError(f"references: no texts at {', '.join(empty)}; expected at least one")
    return listed_texts


LETTERS = "RPF"


class MetricScorer:
    """Scores predictions in one measure, named as for `reward`, with the options of `Scorer`.

    It reads each reference only once. Raises OptionError and InputError.
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
            # The run has all orders of n-grams up to the wanted one, which is the last; ROUGE-L may
            # have the name ROUGE-L-text.
            name = names[-1]
        if name is None or wanted.measure not in (LETTERS + SINGLE_MEASURE * is_protocol):
            known = ", ".join(f"{known}:F" for known in names)
            raise OptionError(f"metric: found {metric!r}, expected {known}")
        # The score of a metric with a single measure is in the last column, where `find` leads: its
        # letter S is not in `LETTERS`, so the column is -1.
        self._name, self._column = name, LETTERS.find(wanted.measure)

    def __call__(self, predictions: Sequence[Any], references: Sequence[Any]) -> Floats:
        """Return the score of each prediction, shape (n,); threads take turns."""
        with self._lock:
            return self._scorer.score(predictions, references)[self._name][:, self._column]


def completion_text(completion: Any) -> Any:
    """Return the text of a completion, which is a string or a list of messages.

    The text is the content of the last message; None if there is no text.
    """
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Sequence) and completion and isinstance(completion[-1], Mapping):
        content = completion[-1].get("content")
        if isinstance(content, Sequence) and not isinstance(content, str):
            return "".join(part.get("text") or "" for part in content if isinstance(part, Mapping))
        return content
    return None


def given_references(references: Any) -> list[str]:
    """Return the references of a completion as a list, which may be empty."""
    if hasattr(references, "tolist"):
        references = references.tolist()
    if isinstance(references, str):
        return [references]
    if not isinstance(references, Sequence):
        return []
    return [text for text in references if isinstance(text, str)]


class Reward:
    """A reward function of TRL; see `reward`."""

    def __init__(self, metric: str, column: str, options: Mapping[str, Any]) -> None:
        self.__name__ = metric
        self._column = column
        self._score = MetricScorer(metric, options)

    def __call__(
        self, *, completions: Sequence[Any], prompts: Any = None, **columns: Any
    ) -> list[float | None]:
        """Return the score of each completion; None if it has no reference.

        Raises InputError if the column does not exist, or a completion has no text.
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
    """Return the score of each text as a Python float; `missing` for texts without a reference."""
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
        it returns a float for each completion, or None if the reference is missing.

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
