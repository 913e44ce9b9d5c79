"""Scores and averages computed from counts: references, formulas, rounding, means.

All numbers are doubles, and every expression is evaluated in the order of the package that it
reproduces. If packages write a formula differently but get the same bits, it is implemented once:
a factor of 2 or 1/2 does not change the mantissa, nor does swapping two factors or two summands.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import reduce
from operator import add
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.inputs.evaluation import DEFAULT_SYSTEM
from rouge_cli.metrics.arithmetic import rounded
from rouge_cli.protocols import js_rouge
from rouge_cli.protocols.counting import Floats, ProtocolMeasure
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.bootstrap import estimate_means, means_of_resamples
from rouge_cli.scores.results import byte_order

References = Literal[
    "single",
    "first",
    "added",
    "best-f",
    "best-recall",
    "best-recall-rooted",
    "best-apart",
    "mean",
    "pairwise-mean",
    "jackknife",
]
Formula = Literal["alpha", "beta", "precision-by-recall", "js-3.0.0", "js-3.2.1"]
Rounding = Literal["none", "float32", "5-decimals"]
Mean = Literal["mean", "f-of-means", "median-of-resamples", "original", "none"]
REFUSED, NOTHING = "refused", "nothing"
RESAMPLES = 1000
CONFIDENCE = 0.95
PRF = ("p", "r", "f")
"""The keys of precision, recall and F, in the order of the rows of score arrays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChoices:
    """Choices that determine how counts become scores.

    - `references`: how several references are combined. ``single``: the package takes only one.
      ``first``: only the first counts. ``added``: hits and counts are summed. ``best-f``,
      ``best-recall``: the scores against the first reference with the best F or recall, chosen for
      each metric. ``best-recall-rooted``: as ``best-recall``, but recall in ROUGE-W is
      ``(hits / count^(1/W))^(1/W)``. ``best-apart``: the best precision and the best recall,
      possibly from different references. ``mean``: the means of precision, recall and F;
      ``pairwise-mean``: the same, summed pairwise as NumPy does. ``jackknife``: each reference is
      left out in turn, and the scores with the best F among the others are averaged.
    - `without_references`: the result for an empty list of references: ``refused``, a usage error;
      ``nothing``, scores of 0; or the name of the exception that the package raises.
    - `formula`: the formula of F. ``alpha``: ``P*R / ((1-alpha)*P + alpha*R + epsilon/2)``.
      ``beta``: ``(1+beta^2)*P*R / (R + beta^2*P)``. ``precision-by-recall``: the same, where beta
      is P/R. ``js-3.0.0``: as ``beta`` with R as the first factor, but R if beta is above 1.
      ``js-3.2.1``: as ``beta``, expressed in the quotients P/R and R/P.
    - `lcs_formula`: the formula of F for ROUGE-L; None: `formula` applies.
    - `alpha`, `epsilon`, `beta`: the parameters of the formulas.
    - `rounding`: ``5-decimals``: precision and recall are rounded before F is computed, and then F,
      as in ROUGE-1.5.5. ``float32``: all three are rounded to single precision.
    - `refuses`: the texts on which the package raises an exception: ``nothing``: none. ``blank``:
      texts of white space only; ``js-blank``: the same by JavaScript's rules. ``words``: texts
      without words. ``ngrams``: texts with fewer words than the longest n-gram.
    - `error`: the name of that exception.
    - `only_f`: whether the package returns a single number per metric: F, or the measure that
      `CountChoices.metrics` names.
    - `scale`: the factor by which the scores of a text are multiplied.
    - `decimals`: the number of decimals to which the scaled scores are rounded; None: they are not.
    """

    references: References = "single"
    without_references: str = REFUSED
    formula: Formula = "alpha"
    lcs_formula: Formula | None = None
    alpha: float = 0.5
    epsilon: float = 0.0
    beta: float = 1.2
    rounding: Rounding = "none"
    refuses: Literal["nothing", "blank", "js-blank", "words", "ngrams"] = "nothing"
    error: str = "ValueError"
    only_f: bool = False
    scale: float = 1.0
    decimals: int | None = None


