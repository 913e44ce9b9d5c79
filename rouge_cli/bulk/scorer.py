"""Scores of predictions against their references, for programs that score in a loop."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from rouge_cli.bulk.metric import PairNumbers, paired_texts, protocol_pairs, protocol_scores
from rouge_cli.bulk.texts import (
    BulkTexts,
    TextReader,
    checked_options,
    joined_columns,
    listed,
    normalised,
    warn_about,
)
from rouge_cli.errors import InputError
from rouge_cli.metrics.metric import metrics_of, prepared_columns
from rouge_cli.metrics.paired_texts import PairUnit
from rouge_cli.options.options import Options
from rouge_cli.protocols.counting import ProtocolMeasure, measures_of
from rouge_cli.protocols.protocol import Protocol

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text

MOST_TOKENS, MOST_TYPES = 1 << 17, 1 << 20
"""Limits of the words of references, and of distinct words; above them, all are dropped."""

Floats = NDArray[np.float64]


class Scorer:
    """Scores predictions against references, and remembers the references it has read.

    Parameters
    ----------
    **options
        The options of `rouge_cli.evaluate` for metrics and texts; by default ROUGE-1, ROUGE-2 and
        ROUGE-L, stemmed. There is no bootstrap.

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
        self._measures = _grouped_measures(self._protocol)
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
            Recall, precision and F by metric, as `rouge_cli.evaluate` computes them for each text.
            A metric with a single score has it as F, and nan for the others.

        Raises
        ------
        InputError
            For values that are not texts, or unequal numbers of predictions and references.
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
            return self._protocol_scores(self._protocol, (read, of_references), pairs, ends)
        return self._original_scores((read, of_references), pairs)

    def _original_scores(
        self, sides: tuple[BulkTexts, BulkTexts], pairs: PairNumbers
    ) -> dict[str, Floats]:
        paired = paired_texts(self._metrics, self._options, sides, pairs)
        scored = chain.from_iterable(
            metric.score(paired, self._options.scores) for metric in self._metrics
        )
        return {
            name: np.ascontiguousarray(scores.values.T)
            for name, scores in zip(self.metrics, scored, strict=True)
        }

    def _protocol_scores(
        self,
        protocol: Protocol,
        sides: tuple[BulkTexts, BulkTexts],
        pairs: PairNumbers,
        ends: NDArray[np.int64],
    ) -> dict[str, Floats]:
        has_several = (np.diff(ends) > 1).any()
        if protocol.scores.references == "single" and has_several:
            raise InputError(f"{protocol.name} takes one reference for each text")
        if protocol.text.prepare == "jieba-again" and has_several:
            raise InputError(
                f"{protocol.name} changes a prediction with each reference: give Scorer one for "
                "each text, or take rouge_cli.evaluate"
            )
        groups = self._measures[any(map(_has_sentences, sides))]
        paired = {
            by_sentence: protocol_pairs(
                protocol, sides, pairs, by_sentence=by_sentence, units=units
            )
            for by_sentence, units in groups.units.items()
        }
        scores: dict[str, Floats] = {}
        for measures in groups.scored_together:
            counts = np.hstack([item.counts(paired[by_sentence]) for item, by_sentence in measures])
            starts = [ends[:-1] + k * ends[-1] for k in range(len(measures))]
            all_ends = np.concatenate((*starts, [len(measures) * ends[-1]]))
            table = protocol_scores(protocol, measures[0][0], counts, all_ends)
            for k, (item, _) in enumerate(measures):
                of_item = table[:, k * (ends.size - 1) : (k + 1) * (ends.size - 1)]
                rows = of_item.T[:, [1, 0, 2]]
                if protocol.scores.only_f:
                    rows[:, 2] = of_item["PRF".index(item.letter)]
                    rows[:, :2] = np.nan
                scores[item.key] = np.ascontiguousarray(rows)
        return {name: scores[name] for name in self.metrics}


