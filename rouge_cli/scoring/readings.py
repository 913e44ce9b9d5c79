"""How each family of metrics matches the texts of some pairs; what two families share is made once.

ROUGE-L and ROUGE-W have their own reading of ``-b``, and ``-M`` stems the models in some families
only.
Source: specification, section 1 (``-M``) and section 2, "Limits".
"""

from collections.abc import Callable
from typing import NamedTuple

from rouge_cli.metrics.lcs import WalkedRows, walk_lcs
from rouge_cli.metrics.matching import Matches, match_tokens
from rouge_cli.options.every import Options
from rouge_cli.scoring.block_texts import READ_BY_SENTENCE, BlockTexts
from rouge_cli.scoring.inputs.blocks import Pairs

__all__ = ["Readings"]

Stem = Callable[[bytes], bytes]


class Reading(NamedTuple):
    """How a family reads the texts.

    Parameters
    ----------
    by_sentence : bool
        Whether the byte limit is that of ROUGE-L and ROUGE-W.
    peers_stemmed, models_stemmed : bool
    as_one : bool
        Whether a text is one sequence, whatever its sentences.
    """

    by_sentence: bool
    peers_stemmed: bool
    models_stemmed: bool
    as_one: bool = False


STEMMED_BY_STEM_MODELS = frozenset({"L", "P", "S", "BE"})


class Readings:
    """The matches of some pairs, as each family of metrics sees them.

    Parameters
    ----------
    texts : BlockTexts
    pairs : Pairs
    options : Options
    """

    __slots__ = ("_matches", "_options", "_walked", "pairs", "texts")

    def __init__(self, texts: BlockTexts, pairs: Pairs, options: Options) -> None:
        self.texts = texts
        self.pairs = pairs
        self._options = options
        self._matches: dict[Reading, Matches] = {}
        self._walked: dict[Reading, list[WalkedRows]] = {}

    def matches(self, family: str) -> Matches:
        """Return the matches between peers and models."""
        return self._matched(self._reading(family))

    def tables(self, family: str) -> Matches:
        """Return the matches from which a family takes its unigram tables: ROUGE-1's reading."""
        return self._matched(self._reading(family)._replace(by_sentence=False, as_one=False))

    def walked(self, family: str) -> list[WalkedRows]:
        """Return the walks through the LCS tables."""
        reading = self._reading(family)
        if reading not in self._walked:
            self._walked[reading] = walk_lcs(self._matched(reading))
        return self._walked[reading]

    def stems(self, family: str) -> tuple[Stem | None, Stem | None]:
        """Return how a family stems the words of peers and of models, None for not at all."""
        _, peers_stemmed, models_stemmed, _ = self._reading(family)
        stem = self.texts.stem
        return (stem if peers_stemmed else None), (stem if models_stemmed else None)

    def _reading(self, family: str) -> Reading:
        """Return how a family reads."""
        options = self._options
        as_one = family == "L" and options.metrics.lcs_unit == "text"
        by_sentence = options.texts.bytes > 0 and family in READ_BY_SENTENCE and not as_one
        models_too = options.texts.stem_models and family in STEMMED_BY_STEM_MODELS
        return Reading(by_sentence, options.texts.stem, options.texts.stem or models_too, as_one)

    def _matched(self, reading: Reading) -> Matches:
        """Return the matches of a reading, made when they are first asked for."""
        if reading not in self._matches:
            first_text = self.texts.unsummed_start if reading.by_sentence else 0
            peers = self.texts.columns(stemmed=reading.peers_stemmed)
            models = self.texts.columns(stemmed=reading.models_stemmed)
            peers = peers.take(self.pairs.peers + first_text)
            models = models.take(self.pairs.models + first_text)
            if reading.as_one:
                peers, models = peers.as_one_sentence(), models.as_one_sentence()
            self._matches[reading] = match_tokens(peers, models, self.texts.n_types)
        return self._matches[reading]
