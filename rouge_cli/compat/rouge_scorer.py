"""Scores of a text against one or several: ``rouge_score.rouge_scorer``."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.compat.scoring import GOOGLE, ORIGINAL, XLSUM, BaseScorer, Score, check_like
from rouge_cli.compat.tokenizers import (
    Speller,
    SpeltTexts,
    Tokenizing,
    WordReader,
    Words,
    choose_speller,
    xlsum_speller,
)
from rouge_cli.inputs.batch import Pairs
from rouge_cli.metrics.arithmetic import quotients, score_pair
from rouge_cli.metrics.counts import Counts, InstanceScores
from rouge_cli.metrics.formulas import Metric
from rouge_cli.metrics.metric import metrics_of
from rouge_cli.metrics.paired_texts import PairedTexts
from rouge_cli.options.declaration import Number
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.counting import BatchTexts
from rouge_cli.run.lone_pairs import LoneCounts, LonePairs
from rouge_cli.text.xlsum import check_language

__all__ = ["RougeScorer"]

CHARACTERS_AT_A_TIME = 1 << 20
"""Characters of a portion of a batch: its arrays fit in the processor's cache."""

ALPHA = 0.5
"""One half: recall and precision may change places."""

LARGEST_ORDER = 1000
LARGEST_ORDER_OF_GOOGLE = 9
KNOWN_TO_GOOGLE = "rouge1 to rouge9, rougeL or rougeLsum"
KNOWN = (
    f"rouge1 to rouge{LARGEST_ORDER}, rougeL, rougeLsum, or such as rougeW1.2, rougeS4, rougeSU4, "
    "rougeS* or rougeSU*"
)
NAME = re.compile(
    r"rouge(?:(?P<order>[1-9][0-9]{0,3})|(?P<lcs>L|Lsum)|W(?P<weight>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<skip>SU?)(?P<gap>[0-9]{1,9}|\*))"
)


@dataclass(frozen=True, slots=True)
class RougeType:
    """A metric of this interface.

    Parameters
    ----------
    options : MetricOptions
        Options that ask for it alone; in ROUGE-N for all orders up to its own.
    order : int
        N of ROUGE-N, else 0.
    reads_sentences : bool
        Whether sentences matter: in the union LCS and in ROUGE-W.
    """

    name: str
    options: MetricOptions
    order: int = 0
    reads_sentences: bool = False


class Place(NamedTuple):
    """Where the counts of a metric of this interface stand.

    Parameters
    ----------
    metric : int
        Place in `RougeScorer._metrics`.
    column : int
        Place in what that metric returns.
    """

    name: str
    metric: int
    column: int


class Column(NamedTuple):
    """Where the counts of a metric of this interface stand among those of a lone pair.

    Parameters
    ----------
    number : int
        Among the columns of all metrics.
    """

    name: str
    number: int
    reads_sentences: bool


