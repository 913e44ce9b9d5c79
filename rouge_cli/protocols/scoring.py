"""From counts to precision, recall and F of a text: several references, formulas, rounding.

All numbers are doubles, and every expression is written in the order of the package that it stands
for. Where packages write the same formula in other words, and both have the same bits, there is
one: a factor of 2 or 1/2 moves no bit, and neither does the order of two factors or two summands.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from rouge_cli.errors import InputError
from rouge_cli.metrics.counts import PairCounts
from rouge_cli.protocols.counting import Measure
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

References = Literal[
    "single", "added", "best-f", "best-recall", "best-recall-rooted", "best-apart", "mean"
]
Formula = Literal["alpha", "beta", "precision-by-recall"]
Rounding = Literal["none", "float32", "5-decimals"]
REFUSED, NOTHING = "refused", "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChoices:
    """How counts become scores.

    Parameters
    ----------
    references : str
        What becomes of several references. ``single``: there is one. ``added``: hits and counts
        are added. ``best-f``, ``best-recall``: the first with the best score, for each metric.
        ``best-recall-rooted``: the same, but in ROUGE-W by ``(hits / count^(1/W))^(1/W)``.
        ``best-apart``: the best precision and the best recall, perhaps of different references.
        ``mean``: of precision, recall and F each.
    without_references : str
        What an empty list of references gives: ``refused``, a usage error; ``nothing``, scores of
        0; or the name of the package's exception.
    formula : str
        F. ``alpha``: ``P*R / ((1-alpha)*P + alpha*R + epsilon/2)``. ``beta``:
        ``(1+beta^2)*P*R / (R + beta^2*P)``. ``precision-by-recall``: the same with P/R for beta.
    lcs_formula : str or None
        F of ROUGE-L; None for the same.
    alpha, epsilon, beta : float
    rounding : str
        ``5-decimals``: also before F is formed, as in ROUGE-1.5.5.
    refuses : str
        Texts that raise the package's exception: ``nothing``; ``blank`` texts, of white space
        only; texts without ``words``; or with fewer words than the longest n-gram, ``ngrams``.
    error : str
        The name of that exception.
    only_f : bool
        Whether F is all that comes back.
    scale : float
        What the scores of a text are multiplied with.
    """

    references: References = "single"
    without_references: str = REFUSED
    formula: Formula = "alpha"
    lcs_formula: Formula | None = None
    alpha: float = 0.5
    epsilon: float = 0.0
    beta: float = 1.2
    rounding: Rounding = "none"
    refuses: Literal["nothing", "blank", "words", "ngrams"] = "nothing"
    error: str = "ValueError"
    only_f: bool = False
    scale: float = 1.0


class ProtocolError(InputError):
    """An exception that the package itself raises.

    Parameters
    ----------
    type_name : str
        Its type, such as ``"ZeroDivisionError"``.
    reason : str
        What it is raised for.
    """

    def __init__(self, type_name: str, reason: str) -> None:
        super().__init__(f"{type_name}: {reason}")
        self.type_name = type_name
        self.reason = reason

    def __reduce__(self) -> tuple[type["ProtocolError"], tuple[object, ...]]:
        """Pickle by both parts, so that an error arrives whole from a worker."""
        return type(self), (self.type_name, self.reason)


class Score(NamedTuple):
    """Precision, recall and F of a text in one metric."""

    precision: float
    recall: float
    f: float


NO_SCORE = Score(0.0, 0.0, 0.0)


def score_measure(choices: ScoreChoices, measure: Measure, counts: Sequence[PairCounts]) -> Score:
    """Return the scores of a text in one metric.

    Parameters
    ----------
    choices : ScoreChoices
    measure : Measure
    counts : sequence of PairCounts
        For each reference.
    """
    return _JOINED[choices.references](choices, measure, counts) if counts else NO_SCORE


def _score(choices: ScoreChoices, measure: Measure, counts: PairCounts) -> Score:
    """Return the scores of a pair, or of the sum of several."""
    round_early = _rounded if choices.rounding == "5-decimals" else _unrounded
    precision = round_early(_quotient(counts.hit, counts.peer_count, measure.root))
    recall = round_early(_quotient(counts.hit, counts.model_count, measure.root))
    f = f_measure(choices, measure, precision, recall)
    return Score(*map(_ROUNDED[choices.rounding], (precision, recall, f)))


def _quotient(hit: float, count: float, root: float | None = None) -> float:
    """Return hits of a count, 0 where there are none."""
    # In py-rouge counts may be negative, and so would be the zero.
    if not hit or not count:
        return 0.0
    share = hit / count
    return share if root is None else float(_power(share, 1 / root))


def f_measure(choices: ScoreChoices, measure: Measure, precision: float, recall: float) -> float:
    """Return F, 0 where precision or recall is."""
    if not precision or not recall:
        return 0.0
    formula = choices.lcs_formula if measure.is_lcs and choices.lcs_formula else choices.formula
    return _FORMULAS[formula](choices, precision, recall)


def _by_alpha(choices: ScoreChoices, precision: float, recall: float) -> float:
    """Return F with a weight of precision; alpha 1/2 is ``2PR / (P + R + epsilon)``."""
    alpha = choices.alpha
    divisor = (1 - alpha) * precision + alpha * recall + choices.epsilon / 2
    return precision * recall / divisor


def _by_beta(choices: ScoreChoices, precision: float, recall: float) -> float:
    """Return F with recall beta times as important."""
    square = choices.beta**2
    return (1 + square) * precision * recall / (recall + square * precision)


_GUARD = 1e-12


def _by_quotient(choices: ScoreChoices, precision: float, recall: float) -> float:
    """Return F with beta = P/R, kept from a division by zero as the package keeps it."""
    beta = precision / (recall + _GUARD)
    square: float = _power(beta, 2)
    return (1 + square) * recall * precision / (recall + square * precision + _GUARD)


_FORMULAS: Mapping[Formula, Callable[[ScoreChoices, float, float], float]] = {
    "alpha": _by_alpha,
    "beta": _by_beta,
    "precision-by-recall": _by_quotient,
}


def _unrounded(score: float) -> float:
    """Return a score as it is."""
    return score


def _rounded(score: float) -> float:
    """Round a score as C prints it with 5 decimals."""
    return round(score, 5)


def _single_precision(score: float) -> float:
    """Return the nearest number of single precision."""
    import numpy as np

    return float(np.float32(score))


_ROUNDED: Mapping[Rounding, Callable[[float], float]] = {
    "none": _unrounded,
    "float32": _single_precision,
    "5-decimals": _rounded,
}


def score_columns(
    choices: ScoreChoices,
    measure: Measure,
    counts: "Floats",
    ends: "NDArray[np.int64]",
    count_again: Callable[[int], PairCounts] | None = None,
) -> "tuple[Floats, dict[int, ArithmeticError]]":
    """Return what `score_measure` does for many texts at once.

    Parameters
    ----------
    choices : ScoreChoices
    measure : Measure
    counts : ndarray, shape (3, n_pairs)
        Hits, model counts and peer counts of the pairs, text by text.
    ends : ndarray of int64, shape (n_texts + 1,)
        Text ``t`` has the pairs ``ends[t]:ends[t + 1]``.
    count_again : callable or None
        Counts a pair whose counts are nan, as counting it raised ArithmeticError.

    Returns
    -------
    scores : ndarray, shape (3, n_texts)
        Precision, recall and F, not yet scaled; nan where there is an error.
    errors : dict of int to ArithmeticError
        What `score_measure`, or counting, raises on a text.
    """
    import numpy as np

    is_scored = np.diff(ends) > 0
    scores = np.where(is_scored, np.nan, np.zeros((3, is_scored.size)))
    firsts, n_references = ends[:-1][is_scored], np.diff(ends)[is_scored]
    with suppress(ArithmeticError):
        pairs = _Pairs(choices, measure, counts, firsts, n_references)
        scores[:, is_scored] = _COLUMNS[choices.references](pairs)

    def again(text: int) -> ArithmeticError | None:
        try:
            pairs = [
                count_again(pair)
                if count_again is not None and np.isnan(counts[:, pair]).any()
                else PairCounts(*counts[:, pair].tolist())
                for pair in range(ends[text], ends[text + 1])
            ]
            scores[:, text] = score_measure(choices, measure, pairs)
        except ArithmeticError as error:
            scores[:, text] = np.nan
            return error
        return None

    # What is no number here is an exception there, or at least not for columns to decide.
    unclear = np.flatnonzero(~np.isfinite(scores).all(axis=0)).tolist()
    errors = {text: again(text) for text in unclear}
    return scores, {text: error for text, error in errors.items() if error is not None}


def _pair_columns(choices: ScoreChoices, measure: Measure, counts: "Floats") -> "Floats":
    """Return what `_score` does for many pairs at once; what it raises is no number here."""
    import numpy as np

    hit, model_count, peer_count = counts
    with np.errstate(all="ignore"):
        quotients = np.stack((hit / peer_count, hit / model_count))
    quotients[:, hit == 0] = 0
    quotients[0, peer_count == 0] = quotients[1, model_count == 0] = 0
    if measure.root is not None:
        quotients = _power(quotients, 1 / measure.root)
    if choices.rounding == "5-decimals":
        quotients = _rounded_columns(quotients)
    scores = np.stack((*quotients, _f_columns(choices, measure, *quotients)))
    if choices.rounding == "5-decimals":
        return _rounded_columns(scores)
    return scores.astype(np.float32).astype(float) if choices.rounding == "float32" else scores


def _f_columns(
    choices: ScoreChoices, measure: Measure, precision: "Floats", recall: "Floats"
) -> "Floats":
    """Return what `f_measure` does for many pairs at once."""
    import numpy as np

    formula: Any = (measure.is_lcs and choices.lcs_formula) or choices.formula
    with np.errstate(all="ignore"):
        f: Any = _FORMULAS[formula](choices, cast("Any", precision), cast("Any", recall))
    scores: Floats = np.where((precision == 0) | (recall == 0), 0, f)
    return scores


def _power(base: Any, exponent: float) -> Any:
    """Raise to a power as Python does, a number or each of an array: NumPy has other last bits."""
    if isinstance(base, float):
        return base**exponent
    import numpy as np

    powers = [number**exponent for number in base.ravel().tolist()]
    return np.array(powers, np.float64).reshape(base.shape)


class _Pairs(NamedTuple):
    """The counts of the pairs of many texts, and how they become scores.

    - `counts`: hits, model counts and peer counts; shape (3, n_pairs).
    - `firsts`, `n_references`: the first pair of each text, and how many it has; shape (n_texts,).
    """

    choices: ScoreChoices
    measure: Measure
    counts: "Floats"
    firsts: "NDArray[np.int64]"
    n_references: "NDArray[np.int64]"

    def scores(self) -> "Floats":
        """Return the scores of each pair."""
        return _pair_columns(self.choices, self.measure, self.counts)

    def further(self) -> "Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]":
        """Yield texts with a second reference and its pairs, then those with a third, and so on."""
        import numpy as np

        for number in range(1, int(self.n_references.max(initial=0))):
            texts = np.flatnonzero(self.n_references > number)
            yield texts, self.firsts[texts] + number


def _best_columns(pairs: _Pairs, *, by_recall: bool = False) -> "Floats":
    """Return the scores against the first reference with the best F, or the best recall."""
    import numpy as np

    scores = pairs.scores()
    if by_recall:
        hits, model_counts, _ = pairs.counts
        with np.errstate(all="ignore"):
            compared = np.where((hits == 0) | (model_counts == 0), 0, hits / model_counts)
    else:
        compared = scores[2]
    best = pairs.firsts.copy()
    is_sure = np.array(np.isfinite(scores[:, best]).all(axis=0))
    for texts, others in pairs.further():
        is_better = compared[others] > compared[best[texts]]
        best[texts[is_better]] = others[is_better]
        is_sure[texts] &= np.isfinite(scores[:, others]).all(axis=0)
    return np.where(is_sure, scores[:, best], np.nan)


def _added_columns(pairs: _Pairs) -> "Floats":
    """Return the scores of added hits and counts."""
    total = 0.0 + pairs.counts[:, pairs.firsts]
    for texts, others in pairs.further():
        total[:, texts] += pairs.counts[:, others]
    return pairs._replace(counts=total).scores()


def _apart_columns(pairs: _Pairs) -> "Floats":
    """Return the best precision, the best recall, and F of these."""
    import numpy as np

    scores = pairs.scores()
    best = scores[:, pairs.firsts]
    for texts, others in pairs.further():
        # What is no number stays none.
        best[:, texts] = np.maximum(best[:, texts], scores[:, others])
    is_sure = np.isfinite(best[2])
    f = _f_columns(pairs.choices, pairs.measure, best[0], best[1])
    best[2] = np.where(is_sure, f, np.nan)
    return best


def _single_columns(pairs: _Pairs) -> "Floats":
    """Return the scores against the only reference; nan where there are several."""
    import numpy as np

    scores = pairs._replace(counts=pairs.counts[:, pairs.firsts]).scores()
    return np.where(pairs.n_references == 1, scores, np.nan)


def _rooted_columns(pairs: _Pairs) -> "Floats":
    """Return nan for ROUGE-W, whose references are compared by other powers."""
    import numpy as np

    if pairs.measure.root is None or pairs.measure.is_lcs:
        return _best_columns(pairs, by_recall=True)
    return np.full((3, pairs.firsts.size), np.nan)


_COLUMNS: "Mapping[References, Callable[[_Pairs], Floats]]" = {
    "single": _single_columns,
    "added": _added_columns,
    "best-f": _best_columns,
    "best-recall": partial(_best_columns, by_recall=True),
    "best-recall-rooted": _rooted_columns,
    "best-apart": _apart_columns,
    "mean": _single_columns,
}


def _rounded_columns(scores: "Floats") -> "Floats":
    """Round scores as `_rounded` does; NumPy's own rounding goes astray near ties."""
    import numpy as np

    values, places = np.unique(scores, return_inverse=True)
    rounded = np.array(list(map(_rounded, values.tolist())))
    return rounded[places].reshape(scores.shape)


