"""How each family of metrics reads the texts of a block; what two families share is made once.

ROUGE-L and ROUGE-W have their own reading of ``-b``, and ``-M`` stems the models in some families
only.
Source: specification, section 1 (``-M``) and section 2, "Limits".
"""

from collections.abc import Callable

import numpy as np

from rouge_cli.formats.simple import BasicElement, read_simple
from rouge_cli.metrics.lcs import WalkedRows, walk_lcs
from rouge_cli.metrics.matching import Matches, match_tokens
from rouge_cli.options import Options
from rouge_cli.scoring.blocks import Block
from rouge_cli.scoring.word_lists import WordLists
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.limits import limit_bytes, limit_bytes_unsummed, limit_words
from rouge_cli.text.vocabulary import ReadTexts, read_texts

__all__ = ["Readings"]

Reading = tuple[bool, bool, bool]
"""Whether sentence by sentence, as L and W read; whether peers, and models, are stemmed."""

STEMMED_BY_STEM_MODELS = frozenset({"L", "S", "BE"})
READ_BY_SENTENCE = frozenset({"L", "W"})


class Readings:
    """The columns and matches of a block, as each family of metrics reads it.

    Parameters
    ----------
    block : Block
    options : Options
    words : WordLists
    """

    __slots__ = ("_matches", "_options", "_texts", "_walked", "_words", "block")

    def __init__(self, block: Block, options: Options, words: WordLists) -> None:
        self.block = block
        self._options = options
        self._words = words
        self._texts: ReadTexts | None = None
        self._matches: dict[Reading, Matches] = {}
        self._walked: dict[Reading, list[WalkedRows]] = {}

    def matches(self, family: str) -> Matches:
        """Return the matches between the peers and models of the block."""
        return self._matched(self._reading(family))

    def tables(self, family: str) -> Matches:
        """Return the matches from which a family takes its unigram tables: ROUGE-1's reading."""
        _, *stemmed = self._reading(family)
        return self._matched((False, stemmed[0], stemmed[1]))

    def walked(self, family: str) -> list[WalkedRows]:
        """Return the walks through the LCS tables."""
        reading = self._reading(family)
        if reading not in self._walked:
            self._walked[reading] = walk_lcs(self._matched(reading))
        return self._walked[reading]

    def stems(
        self, family: str
    ) -> tuple[Callable[[bytes], bytes] | None, Callable[[bytes], bytes] | None]:
        """Return how a family stems the words of peers and of models, None for not at all."""
        _, peers, models = self._reading(family)
        stem = self._words.stemmer.stem if self._words.stemmer else None
        return (stem if peers else None), (stem if models else None)

    def elements(self) -> list[tuple[BasicElement, ...]]:
        """Return the Basic Elements of each text; a text that is read as words too has none."""
        if self._options.metric_families != ("BE",):
            return [() for _ in self.block.texts]
        return [read_simple(text, "") for text in self.block.texts]

    def empty_texts(self) -> list[int]:
        """Return the texts of the block without tokens, or without Basic Elements."""
        if self._texts is None:
            return [text for text, elements in enumerate(self.elements()) if not elements]
        columns = self._texts.stemmed or self._texts.unstemmed
        if columns is None:
            return []
        token_counts = columns.token_counts[: len(self.block.texts)]
        return [int(text) for text in np.flatnonzero(token_counts == 0)]

    def _reading(self, family: str) -> Reading:
        """Return how a family reads."""
        options = self._options
        by_sentence = options.bytes > 0 and family in READ_BY_SENTENCE
        models_too = options.stem_models and family in STEMMED_BY_STEM_MODELS
        return by_sentence, options.stem, options.stem or models_too

    def _matched(self, reading: Reading) -> Matches:
        """Return the matches of a reading, made when they are first asked for."""
        if reading not in self._matches:
            by_sentence, peers_stemmed, models_stemmed = reading
            texts = self._read()
            # The second reading of the byte limit stands behind the first.
            first_text = len(self.block.texts) if by_sentence else 0
            self._matches[reading] = match_tokens(
                self._columns(texts, stemmed=peers_stemmed).take(self.block.peers + first_text),
                self._columns(texts, stemmed=models_stemmed).take(self.block.models + first_text),
                texts.n_types,
            )
        return self._matches[reading]

    def _columns(self, texts: ReadTexts, *, stemmed: bool) -> TextColumns:
        """Return the columns of all texts."""
        columns = texts.stemmed if stemmed else texts.unstemmed
        if columns is None:
            raise ValueError("these texts were not read in this way")
        return columns

    def _read(self) -> ReadTexts:
        """Read the texts of the block, once."""
        if self._texts is None:
            self._texts = read_texts(
                self._limited(),
                self._words.stopwords,
                self._words.stemmer,
                with_unstemmed=not self._options.stem,
            )
        return self._texts

    def _limited(self) -> list[bytes]:
        """Return the limited texts, with a byte limit in the reading of L and W once more."""
        texts, options = self.block.texts, self._options
        if options.words:
            return limit_words(texts, options.words)
        if not options.bytes:
            return list(texts)
        limited = limit_bytes(texts, options.bytes)
        if READ_BY_SENTENCE.isdisjoint(options.metric_families):
            return limited
        return limited + limit_bytes_unsummed(texts, options.bytes)
