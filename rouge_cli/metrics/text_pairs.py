"""Pairs of texts in columns, before anything is known of what they share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core.choice import compiled_core
from rouge_cli.metrics.matching import Matches, match_tokens
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns

__all__ = ["TextPairs"]

MOST_TOKENS = (1 << 31) - 1


@dataclass(slots=True, eq=False)
class TextPairs:
    """Peers and models, text by text.

    Parameters
    ----------
    peers, models : TextColumns
    peer_texts, model_texts : ndarray of int64, shape (n_pairs,)
        The text of the peers, and that of the models, of each pair.
    n_types : int
        Every type is below this number.
    """

    peers: TextColumns
    peer_texts: NDArray[np.int64]
    models: TextColumns
    model_texts: NDArray[np.int64]
    n_types: int
    _compiled: Any = None

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return self.peer_texts.size

    @property
    def peer_counts(self) -> NDArray[np.int64]:
        """Number of tokens of the peer of each pair, shape (n_pairs,)."""
        return self.peers.token_counts[self.peer_texts]

    @property
    def model_counts(self) -> NDArray[np.int64]:
        """Number of tokens of the model of each pair, shape (n_pairs,)."""
        return self.models.token_counts[self.model_texts]

    @property
    def longest_model_sentence(self) -> int:
        """Number of tokens of the longest sentence of all models."""
        return int(np.diff(self.models.sentence_offsets).max(initial=0))

    def matches(self) -> Matches:
        """Match the tokens of each pair."""
        peers, models = self.peers.take(self.peer_texts), self.models.take(self.model_texts)
        return match_tokens(peers, models, self.n_types)

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