class ProtocolError(InputError):
    """The package itself raises an exception on these texts or options.

    `type_name` is the type of that exception, such as ``"ZeroDivisionError"``, and `reason` its
    cause.
    """

    def __init__(self, type_name: str, reason: str) -> None:
        super().__init__(f"{type_name}: {reason}")
        self.type_name = type_name
        self.reason = reason

    def __reduce__(self) -> tuple[type["ProtocolError"], tuple[object, ...]]:
        """Pickle both parts, since by default only the message reaches `__init__`."""
        return type(self), (self.type_name, self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanChoices:
    """Choices that determine how the scores of many texts are averaged.

    - `mean`: ``mean``: the means of precision, recall and F. ``f-of-means``: F is computed from the
      means of precision and recall. ``median-of-resamples``: the 2.5th, 50th and 97.5th percentiles
      of 1000 resampled means. ``original``: the averages and bounds of ROUGE-1.5.5's bootstrap.
      ``none``: a list of the scores instead of a mean.
    - `sums`: the order of summation. ``in-order``: one number after the other. ``pairwise``:
      NumPy's mean. ``float32``: NumPy's mean in single precision.
    - `only_middle`: whether only the 50th percentile is reported.
    - `seed`: the seed of the resamples; None draws from NumPy's global generator, as packages do.
    - `scale`: the factor by which sums are multiplied before they are divided by the number of
      texts.
    - `scales_means`: whether the factor is applied to the means instead of the sums.
    - `of_printed`: whether the scores of texts are scaled and rounded, as printed, before they are
      averaged.
    - `only_f`: whether only the mean of F is reported.
    - `decimals`: the number of decimals to which means are rounded; None: they are not.
    - `geometric_mean`: the keys of the metrics whose geometric mean is reported too.
    - `without_texts`: the result for an empty list of texts: ``refused``, a usage error;
      ``nothing``, an empty dictionary; or the name of the exception that the package raises.
    - `drops`: the pairs that are left out: ``nothing``: none. ``empty``: those with an empty
      string. ``empty-references``: those whose references are all empty after preparation.
    """

    mean: Mean = "mean"
    sums: Literal["in-order", "pairwise", "float32"] = "in-order"
    only_middle: bool = False
    seed: int | None = 0
    scale: float = 1.0
    scales_means: bool = False
    of_printed: bool = False
    only_f: bool = False
    decimals: int | None = None
    geometric_mean: tuple[str, ...] = ()
    without_texts: str = REFUSED
    drops: Literal["nothing", "empty", "empty-references"] = "nothing"


def score_columns(
    choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats, ends: NDArray[np.int64]
) -> Floats:
    """Return unscaled precision, recall and F of texts, shape (3, n_texts).

    They are NaN if the package raises an exception because it divides by 0 or a number is too
    large. `counts` holds hits, model counts and peer counts of pairs, shape (3, n_pairs); text
    ``t`` has the pairs ``ends[t]:ends[t + 1]``.
    """
    n_references = np.diff(ends)
    most = int(n_references.max(initial=0))
    with np.errstate(all="ignore"):
        # If all texts have the same number of references, a reshape without a copy suffices.
        if most and (n_references == most).all():
            of_texts = counts[:, ends[0] : ends[-1]].reshape(3, -1, most)
            return np.ascontiguousarray(_combined(choices, measure, of_texts))
        scores = np.zeros((3, n_references.size))
        for number in np.unique(n_references[n_references > 0]).tolist():
            texts = np.flatnonzero(n_references == number)
            pairs = ends[texts, np.newaxis] + np.arange(number)
            scores[:, texts] = _combined(choices, measure, counts[:, pairs])
    return scores


def _pair_scores(choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats) -> Floats:
    """Return precision, recall and F of pairs, in the shape of `counts`; NaN for an exception."""
    hits, model_counts, peer_counts = counts.reshape(3, -1)
    precision = _quotients(hits, peer_counts, measure.root)
    recall = _quotients(hits, model_counts, measure.root)
    is_rounded = choices.rounding == "5-decimals"
    if is_rounded:
        precision, recall = rounded(precision), rounded(recall)
    f = f_measure(choices, measure, precision, recall)
    scores = np.stack((precision, recall, rounded(f) if is_rounded else f))
    if choices.rounding == "float32":
        scores = scores.astype(np.float32).astype(np.float64)
    return scores.reshape(counts.shape)


def _quotients(hits: Floats, counts: Floats, root: float | None) -> Floats:
    # Counts may be negative in py-rouge; without the test for hits, 0 / -1 would be -0.0.
    quotients = np.where((hits == 0) | (counts == 0), 0.0, hits / counts)
    if root is None:
        return quotients
    # With a weight of 0, the package divides by zero unless it returns 0 early.
    return _powers(quotients, 1 / root) if root else np.where(quotients == 0, 0.0, np.nan)


def _powers(bases: Floats, exponent: float) -> Floats:
    """Raise numbers to a power with Python's operator, as NumPy's results differ in the last bit.

    The result is NaN for a negative base, and if Python raises an exception.
    """
    powers = np.full(bases.size, np.nan)
    for number, base in enumerate(bases.tolist()):
        with suppress(ArithmeticError):
            powers[number] = base**exponent if base >= 0 else np.nan
    return powers


_GUARD = 1e-12


def f_measure(
    choices: ScoreChoices, measure: ProtocolMeasure, precision: Floats, recall: Floats
) -> Floats:
    """Return F for each precision and recall: 0 if either is 0, NaN if F is not finite."""
    alpha, beta = choices.alpha, choices.beta
    with np.errstate(all="ignore"):
        match (measure.is_lcs and choices.lcs_formula) or choices.formula:
            case "alpha":
                # With alpha = 1/2 this is 2PR / (P + R + epsilon), the form in which most packages
                # write it.
                total = (1 - alpha) * precision + alpha * recall + choices.epsilon / 2
                f = precision * recall / total
            case "beta":
                f = (1 + beta**2) * precision * recall / (recall + beta**2 * precision)
            case "precision-by-recall":
                # Here beta is P/R. The package adds the constant to both denominators to avoid
                # division by 0.
                square = _powers(precision / (recall + _GUARD), 2)
                f = (1 + square) * recall * precision / (recall + square * precision + _GUARD)
            case "js-3.0.0" if beta > 1:
                f = recall
            case "js-3.0.0":
                f = (1 + beta * beta) * recall * precision / (recall + beta * beta * precision)
            case "js-3.2.1":
                f = _js_3_2_1(beta, precision, recall)
    return np.where((precision == 0) | (recall == 0), 0.0, np.where(np.isfinite(f), f, np.nan))


def _js_3_2_1(beta: float, precision: Floats, recall: Floats) -> Floats:
    if beta == 0:
        return precision
    if beta < 1:
        return _js_3_2_1(1 / beta, recall, precision)
    weight, square = 1 / beta * (1 / beta), beta * beta
    less_recall = recall * ((1 + weight) / (1 + weight * (recall / precision)))
    less_precision = precision * ((1 + square) / (1 + square * (precision / recall)))
    f = np.where(
        precision > recall, np.minimum(precision, less_recall), np.minimum(recall, less_precision)
    )
    return np.where(precision == recall, precision, f)


def _combined(choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats) -> Floats:
    """Return the scores of texts, shape (3, n_texts), that all have the same number of references.

    `counts` are those of the pairs, shape (3, n_texts, n_references).
    """
    rule = choices.references
    if rule == "added":
        # Summed in order, as packages do; NumPy's sum would add pairwise.
        counts = sum(np.moveaxis(counts, 2, 0), np.zeros(1))[:, :, np.newaxis]
    elif rule in {"single", "first"}:
        counts = counts[:, :, :1]
    scores = _pair_scores(choices, measure, counts)
    n_references = scores.shape[2]
    match rule:
        case "best-f" | "best-recall" | "best-recall-rooted":
            is_by_f = rule == "best-f"
            return _best(scores, scores[2] if is_by_f else _compared_recall(rule, measure, counts))
        case "best-apart":
            precision, recall, f = scores.max(axis=2)
            of_best = f_measure(choices, measure, precision, recall)
            return np.stack((precision, recall, np.where(np.isfinite(f), of_best, np.nan)))
        case "mean":
            kind = np.float32 if choices.rounding == "float32" else np.float64
            total: Any = sum(np.moveaxis(scores.astype(kind), 2, 0), np.zeros(1, kind))
            return np.array(total / kind(n_references), np.float64)
        case "pairwise-mean":
            return _pairwise_mean(scores)
        case "jackknife" if n_references > 1:
            number = np.arange(n_references)
            rests = [scores[:, :, number != left] for left in range(n_references)]
            return _pairwise_mean(np.stack([_best(rest, rest[2]) for rest in rests], axis=2))
    return scores[:, :, 0]


def _best(scores: Floats, compared: Floats) -> Floats:
    """Return the scores against the best reference, the first one if several are equal.

    References are compared by `compared`, shape (n_texts, n_references).
    """
    # If a package raises an exception on any reference, it does so on the text.
    is_sure = np.isfinite(scores).all(axis=(0, 2)) & np.isfinite(compared).all(axis=1)
    best = scores[:, np.arange(is_sure.size), compared.argmax(axis=1)]
    return np.array(np.where(is_sure, best, np.nan))


def _compared_recall(rule: References, measure: ProtocolMeasure, counts: Floats) -> Floats:
    hits, model_counts = counts[0], counts[1]
    if rule == "best-recall" or measure.root is None or measure.is_lcs:
        return _quotients(hits, model_counts, None)
    # The package compares references by a recall of its own in ROUGE-W, which takes the root of the
    # count twice and has no test for a count of 0.
    exponent = 1 / measure.root
    recall = _powers(hits.ravel() / _powers(model_counts.ravel(), exponent), exponent)
    return recall.reshape(hits.shape)


def _pairwise_mean(scores: Floats) -> Floats:
    # NumPy adds pairwise only along a contiguous axis.
    return np.array(np.ascontiguousarray(scores).mean(axis=2))


def refused_texts(
    choices: ScoreChoices, longest: int, texts: Sequence[str], n_words: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], str]:
    """Return the reason for exceptions, and on which texts the package raises them, (n_texts,).

    `n_words` has the number of words of each text; `longest` is the length of the longest n-gram.
    """
    if choices.refuses == "nothing":
        return np.zeros(len(texts), np.bool_), ""
    if choices.refuses == "js-blank":
        is_blank = list(map(js_rouge.is_blank, texts))
        return np.array(is_blank, np.bool_), "a text is blank"
    if choices.refuses == "blank":
        return np.array([not text.strip() for text in texts], np.bool_), "a text is blank"
    fewest = longest if choices.refuses == "ngrams" else 1
    reason = "without words" if fewest == 1 else f"of fewer than {fewest} words"
    return n_words < fewest, f"a text {reason}"