class RougeScorer(BaseScorer):
    """Scores texts as ROUGE-1.5.5 does, or as ``rouge_score`` does.

    Parameters
    ----------
    rouge_types : list of str
        ``"rouge1"``, ``"rouge2"`` and so on: ROUGE-N. ``"rougeL"``: the LCS of the whole texts
        (ROUGE-L-text). ``"rougeLsum"``: the union LCS of their sentences, which is ROUGE-1.5.5's
        ROUGE-L. Like 1.5.5 only: ``"rougeW1.2"``, ``"rougeS4"``, ``"rougeSU4"``, ``"rougeS*"`` and
        ``"rougeSU*"``, without a limit.
    use_stemmer : bool
        Stem as ROUGE-1.5.5 does, irregular forms included, or as NLTK does. Without effect on a
        tokenizer of your own, which a warning says.
    split_summaries : bool
        For ``"rougeLsum"``: find sentences with NLTK's trained Punkt model, and not at newlines.
    tokenizer : object with a method ``tokenize``, or callable, optional
        From a text to the list of its tokens, in place of those of `like`.
    like : {"1.5.5", "google", "xlsum"}
        Whose numbers. ``"1.5.5"``: tokens, stems and rounding to 5 decimals of ROUGE-1.5.5.
        ``"google"``: scores that are equal to those of ``rouge_score``, to the last bit.
        ``"xlsum"``: the unstemmed scores of XL-Sum's multilingual fork of ``rouge_score``.
    lang : str, optional
        For ``"xlsum"``: the language by its English name, such as ``"german"`` or ``"chinese"``. Of
        a name that is not known there is a warning.

    Raises
    ------
    TypeError, ValueError
        If a parameter has no such value; an unknown metric is found here, before any text is
        scored.
    InputError
        If the Punkt model is needed and is not installed.

    Notes
    -----
    The tokens of the two differ only where a letter beyond ASCII has a lower case in a-z; the
    counts of equal tokens are the same. For tokens and stems of ``rouge_score`` see
    `rouge_cli.compat.tokenizers`.

    Examples
    --------
    >>> from rouge_cli.compat import rouge_scorer
    >>> scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
    >>> scorer.score("police killed the gunman", "the gunman was killed by police")["rouge1"]
    Score(precision=0.66667, recall=1.0, fmeasure=0.8)
    """

    __slots__ = (
        "_columns",
        "_encode",
        "_like",
        "_metrics",
        "_pairs",
        "_places",
        "_reader",
        "_spell",
        "_types",
    )

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Tokenizing | Words | None = None,
        like: str = ORIGINAL,
        lang: str | None = None,
    ) -> None:
        check_like(like, ORIGINAL, GOOGLE, XLSUM)
        if like == XLSUM:
            _check_xlsum(use_stemmer, split_summaries, tokenizer)
            check_language(lang, stacklevel=3)
        elif lang is not None:
            raise ValueError(f"lang: found {lang!r}, which is for like='xlsum'")
        self._like: str = like
        self._types: tuple[RougeType, ...] = _read_types(rouge_types, like)
        self._metrics, self._places = _counted_together(self._types)
        needs_punkt = bool(split_summaries) and any(kind.reads_sentences for kind in self._types)
        is_original = tokenizer is None and like == ORIGINAL
        self._spell: Speller = (
            xlsum_speller(lang)
            if like == XLSUM
            else choose_speller(bool(use_stemmer), needs_punkt, tokenizer, is_original)
        )
        self._encode: Callable[[str], bytes] | None = self._spell.encode
        as_nltk = bool(use_stemmer) and tokenizer is None and not is_original
        self._reader = WordReader(bool(use_stemmer) and is_original, as_nltk)
        self._pairs = LonePairs([metric for metric, _ in self._metrics], self._reader)
        self._columns: tuple[Column, ...] = tuple(self._columns_of_pairs())

    @property
    def rouge_types(self) -> list[str]:
        """Names of the metrics, each once."""
        return [rouge_type.name for rouge_type in self._types]

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a prediction against a target.

        Parameters
        ----------
        target : str
            The model text; it comes first, as in ``rouge_score``.
        prediction : str
            The peer text.

        Returns
        -------
        dict of str to Score
            By the name of the metric, in the order asked for.

        Raises
        ------
        TypeError
            If one is no string.
        """
        model, peer = _text(target, "target"), _text(prediction, "prediction")
        if (encode := self._encode) is not None:
            scores = self._pair_scores(encode(peer), encode(model))
            if scores is not None:
                return scores
        return self._scored([model], peer)[0]

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, Score]:
        """Score a prediction against several targets: metric by metric the one of the best F.

        Parameters
        ----------
        targets : iterable of str
            The model texts, at least one. Of several with the best F the first one counts.
        prediction : str
            The peer text.

        Returns
        -------
        dict of str to Score
            By the name of the metric, in the order asked for.

        Raises
        ------
        TypeError
            If one is no string, or `targets` is a single one.
        ValueError
            If there are no targets.
        """
        models = _text_list(targets, "targets")
        if not models:
            raise ValueError("targets: empty, expected at least one text")
        scores = self._scored(models, _text(prediction, "prediction"))
        return {
            name: max([score[name] for score in scores], key=lambda score: score.fmeasure)
            for name in scores[0]
        }

    def score_batch(
        self, targets: Iterable[str], predictions: Iterable[str]
    ) -> list[dict[str, Score]]:
        """Score predictions, each against its target: faster than `score` for ``"rougeLsum"``.

        Parameters
        ----------
        targets, predictions : iterables of str
            Equally many.

        Returns
        -------
        list of dict of str to Score
            What `score` returns, for each pair.

        Raises
        ------
        TypeError
            If one is no string.
        ValueError
            If they are not equally many.
        """
        models, peers = _text_list(targets, "targets"), _text_list(predictions, "predictions")
        if len(models) != len(peers):
            raise ValueError(
                f"{len(models)} targets but {len(peers)} predictions; expected equally many"
            )
        scores: list[dict[str, Score]] = []
        for portion in _portions(models, peers):
            spelt = self._spell([*models[portion], *peers[portion]])
            numbers = np.arange(len(models[portion]))
            scores += self._batch_scores(spelt, numbers, numbers.size + numbers)
        return scores

    def _scored(self, targets: Sequence[str], prediction: str) -> list[dict[str, Score]]:
        """Score a prediction against each target."""
        scores = list(self._lone_scores(targets, prediction))
        lone = [score for score in scores if score is not None]
        if len(lone) == len(targets):
            return lone
        spelt, models = self._spell([*targets, prediction]), np.arange(len(targets))
        return self._batch_scores(spelt, models, np.full_like(models, len(targets)))

    def _lone_scores(
        self, targets: Sequence[str], prediction: str
    ) -> Iterator[dict[str, Score] | None]:
        """Yield the scores against each target, None where a pair has to be counted in arrays."""
        if (encode := self._encode) is not None:
            peer = encode(prediction)
            yield from (self._pair_scores(peer, encode(target)) for target in targets)
            return
        by_sentence, whole = self._spell([*targets, prediction])
        for number in range(len(targets)):
            of_sentences = self._pairs.counts(by_sentence[-1], by_sentence[number])
            yield self._of_counts(self._pairs.counts(whole[-1], whole[number]), of_sentences)

    def _pair_scores(self, peer: bytes, model: bytes) -> dict[str, Score] | None:
        """Score a pair; None if it has to be counted in arrays."""
        if (count := self._pairs.count) is None:
            counts = self._pairs.counts(peer, model)
            return self._of_counts(counts, counts)
        counted = count(peer, model)
        if counted is None:
            return None
        score = self._pairs.score_pair if self._like == ORIGINAL else _exact_score
        places, n_peer, n_model = self._pairs.places, counted[0], counted[1]
        scores = {}
        for name, column, _ in self._columns:
            place, less = places[column]
            values = score(counted[place], n_peer - less, n_model - less, ALPHA)
            scores[name] = _new_score(Score, values)
        return scores

    def _of_counts(
        self, whole: LoneCounts | None, by_sentence: LoneCounts | None
    ) -> dict[str, Score] | None:
        """Return the scores of a pair whose texts were counted as a whole, and by sentence."""
        if whole is None or by_sentence is None:
            return None
        score = score_pair if self._like == ORIGINAL else _exact_score
        scores = {}
        for name, column, reads_sentences in self._columns:
            counts = (by_sentence if reads_sentences else whole).rows[column]
            values = score(counts.hit, counts.peer_count, counts.model_count, ALPHA)
            scores[name] = _new_score(Score, values)
        return scores

    def _columns_of_pairs(self) -> "Iterator[Column]":
        """Yield the column of each metric of this interface."""
        n_columns = [len(metric.columns) for metric, _ in self._metrics]
        firsts = list(accumulate(n_columns, initial=0))
        for name, metric, column in self._places:
            yield Column(name, firsts[metric] + column, self._metrics[metric][1])

    def _batch_scores(
        self, spelt: SpeltTexts, models: NDArray[np.int64], peers: NDArray[np.int64]
    ) -> list[dict[str, Score]]:
        """Score pairs of texts, given by their numbers, in arrays."""
        if not self._types:
            return [{} for _ in models]
        whole = by_sentence = self._paired(spelt.whole, models, peers)
        if spelt.whole is not spelt.by_sentence:
            by_sentence = self._paired(spelt.by_sentence, models, peers)
        tables = [
            metric.score(by_sentence if reads_sentences else whole, ScoreOptions())
            for metric, reads_sentences in self._metrics
        ]
        columns = [
            _instance_scores(tables[metric][column], self._like)
            for _, metric, column in self._places
        ]
        names = self.rouge_types
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    def _paired(
        self, texts: list[bytes], models: NDArray[np.int64], peers: NDArray[np.int64]
    ) -> PairedTexts:
        """Read texts and pair them."""
        pairs = Pairs(peers, models, np.arange(peers.size))
        # Made for these texts alone, as threads may not share the numbers of its types.
        tokenizer = self._reader.tokenizer()
        metrics = [metric for metric, _ in self._metrics]
        read = BatchTexts(texts, [metric.reading for metric in metrics], tokenizer)
        return PairedTexts(read, pairs, tokenizer.options, metrics)


_new_score = tuple.__new__
"""Makes a `Score` of three values in half the time."""


def _exact_score(
    hit: float, peer_count: float, model_count: float, alpha: float
) -> tuple[float, float, float]:
    """Return precision, recall and F of one pair, in which nothing is rounded."""
    if not hit:
        return 0.0, 0.0, 0.0
    precision, recall = hit / peer_count, hit / model_count
    # Another form, such as 2 * hit / (model_count + peer_count), has other last bits.
    return precision, recall, 2 * precision * recall / (precision + recall)


def _instance_scores(scores: InstanceScores, like: str) -> list[Score]:
    """Return the score of each pair, rounded or not."""
    values = scores.values
    if like != ORIGINAL and scores.counts is not None:
        values = _unrounded(scores.counts)
    recall, precision, f = values.tolist()
    return list(map(Score, precision, recall, f))


def _unrounded(counts: Counts) -> NDArray[np.float64]:
    """Return recall, precision and F of each row, shape (3, n_pairs)."""
    recall = quotients(counts.hit, counts.model_count)
    precision = quotients(counts.hit, counts.peer_count)
    divisor = precision + recall
    f = np.divide(2 * precision * recall, divisor, out=np.zeros_like(divisor), where=divisor > 0)
    return np.stack((recall, precision, f))


def _portions(models: Sequence[str], peers: Sequence[str]) -> Iterator[slice]:
    """Cut pairs into portions of about `CHARACTERS_AT_A_TIME`."""
    start = n_characters = 0
    for stop, (model, peer) in enumerate(zip(models, peers, strict=True), 1):
        n_characters += len(model) + len(peer)
        if n_characters >= CHARACTERS_AT_A_TIME or stop == len(peers):
            yield slice(start, stop)
            start, n_characters = stop, 0


def _counted_together(
    types: Sequence[RougeType],
) -> tuple[tuple[tuple[Metric, bool], ...], tuple[Place, ...]]:
    """Return metrics of the package, with each whether it reads sentences, and where each is.

    All orders of ROUGE-N are counted together.
    """
    ngrams = MetricOptions(lcs=False, max_ngram=max((kind.order for kind in types), default=0))
    numbers: dict[tuple[MetricOptions, bool], int] = {}
    places = []
    for kind in types:
        key = (ngrams if kind.order else kind.options, kind.reads_sentences)
        number = numbers.setdefault(key, len(numbers))
        places.append(Place(kind.name, number, max(kind.order - 1, 0)))
    # Each of these options asks for one metric.
    metrics = tuple((metrics_of(options)[0], by_sentence) for options, by_sentence in numbers)
    return metrics, tuple(places)


def _read_types(names: Iterable[str], like: str) -> tuple[RougeType, ...]:
    """Read the names of metrics; a repeated name counts once.

    Raises
    ------
    TypeError
        If `names` is one string, or no list of names.
    ValueError
        If a metric is unknown.
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(
            f"rouge_types: found {names!r}, expected a list of names such as ['rouge1']"
        )
    return tuple(dict.fromkeys(_read_type(name, like) for name in names))


