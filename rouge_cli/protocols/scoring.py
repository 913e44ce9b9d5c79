"""From counts to scores and averages, in columns: references, formulas, rounding, means.

All numbers are doubles, and every expression has the order of the package that it reproduces. Where
packages write the same formula in other words, and both have the same bits, there is one: a factor
of 2 or 1/2 moves no bit, and neither does the order of two factors or two summands.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
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
"""The keys of scores, in the order of the columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChoices:
    """How counts become scores.

    Parameters
    ----------
    references : str
        What becomes of several references. ``single``: there is one. ``first``: only the first
        counts. ``added``: hits and counts are added. ``best-f``, ``best-recall``: the first with
        the best score, for each metric.
        ``best-recall-rooted``: the same, but in ROUGE-W by ``(hits / count^(1/W))^(1/W)``.
        ``best-apart``: the best precision and the best recall, perhaps of different references.
        ``mean``: of precision, recall and F each; ``pairwise-mean``: the same, as NumPy adds up a
        list. ``jackknife``: that mean of the best F with each reference left out in turn.
    without_references : str
        What an empty list of references gives: ``refused``, a usage error; ``nothing``, scores of
        0; or the name of the package's exception.
    formula : str
        F. ``alpha``: ``P*R / ((1-alpha)*P + alpha*R + epsilon/2)``. ``beta``:
        ``(1+beta^2)*P*R / (R + beta^2*P)``. ``precision-by-recall``: the same with P/R for beta.
        ``js-3.0.0``: with R first, and R for a beta above 1. ``js-3.2.1``: in quotients of P and R.
    lcs_formula : str or None
        F of ROUGE-L; None for the same.
    alpha, epsilon, beta : float
    rounding : str
        ``5-decimals``: also before F is formed, as in ROUGE-1.5.5.
    refuses : str
        Texts that raise the package's exception: ``nothing``; ``blank`` texts, of white space
        only, or ``js-blank``, of JavaScript's; texts without ``words``; or with fewer words than
        the longest n-gram, ``ngrams``.
    error : str
        The name of that exception.
    only_f : bool
        Whether one number comes back for a metric: F, or what `CountChoices.metrics` names.
    scale : float
        What the scores of a text are multiplied by.
    decimals : int or None
        Decimals to which the product is rounded.
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
    """An exception of the package itself.

    `type_name` is its type, such as ``"ZeroDivisionError"``, and `reason` its cause.
    """

    def __init__(self, type_name: str, reason: str) -> None:
        super().__init__(f"{type_name}: {reason}")
        self.type_name = type_name
        self.reason = reason

    def __reduce__(self) -> tuple[type["ProtocolError"], tuple[object, ...]]:
        """Pickle by both parts, so that an error arrives whole from a worker."""
        return type(self), (self.type_name, self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanChoices:
    """What is reported for many texts.

    Parameters
    ----------
    mean : str
        ``mean``: of precision, recall and F each. ``f-of-means``: F is formed from the means.
        ``median-of-resamples``: low, middle and high percentile of 1000 resampled means.
        ``original``: average and bounds of ROUGE-1.5.5's bootstrap. ``none``: a list of the scores.
    sums : str
        ``in-order``: one number after another. ``pairwise``: NumPy's mean. ``float32``: NumPy's
        mean in single precision.
    only_middle : bool
        Whether percentiles are left out.
    seed : int or None
        Of the resamples; None goes on with NumPy's global generator, as packages do.
    scale : float
        What sums are multiplied by, before they are divided by the number of texts.
    scales_means : bool
        Whether means are multiplied by it, and not sums.
    of_printed : bool
        Whether means are those of the scores as they are printed: scaled, and rounded.
    only_f : bool
        Whether the mean of F is all that is reported.
    decimals : int or None
        Decimals to which means are rounded.
    geometric_mean : tuple of str
        Metrics whose geometric mean is reported too.
    without_texts : str
        What an empty list of texts gives: ``refused``, a usage error; ``nothing``, an empty
        dictionary; or the name of the package's exception.
    drops : str
        Pairs that are left out: ``nothing``; those with an ``empty`` string; or, after the texts
        are prepared, those with ``empty-references`` only.
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
    """Return precision, recall and F of texts, not yet scaled, shape (3, n_texts).

    They are nan if the package raises an exception, as it divides by 0 or a number is too large.
    `counts` are hits, model counts and peer counts of pairs, shape (3, n_pairs): text ``t`` has
    the pairs ``ends[t]:ends[t + 1]``.
    """
    n_references = np.diff(ends)
    join = _REFERENCES[choices.references]
    most = int(n_references.max(initial=0))
    with np.errstate(all="ignore"):
        if most and (n_references == most).all():
            of_texts = counts[:, ends[0] : ends[-1]].reshape(3, -1, most)
            return np.ascontiguousarray(join(choices, measure, of_texts))
        scores = np.zeros((3, n_references.size))
        for number in np.unique(n_references[n_references > 0]).tolist():
            texts = np.flatnonzero(n_references == number)
            pairs = ends[texts, np.newaxis] + np.arange(number)
            scores[:, texts] = join(choices, measure, counts[:, pairs])
    return scores