def average(
    choices: MeanChoices,
    scoring: ScoreChoices,
    measures: Sequence[ProtocolMeasure],
    scores: Mapping[str, Floats],
) -> dict[str, Any]:
    """Return what the package reports for many texts, by the keys of metrics.

    `scores` has the unscaled precision, recall and F of the texts by key, each of shape
    (3, n_texts). A value of the result is a dictionary of ``p``, ``r`` and ``f``, or a number if
    the package returns F alone. With ``median-of-resamples`` there is one such value each for
    ``low``, ``mid`` and ``high``; with ``original``, a list of average, lower and upper bound for
    each of ``r``, ``p`` and ``f``; with ``none``, a list of the values of texts.
    """
    reported: dict[str, Any] = {}
    # Packages draw with NumPy's legacy generator; only that reproduces their intervals.
    random = np.random if choices.seed is None else np.random.RandomState(choices.seed)
    for measure in measures:
        table = np.ascontiguousarray(scores[measure.key].T)
        if choices.mean == "none":
            rows = scaled(table, scoring).tolist()
            reported[measure.key] = [by_letter(row, measure, scoring.only_f) for row in rows]
        elif choices.mean == "original":
            reported[measure.key] = _originals(table)
        elif choices.mean == "median-of-resamples":
            bounds = choices.scale * _percentiles(table, random)
            low, middle, high = (by_letter(row, measure, scoring.only_f) for row in bounds.tolist())
            bounds_by_name = {"low": low, "mid": middle, "high": high}
            reported[measure.key] = middle if choices.only_middle else bounds_by_name
        else:
            table = scaled(table, scoring) if choices.of_printed else table
            means = _means(table, choices, scoring, measure)
            only_f = scoring.only_f or choices.only_f
            reported[measure.key] = by_letter(means, measure, only_f)
    if choices.geometric_mean:
        product = float(np.prod([reported[key] for key in choices.geometric_mean]))
        reported["geometric_mean"] = product ** (1 / len(choices.geometric_mean))
    return reported if choices.decimals is None else _rounded(reported, choices.decimals)