def _read_type(name: object, like: str) -> RougeType:
    """Read one name; raises ValueError."""
    match = NAME.fullmatch(name) if isinstance(name, str) else None
    kind = _type_of(match) if match else None
    if kind is None or not _is_known(kind, like):
        known = KNOWN if like == ORIGINAL else KNOWN_TO_GOOGLE
        raise ValueError(f"rouge_types: found {name!r}, expected {known}")
    return kind


def _type_of(match: re.Match[str]) -> RougeType:
    """Return the metric that a name spells."""
    name = match[0]
    if match["order"]:
        order = int(match["order"])
        return RougeType(name, MetricOptions(lcs=False, max_ngram=order), order)
    if match["lcs"]:
        is_union = match["lcs"] == "Lsum"
        options = MetricOptions(lcs_unit="sentence" if is_union else "text")
        return RougeType(name, options, reads_sentences=is_union)
    if weight := match["weight"]:
        options = MetricOptions(lcs=False, weight=Number(weight, float(weight)))
        return RougeType(name, options, reads_sentences=True)
    gap = "-1" if match["gap"] == "*" else match["gap"]
    options = MetricOptions(
        lcs=False, max_gap=Number(gap, int(gap)), skip_unigram=match["skip"] == "SU"
    )
    return RougeType(name, options)


