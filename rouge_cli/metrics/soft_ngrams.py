"""ROUGE-soft-N: ROUGE-N in which words with similar vectors also match.

Equal n-grams match first, in the order of the text, as in ROUGE-N. The remaining n-grams match one
to one, the most similar first; ties go to the first in the peer, then in the model. Each match
whose similarity reaches the threshold is a hit. The similarity of two n-grams is the lowest cosine
of their words, compared position by position; equal words have a cosine of 1. A word without a
vector matches only itself.

With stemming, words are equal if their stems are. Vectors are still looked up by the unstemmed
word, since the tables list words, and few of Porter's stems are words.

A matrix holds the similarity of each token of the peer to each token of the model. The matrix of
bigrams is the elementwise minimum of this matrix and of the same matrix moved one step along the
diagonal, and so on for longer n-grams.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rouge_cli.metrics.arithmetic import Floats, Whole
from rouge_cli.metrics.counts import Counts, MarkedPairs, Match, PairCounts, PairMarks
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.ngrams import matched_ngrams, ngrams
from rouge_cli.metrics.paired_texts import PairedTexts, Reading, TextPair
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.readers import Number, plain
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns

if TYPE_CHECKING:
    from rouge_cli.text.word_vectors import WordVectors

DIGEST_LENGTH = 12
NO_VECTOR = -2.0  # the similarity to a word without a vector; cosines are at least -1
SoftToken = tuple[Hashable, bytes]  # the word or stem that is compared, and the unstemmed word
# Two different n-grams that match: the positions of their first tokens, and their similarity.
NearMatch = tuple[int, int, float]
# The matches in one pair, for one order of n-grams: the number of equal n-grams, which is the hit
# of ROUGE-N, and the near matches, the most similar first.
SoftMatches = tuple[int, list[NearMatch]]


@dataclass(frozen=True, slots=True)
class RougeSoftN(CountedMetric):
    """ROUGE-soft-1 to ROUGE-soft-N."""

    max_ngram: int
    path: str
    threshold: Number
    reading: ClassVar[Reading] = Reading()

    @classmethod
    def from_options(cls, options: MetricOptions) -> "RougeSoftN | None":
        """Return the metrics if ``--soft`` is given."""
        if options.soft is None or options.soft_threshold is None or options.max_ngram is None:
            return None
        return cls(options.max_ngram, options.soft, options.soft_threshold)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"ROUGE-soft-{n}" for n in range(1, self.max_ngram + 1))

    @property
    def signature(self) -> tuple[str, ...]:
        digest = self._vectors().digest[:DIGEST_LENGTH]
        return (f"soft:{digest}@{plain(self.threshold.value)}",)

    def prepare(self) -> None:
        self._vectors()

    def _vectors(self) -> "WordVectors":
        from rouge_cli.text.word_vectors import load_word_vectors

        return load_word_vectors(self.path)

    def count_pair(self, pair: TextPair) -> None:
        """Return None: vectors belong to unstemmed words, which a pair does not have."""

    def count(self, texts: PairedTexts) -> list[Counts]:
        """Count the hits of each pair; raises InputError for a malformed vector."""
        rows = [
            [
                PairCounts(n_equal + len(near), max(len(model) - n, 0), max(len(peer) - n, 0))
                for n, (n_equal, near) in enumerate(matches)
            ]
            for peer, model, matches in self._matched(texts)
        ]
        return list(map(Counts.of_pairs, zip(*rows, strict=True)))

    def explain(self, texts: PairedTexts, options: ScoreOptions) -> list[MarkedPairs]:
        rows = [
            [_marks(peer, model, n, near) for n, (_, near) in enumerate(matches, 1)]
            for peer, model, matches in self._matched(texts)
        ]
        return self.marked_pairs(texts, options, rows)

    def _matched(
        self, texts: PairedTexts
    ) -> Iterator[tuple[list[SoftToken], list[SoftToken], list[SoftMatches]]]:
        vectors, threshold = self._vectors(), self.threshold.value
        pairs, spelling = texts.pairs(self.reading), texts.texts.spelling()

        def soft_text(columns: TextColumns, text: int) -> list[SoftToken]:
            _, tokens = columns.tokens_of(text)
            _, words = spelling.columns.tokens_of(text)
            return list(zip(tokens, map(spelling.words.__getitem__, words), strict=True))

        for peer_text, model_text in zip(texts.peers.tolist(), texts.models.tolist(), strict=True):
            peer, model = soft_text(pairs.peers, peer_text), soft_text(pairs.models, model_text)
            yield peer, model, match_soft_ngrams(peer, model, vectors, threshold, self.max_ngram)


def _marks(
    peer: Sequence[SoftToken], model: Sequence[SoftToken], n: int, near: Sequence[NearMatch]
) -> PairMarks:
    matches = [
        Match((tuple(range(i, i + n)),), (tuple(range(j, j + n)),), 1, similarity)
        for i, j, similarity in near
    ]
    peer_tokens, model_tokens = ([token for token, _ in text] for text in (peer, model))
    matches += matched_ngrams(peer_tokens, model_tokens, n)
    return PairMarks(tuple(sorted(matches, key=lambda match: match.model)))


def match_soft_ngrams(
    peer: Sequence[SoftToken],
    model: Sequence[SoftToken],
    vectors: "WordVectors",
    threshold: float,
    max_ngram: int,
) -> list[SoftMatches]:
    """Match the n-grams of one pair, for n from 1 to `max_ngram`.

    Raises InputError if the vector of a word is malformed.
    """
    token_similarities = ngram_similarities = similarities(peer, model, vectors)
    peer_tokens, model_tokens = ([token for token, _ in text] for text in (peer, model))
    matches = []
    for n in range(1, max_ngram + 1):
        if n > 1:
            ngram_similarities = np.minimum(
                ngram_similarities[:-1, :-1], token_similarities[n - 1 :, n - 1 :]
            )
        peer_ngrams, model_ngrams = list(ngrams(peer_tokens, n)), list(ngrams(model_tokens, n))
        peer_left = _without_equal(peer_ngrams, model_ngrams)
        model_left = _without_equal(model_ngrams, peer_ngrams)
        near = match_near(ngram_similarities, peer_left, model_left, threshold)
        matches.append((len(peer_ngrams) - len(peer_left), near))
    return matches


def similarities(
    peer: Sequence[SoftToken], model: Sequence[SoftToken], vectors: "WordVectors"
) -> Floats:
    """Return the similarity of each token of the peer to each of the model, (n_peer, n_model).

    The products of vectors and the squares of their lengths are whole numbers below 2**53, and so
    are exact in any order of addition. The root and the quotient are rounded once each. Equal
    vectors have a similarity of exactly 1.
    """
    (peer_rows, peer_row_of), (model_rows, model_row_of) = (
        _rows(text, vectors) for text in (peer, model)
    )
    squares = (np.einsum("ij,ij->i", rows, rows) for rows in (peer_rows, model_rows))
    cosines = peer_rows @ model_rows.T
    cosines /= np.sqrt(np.multiply.outer(*squares))
    # Rounding may take the cosine of parallel vectors above 1.
    np.minimum(cosines, 1.0, out=cosines)
    # Words without a vector have the number -1, which selects the row or column added here.
    cosines = np.pad(cosines, (0, 1), constant_values=NO_VECTOR)
    similarity: Floats = cosines[np.ix_(peer_row_of, model_row_of)]
    numbers: dict[Hashable, int] = {}
    peer_types, model_types = (
        np.array([numbers.setdefault(token, len(numbers)) for token, _ in text], np.int64)
        for text in (peer, model)
    )
    similarity[np.equal.outer(peer_types, model_types)] = 1.0
    return similarity


def _rows(text: Sequence[SoftToken], vectors: "WordVectors") -> tuple[Floats, Whole]:
    """Return the vectors of a text's words, and the row of each token's vector, or -1."""
    words = list(dict.fromkeys(word for _, word in text))
    numbers, rows = vectors.lookup(words)
    row_of = dict(zip(words, numbers.tolist(), strict=True))
    return rows, np.array([row_of[word] for _, word in text], np.int64)


def _without_equal(ngrams: Sequence[Hashable], others: Sequence[Hashable]) -> list[int]:
    """Return the positions of the n-grams without an equal match."""
    # As in ROUGE-N, the first occurrences match, up to the count in the other text.
    n_left = Counter(others)
    unmatched = []
    for start, ngram in enumerate(ngrams):
        if n_left.get(ngram):
            n_left[ngram] -= 1
        else:
            unmatched.append(start)
    return unmatched


def match_near(
    similarity: Floats, peer_left: Sequence[int], model_left: Sequence[int], threshold: float
) -> list[NearMatch]:
    """Match n-grams one to one, the most similar first.

    `similarity` has shape (n_peer_ngrams, n_model_ngrams). `peer_left` and `model_left` are the
    rows and columns of the n-grams without an equal match, in ascending order.
    """
    rows, columns = np.array(peer_left, np.int64), np.array(model_left, np.int64)
    left = similarity[np.ix_(rows, columns)]
    peers, models = np.nonzero((left >= threshold) & (left > NO_VECTOR))
    # The sort is stable, so ties go to the first in the peer, then in the model.
    order = np.argsort(-left[peers, models], kind="stable")
    peers, models = rows[peers[order]], columns[models[order]]
    candidates = peers.tolist(), models.tolist(), similarity[peers, models].tolist()
    used_peers: set[int] = set()
    used_models: set[int] = set()
    matches = []
    for peer, model, value in zip(*candidates, strict=True):
        if peer not in used_peers and model not in used_models:
            used_peers.add(peer)
            used_models.add(model)
            matches.append((peer, model, value))
    return matches