def scaled(scores: Floats, choices: ScoreChoices) -> Floats:
    """Scale and round the scores of texts as the package does, in any shape."""
    scores = scores * choices.scale
    if choices.decimals is None:
        return scores
    # Not np.round(), which multiplies and divides, so that last bits may differ from round().
    numbers = [round(number, choices.decimals) for number in scores.ravel().tolist()]
    return np.array(numbers).reshape(scores.shape)


def by_letter(score: Sequence[float], measure: ProtocolMeasure, only_f: bool) -> Any:
    """Return precision, recall and F by their keys or, if `only_f`, the one of the metric."""
    letters = dict(zip(PRF, score, strict=True))
    return letters[measure.letter.lower()] if only_f else letters


def _means(
    table: Floats, choices: MeanChoices, scoring: ScoreChoices, measure: ProtocolMeasure
) -> list[float]:
    if choices.sums == "in-order":
        n_texts = max(len(table), 1)
        # Not sum(), which compensates for rounding errors since Python 3.12.
        sums = [reduce(add, column, 0.0) for column in table.T.tolist()]
        if choices.scales_means:
            columns = [total / n_texts * choices.scale for total in sums]
        else:
            columns = [total * choices.scale / n_texts for total in sums]
    else:
        number = np.float32 if choices.sums == "float32" else np.float64
        # NumPy adds pairwise only along a contiguous axis.
        columns = np.ascontiguousarray(table.T, number).mean(axis=1, dtype=number).tolist()
    if choices.mean == "f-of-means":
        precision, recall, _ = np.array(columns)[:, np.newaxis]
        columns[2] = float(f_measure(scoring, measure, precision, recall)[0])
    return columns


