"""The texts of a block as each metric reads them; what several metrics need is computed once.

ROUGE-L and ROUGE-W apply ``-b`` in their own way, and ``-M`` stems the models only for some
metrics.
Source: specification, section 1 (``-M``) and section 2, "Limits".
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np

from rouge_cli.core import compiled_core
from rouge_cli.metrics.arithmetic import Whole
from rouge_cli.metrics.counts import PairTokens, SeenTexts
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import Spelling, TextColumns

# Words, stems, or their numbers: values that are equal if and only if two tokens match.
Tokens = Sequence[Hashable]
MOST_TOKENS = (1 << 31) - 1


class Text(NamedTuple):
    """The tokens of a text, by sentence and as one sequence."""

    sentences: Sequence[Tokens]
    tokens: Tokens

    @classmethod
    def of(cls, sentences: Sequence[Tokens]) -> "Text":
        """Return the text with these sentences."""
        return cls(sentences, list(chain.from_iterable(sentences)))


class TextPair(NamedTuple):
    """A peer and a model as one metric reads them.

    `peer_unigrams` and `model_unigrams` are the texts as ROUGE-1 reads them. Their unigram tables
    clip the hits of ROUGE-L and ROUGE-W. With ``-b`` and ``-M`` they may differ from `peer` and
    `model`.
    """

    peer: Text
    model: Text
    peer_unigrams: Tokens
    model_unigrams: Tokens

    @classmethod
    def of(cls, peer: Text, model: Text) -> "TextPair":
        """Pair two texts whose unigrams are simply their tokens."""
        return cls(peer, model, peer.tokens, model.tokens)

    def as_one_sentence(self) -> "TextPair":
        """Return the same pair with each text as a single sentence."""
        peer, model = (Text([text.tokens], text.tokens) for text in (self.peer, self.model))
        return TextPair(peer, model, self.peer_unigrams, self.model_unigrams)


@dataclass(eq=False)
class TextPairs:
    """Peers and models in columns.

    `peer_texts` and `model_texts`, shape (n_pairs,), are the numbers of each pair's texts in the
    columns. All types are below `n_types`. As soon as any of the `units` is requested, the core
    counts all of them.
    """

    peers: TextColumns
    peer_texts: Whole
    models: TextColumns
    model_texts: Whole
    n_types: int
    units: Sequence["PairUnit"] = ()
    _hits: dict["PairUnit", Whole] = field(default_factory=dict)

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return self.peer_texts.size

    @cached_property
    def peer_counts(self) -> Whole:
        """Number of tokens of the peer of each pair, shape (n_pairs,)."""
        return self.peers.token_counts[self.peer_texts]

    @cached_property
    def model_counts(self) -> Whole:
        """Number of tokens of the model of each pair, shape (n_pairs,)."""
        return self.models.token_counts[self.model_texts]

    @property
    def longest_model_sentence(self) -> int:
        """Number of tokens of the longest sentence in any model."""
        return self.models.longest_sentence

    def tokens(self) -> PairTokens:
        """Return the tokens of all pairs together."""
        return PairTokens(self.peers, self.peer_texts, self.models, self.model_texts)

    def texts(self) -> list[tuple[Text, Text]]:
        """Return the peer and the model of each pair; their tokens are numbers of types."""
        peers = _texts_of(self.peers, self.peer_texts)
        models = _texts_of(self.models, self.model_texts)
        return list(zip(peers, models, strict=True))

    @property
    def core(self) -> Any:
        """The compiled core; None if it is missing, or there are too many tokens for int32."""
        largest = max(self.peers.types.size, self.models.types.size)
        return compiled_core() if largest <= MOST_TOKENS else None

    @cached_property
    def compiled(self) -> Any:
        """The pairs as an object of the core."""
        return matched_pairs(self)

    def hits(self, units: Sequence["PairUnit"]) -> list[Whole]:
        """Return the core's hits of some units, each of shape (n_pairs,).

        The first call counts all units of the run together, so that each pair is matched once.
        """
        if not self._hits.keys() >= set(units):
            together = PairUnits.of((*self.units, *units))
            counted = np.empty((len(together.units), self.n_pairs), np.int64)
            compiled_core().count_units(self.compiled, *together, counted)
            self._hits = dict(zip(together.units, counted, strict=True))
        return [self._hits[unit] for unit in units]


def matched_pairs(pairs: TextPairs) -> Any:
    """Match the words of pairs, and return these as an object of the core."""
    sides = (pairs.peers, pairs.peer_texts), (pairs.models, pairs.model_texts)
    peers, models = (
        (columns.types, columns.sentence_offsets, columns.text_offsets, texts)
        for columns, texts in sides
    )
    return compiled_core().match_pairs(peers, models, pairs.n_types)


def _texts_of(columns: TextColumns, numbers: Whole) -> list[Text]:
    # A text of several pairs is converted only once.
    texts = {number: Text(*columns.tokens_of(number)) for number in set(numbers.tolist())}
    return [texts[number] for number in numbers.tolist()]


NGRAM, LCS, TEXT_LCS = "n-gram", "LCS", "LCS of whole texts"


class PairUnit(NamedTuple):
    """A unit that the core counts: the n-grams of an order, or an LCS, whose order is 1."""

    kind: str
    order: int = 1


class PairUnits(NamedTuple):
    """Units to count together: n-grams up to an order, the union LCS, the LCS of whole texts."""

    max_ngram: int
    has_lcs: bool
    has_text_lcs: bool

    @classmethod
    def of(cls, units: Iterable[PairUnit]) -> "PairUnits":
        """Return the smallest set that contains these units."""
        kinds: dict[str, int] = {}
        for kind, order in units:
            kinds[kind] = max(order, kinds.get(kind, 0))
        return cls(kinds.get(NGRAM, 0), LCS in kinds, TEXT_LCS in kinds)

    @property
    def units(self) -> list[PairUnit]:
        """The units in the order in which the core counts them."""
        ngrams = [PairUnit(NGRAM, order) for order in range(1, self.max_ngram + 1)]
        return [*ngrams, *[PairUnit(LCS)] * self.has_lcs, *[PairUnit(TEXT_LCS)] * self.has_text_lcs]

    def row(self, unit: PairUnit) -> int:
        """Return the position of a unit among the hits of a pair."""
        return self.units.index(unit)


Element = tuple[bytes, bytes, bytes]  # a Basic Element: head, modifier and relation, in lower case

Stem = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Reading:
    """A way in which metrics read texts.

    - `by_sentence`: sentences matter, and the byte limit is applied as in ROUGE-L and ROUGE-W.
    - `as_one_sentence`: a metric that compares sentences takes each text as a single one.
    - `stems_models`: ``-M`` stems the models.
    - `stems_unigrams`: ``-M`` stems only the unigram tables of the models, as in ROUGE-W.
    - `elements`: a text is a list of Basic Elements.
    - `raw`: a text is a string, as in the input.
    - `is_own`: the metric finds the words itself; it must then be the only metric of the run.
    """

    by_sentence: bool = False
    as_one_sentence: bool = False
    stems_models: bool = False
    stems_unigrams: bool = False
    elements: bool = False
    raw: bool = False
    is_own: bool = False


class BlockOfTexts(Protocol):
    """Texts in columns.

    - `unsummed_start`: number of the text at which the columns begin to repeat all texts, now with
      the unsummed byte limit; 0 if they do not repeat them.
    - `n_types`: an upper bound of all types, exclusive.
    - `elements`: the Basic Elements of each text.
    - `raw`: the texts as strings, with newlines between sentences.
    - `stem`: function that returns the stem of a word; None without stemming.
    """

    unsummed_start: int
    n_types: int
    elements: list[tuple[Element, ...]]
    raw: Sequence[str]
    stem: Stem | None

    def columns(self, *, stemmed: bool) -> TextColumns:
        """Return the columns; a second reading with the unsummed byte limit comes last."""

    def spelling(self) -> Spelling:
        """Return the unstemmed words."""


class PairsOfTexts(Protocol):
    """The pairs of texts to compare."""

    @property
    def peers(self) -> Whole:
        """The peer of each pair, shape (n_pairs,)."""

    @property
    def models(self) -> Whole:
        """The model of each pair, shape (n_pairs,)."""

    @property
    def starts(self) -> Whole:
        """The first pair of each instance, shape (n_instances,)."""


class _UnitMetric(Protocol):
    # What this module needs of `Metric` in `rouge_cli.metrics.formulas`, which it cannot import, as
    # that module imports this one.
    @property
    def reading(self) -> Reading: ...

    @property
    def core_units(self) -> Sequence[PairUnit] | None: ...


class PairedTexts:
    """The texts of some pairs; the core counts the units of all `metrics` in one pass.

    For `peers`, `models` and `starts` see `PairsOfTexts`. Models may come from a block of their
    own, `model_texts`, in which each word must have the same type as in `texts`. Then there is no
    spelling.
    """

    def __init__(
        self,
        texts: BlockOfTexts,
        pairs: PairsOfTexts,
        options: TextOptions,
        metrics: Iterable[_UnitMetric] = (),
        model_texts: BlockOfTexts | None = None,
    ) -> None:
        self.texts = texts
        self._model_texts = texts if model_texts is None else model_texts
        self.peers, self.models, self.starts = pairs.peers, pairs.models, pairs.starts
        self._options = options
        self._pairs: dict[tuple[bool, bool, bool, bool], TextPairs] = {}
        self._units: dict[tuple[bool, bool, bool, bool], list[PairUnit]] = defaultdict(list)
        # Units are gathered by the columns that they need, so that the core counts each group in
        # one pass.
        for metric in metrics:
            # The LCS of whole texts ignores sentences, so it shares the pairs of ROUGE-N. A metric
            # whose hits are clipped by differently read texts is counted separately.
            is_unsummed, peers_stemmed, models_stemmed, _ = self._column_key(metric.reading)
            key = is_unsummed, peers_stemmed, models_stemmed, False
            if key == self._column_key(_unigram_reading(metric.reading)):
                self._units[key] += metric.core_units or ()

    def pairs(self, reading: Reading) -> TextPairs:
        """Return peers and models as a reading needs them; readings with equal needs share them."""
        key = self._column_key(reading)
        if key not in self._pairs:
            self._pairs[key] = self._new_pairs(key)
        return self._pairs[key]

    def unigram_pairs(self, reading: Reading) -> TextPairs:
        """Return the texts as ROUGE-1 reads them, whose tables clip the hits of this reading."""
        return self.pairs(_unigram_reading(reading))

    def text_pairs(self, reading: Reading) -> Iterator[TextPair]:
        """Yield each pair, with numbers of types as tokens."""
        pairs, tables = self.pairs(reading), self.unigram_pairs(reading)
        texts = pairs.texts()
        unigrams = texts if tables is pairs else tables.texts()
        for (peer, model), (peer_table, model_table) in zip(texts, unigrams, strict=True):
            yield TextPair(peer, model, peer_table.tokens, model_table.tokens)

    def stems(self, reading: Reading) -> tuple[Stem | None, Stem | None]:
        """Return the functions that stem peers and models; None for those that stay unstemmed."""
        _, peers_stemmed, models_stemmed, _ = self._column_key(reading)
        stem = self.texts.stem
        return (stem if peers_stemmed else None), (stem if models_stemmed else None)

    def seen(self, reading: Reading) -> tuple[SeenTexts, SeenTexts]:
        """Return the words of peers and of models, one for each token of `text_pairs`."""
        spelling = self.texts.spelling()
        is_unsummed, peers_stemmed, models_stemmed, as_one_sentence = self._column_key(reading)
        first_text = self.texts.unsummed_start if is_unsummed else 0
        stems = None if spelling.stem is None else list(map(spelling.stem, spelling.words))

        def side(texts: Whole, is_stemmed: bool) -> SeenTexts:
            columns = spelling.columns.take(texts + first_text)
            if as_one_sentence:
                columns = columns.as_one_sentence()
            return SeenTexts(columns, spelling.words, stems if is_stemmed else None)

        return side(self.peers, peers_stemmed), side(self.models, models_stemmed)

    def raw_texts(self) -> tuple[list[str], list[list[str]]]:
        """Return the peers, one per instance, and the models of each instance, as strings."""
        raw = self.texts.raw
        models = [raw[text] for text in self.models.tolist()]
        bounds = [*self.starts.tolist(), self.models.size]
        return (
            [raw[text] for text in self.peers[self.starts].tolist()],
            [models[first:last] for first, last in pairwise(bounds)],
        )

    def _column_key(self, reading: Reading) -> tuple[bool, bool, bool, bool]:
        """Return four flags that determine which columns a reading needs in this run.

        They tell if the byte limit is unsummed, if peers are stemmed, if models are stemmed, and if
        each text is read as one sentence.
        """
        stem, stem_models = self._options.stem, self._options.stem_models
        return (
            self._options.bytes > 0 and reading.by_sentence,
            stem,
            stem or (stem_models and reading.stems_models),
            reading.as_one_sentence,
        )

    def _new_pairs(self, key: tuple[bool, bool, bool, bool]) -> TextPairs:
        is_unsummed, peers_stemmed, models_stemmed, as_one_sentence = key
        # The unsummed texts follow the others in the columns, in the same order.
        first_peer = self.texts.unsummed_start if is_unsummed else 0
        first_model = self._model_texts.unsummed_start if is_unsummed else 0
        peers = self.texts.columns(stemmed=peers_stemmed)
        models = self._model_texts.columns(stemmed=models_stemmed)
        if as_one_sentence:
            peers, models = peers.as_one_sentence(), models.as_one_sentence()
        return TextPairs(
            peers,
            self.peers + first_peer,
            models,
            self.models + first_model,
            self.texts.n_types,
            self._units[key],
        )


def _unigram_reading(reading: Reading) -> Reading:
    return Reading(stems_models=reading.stems_models or reading.stems_unigrams)