class _MeasureGroups(NamedTuple):
    """The metrics of a protocol, grouped for counting and for scoring.

    - `units`: what the core counts in one pass; the key tells if texts are read as sentences.
    - `scored_together`: metrics, each with a flag that it reads sentences.
    """

    units: dict[bool, list[PairUnit]]
    scored_together: list[list[tuple[ProtocolMeasure, bool]]]


def _grouped_measures(protocol: Protocol | None) -> tuple[_MeasureGroups, ...]:
    """Return the groups for texts of one sentence each, and those for all other texts."""
    if protocol is None:
        return ()
    choices = plain = protocol.counts
    if protocol.text.sentence_words is None and choices.union == "clipped":
        # The union LCS of two single sentences is their LCS.
        names = {"ROUGE-L": "ROUGE-L-text"}
        metrics = tuple((key, names.get(metric, metric)) for key, metric in choices.metrics)
        plain = replace(choices, metrics=metrics)
    has_lcs_formula = protocol.scores.lcs_formula is not None
    groups = []
    for every in map(measures_of, (plain, choices)):
        units: dict[bool, list[PairUnit]] = {}
        # Scoring all metrics takes as long as scoring one, unless some take roots.
        by_root: dict[tuple[float | None, bool], list[tuple[ProtocolMeasure, bool]]] = {}
        for measure in every:
            of_kind, unit = units.setdefault(measure.reads_sentences, []), measure.unit
            if unit and not measure.reads_sentences:
                of_kind.append(unit)
            key = measure.root, has_lcs_formula and measure.is_lcs
            by_root.setdefault(key, []).append((measure, measure.reads_sentences))
        groups.append(_MeasureGroups(units, list(by_root.values())))
    return tuple(groups)


def _has_sentences(texts: BulkTexts) -> bool:
    return any(
        columns.sentence_offsets.size > columns.text_offsets.size
        for columns in texts.columns.values()
    )


class _References:
    """The references that have been read, by their text.

    Attributes
    ----------
    texts : BulkTexts or None
        All references so far; None before the first.
    """

    def __init__(self, options: Options) -> None:
        self.reader, self._options = TextReader(options), options
        self._numbers: dict[str | bytes, int] = {}
        self.texts: BulkTexts | None = None

    @property
    def is_full(self) -> bool:
        """Whether the table of words is full, and has to be dropped."""
        if self.texts is None:
            return False
        columns = next(iter(self.texts.columns.values()))
        return columns.types.size > MOST_TOKENS or self.reader.n_types > MOST_TYPES

    def read(self, texts: Sequence[str | bytes]) -> tuple[BulkTexts, NDArray[np.int64]]:
        """Add new references; return all so far, and the number of each given one."""
        known = self._numbers
        if new := list(dict.fromkeys(texts).keys() - known.keys()):
            read = self.reader.read(new, self._options, "references")
            if self.texts is not None:
                columns = {
                    form: joined_columns([self.texts.columns[form], of_form])
                    for form, of_form in read.columns.items()
                }
                read = BulkTexts(self.reader, self._options, columns)
            self.texts = read
            known.update(zip(new, range(len(known), len(known) + len(new)), strict=True))
        numbers = np.array(list(map(known.__getitem__, texts)), np.int64)
        return cast("BulkTexts", self.texts), numbers


def _by_prediction(references: Sequence[Any]) -> list[Sequence[Any]]:
    """Return the references of each prediction; raises InputError if one has none."""
    if set(map(type, references)) == {str}:
        return list(zip(references))
    listed_texts: list[Sequence[Any]] = [
        [texts] if isinstance(texts, str | bytes) else listed(texts, f"references[{number}]")
        for number, texts in enumerate(references)
    ]
    if empty := [str(number) for number, texts in enumerate(listed_texts) if not texts]:
        raise InputError(f"references: no texts at {', '.join(empty)}; expected at least one")
    return listed_texts
