"""Metrics that compare units as multisets: ROUGE-N, ROUGE-S and ROUGE-SU, ROUGE-BE.

The hit of a pair is the sum of ``min(count in model, count in peer)`` over all units.

The n-grams of ROUGE-N run across the ends of sentences.

The skip-bigrams of a text are the pairs of positions (i, j) with ``i < j <= i + max_gap + 1``, or
just ``i < j`` if the gap has no limit. ROUGE-SU adds the unigram of each token except the last, so
a text of one token has no units at all. A skip-bigram can match only if both its words are in the
other text. Such words are few, so their positions are found first. Then the skip-bigrams with the
same first word are counted together, by their second word. Counting all at once would take too much
memory: a text of 10,000 words has 50,000,000 skip-bigrams.

The mode of ROUGE-BE determines which Basic Elements (head, modifier, relation) of a text are units,
and which of their fields are compared. A missing field is "nil".

Source: specification, section 5, "ROUGE-N", "ROUGE-S" and "BE".
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import ClassVar, TypeVar

import numpy as np

from rouge_cli.core import compiled_core
from rouge_cli.metrics.arithmetic import Whole
from rouge_cli.metrics.counts import Counts, Match, PairCounts, PairMarks, Place, SeenTexts
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.paired_texts import (
    NGRAM,
    Element,
    PairedTexts,
    PairUnit,
    Reading,
    Text,
    TextPair,
    TextPairs,
    Tokens,
)
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.readers import Number
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.ascii155 import columns_of
from rouge_cli.text.stems import Numbers

Unit = TypeVar("Unit", bound=Hashable)
BasicElement = tuple[bytes, ...]
NIL = b"nil"
SHORTEST_STEMMED = 4
TOKEN_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")


@dataclass(frozen=True, slots=True)
class RougeN(CountedMetric):
    """ROUGE-1 to ROUGE-N."""

    max_ngram: int
    reading: ClassVar[Reading] = Reading()
    is_compiled: ClassVar[bool] = True

    @classmethod
    def from_options(cls, options: MetricOptions) -> "RougeN | None":
        """Return the metrics if ``-n`` is given."""
        return None if options.max_ngram is None else cls(options.max_ngram)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"ROUGE-{n}" for n in range(1, self.max_ngram + 1))

    @property
    def signature(self) -> tuple[str, ...]:
        return (f"n:{self.max_ngram}",)

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        peer, model = pair.peer.tokens, pair.model.tokens
        return [count_ngrams(peer, model, n) for n in range(1, self.max_ngram + 1)]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        peer, model = pair.peer.tokens, pair.model.tokens
        return [PairMarks(matched_ngrams(peer, model, n)) for n in range(1, self.max_ngram + 1)]

    def mark_states(self, texts: PairedTexts) -> list[list[PairMarks]] | None:
        tokens = texts.pairs(self.reading).tokens()
        marked = []
        for n in range(1, self.max_ngram + 1):
            starts, units = tokens.ngrams(n)
            marked.append(tokens.states(starts, units, tokens.hits(starts, units), n))
        return marked

    def count_compiled(self, texts: PairedTexts) -> list[Counts]:
        pairs = texts.pairs(self.reading)
        peers, models = pairs.peer_counts, pairs.model_counts
        # A text of k words has k - n n-grams of order n + 1.
        return [
            Counts(hits, np.maximum(models - n, 0), np.maximum(peers - n, 0))
            for n, hits in enumerate(ngram_hits(pairs, self.max_ngram))
        ]

    @property
    def core_units(self) -> list[PairUnit]:
        return [PairUnit(NGRAM, n) for n in range(1, self.max_ngram + 1)]


def ngram_hits(pairs: TextPairs, max_ngram: int) -> list[Whole]:
    """Return the hits of ROUGE-1 to ROUGE-N, each of shape (n_pairs,).

    The core counts them together with the units of all other metrics of the run, at the first
    request (`core_count_units` in module_counts.c; units.c; ngrams.c).
    """
    return pairs.hits([PairUnit(NGRAM, n) for n in range(1, max_ngram + 1)])


def count_ngrams(peer: Tokens, model: Tokens, n: int) -> PairCounts:
    """Count the n-grams of one order."""
    return PairCounts(
        shared_count(Counter(ngrams(peer, n)), Counter(ngrams(model, n))),
        max(len(model) - n + 1, 0),
        max(len(peer) - n + 1, 0),
    )


def ngrams(tokens: Tokens, n: int) -> Iterable[Hashable]:
    """Return the n-grams in order; unigrams are the tokens themselves."""
    # zip makes tuples at the speed of C; a list of slices takes three times as long.
    return tokens if n == 1 else zip(*(tokens[start:] for start in range(n)), strict=False)


def shared_count(peer: Counter[Unit], model: Counter[Unit]) -> int:
    """Return the size of the intersection of two multisets."""
    # (peer & model).total() makes a third multiset and takes twice as long.
    return sum([min(peer[unit], model[unit]) for unit in peer.keys() & model.keys()])


def matched_ngrams(peer: Tokens, model: Tokens, n: int) -> tuple[Match, ...]:
    """Return the n-grams that are in both texts, in the order of the model."""
    shared = frozenset(ngrams(peer, n)).intersection(ngrams(model, n))
    return matched_units(_occurrences(peer, n, shared), _occurrences(model, n, shared))


def _occurrences(
    tokens: Tokens, n: int, shared: Collection[Hashable]
) -> Iterator[tuple[Hashable, Place]]:
    return (
        (unit, tuple(range(start, start + n)))
        for start, unit in enumerate(ngrams(tokens, n))
        if unit in shared
    )


def matched_units(
    peer: Iterable[tuple[Unit, Place]], model: Iterable[tuple[Unit, Place]]
) -> tuple[Match, ...]:
    """Return the units that are in both texts, in the order of the model."""
    peer_places: dict[Unit, list[Place]] = defaultdict(list)
    model_places: dict[Unit, list[Place]] = defaultdict(list)
    for unit, place in peer:
        peer_places[unit].append(place)
    for unit, place in model:
        if unit in peer_places:
            model_places[unit].append(place)
    return tuple(
        Match(tuple(peer_places[unit]), tuple(places), min(len(peer_places[unit]), len(places)))
        for unit, places in model_places.items()
    )


@dataclass(frozen=True, slots=True)
class RougeS(CountedMetric):
    """ROUGE-S, ROUGE-SU, or both.

    `with_unigrams` has a False for ROUGE-S and a True for ROUGE-SU, in print order. The words of a
    skip-bigram have at most `max_gap` words between them, or any number if it is negative.
    """

    max_gap: Number
    with_unigrams: tuple[bool, ...]
    reading: ClassVar[Reading] = Reading(stems_models=True)
    is_compiled: ClassVar[bool] = True

    @classmethod
    def from_options(cls, options: MetricOptions) -> "RougeS | None":
        """Return the metrics if ``-2`` is given."""
        if options.max_gap is None:
            return None
        both = options.skip_and_unigram and not options.skip_unigram
        return cls(options.max_gap, (False, True) if both else (options.skip_unigram,))

    @property
    def names(self) -> tuple[str, ...]:
        gap = "*" if self.max_gap.value < 0 else self.max_gap.text
        return tuple(f"ROUGE-S{'U' * unigrams}{gap}" for unigrams in self.with_unigrams)

    @property
    def signature(self) -> tuple[str, ...]:
        gap = "*" if self.max_gap.value < 0 else int(self.max_gap.value)
        return tuple(f"s{'u' * unigrams}:{gap}" for unigrams in self.with_unigrams)

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        peer, model = pair.peer.tokens, pair.model.tokens
        counts = count_skip_bigrams(peer, model, int(self.max_gap.value))
        if True not in self.with_unigrams:
            return [counts]
        extended = plus_unigrams(counts, peer, model)
        return [extended if adds else counts for adds in self.with_unigrams]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        peer, model, max_gap = pair.peer.tokens, pair.model.tokens, int(self.max_gap.value)
        shared = frozenset(peer).intersection(model)
        matches = matched_units(
            _skip_occurrences(peer, shared, max_gap), _skip_occurrences(model, shared, max_gap)
        )
        unigrams = matched_units(_but_last(peer), _but_last(model))
        with_unigrams = tuple(sorted((*matches, *unigrams), key=lambda match: match.model))
        return [PairMarks(with_unigrams if adds else matches) for adds in self.with_unigrams]

    def count_compiled(self, texts: PairedTexts) -> list[Counts]:
        pairs = texts.pairs(self.reading)
        counts = skip_bigram_counts(pairs, int(self.max_gap.value))
        return [counts[adds] for adds in self.with_unigrams]


def skip_bigram_counts(
    pairs: TextPairs, max_gap: int, *, are_sets: bool = False
) -> tuple[Counts, Counts]:
    """Return the counts of ROUGE-S and of ROUGE-SU; a negative `max_gap` means no limit.

    With `are_sets`, a skip-bigram is only one hit, however often both texts have it.
    """
    peers, models = pairs.peer_counts, pairs.model_counts
    # A gap beyond the longest text does not limit anything, and its square would overflow.
    longest = int(max(peers.max(initial=0), models.max(initial=0)))
    max_gap = max(-1, min(max_gap, longest))
    hits, unigram_hits = skip_bigram_hits(pairs, max_gap, are_sets=are_sets)
    model_count, peer_count = (
        np.array([_number_of_pairs(n, max_gap) for n in counts.tolist()], np.int64)
        for counts in (models, peers)
    )
    with_unigrams = Counts(
        hits + unigram_hits, model_count + (models - 1).clip(0), peer_count + (peers - 1).clip(0)
    )
    return Counts(hits, model_count, peer_count), with_unigrams


def skip_bigram_hits(
    pairs: TextPairs, max_gap: int, *, are_sets: bool = False
) -> tuple[Whole, Whole]:
    """Return the hits of ROUGE-S and those that ROUGE-SU adds, each of shape (n_pairs,)."""
    hits, unigram_hits = np.empty(pairs.n_pairs, np.int64), np.empty(pairs.n_pairs, np.int64)
    compiled_core().count_skip_bigrams(pairs.compiled, max_gap, are_sets, hits, unigram_hits)
    return hits, unigram_hits


def count_skip_bigrams(
    peer: Tokens, model: Tokens, max_gap: int, *, are_sets: bool = False
) -> PairCounts:
    """Count the skip-bigrams of two texts, with the arguments of `skip_bigram_counts`."""
    shared = frozenset(peer).intersection(model)
    peer_counter = _second_word_counter(peer, shared, max_gap)
    model_counter = _second_word_counter(model, shared, max_gap)
    counters = ((peer_counter(word), model_counter(word)) for word in shared)
    if are_sets:
        hits = sum(len(left.keys() & right.keys()) for left, right in counters)
    else:
        hits = sum(shared_count(left, right) for left, right in counters)
    return PairCounts(
        hits, _number_of_pairs(len(model), max_gap), _number_of_pairs(len(peer), max_gap)
    )


def plus_unigrams(counts: PairCounts, peer: Tokens, model: Tokens) -> PairCounts:
    """Add the unigrams that ROUGE-SU counts: each token of a text except the last."""
    unigrams = count_ngrams(peer[:-1], model[:-1], 1)
    return PairCounts(
        counts.hit + unigrams.hit,
        counts.model_count + unigrams.model_count,
        counts.peer_count + unigrams.peer_count,
    )


def _number_of_pairs(n_tokens: int, max_gap: int) -> int:
    # All pairs of positions, minus those with more than `max_gap` tokens between them.
    n_beyond = 0 if max_gap < 0 else max(n_tokens - max_gap - 1, 0)
    return n_tokens * (n_tokens - 1) // 2 - n_beyond * (n_beyond - 1) // 2


def _second_word_counter(
    tokens: Tokens, shared: Collection[Hashable], max_gap: int
) -> Callable[[Hashable], Counter[Hashable]]:
    """Return a function that counts the second words of skip-bigrams with a given first word.

    Only words in `shared` are counted.
    """
    positions = [position for position, token in enumerate(tokens) if token in shared]
    words = [tokens[position] for position in positions]
    # For each occurrence of a first word, the part of `words` that its gap allows.
    spans: dict[Hashable, list[slice]] = defaultdict(list)
    for start, position in enumerate(positions, 1):
        end = len(positions) if max_gap < 0 else bisect_right(positions, position + max_gap + 1)
        spans[tokens[position]].append(slice(start, end))
    return lambda first: Counter(chain.from_iterable(map(words.__getitem__, spans[first])))


def _skip_occurrences(
    tokens: Tokens, shared: Collection[Hashable], max_gap: int
) -> Iterator[tuple[tuple[Hashable, Hashable], Place]]:
    positions = [position for position, token in enumerate(tokens) if token in shared]
    for start, first in enumerate(positions, 1):
        end = len(positions) if max_gap < 0 else bisect_right(positions, first + max_gap + 1)
        for second in positions[start:end]:
            yield (tokens[first], tokens[second]), (first, second)


def _but_last(tokens: Tokens) -> Iterator[tuple[Hashable, Place]]:
    return ((token, (position,)) for position, token in enumerate(tokens[:-1]))


@dataclass(frozen=True, slots=True)
class RougeBE(CountedMetric):
    """ROUGE-BE in one of its modes."""

    mode: str
    reading: ClassVar[Reading] = Reading(stems_models=True, elements=True)

    @classmethod
    def from_options(cls, options: MetricOptions) -> "RougeBE | None":
        """Return the metric if ``-3`` is given."""
        return None if options.basic_elements is None else cls(options.basic_elements)

    @property
    def names(self) -> tuple[str, ...]:
        return (f"ROUGE-BE-{self.mode}",)

    @property
    def signature(self) -> tuple[str, ...]:
        return (f"be:{self.mode}",)

    def text_pairs(self, texts: PairedTexts) -> Iterator[TextPair]:
        """Yield each pair as texts whose words are its units."""
        peer_stem, model_stem = texts.stems(self.reading)

        @cache
        def unit_text(text: int, stem: Callable[[bytes], bytes] | None) -> Text:
            units = element_units(texts.texts.elements[text], self.mode, stem)
            return Text([[unit] for unit in units], units)

        for peer_text, model_text in zip(texts.peers.tolist(), texts.models.tolist(), strict=True):
            peer, model = unit_text(peer_text, peer_stem), unit_text(model_text, model_stem)
            yield TextPair.of(peer, model)

    def count_pair(self, pair: TextPair) -> list[PairCounts]:
        peer, model = pair.peer.tokens, pair.model.tokens
        # The core does not count these: most of the time is spent on reading the fields.
        return [PairCounts(shared_count(Counter(peer), Counter(model)), len(model), len(peer))]

    def mark_pair(self, pair: TextPair) -> list[PairMarks]:
        peer, model = (
            ((unit, (position,)) for position, unit in enumerate(text.tokens))
            for text in (pair.peer, pair.model)
        )
        return [PairMarks(matched_units(peer, model))]

    def seen(self, texts: PairedTexts) -> tuple[SeenTexts, SeenTexts]:
        """Return the units as words, each in a sentence of its own."""
        pairs = list(self.text_pairs(texts))
        return _seen([pair.peer for pair in pairs]), _seen([pair.model for pair in pairs])


def element_units(
    elements: Iterable[Element], mode: str, stem: Callable[[bytes], bytes] | None
) -> list[BasicElement]:
    """Return the units of the elements of one text.

    `mode` is ``"H"``, ``"HM"``, ``"HMR"``, ``"HM1"``, ``"HMR1"`` or ``"HMR2"``. `stem` is applied
    to the words of heads and modifiers; None leaves them unstemmed.
    """
    units: list[BasicElement] = []
    for head, modifier, relation in elements:
        stemmed = _stemmed(head, stem), _stemmed(modifier, stem)
        # All elements are units in the two modes that are missing here, HM1 and HMR2.
        is_counted = {
            "H": stemmed[1] == NIL,
            "HM": stemmed[1] != NIL,
            "HMR": relation != NIL,
            "HMR1": modifier != NIL,
        }.get(mode, True)
        if is_counted:
            parts: BasicElement = (*stemmed, relation)
            units.append(parts[: 1 if mode == "H" else 3 if "R" in mode else 2])
    return units


def _stemmed(field: bytes, stem: Callable[[bytes], bytes] | None) -> bytes:
    """Stem the words of a head or modifier of more than 3 bytes.

    Words without a letter or digit are kept, and so is the empty word before a leading blank.
    """
    if stem is None or len(field) < SHORTEST_STEMMED:
        return field
    words = field.split()
    if field[:1].isspace():
        words.insert(0, b"")
    return b" ".join([word if TOKEN_BYTES.isdisjoint(word) else stem(word) for word in words])


def _seen(texts: Sequence[Text]) -> SeenTexts:
    numbers: Numbers[Hashable] = Numbers()
    columns = columns_of([text.sentences for text in texts], numbers)
    return SeenTexts(columns, [b"|".join(unit) for unit in numbers])  # type: ignore[arg-type]
