"""The texts of some pairs as each metric reads them; what two metrics share is made once.

ROUGE-L and ROUGE-W have their own reading of ``-b``, and ``-M`` stems the models for some metrics
only.
Source: specification, section 1 (``-M``) and section 2, "Limits".
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rouge_cli.metrics.lcs_backtracking import MarkedRows, backtrack_lcs
from rouge_cli.metrics.lcs_lengths import LcsLengths, lcs_lengths, marked_lengths
from rouge_cli.metrics.marks import SeenTexts
from rouge_cli.metrics.matching import Matches
from rouge_cli.metrics.text_pairs import TextPairs
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.reading import Spelling

__all__ = ["BlockOfTexts", "Element", "PairedTexts", "Reading"]

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
    """

    by_sentence: bool = False
    as_one_sentence: bool = False
    stems_models: bool = False
    stems_unigrams: bool = False
    elements: bool = False
    raw: bool = False


class BlockOfTexts(Protocol):
    """Texts in columns."""

    @property
    def unsummed_start(self) -> int:
        """The text at which the columns begin that hold all texts by the unsummed byte limit.

        Zero where a byte limit has one reading only.
        """
        ...

    @property
    def n_types(self) -> int:
        """Every type is below this number."""
        ...

    @property
    def elements(self) -> list[tuple[Element, ...]]:
        """The Basic Elements of each text."""
        ...

    @property
    def raw(self) -> Sequence[str]:
        """The texts as strings, with a newline between sentences."""
        ...

    @property
    def stem(self) -> Stem | None:
        """From a word to its stem; None if nothing is stemmed."""
        ...

    def columns(self, *, stemmed: bool) -> TextColumns:
        """Return the columns; the unsummed reading of a byte limit stands behind the other."""
        ...

    def spelling(self) -> Spelling:
        """Return the words as they are spelt, before anything is stemmed."""
        ...


class _Columns(NamedTuple):
    """Which columns are matched, and how."""

    unsummed: bool
    peers_stemmed: bool
    models_stemmed: bool
    as_one_sentence: bool


class PairedTexts:
    """The texts of some pairs.

    Parameters
    ----------
    peers, models : ndarray of int64, shape (n_pairs,)
        The texts of each pair.
    starts : ndarray of int64, shape (n_instances,)
        The first pair of each instance.
    """

    __slots__ = ("_marked", "_matches", "_options", "_pairs", "models", "peers", "starts", "texts")

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
        self._matches: dict[_Columns, Matches] = {}
        self._marked: dict[_Columns, list[MarkedRows]] = {}

    def pairs(self, reading: Reading) -> TextPairs:
        """Return peers and models as a reading takes them."""
        return self._paired(self._columns(reading))

    def matches(self, reading: Reading) -> Matches:
        """Return the tokens that are equal in peers and models."""
        return self._matched(self._columns(reading))

    def unigram_pairs(self, reading: Reading) -> TextPairs:
        """Return the texts whose unigram tables clip the hits of a reading: ROUGE-1's."""
        return self.pairs(_unigram_reading(reading))

    def unigram_matches(self, reading: Reading) -> Matches:
        """Return the matches whose unigram tables clip the hits of a reading: ROUGE-1's."""
        return self.matches(_unigram_reading(reading))

    def lcs_rows(self, reading: Reading) -> list[MarkedRows]:
        """Return the LCS of every sentence pair."""
        columns = self._columns(reading)
        if columns not in self._marked:
            self._marked[columns] = backtrack_lcs(self._matched(columns))
        return self._marked[columns]

    def lcs_lengths(self, reading: Reading) -> list[LcsLengths]:
        """Return the length of the LCS of every sentence pair."""
        columns = self._columns(reading)
        if columns in self._marked:
            return marked_lengths(self._marked[columns])
        return lcs_lengths(self._matched(columns))

    def stems(self, reading: Reading) -> tuple[Stem | None, Stem | None]:
        """Return how the words of peers and of models are stemmed, None for not at all."""
        columns, stem = self._columns(reading), self.texts.stem
        return (stem if columns.peers_stemmed else None), (stem if columns.models_stemmed else None)

    def seen(self, reading: Reading) -> tuple[SeenTexts, SeenTexts]:
        """Return the words of peers and models; their tokens are those of `matches`."""
        spelling, columns = self.texts.spelling(), self._columns(reading)
        first_text = self.texts.unsummed_start if columns.unsummed else 0
        stems = None
        if spelling.stem is not None:
            stems = list(map(spelling.stem, spelling.words))
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

    def _paired(self, wanted: _Columns) -> TextPairs:
        """Return the pairs of some columns, made when they are first asked for."""
        if wanted not in self._pairs:
            self._pairs[wanted] = self._new_pairs(wanted)
        return self._pairs[wanted]

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

    def _matched(self, wanted: _Columns) -> Matches:
        """Return the matches of some columns, made when they are first asked for."""
        if wanted not in self._matches:
            self._matches[wanted] = self._new_matches(wanted)
        return self._matches[wanted]

    def _new_matches(self, wanted: _Columns) -> Matches:
        """Match some columns."""
        if not wanted.as_one_sentence:
            return self._paired(wanted).matches()
        # Where sentences end does not matter for which tokens are equal.
        found = self._matched(wanted._replace(as_one_sentence=False))
        peers, models = found.peers.as_one_sentence(), found.models.as_one_sentence()
        return replace(found, peers=peers, models=models)


def _unigram_reading(reading: Reading) -> Reading:
    """Return a reading with the limits and the sentences of ROUGE-1, whatever its own are."""
    stems_models = reading.stems_models or reading.stems_unigrams
    return replace(reading, by_sentence=False, as_one_sentence=False, stems_models=stems_models)
