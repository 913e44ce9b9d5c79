"""Sample pairs of texts: English words with realistic frequencies, some of them shared.

The words are those of the package's fixtures, so that there is something to stem; the commonest
are function words. Names, misspellings and compounds make a real vocabulary grow without end, so
there are also numbers, and rare words made of two others. Everything is seeded.
"""

from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["NEWS", "Sampler", "Shape"]

TOKENS = Path(__file__).resolve().parent.parent / "fixtures" / "golden" / "stems.tsv"
SHIFT, EXPONENT = 2.7, 1.13
N_RARE, N_NUMBERS = 75_000, 3_000
FUNCTION_WORDS = """
    the of to and a in that is was he for it with as his on be at by i this had not are but from or
    have an they which one you were her all she there would their we him been has when who will more
    no if out so said what up its about into than them can only other new some could time these two
    may then do first any my now such like our over me even most made after also did many before
    must through back years where much your way well down should because each just those people mr
    how too little state good very make world still own see men work long get here between both
    being under never same another know while last might us great since against go came right used
    take three
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """How long texts are and how they are cut.

    Parameters
    ----------
    words : tuple of int
        Fewest and most words of a text.
    sentences : tuple of int
        Fewest and most sentences of a text; the cuts between them vary by a few words.
    """

    words: tuple[int, int]
    sentences: tuple[int, int] = (1, 1)


NEWS = Shape(words=(34, 86), sentences=(2, 5))
"""Summaries of news as in CNN/DM: 60 words on average, in some three and a half sentences."""


class Sampler:
    """Draws words with Zipf's frequencies, and texts of them.

    Parameters
    ----------
    seed : int

    Notes
    -----
    The frequencies are those of Zipf's law as Mandelbrot has it, with the numbers that give 11,490
    pairs of `NEWS` some 60,000 types, as the test part of CNN/DM has with a system's summaries.
    """

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        words = _vocabulary(np.random.default_rng(0))
        self._words = np.array(words, object)
        frequencies = (np.arange(len(words)) + SHIFT) ** -EXPONENT
        self._cumulative = np.cumsum(frequencies) / frequencies.sum()

    def text(self, shape: Shape) -> NDArray[np.int64]:
        """Return the words of a text, by their ranks."""
        return self._ranks(self._between(shape.words))

    def echo(self, source: NDArray[np.int64], shape: Shape) -> NDArray[np.int64]:
        """Return a text with two in five of its words from `source`, in its order."""
        text = self.text(shape)
        n_shared = min(text.size, source.size) * 2 // 5
        text[self._places(text.size, n_shared)] = source[self._places(source.size, n_shared)]
        return text

    def spelled(self, text: NDArray[np.int64], shape: Shape) -> str:
        """Return a text as a string, with a newline between its sentences."""
        words = self._words[text].tolist()
        edges = [0, *self._cuts(len(words), self._between(shape.sentences)), len(words)]
        return "\n".join(
            " ".join(words[edges[k] : edges[k + 1]]).capitalize() + "."
            for k in range(len(edges) - 1)
        )

    def pairs(
        self, n_pairs: int, shape: Shape, n_models: int = 1
    ) -> tuple[list[str], list[list[str]]]:
        """Return peers and, for each, models that share some of its words."""
        peers, models = [], []
        for _ in range(n_pairs):
            peer = self.text(shape)
            peers.append(self.spelled(peer, shape))
            echoes = [self.echo(peer, shape) for _ in range(n_models)]
            models.append([self.spelled(model, shape) for model in echoes])
        return peers, models

    def _between(self, ends: tuple[int, int]) -> int:
        """Draw a whole number, both ends included."""
        return ends[0] if ends[0] == ends[1] else int(self._random.integers(ends[0], ends[1] + 1))

    def _ranks(self, n_words: int) -> NDArray[np.int64]:
        """Draw words."""
        return np.searchsorted(self._cumulative, self._random.random(n_words))

    def _places(self, n_words: int, n_wanted: int) -> NDArray[np.int64]:
        """Draw some places of a text, ascending."""
        return np.sort(self._random.permutation(n_words)[:n_wanted])

    def _cuts(self, n_words: int, n_sentences: int) -> list[int]:
        """Return where a text is cut, at least a few words apart."""
        length = n_words // n_sentences
        reach = min(4, length // 4)
        moves = self._random.integers(-reach, reach + 1, n_sentences - 1)
        even = np.arange(1, n_sentences) * n_words // n_sentences
        cuts: list[int] = (even + moves).tolist()
        return cuts


def _vocabulary(random: np.random.Generator) -> list[str]:
    """Return the words, commonest first: function words, the fixture's with numbers, rare ones."""
    lines = TOKENS.read_text(encoding="ascii").splitlines()
    tokens = {line.partition("\t")[0] for line in lines}
    common = FUNCTION_WORDS.split()
    others = sorted(token for token in tokens - set(common) if token.isalpha())
    random.shuffle(others)
    numbers = map(str, range(1, N_NUMBERS))
    mixed = chain.from_iterable(zip_longest(others, numbers))
    starts, ends = random.choice(others, N_RARE).tolist(), random.choice(others, N_RARE).tolist()
    rare = (start[:3] + end[-4:] for start, end in zip(starts, ends, strict=True))
    return list(dict.fromkeys(word for word in (*common, *mixed, *rare) if word))
