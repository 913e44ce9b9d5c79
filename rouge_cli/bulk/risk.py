"""Minimum Bayes risk decoding: the sample that agrees most with the others."""

import math
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.bulk.metric import DEFAULT, Floats, pair_metric
from rouge_cli.bulk.pairs import ScoredPairs, thread_count
from rouge_cli.bulk.texts import listed, read_together, warn_about
from rouge_cli.errors import InputError
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.threads import mapped

if TYPE_CHECKING:
    from rouge_cli.inputs.source import Text


@dataclass(frozen=True, slots=True, eq=False)
class BestSamples:
    """The sample of each source that agrees most with the references.

    Parameters
    ----------
    best : ndarray of int64, shape (n_sources,)
        The sample with the highest expected score; the first one if several are equal.
    expected : list of ndarray of float64, shape (n_samples,)
        The mean of each sample's scores, or their weighted sum, computed exactly and rounded once.
    """

    best: NDArray[np.int64]
    expected: list[Floats]


def mbr(
    samples: "Iterable[Iterable[Text]]",
    references: "Iterable[Iterable[Text]] | None" = None,
    *,
    weights: Iterable[Iterable[float]] | None = None,
    metric: str = DEFAULT,
    jobs: int | None = None,
    **options: Any,
) -> BestSamples:
    """Choose the sample with the highest expected score: minimum Bayes risk decoding.

    Parameters
    ----------
    samples : iterable of iterables of texts
        At least one sample for each source.
    references : iterable of iterables of texts, optional
        The texts that samples are compared with. By default these are all samples of the source,
        the sample itself included.
    weights : iterable of iterables of float, optional
        Weights of the references, which sum to 1 for each source. For log probabilities, give their
        softmax.
    metric, jobs, **options
        As for `pairwise`.

    Returns
    -------
    BestSamples

    Raises
    ------
    OptionError, InputError
        As for `pairwise`; also for a source without samples or references, lists whose lengths
        differ, and weights that do not sum to 1.

    Examples
    --------
    >>> from rouge_cli import bulk
    >>> found = bulk.mbr([["the cat sat", "the cat", "a dog"]])
    >>> found.best.tolist(), found.expected[0].tolist()
    ([0], [0.6, 0.6, 0.3333333333333333])
    """
    n_threads = thread_count(jobs)
    sources = {"samples": _by_source(samples, "samples")}
    if references is not None:
        sources["references"] = _by_source(references, "references")
    sides = [sources["samples"], list(sources.values())[-1]]
    shares = _checked_weights(sides[0], sides[1], weights)
    lists = {name: list(chain.from_iterable(texts)) for name, texts in sources.items()}
    checked, texts = read_together(lists, options)
    warn_about(texts.values())
    read = list(texts.values())
    pairs = ScoredPairs(pair_metric(metric, checked), read[0], read[-1])
    expected = _expected(pairs, sides, shares, n_threads)
    return BestSamples(np.array([int(item.argmax()) for item in expected], np.int64), expected)


def _by_source(lists: Any, name: str) -> list[list[Any]]:
    """Return the texts of each source; raises InputError if a source has none."""
    sources = [
        listed(texts, f"{name}[{source}]") for source, texts in enumerate(listed(lists, name))
    ]
    if empty := [str(source) for source, texts in enumerate(sources) if not texts]:
        raise InputError(f"{name}: no texts at {', '.join(empty)}; expected at least one for each")
    return sources


def _expected(
    pairs: ScoredPairs, sides: Sequence[Any], weights: Sequence[Floats] | None, n_threads: int
) -> list[Floats]:
    """Return the expected scores of the samples of each source; for the weights, see `mbr`."""
    rows, columns = (list(pairwise(accumulate(map(len, side), initial=0))) for side in sides)

    def of_source(source: int) -> Floats:
        scores = pairs.score(rows[source], columns=columns[source])
        return exact_means(scores) if weights is None else exact_sums(scores, weights[source])

    return list(mapped(of_source, range(len(rows)), n_threads))


TOLERANCE = 1e-5  # of a sum of weights, which may be in single precision


def _checked_weights(
    samples: Sequence[Any], references: Sequence[Sequence[Any]], weights: Any
) -> list[Floats] | None:
    """Return the weights of each source; raises InputError if the lists do not match."""
    if len(samples) != len(references):
        raise InputError(
            f"{len(samples)} lists of samples but {len(references)} of references; expected "
            "equally many"
        )
    if weights is None:
        return None
    try:
        shares = [np.array(list(of_source), np.float64) for of_source in weights]
    except (TypeError, ValueError):
        raise InputError("weights: expected a list of numbers for each source") from None
    if len(shares) != len(references):
        raise InputError(f"{len(shares)} lists of weights for {len(references)} sources")
    problems = [
        f"weights[{source}]: expected {len(texts)} numbers from 0 on that sum to 1"
        for source, (of_source, texts) in enumerate(zip(shares, references, strict=True))
        if of_source.shape != (len(texts),)
        or not (of_source >= 0).all()
        or not abs(math.fsum(of_source) - 1) <= TOLERANCE
    ]
    if problems:
        raise InputError(problems)
    return shares


def exact_means(scores: Floats) -> Floats:
    """Return the mean of each row: the exact mean, rounded once."""
    n_columns = scores.shape[1]
    # Scores are cut into whole numbers of `n_bits` bits, so short that a double holds the sum of a
    # row, which has at most 52 bits, exactly.
    n_bits = 52 - (n_columns * (int(np.abs(scores).max(initial=0)) + 1)).bit_length()
    sums = [0] * len(scores)
    scale, ones = n_columns, np.ones(n_columns)
    rest = scores * float(1 << n_bits)
    while True:
        whole = np.floor(rest)
        parts = (whole @ ones).astype(np.int64).tolist()
        sums = [(total << n_bits) + part for total, part in zip(sums, parts, strict=True)]
        scale <<= n_bits
        rest -= whole
        if not rest.any():
            # Python divides integers of any size with one rounding.
            return np.array([total / scale for total in sums])
        rest *= float(1 << n_bits)


FACTOR = float((1 << 27) + 1)


def _halves(numbers: Floats) -> tuple[Floats, Floats]:
    shifted = numbers * FACTOR
    high = shifted - (shifted - numbers)
    return high, numbers - high


def exact_sums(scores: Floats, weights: Floats) -> Floats:
    """Return the weighted sum of each row, rounded once.

    Each product is split into the rounded product and its error, which is a double too (Dekker
    1971, A floating-point technique for extending the available precision, section 5).
    """
    products = scores * weights
    (score_high, score_low), (high, low) = _halves(scores), _halves(weights)
    errors = ((score_high * high - products) + score_high * low + score_low * high) + (
        score_low * low
    )
    return np.array([math.fsum(row) for row in np.hstack((products, errors)).tolist()])
