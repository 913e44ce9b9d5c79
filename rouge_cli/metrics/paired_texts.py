"""The texts of a block as each metric reads them; what metrics share is made once.

ROUGE-L and ROUGE-W have their own reading of ``-b``, and ``-M`` stems the models for some metrics
only.
Source: specification, section 1 (``-M``) and section 2, "Limits".
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import compiled_core
from rouge_cli.metrics.marks import SeenTexts
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import Spelling, TextColumns

Tokens = Sequence[Hashable]
"""Words, stems or the numbers of these: whatever is equal where two of them match."""

Whole = NDArray[np.int64]

MOST_TOKENS = (1 << 31) - 1


class Text(NamedTuple):
    """The tokens of a text, by sentence and as one sequence."""

    sentences: Sequence[Tokens]
    tokens: Tokens

    @classmethod
    def of(cls, sentences: Sequence[Tokens]) -> "Text":
        """Return the text that sentences make up."""
        return cls(sentences, list(chain.from_iterable(sentences)))


class TextPair(NamedTuple):
    """A peer and a model as one metric reads them.

    Parameters
    ----------
    peer_unigrams, model_unigrams : sequence of tokens
        The texts as ROUGE-1 reads them, whose unigram tables clip the hits of ROUGE-L and ROUGE-W.
        With ``-b`` and ``-M`` they differ from `peer` and `model`.
    """

    peer: Text
    model: Text
    peer_unigrams: Tokens
    model_unigrams: Tokens

    @classmethod
    def of(cls, peer: Text, model: Text) -> "TextPair":
        """Return two texts that are read in one way by all metrics."""
        return cls(peer, model, peer.tokens, model.tokens)

    def as_one_sentence(self) -> "TextPair":
        """Return the pair with each text as a single sentence."""
        peer, model = (Text([text.tokens], text.tokens) for text in (self.peer, self.model))
        return TextPair(peer, model, self.peer_unigrams, self.model_unigrams)


@dataclass(slots=True, eq=False)
class TextPairs:
    """Peers and models in columns, text by text.

    `peer_texts` and `model_texts`, of shape (n_pairs,), are the texts of each pair. Every type is
    below `n_types`.
    """

    peers: TextColumns
    peer_texts: NDArray[np.int64]
    models: TextColumns
    model_texts: NDArray[np.int64]
    n_types: int
    _compiled: Any = None
    _texts: list[tuple[Text, Text]] | None = None
    _counts: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return self.peer_texts.size

    @property
    def peer_counts(self) -> NDArray[np.int64]:
        """Number of tokens of the peer of each pair, shape (n_pairs,)."""
        return self._token_counts()[0]

    @property
    def model_counts(self) -> NDArray[np.int64]:
        """Number of tokens of the model of each pair, shape (n_pairs,)."""
        return self._token_counts()[1]

    def _token_counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of tokens of peers and models, which all metrics share."""
        if self._counts is None:
            of_peers = self.peers.token_counts
            of_models = of_peers if self.models is self.peers else self.models.token_counts
            self._counts = of_peers[self.peer_texts], of_models[self.model_texts]
        return self._counts

    @property
    def longest_model_sentence(self) -> int:
        """Number of tokens of the longest sentence of all models."""
        return int(np.diff(self.models.sentence_offsets).max(initial=0))

    def texts(self) -> list[tuple[Text, Text]]:
        """Return peer and model of each pair as tokens, which are the numbers of their types."""
        if self._texts is None:
            peers = _texts_of(self.peers, self.peer_texts)
            models = _texts_of(self.models, self.model_texts)
            self._texts = list(zip(peers, models, strict=True))
        return self._texts

    @property
    def core(self) -> Any:
        """The compiled core; None without it, and where 32 bits do not number the tokens."""
        largest = max(self.peers.types.size, self.models.types.size)
        return compiled_core() if largest <= MOST_TOKENS else None

    def compiled(self, core: Any) -> Any:
        """Return the pairs with their matched tokens, as the compiled core counts them."""
        if self._compiled is None:
            peers, models = (
                (columns.types, columns.sentence_offsets, columns.text_offsets, texts)
                for columns, texts in (
                    (self.peers, self.peer_texts),
                    (self.models, self.model_texts),
                )
            )
            self._compiled = core.match_pairs(peers, models, self.n_types)
        return self._compiled


