"""The results of a metric: counts and marks of each pair, and scores of each instance.

A pair consists of a peer and a model. An instance is one peer in one EVAL; its pairs, one for each
model, are adjacent. The score of a system is the mean over its EVALs, or an `Aggregation` of
several means. In the latter case the bootstrap and the tests resample the EVALs of each part.
Source: specification, section 5.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.arithmetic import Floats, Whole, number_array
from rouge_cli.options.readers import Number
from rouge_cli.options.scores import SINGLE_MEASURE, Fusion, Term
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns

PartKey = tuple[str, str]  # the name of a metric, and one of its measures or statistics


class Aggregation(Protocol):
    """Computes the score of a system from the means of several measures or statistics."""

    @property
    def parts(self) -> tuple[PartKey, ...]:
        """The measures and statistics to average over the EVALs of a system."""

    @property
    def definition(self) -> Mapping[str, Any]:
        """A description of the aggregation for saved scores, made of plain values."""

    def score(self, means: Floats, n_evals: Floats | int) -> Floats:
        """Return the scores, shape (...).

        `means`, shape (n_parts, ...), are taken over `n_evals` EVALs, which is one number or an
        array of shape (...). If a mean is nan, so is the score.
        """

    def slopes(self, means: Floats, n_evals: int) -> Floats:
        """Return the derivative of the score by each of the means, both of shape (n_parts,)."""


@dataclass(frozen=True, slots=True)
class FusedMeans:
    """A fusion of the means of other metrics; `parts` has an entry for each term."""

    fusion: Fusion
    parts: tuple[PartKey, ...]

    @property
    def definition(self) -> Mapping[str, Any]:
        """The label, the kind, and each part with its weight."""
        weights = [term.weight.text for term in self.fusion.terms]
        return {
            "label": self.fusion.label,
            "kind": self.fusion.kind,
            "parts": [[*part, weight] for part, weight in zip(self.parts, weights, strict=True)],
        }

    @classmethod
    def defined(cls, definition: Mapping[str, Any]) -> "FusedMeans":
        """Restore a fusion from its `definition`; raises ValueError, KeyError or TypeError."""
        parts = [(str(name), str(key), str(weight)) for name, key, weight in definition["parts"]]
        terms = tuple(Term(name, key, Number(weight, float(weight))) for name, key, weight in parts)
        fusion = Fusion(definition["label"], definition["kind"], False, terms)
        return cls(fusion, tuple((name, key) for name, key, _ in parts))

    def score(self, means: Floats, n_evals: Floats | int) -> Floats:
        """Return the fused score of means."""
        return fused(self.fusion, means)

    def slopes(self, means: Floats, n_evals: int) -> Floats:
        """Return the derivatives; 0 for those that a mean of 0 leaves undefined."""
        weights = _weights(self.fusion)
        if self.fusion.kind == "mean":
            return weights
        is_defined = means > 0
        divisors = np.where(is_defined, means, 1.0)
        whole = fused(self.fusion, means)
        ratios = whole / divisors if self.fusion.kind == "geomean" else (whole / divisors) ** 2
        return np.where(is_defined, weights * ratios, 0.0)


def _weights(fusion: Fusion) -> Floats:
    weights = np.array([term.weight.value for term in fusion.terms])
    shares: Floats = weights / weights.sum()
    return shares


def fused(fusion: Fusion, values: Floats) -> Floats:
    """Return the weighted arithmetic, geometric or harmonic mean of values, shape (n_terms, ...).

    For the last two, no value may be negative, and they are 0 if any value is 0.
    """
    weights = _weights(fusion).reshape(-1, *[1] * (values.ndim - 1))
    if fusion.kind == "mean":
        mean: Floats = (weights * values).sum(axis=0)
        return mean
    if fusion.kind == "geomean":
        product: Floats = (values**weights).prod(axis=0)
        return product
    is_zero = (values == 0).any(axis=0)
    # Zeros are replaced only to avoid dividing by them.
    inverse = (weights / np.where(values == 0, 1.0, values)).sum(axis=0)
    return np.where(is_zero, 0.0, 1.0 / inverse)


SHARES = "0-1"  # the scale of every ROUGE metric
RPF = ("R", "P", "F")  # recall, precision and F: the measures of every ROUGE metric, in print order


@dataclass(frozen=True, slots=True)
class ScoredMetric:
    """The properties of a metric, without the code that computes it.

    - `name`: the printed name, such as ``"ROUGE-W-1.2"`` or ``"ROUGE-SU*"``. Metrics that the
      original lacks have names that it could not print.
    - `measures`: the letters of its measures, in print order; ``("S",)`` for a single score.
    - `scale`: the range of its scores, such as ``"0-100"``; None if unknown. Only scores of the
      same scale can be fused.
    - `aggregation`: how the score of a system is computed; None for the mean over its EVALs.
    """

    name: str
    measures: tuple[str, ...] = RPF
    scale: str | None = None
    is_lower_better: bool = False
    aggregation: Aggregation | None = None

    @property
    def is_single(self) -> bool:
        """Whether it has a single score, the measure S."""
        return self.measures == (SINGLE_MEASURE,)

    @property
    def statistics(self) -> tuple[str, ...]:
        """The parts of a system's score that are statistics of this metric."""
        if self.aggregation is None:
            return ()
        return tuple(key for name, key in self.aggregation.parts if name == self.name)

    @property
    def rows(self) -> tuple[str, ...]:
        """The measures and statistics, in the order in which `InstanceScores` has them."""
        return (*self.measures, *self.statistics)


