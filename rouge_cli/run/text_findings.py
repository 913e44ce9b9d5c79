"""Warnings about the texts of a run, gathered portion by portion."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import Problems
from rouge_cli.inputs.blocks import Block
from rouge_cli.inputs.sentences import Tally, are_sentences_read, merged, unsplit_warnings
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.tokenizer import Tokenizer

BYTES_AT_A_TIME = 1 << 18
"""So many stay in the cache while they are looked at several times."""


@dataclass(frozen=True, slots=True)
class FoundTexts:
    """Texts that share one warning.

    Parameters
    ----------
    n_texts : int
        How many there are.
    first : str
        The first of them, in words.
    """

    n_texts: int = 0
    first: str = ""

    def __add__(self, later: "FoundTexts") -> "FoundTexts":
        """Add texts that come later."""
        return FoundTexts(self.n_texts + later.n_texts, self.first or later.first)


@dataclass(frozen=True, slots=True)
class TextFindings:
    """Warnings about some texts.

    Parameters
    ----------
    n_texts : int
        All of them.
    empty_texts : tuple of tuple of str and str
        Each text without anything to count, and what is said of it.
    dropped : FoundTexts
        Those of which more than a tenth of the letters is in no token.
    zeros : FoundTexts
        Those with a zero byte.
    tallies : tuple of Tally
        The texts without separator of each file, where they are counted.
    n_sentences : int
        Of all texts.
    unsplit : FoundTexts
        Texts of a single sentence that look like several.
    """

    n_texts: int = 0
    empty_texts: tuple[tuple[str, str], ...] = ()
    dropped: FoundTexts = field(default_factory=FoundTexts)
    zeros: FoundTexts = field(default_factory=FoundTexts)
    tallies: tuple[Tally, ...] = ()
    n_sentences: int = 0
    unsplit: FoundTexts = field(default_factory=FoundTexts)

    def __add__(self, later: "TextFindings") -> "TextFindings":
        """Add the findings of texts that come later."""
        return TextFindings(
            self.n_texts + later.n_texts,
            self.empty_texts + later.empty_texts,
            self.dropped + later.dropped,
            self.zeros + later.zeros,
            merged((*self.tallies, *later.tallies)),
            self.n_sentences + later.n_sentences,
            self.unsplit + later.unsplit,
        )

    @property
    def sentences_per_text(self) -> float | None:
        """How many sentences a text has on average; None without texts."""
        return self.n_sentences / self.n_texts if self.n_texts else None

    def warnings(self, options: Options) -> Iterator[str]:
        """Yield all warnings, those about the run as a whole first."""
        if self.zeros.n_texts:
            hold = "holds" if self.zeros.n_texts == 1 else "hold"
            yield (
                f"{self.zeros.n_texts} of {self.n_texts} texts {hold} a zero byte, as UTF-16 and "
                f"what is no text do, the first {self.zeros.first}; save it as UTF-8"
            )
        dropped = self.dropped
        if dropped.n_texts and options.metrics.protocol is None:
            lose, their = ("loses", "its") if dropped.n_texts == 1 else ("lose", "their")
            yield (
                f"{dropped.n_texts} of {self.n_texts} texts {lose} more than a tenth of {their} "
                f"letters, the first {dropped.first}: as in the original only A to Z and digits "
                "make words, so such scores say little; say which language it is, such as "
                "--language de, or count the words of any script with --tokenizer unicode"
            )
        if 2 * self.unsplit.n_texts > self.n_texts and are_sentences_read(options.metrics):
            yield (
                f"{self.unsplit.n_texts} of {self.n_texts} texts are a single sentence with ends "
                f"of sentences inside, the first {self.unsplit.first}: ROUGE-L and ROUGE-W depend "
                "on where sentences end; find them with --sentences en or another language, say "
                "what stands between them with --sentence-separator, or ask for the ROUGE-L of "
                "whole texts, which others call rougeL, with --lcs-unit text"
            )
        yield from unsplit_warnings(self.tallies, options.inputs.sentence_separator)
        if self.empty_texts:
            yield from self.empty_lines()

    def empty_lines(self) -> list[str]:
        """Return the warnings about texts without anything to count."""
        return Problems.of("", dict.fromkeys(self.empty_texts)).lines()


def find_in_texts(
    block: Block, empty_texts: Sequence[int], when_empty: str, tokenizer: Tokenizer
) -> TextFindings:
    """Look for what a warning should tell of the texts of a block.

    Parameters
    ----------
    empty_texts : sequence of int
        The texts in which there is nothing to count.
    when_empty : str
        What becomes of these: ``"warn"``, ``"skip"`` or ``"error"``.
    """
    empty = _of_empty(block, empty_texts, is_skipped=when_empty == "skip")
    # In most blocks there is nothing of this kind, which is soon seen of all texts together.
    whole = b"\n".join(block.texts)
    zeros = [n for n, text in enumerate(block.texts) if b"\0" in text] if b"\0" in whole else []
    with_zeros = FoundTexts(len(zeros), block.describe(zeros[0])) if zeros else FoundTexts()
    dropped = (
        FoundTexts() if whole.isascii() else _with_dropped_letters(block, set(zeros), tokenizer)
    )
    codes = np.frombuffer(whole, np.uint8)
    # There is a newline between two texts too, so that each text has one sentence more.
    n_sentences = int(np.count_nonzero(codes == ord("\n"))) + 1 - block.texts.count(b"")
    unsplit = unsplit_texts(block.texts, codes)
    single = FoundTexts(len(unsplit), block.describe(unsplit[0])) if unsplit else FoundTexts()
    return TextFindings(
        len(block.texts), tuple(empty), dropped, with_zeros, block.tallies, n_sentences, single
    )


def unsplit_texts(texts: Sequence[bytes], codes: NDArray[np.uint8]) -> list[int]:
    """Return which texts are a single sentence that looks like several: one ends, more follows.

    Parameters
    ----------
    codes : ndarray of uint8, shape (n_bytes,)
        The bytes of all texts, with a newline between two of them.
    """
    ends = np.concatenate(list(_ends_of_sentences(codes)) or [np.zeros(0, np.intp)])
    if not ends.size:
        return []
    starts_of_next = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1)
    having_ends = np.unique(np.searchsorted(starts_of_next, ends, side="right")).tolist()
    return [number for number in having_ends if _is_unsplit(texts[number].strip())]


def _ends_of_sentences(codes: NDArray[np.uint8]) -> Iterator[NDArray[np.intp]]:
    """Yield where a sentence ends and a blank follows, piece by piece."""
    for start in range(0, codes.size, BYTES_AT_A_TIME):
        piece = codes[start : start + BYTES_AT_A_TIME + 1]
        is_end = (piece == ord(".")) | (piece == ord("?")) | (piece == ord("!"))
        yield start + np.flatnonzero(is_end[:-1] & (piece[1:] == ord(" ")))


def _is_unsplit(text: bytes) -> bool:
    """Say whether sentences end inside of a text that is stripped, and none ends at a newline."""
    return b"\n" not in text and (b". " in text or b"? " in text or b"! " in text)


def _of_empty(
    block: Block, empty_texts: Sequence[int], *, is_skipped: bool
) -> Iterator[tuple[str, str]]:
    """Yield each empty text, with what follows from it, pair by pair: however blocks are cut."""
    if not empty_texts:
        return
    in_pairs = np.stack((block.pairs.peers, block.pairs.models), axis=1).ravel()
    in_order = dict.fromkeys(in_pairs[np.isin(in_pairs, empty_texts)].tolist())
    models = set(block.pairs.models.tolist()) if is_skipped else set()
    for text in in_order:
        message = "no tokens"
        if is_skipped:
            message += "; its EVAL is left out" if text in models else "; left out"
        yield block.describe(text), message


def _with_dropped_letters(
    block: Block, others: Collection[int], tokenizer: Tokenizer
) -> FoundTexts:
    """Return the texts of a block, except `others`, of which many letters are in no token."""
    losing = FoundTexts()
    for number, text in enumerate(block.texts):
        if text.isascii() or number in others:
            continue
        n_dropped, n_letters = tokenizer.dropped_letters(text)
        if n_dropped:
            losing += FoundTexts(1, f"{block.describe(number)} ({n_dropped} of {n_letters})")
    return losing