def _pair_scores(choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats) -> Floats:
    """Return precision, recall and F of pairs, in any shape; nan for an exception."""
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
    # In py-rouge counts may be negative, and so would be the zero.
    quotients = np.where((hits == 0) | (counts == 0), 0.0, hits / counts)
    if root is None:
        return quotients
    return _powers(quotients, 1 / root) if root else np.where(quotients == 0, 0.0, np.nan)


def _powers(bases: Floats, exponent: float) -> Floats:
    """Raise to a power as Python does, since NumPy's last bits differ."""
    powers = np.full(bases.size, np.nan)
    for number, base in enumerate(bases.tolist()):
        with suppress(ArithmeticError):
            powers[number] = base**exponent if base >= 0 else np.nan
    return powers


def f_measure(
    choices: ScoreChoices, measure: ProtocolMeasure, precision: Floats, recall: Floats
) -> Floats:
    """Return F of each precision and recall; 0 if either of them is 0."""
    formula = (measure.is_lcs and choices.lcs_formula) or choices.formula
    with np.errstate(all="ignore"):
        f = _FORMULAS[formula](choices, precision, recall)
    return np.where((precision == 0) | (recall == 0), 0.0, np.where(np.isfinite(f), f, np.nan))


def _by_alpha(choices: ScoreChoices, precision: Floats, recall: Floats) -> Floats:
    # With alpha 1/2 it is 2PR / (P + R + epsilon).
    alpha = choices.alpha
    return precision * recall / ((1 - alpha) * precision + alpha * recall + choices.epsilon / 2)


def _by_beta(choices: ScoreChoices, precision: Floats, recall: Floats) -> Floats:
    square = choices.beta**2
    return (1 + square) * precision * recall / (recall + square * precision)


_GUARD = 1e-12


def _by_quotient(choices: ScoreChoices, precision: Floats, recall: Floats) -> Floats:
    """Return F with beta = P/R, kept from a division by zero as the package keeps it."""
    square = _powers(precision / (recall + _GUARD), 2)
    return (1 + square) * recall * precision / (recall + square * precision + _GUARD)


def _js_3_0_0(choices: ScoreChoices, precision: Floats, recall: Floats) -> Floats:
    beta = choices.beta
    if beta > 1:
        return recall
    return (1 + beta * beta) * recall * precision / (recall + beta * beta * precision)


def _js_3_2_1(choices: ScoreChoices, precision: Floats, recall: Floats) -> Floats:
    beta = choices.beta
    if beta == 0:
        return precision
    if beta < 1:
        return _js_3_2_1(replace(choices, beta=1 / beta), recall, precision)
    weight, square = 1 / beta * (1 / beta), beta * beta
    less_recall = recall * ((1 + weight) / (1 + weight * (recall / precision)))
    less_precision = precision * ((1 + square) / (1 + square * (precision / recall)))
    f = np.where(
        precision > recall, np.minimum(precision, less_recall), np.minimum(recall, less_precision)
    )
    return np.where(precision == recall, precision, f)