def _texts_of(columns: TextColumns, numbers: NDArray[np.int64]) -> list[Text]:
    """Return some texts of columns as tokens; a text that is asked for twice is made once."""
    made = {number: Text(*columns.tokens_of(number)) for number in set(numbers.tolist())}
    return [made[number] for number in numbers.tolist()]


NGRAM, LCS, TEXT_LCS = "n-gram", "LCS", "LCS of whole texts"


class PairUnit(NamedTuple):
    """What the core counts of a lone pair: the n-grams of an order, or an LCS, whose order is 1."""

    kind: str
    order: int = 1


class PairUnits(NamedTuple):
    """All that is counted of a lone pair: n-grams up to an order, union LCS, LCS of whole texts.

    `has_flags` says whether to flag its texts, too.
    """

    max_ngram: int
    has_lcs: bool
    has_text_lcs: bool
    has_flags: bool = False

    @classmethod
    def of(cls, units: Iterable[PairUnit], *, has_flags: bool) -> "PairUnits":
        """Return what holds all of these."""
        kinds: dict[str, int] = {}
        for kind, order in units:
            kinds[kind] = max(order, kinds.get(kind, 0))
        return cls(kinds.get(NGRAM, 0), LCS in kinds, TEXT_LCS in kinds, has_flags)

    def place(self, unit: PairUnit) -> int:
        """Return where the hit of a unit stands in what `PairCounter` returns."""
        if unit.kind == NGRAM:
            return 1 + unit.order
        return 2 + self.max_ngram + (self.has_lcs if unit.kind == TEXT_LCS else 0)


Element = tuple[bytes, bytes, bytes]
"""A Basic Element: head, modifier, relation, in lower case."""