class PairCounts(NamedTuple):
    """The counts of one pair in one metric. Only those of ROUGE-W may be floats.

    - `model_base`: in ROUGE-W, the model count weighted once; formula B uses it to compare models.
    - `peer_hit`: the numerator of precision if it differs from `hit`, as in pairwise LCS.
    """

    hit: float
    model_count: float
    peer_count: float
    model_base: float | None = None
    peer_hit: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """The counts of many pairs: the fields of `PairCounts` as arrays of shape (n_pairs,).

    Their type is int64, or int32 to save memory in a run with many instances. In ROUGE-W it is
    float64 or, with a whole weight, int64 or object: Python's ints, and floats for the counts that
    are doubles in the original.
    """

    hit: NDArray[Any]
    model_count: NDArray[Any]
    peer_count: NDArray[Any]
    model_base: NDArray[Any] | None = None
    peer_hit: NDArray[Any] | None = None

    @classmethod
    def of_pairs(cls, pairs: Sequence[PairCounts], *, has_whole_counts: bool = True) -> "Counts":
        """Gather the counts of pairs in arrays: of int64 if they are whole numbers that fit."""
        convert: Any = number_array if has_whole_counts else partial(np.array, dtype=np.float64)
        # Either all pairs of a metric have the optional counts, or none has.
        columns: list[Any] = [
            None if column[0] is None else convert(column) for column in zip(*pairs, strict=True)
        ]
        return cls(*columns)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays except `model_base`, by name."""
        counts = {"hit": self.hit, "model_count": self.model_count, "peer_count": self.peer_count}
        return counts if self.peer_hit is None else {**counts, "peer_hit": self.peer_hit}

    def apply(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> "Counts":
        """Apply a function to each array; `model_base` is dropped."""
        return Counts(**{name: change(values) for name, values in self.arrays().items()})

    def take(self, rows: Whole) -> "Counts":
        """Return the counts of some pairs, without `model_base`."""
        return self.apply(lambda values: values[rows])


@dataclass(frozen=True, slots=True, eq=False)
class InstanceScores:
    """The scores of many instances in one metric.

    - `values`: a row for each measure, then one for each statistic, shape (n_rows, n_instances).
      Measures of ROUGE are rounded to 5 decimals.
    - `counts`: the counts of each instance; None if the metric does not count.
    """

    values: Floats
    counts: Counts | None

    def take(self, rows: Whole) -> "InstanceScores":
        """Return the scores of some instances."""
        counts = None if self.counts is None else self.counts.take(rows)
        return InstanceScores(self.values[:, rows], counts)


def joined_scores(pieces: Sequence[InstanceScores]) -> InstanceScores:
    """Concatenate scores; there must be at least one piece."""
    if len(pieces) == 1:
        return pieces[0]
    counts = [piece.counts.arrays() for piece in pieces if piece.counts is not None]
    values = np.concatenate([piece.values for piece in pieces], axis=1)
    if not counts:
        return InstanceScores(values, None)
    joined = {name: np.concatenate([arrays[name] for arrays in counts]) for name in counts[0]}
    return InstanceScores(values, Counts(**joined))


INT32_LIMIT = 1 << 31


def short_counts(values: NDArray[Any]) -> NDArray[Any]:
    """Convert counts to 32 bits if these are enough; in 64 they take as much memory as scores."""
    if values.dtype != np.int64 or values.max(initial=0) >= INT32_LIMIT:
        return values
    # Only counts in files may be negative.
    return values if values.min(initial=0) < -INT32_LIMIT else values.astype(np.int32)


class GrowingRows:
    """Rows of numbers that grow in place as pieces are appended.

    Why not lists of arrays, concatenated at the end? They took 110 MB more for a million pairs: the
    freed arrays are too small for the allocator to return their memory to the system.
    """

    def __init__(self) -> None:
        self._rows: list[NDArray[Any]] = []
        self._size = self._n_axes = 0

    def extend(self, values: NDArray[Any]) -> None:
        """Append values of shape (n_rows, n), or (n,) for a single row."""
        self._n_axes = values.ndim
        pieces = np.atleast_2d(values)
        end = self._size + pieces.shape[1]
        self._rows = self._rows or [np.empty(0, values.dtype) for _ in pieces]
        for number, piece in enumerate(pieces):
            row = self._rows[number]
            # As objects, so that whole counts beside doubles stay exact beyond 53 bits.
            is_alike = row.dtype.kind == piece.dtype.kind
            common = np.promote_types(row.dtype, piece.dtype) if is_alike else np.dtype(object)
            if common != row.dtype:
                row = self._rows[number] = row.astype(common)
            if end > row.size:
                # By a quarter, so that the cost of copying is constant per value.
                row.resize(max(end, row.size * 5 // 4), refcheck=False)
            row[self._size : end] = piece
        self._size = end

    def take(self) -> NDArray[Any]:
        """Return the rows in the shape of the appended values, and free them."""
        rows, self._rows = [row[: self._size] for row in self._rows], []
        return rows[0] if self._n_axes == 1 else np.stack(rows)


# Marks show which words of a pair match and which of them count, for `explain` and the pages. A
# metric marks the same units that it counts, so the matches of a pair add up to its hits.

# States of a token: in no match, in a match beyond the clipped count, in a hit.
UNMATCHED, CLIPPED, COUNTED = 0, 1, 2
Place = tuple[int, ...]  # the tokens of one occurrence, as positions in the text from 0 on


@dataclass(frozen=True, slots=True)
class Match:
    """A unit in both texts: an n-gram, a skip-bigram, a Basic Element, or a word on an LCS.

    - `peer`, `model`: all occurrences, in the order of the text; in ROUGE-L and ROUGE-W only those
      on an LCS.
    - `hits`: the number of occurrences that count, from the first on. The others are clipped.
    - `similarity`: the lowest cosine of the words of a soft match; None if both sides are equal.
    """

    peer: tuple[Place, ...]
    model: tuple[Place, ...]
    hits: int
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Alignment:
    """The LCS of a sentence of the model with a sentence of the peer.

    Sentences are counted from 0. `words` has the matched tokens of the model and of the peer, as
    positions in the text from 0 on.
    """

    model_sentence: int
    peer_sentence: int
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Words of the model that count together in ROUGE-W.

    The words from `start` up to, but not including, `end` contain the run; `length` of them count.
    `weight`, the weighted length, is added to the hit.
    """

    start: int
    end: int
    length: int
    weight: float