_FORMULAS: Mapping[str, Callable[[ScoreChoices, Floats, Floats], Floats]] = {
    "alpha": _by_alpha,
    "beta": _by_beta,
    "precision-by-recall": _by_quotient,
    "js-3.0.0": _js_3_0_0,
    "js-3.2.1": _js_3_2_1,
}


# How several references are combined: from counts of pairs, shape (3, n_texts, n_references), to
# scores of texts, shape (3, n_texts).


def _first(choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats) -> Floats:
    return _pair_scores(choices, measure, counts[:, :, 0])


def _added(choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats) -> Floats:
    # In order, as packages do: NumPy's sum would add in pairs.
    return _pair_scores(choices, measure, sum(np.moveaxis(counts, 2, 0), np.zeros(1)))


def _best(
    choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats, compared: Floats | None = None
) -> Floats:
    """Return the scores against the first reference with the best F, or the best of `compared`."""
    scores = _pair_scores(choices, measure, counts)
    if compared is None:
        compared = scores[2]
    # A package that fails on any reference fails on the text.
    is_sure = np.isfinite(scores).all(axis=(0, 2)) & np.isfinite(compared).all(axis=1)
    best = scores[:, np.arange(is_sure.size), compared.argmax(axis=1)]
    return np.array(np.where(is_sure, best, np.nan))


def _best_recall(choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats) -> Floats:
    return _best(choices, measure, counts, _quotients(counts[0], counts[1], None))


def _best_rooted(choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats) -> Floats:
    """Do the same; in ROUGE-W the root of the count is taken twice, and the count may be 0."""
    if measure.root is None or measure.is_lcs:
        return _best_recall(choices, measure, counts)
    hits, model_counts, _ = counts.reshape(3, -1)
    exponent = 1 / measure.root
    recall = _powers(hits / _powers(model_counts, exponent), exponent)
    return _best(choices, measure, counts, recall.reshape(counts.shape[1:]))


def _best_apart(choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats) -> Floats:
    precision, recall, f = _pair_scores(choices, measure, counts).max(axis=2)
    of_best = f_measure(choices, measure, precision, recall)
    return np.stack((precision, recall, np.where(np.isfinite(f), of_best, np.nan)))


def _mean(choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats) -> Floats:
    kind = np.float32 if choices.rounding == "float32" else np.float64
    scores = _pair_scores(choices, measure, counts).astype(kind)
    total: Any = sum(np.moveaxis(scores, 2, 0), np.zeros(1, kind))
    return np.array(total / kind(scores.shape[2]), np.float64)


def _pairwise_mean(choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats) -> Floats:
    # NumPy adds in pairs where numbers lie side by side.
    return np.array(np.ascontiguousarray(_pair_scores(choices, measure, counts)).mean(axis=2))


def _jackknife(choices: ScoreChoices, measure: ProtocolMeasure, counts: Floats) -> Floats:
    number = counts.shape[2]
    if number == 1:
        return _first(choices, measure, counts)
    kept = [[other for other in range(number) if other != left] for left in range(number)]
    best = np.stack([_best(choices, measure, counts[:, :, rest]) for rest in kept], axis=2)
    return np.array(np.ascontiguousarray(best).mean(axis=2))


_REFERENCES: Mapping[str, Callable[[ScoreChoices, ProtocolMeasure, Floats], Floats]] = {
    "single": _first,
    "first": _first,
    "added": _added,
    "best-f": _best,
    "best-recall": _best_recall,
    "best-recall-rooted": _best_rooted,
    "best-apart": _best_apart,
    "mean": _mean,
    "pairwise-mean": _pairwise_mean,
    "jackknife": _jackknife,
}