Joined = Callable[[ScoreChoices, Measure, Sequence[PairCounts]], Score]


def _of_first(choices: ScoreChoices, measure: Measure, counts: Sequence[PairCounts]) -> Score:
    """Return the scores against the only reference."""
    return _score(choices, measure, counts[0])


def _of_sum(choices: ScoreChoices, measure: Measure, counts: Sequence[PairCounts]) -> Score:
    """Return the scores of added hits and counts."""
    # sum() compensates from Python 3.12 on, which moves the last bits of ROUGE-W.
    hit = model_count = peer_count = 0.0
    for pair in counts:
        hit += pair.hit
        model_count += pair.model_count
        peer_count += pair.peer_count
    return _score(choices, measure, PairCounts(hit, model_count, peer_count))


def _of_best_f(choices: ScoreChoices, measure: Measure, counts: Sequence[PairCounts]) -> Score:
    """Return the scores against the first reference with the best F."""
    return max((_score(choices, measure, pair) for pair in counts), key=lambda score: score.f)


def _of_best_recall(choices: ScoreChoices, measure: Measure, counts: Sequence[PairCounts]) -> Score:
    """Return the scores against the first reference with the best recall."""
    best = max(counts, key=lambda pair: _quotient(pair.hit, pair.model_count))
    return _score(choices, measure, best)