@dataclass(frozen=True, slots=True)
class PairMarks:
    """The marks of one metric in one pair.

    - `matches`: their hits add up to the hit of the pair, except in ROUGE-W, where runs do.
    - `peer_matches`: the matches for precision, if these differ, as in pairwise LCS.
    - `alignments`: by model sentence, then by peer sentence, in metrics that compare sentences.
    - `runs`: in the order of addition, only in ROUGE-W.
    - `states`: the states of the tokens of the peer and of the model, one byte each, in marks that
      have only these; None if matches determine them.
    """

    matches: tuple[Match, ...]
    peer_matches: tuple[Match, ...] | None = None
    alignments: tuple[Alignment, ...] = ()
    runs: tuple[Run, ...] = ()
    states: tuple[bytes, bytes] | None = None

    def peer_states(self, n_tokens: int) -> bytes:
        """Return the state of each token of the peer."""
        if self.states is not None:
            return self.states[0]
        matches = self.matches if self.peer_matches is None else self.peer_matches
        return _states([(match.peer, match.hits) for match in matches], n_tokens)

    def model_states(self, n_tokens: int) -> bytes:
        """Return the state of each token of the model."""
        if self.states is not None:
            return self.states[1]
        return _states([(match.model, match.hits) for match in self.matches], n_tokens)