def refused_texts(
    choices: ScoreChoices, longest: int, texts: Sequence[str], n_words: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], str]:
    """Return on which texts the package raises an exception, shape (n_texts,), and the reason.

    `n_words` are the numbers of words of the texts; the longest n-gram has `longest`.
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
    """Return what the package reports for many texts, by metric.

    `scores` are precision, recall and F of each text by the key of the metric, not yet scaled,
    shape (3, n_texts). The report has the three of them, or a number if the package has F alone;
    with resamples, those for low, mid and high; as the original, average and bounds for each of
    recall, precision and F; without a mean, a list.
    """
    reported: dict[str, Any] = {}
    # The legacy generator: its draws are those that packages publish.
    random = np.random if choices.seed is None else np.random.RandomState(choices.seed)
    for measure in measures:
        table = np.ascontiguousarray(scores[measure.key].T)
        if choices.mean == "none":
            rows = scaled(table, scoring).tolist()
            reported[measure.key] = [by_letter(row, measure, scoring.only_f) for row in rows]
        elif choices.mean == "original":
            reported[measure.key] = _originals(table)
        elif choices.mean == "median-of-resamples":
            reported[measure.key] = _medians(table, random, choices, scoring, measure)
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
    """Return scores of texts as the package prints them, in any shape."""
    scores = scores * choices.scale
    if choices.decimals is None:
        return scores
    numbers = [round(number, choices.decimals) for number in scores.ravel().tolist()]
    return np.array(numbers).reshape(scores.shape)


def by_letter(score: Sequence[float], measure: ProtocolMeasure, only_f: bool) -> Any:
    """Return precision, recall and F as a package does: by their letters, or one of them."""
    letters = dict(zip(PRF, score, strict=True))
    return letters[measure.letter.lower()] if only_f else letters


def _means(
    table: Floats, choices: MeanChoices, scoring: ScoreChoices, measure: ProtocolMeasure
) -> list[float]:
    if choices.sums == "in-order":
        n_texts = max(len(table), 1)
        # Not sum(), which compensates for rounding from Python 3.12 on.
        sums = [reduce(add, column, 0.0) for column in table.T.tolist()]
        if choices.scales_means:
            columns = [total / n_texts * choices.scale for total in sums]
        else:
            columns = [total * choices.scale / n_texts for total in sums]
    else:
        number = np.float32 if choices.sums == "float32" else np.float64
        # NumPy adds in pairs only where the numbers of a column lie side by side.
        columns = np.ascontiguousarray(table.T, number).mean(axis=1, dtype=number).tolist()
    if choices.mean == "f-of-means":
        precision, recall, _ = np.array(columns)[:, np.newaxis]
        columns[2] = float(f_measure(scoring, measure, precision, recall)[0])
    return columns


def _originals(table: Floats) -> dict[str, list[float]]:
    """Return average, lower and upper bound of recall, precision and F, as the original prints.

    Wrappers number their files from 0, and the original draws from them in the order of their
    names: 0, 1, 10, 100, 11. In another order the resamples would be others.
    """
    in_order = byte_order([str(number) for number in range(len(table))], DEFAULT_SYSTEM)
    estimated = estimate_means(table[in_order], RESAMPLES, 100 * CONFIDENCE)
    columns = dict(zip(PRF, rounded(estimated.T.ravel()).reshape(3, -1).tolist(), strict=True))
    return {letter: columns[letter] for letter in ("r", "p", "f")}


def _medians(
    table: Floats,
    random: Any,
    choices: MeanChoices,
    scoring: ScoreChoices,
    measure: ProtocolMeasure,
) -> Any:
    means = means_of_resamples(table, RESAMPLES, random)
    # 2.500000000000002 and not 2.5: the last bit of the lower bound depends on it.
    tail = 100 * ((1 - CONFIDENCE) / 2)
    bounds = choices.scale * np.percentile(means, [tail, 50, 100 - tail], axis=0)
    low, middle, high = (by_letter(row, measure, scoring.only_f) for row in bounds.tolist())
    return middle if choices.only_middle else {"low": low, "mid": middle, "high": high}


def _rounded(reported: Any, decimals: int) -> Any:
    if isinstance(reported, dict):
        return {key: _rounded(value, decimals) for key, value in reported.items()}
    return round(reported, decimals)