def _originals(table: Floats) -> dict[str, list[float]]:
    """Return average, lower and upper bound of recall, precision and F, as the original prints.

    The original draws from files in the order of their names. Wrappers number them from 0, so
    the order is 0, 1, 10, 100, 11; the resamples depend on it.
    """
    in_order = byte_order([str(number) for number in range(len(table))], DEFAULT_SYSTEM)
    estimated = estimate_means(table[in_order], RESAMPLES, 100 * CONFIDENCE)
    columns = dict(zip(PRF, rounded(estimated.T.ravel()).reshape(3, -1).tolist(), strict=True))
    return {letter: columns[letter] for letter in ("r", "p", "f")}


def _percentiles(table: Floats, random: Any) -> Floats:
    """Return lower bounds, medians and upper bounds of resampled means, shape (3, n_columns)."""
    means = means_of_resamples(table, RESAMPLES, random)
    # This is 2.500000000000002, not 2.5, and the last bit of the lower bound depends on it.
    tail = 100 * ((1 - CONFIDENCE) / 2)
    return np.array(np.percentile(means, [tail, 50, 100 - tail], axis=0))


def _rounded(reported: Any, decimals: int) -> Any:
    if isinstance(reported, dict):
        return {key: _rounded(value, decimals) for key, value in reported.items()}
    return round(reported, decimals)