Stem = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a metric reads texts.

    Parameters
    ----------
    by_sentence : bool
        Whether sentences matter, and the byte limit is that of ROUGE-L and ROUGE-W.
    as_one_sentence : bool
        Whether a text is one sequence, whatever its sentences, where others read sentences.
    stems_models : bool
        Whether ``-M`` stems the models.
    stems_unigrams : bool
        Whether ``-M`` stems the models in the unigram tables that clip, where it does not stem the
        sentences: in ROUGE-W.
    elements : bool
        Whether a text is a list of Basic Elements.
    raw : bool
        Whether a text is a string, as it stands in the input.
    is_own : bool
        Whether a metric finds words by itself in a run that has no others.
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

    - `unsummed_start`: the text at which the columns begin that hold all texts by the unsummed byte
      limit; 0 where a byte limit has one reading only.
    - `n_types`: every type is below this number.
    - `elements`: the Basic Elements of each text.
    - `raw`: the texts as strings, with a newline between sentences.
    - `stem`: from a word to its stem; None if nothing is stemmed.
    """

    unsummed_start: int
    n_types: int
    elements: list[tuple[Element, ...]]
    raw: Sequence[str]
    stem: Stem | None

    def columns(self, *, stemmed: bool) -> TextColumns:
        """Return the columns; the unsummed reading of a byte limit stands behind the other."""
        ...

    def spelling(self) -> Spelling:
        """Return the words as they are spelt, before anything is stemmed."""
        ...


class _Columns(NamedTuple):
    """Which columns are read, and how."""

    unsummed: bool
    peers_stemmed: bool
    models_stemmed: bool
    as_one_sentence: bool


class PairedTexts:
    """The texts of some pairs.

    `peers` and `models`, of shape (n_pairs,), are the texts of each pair; `starts`, of shape
    (n_instances,), the first pair of each instance.
    """

    __slots__ = ("_options", "_pairs", "models", "peers", "starts", "texts")

    def __init__(
        self,
        texts: BlockOfTexts,
        peers: NDArray[np.int64],
        models: NDArray[np.int64],
        starts: NDArray[np.int64],
        options: TextOptions,
    ) -> None:
        self.texts, self.peers, self.models, self.starts = texts, peers, models, starts
        self._options = options
        self._pairs: dict[_Columns, TextPairs] = {}

    def pairs(self, reading: Reading) -> TextPairs:
        """Return peers and models as a reading takes them."""
        wanted = self._columns(reading)
        if wanted not in self._pairs:
            self._pairs[wanted] = self._new_pairs(wanted)
        return self._pairs[wanted]

    def unigram_pairs(self, reading: Reading) -> TextPairs:
        """Return the texts whose unigram tables clip the hits of a reading: ROUGE-1's."""
        stems_models = reading.stems_models or reading.stems_unigrams
        return self.pairs(Reading(stems_models=stems_models))

    def text_pairs(self, reading: Reading) -> Iterator[TextPair]:
        """Yield peer and model of each pair as tokens."""
        pairs, tables = self.pairs(reading), self.unigram_pairs(reading)
        texts = pairs.texts()
        unigrams = texts if tables is pairs else tables.texts()
        for (peer, model), (peer_table, model_table) in zip(texts, unigrams, strict=True):
            yield TextPair(peer, model, peer_table.tokens, model_table.tokens)

    def stems(self, reading: Reading) -> tuple[Stem | None, Stem | None]:
        """Return how the words of peers and of models are stemmed, None for not at all."""
        columns, stem = self._columns(reading), self.texts.stem
        return (stem if columns.peers_stemmed else None), (stem if columns.models_stemmed else None)

    def seen(self, reading: Reading) -> tuple[SeenTexts, SeenTexts]:
        """Return the words of peers and models; their tokens are those of `text_pairs`."""
        spelling, columns = self.texts.spelling(), self._columns(reading)
        first_text = self.texts.unsummed_start if columns.unsummed else 0
        stems = None if spelling.stem is None else list(map(spelling.stem, spelling.words))
        peers, models = (
            SeenTexts(
                spelt.as_one_sentence() if columns.as_one_sentence else spelt,
                spelling.words,
                stems if is_stemmed else None,
            )
            for spelt, is_stemmed in (
                (spelling.columns.take(self.peers + first_text), columns.peers_stemmed),
                (spelling.columns.take(self.models + first_text), columns.models_stemmed),
            )
        )
        return peers, models

    def raw_texts(self) -> tuple[list[str], list[list[str]]]:
        """Return the peer of each instance, and its models, as strings."""
        raw = self.texts.raw
        models = [raw[text] for text in self.models.tolist()]
        bounds = [*self.starts.tolist(), self.models.size]
        return (
            [raw[text] for text in self.peers[self.starts].tolist()],
            [models[first:last] for first, last in pairwise(bounds)],
        )

    def _columns(self, reading: Reading) -> _Columns:
        """Return which columns a reading takes under the options of the run."""
        stem, stem_models = self._options.stem, self._options.stem_models
        return _Columns(
            self._options.bytes > 0 and reading.by_sentence,
            stem,
            stem or (stem_models and reading.stems_models),
            reading.as_one_sentence,
        )

    def _new_pairs(self, wanted: _Columns) -> TextPairs:
        """Pair some columns."""
        first_text = self.texts.unsummed_start if wanted.unsummed else 0
        peers = self.texts.columns(stemmed=wanted.peers_stemmed)
        models = self.texts.columns(stemmed=wanted.models_stemmed)
        if wanted.as_one_sentence:
            peers, models = peers.as_one_sentence(), models.as_one_sentence()
        return TextPairs(
            peers, self.peers + first_text, models, self.models + first_text, self.texts.n_types
        )