class PairTokens:
    """The tokens of all pairs, those of the peers before those of the models.

    For each token, `types` has its type, `pairs` its pair, and `ends` the end of its text.
    """

    def __init__(
        self, peers: TextColumns, peer_texts: Whole, models: TextColumns, model_texts: Whole
    ) -> None:
        sides = peers.take(peer_texts), models.take(model_texts)
        self.types = np.concatenate([side.types for side in sides]).astype(np.int64)
        self.n_peer = sides[0].types.size
        offsets = sides[0].token_offsets, self.n_peer + sides[1].token_offsets
        counts = np.concatenate([np.diff(side) for side in offsets])
        self.pairs = np.repeat(np.tile(np.arange(peer_texts.size), 2), counts)
        self.ends = np.repeat(np.concatenate([side[1:] for side in offsets]), counts)
        self._bounds = [side.tolist() for side in offsets]

    def ngrams(self, n: int) -> tuple[Whole, Whole]:
        """Return the n-grams of each pair: where each starts, and its number."""
        starts = np.flatnonzero(np.arange(self.types.size) + n <= self.ends)
        units, n_types = self.pairs[starts], int(self.types.max(initial=0)) + 1
        for place in range(n):
            # Renumbering at each word keeps the products below within int64.
            units = numbered(units * n_types + self.types[starts + place])
        return starts, units

    def hits(self, starts: Whole, units: Whole) -> Whole:
        """Return the hits of each unit: the lower of its counts in the peer and in the model."""
        is_peer, n_units = starts < self.n_peer, int(units.max(initial=-1)) + 1
        counts = [np.bincount(units[side], minlength=n_units) for side in (is_peer, ~is_peer)]
        return np.minimum(*counts)

    def states(self, starts: Whole, units: Whole, hits: Whole, n: int = 1) -> list[PairMarks]:
        """Return marks with states; in each text, the first `hits` occurrences of a unit count."""
        # Models get keys of their own, so that occurrences are ranked within each text.
        keys = units + np.where(starts < self.n_peer, 0, hits.size)
        order = np.argsort(keys, kind="stable")
        firsts = np.searchsorted(keys[order], keys[order])
        ranks = np.empty(keys.size, np.int64)
        ranks[order] = np.arange(keys.size) - firsts
        of_units = np.where(ranks < hits[units], COUNTED, np.where(hits[units], CLIPPED, UNMATCHED))
        states = np.zeros(self.types.size, np.uint8)
        for place in range(n):
            states[starts + place] = np.maximum(states[starts + place], of_units)
        content, (peers, models) = states.tobytes(), self._bounds
        return [
            PairMarks((), states=(content[a:b], content[c:d]))
            for (a, b), (c, d) in zip(pairwise(peers), pairwise(models), strict=True)
        ]


def numbered(keys: Whole) -> Whole:
    """Return a number from 0 on for each key; equal keys have the same number."""
    return np.unique(keys, return_inverse=True)[1].reshape(keys.shape)


def _states(occurrences: Iterable[tuple[Sequence[Place], int]], n_tokens: int) -> bytes:
    """Return the state of each token; a token of several units counts if any of them counts."""
    states = bytearray(n_tokens)
    for places, hits in occurrences:
        for ordinal, place in enumerate(places):
            state = COUNTED if ordinal < hits else CLIPPED
            for token in place:
                states[token] = max(states[token], state)
    return bytes(states)


@dataclass(frozen=True, slots=True, eq=False)
class SeenTexts:
    """The peers, or the models, of all pairs as a metric reads them.

    - `columns`: after limits and the removal of stopwords; types are indices into `words`.
    - `words`: unstemmed.
    - `stems`: the stem of each word; None if this side is not stemmed.
    """

    columns: TextColumns
    words: list[bytes]
    stems: list[bytes] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPairs:
    """The marks of one metric in each pair, and the scores of each pair alone.

    - `peers`, `models`: the texts with the marked tokens.
    - `values`: recall, precision and F, rounded to 5 decimals; shape (3, n_pairs).
    - `is_counted`: False for models that formula B or best-f does not choose; shape (n_pairs,).
    - `root`: W of ROUGE-W, whose recall and precision are W-th roots; None in other metrics.
    """

    marks: list[PairMarks]
    peers: SeenTexts
    models: SeenTexts
    counts: Counts
    values: Floats
    is_counted: NDArray[np.bool_]
    root: float | None = None