def _is_known(kind: RougeType, like: str) -> bool:
    """Whether a metric exists in the numbers of `like`."""
    if like != ORIGINAL:
        return kind.options.lcs or 0 < kind.order <= LARGEST_ORDER_OF_GOOGLE
    weight = kind.options.weight
    return kind.order <= LARGEST_ORDER and (weight is None or 0 < weight.value < inf)


def _check_xlsum(use_stemmer: bool, split_summaries: bool, tokenizer: object) -> None:
    """Raise ValueError for parameters that XL-Sum's fork excludes."""
    excluded = {
        "use_stemmer": use_stemmer,
        "split_summaries": split_summaries,
        "tokenizer": tokenizer is not None,
    }
    for name, is_given in excluded.items():
        if is_given:
            raise ValueError(f"{name}: not with like='xlsum', which has its own tokens, unstemmed")


def _text(text: object, name: str) -> str:
    """Return a text, or raise TypeError."""
    if not isinstance(text, str):
        raise TypeError(f"{name}: found {type(text).__name__}, expected a string")
    return text


def _text_list(texts: Iterable[str], name: str) -> list[str]:
    """Return texts as a list, or raise TypeError."""
    if isinstance(texts, str | bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"{name}: found {type(texts).__name__}, expected a list of strings")
    return [_text(text, f"{name}[{number}]") for number, text in enumerate(texts)]