def _of_best_rooted(choices: ScoreChoices, measure: Measure, counts: Sequence[PairCounts]) -> Score:
    """Return the same; in ROUGE-W the root of the count is taken twice, and 0 is not spared."""
    if measure.root is None or measure.is_lcs:
        return _of_best_recall(choices, measure, counts)
    exponent = 1 / measure.root

    def recall(pair: PairCounts) -> float:
        return float((pair.hit / pair.model_count**exponent) ** exponent)

    return _score(choices, measure, max(counts, key=recall))


def _of_best_apart(choices: ScoreChoices, measure: Measure, counts: Sequence[PairCounts]) -> Score:
    """Return the best precision, the best recall, and F of these."""
    scores = [_score(choices, measure, pair) for pair in counts]
    precision = max(score.precision for score in scores)
    recall = max(score.recall for score in scores)
    return Score(precision, recall, f_measure(choices, measure, precision, recall))


def _of_mean(choices: ScoreChoices, measure: Measure, counts: Sequence[PairCounts]) -> Score:
    """Return the mean of each measure over the references, in the precision of the scores."""
    import numpy as np

    dtype = np.float32 if choices.rounding == "float32" else np.float64
    scores = np.array([_score(choices, measure, pair) for pair in counts], dtype)
    # Along the first axis NumPy adds row to row, in order.
    return Score(*scores.mean(axis=0, dtype=dtype).tolist())


_JOINED: Mapping[References, Joined] = {
    "single": _of_first,
    "added": _of_sum,
    "best-f": _of_best_f,
    "best-recall": _of_best_recall,
    "best-recall-rooted": _of_best_rooted,
    "best-apart": _of_best_apart,
    "mean": _of_mean,
}


def refused_texts(
    choices: ScoreChoices,
    longest: int,
    texts: Sequence[str],
    n_words: "NDArray[np.int64]",
) -> "tuple[NDArray[np.bool_], str]":
    """Say on which texts the package raises an exception, shape (n_texts,), and for what reason.

    Parameters
    ----------
    choices : ScoreChoices
    longest : int
        Number of words of the longest n-gram that is counted.
    texts : sequence of str
    n_words : ndarray of int64, shape (n_texts,)
        How many words each has.
    """
    import numpy as np

    if choices.refuses == "nothing":
        return np.zeros(len(texts), np.bool_), ""
    if choices.refuses == "blank":
        return np.array([not text.strip() for text in texts], np.bool_), "a text is blank"
    fewest = longest if choices.refuses == "ngrams" else 1
    reason = "without words" if fewest == 1 else f"of fewer than {fewest} words"
    return n_words < fewest, f"a text {reason}"
