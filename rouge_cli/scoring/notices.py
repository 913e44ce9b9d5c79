"""What there is to say of the texts of a run, gathered portion by portion."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rouge_cli.options import Options
from rouge_cli.scoring.inputs.blocks import Block
from rouge_cli.scoring.inputs.unsplit import Tally, merged, unsplit_warnings
from rouge_cli.text.letters import lost_letters

__all__ = ["LostLetters", "Notices", "notices_of"]


@dataclass(frozen=True, slots=True)
class LostLetters:
    """Texts of which more than a tenth of the letters is in no word.

    Parameters
    ----------
    n_texts : int
        How many there are.
    first : str
        The first of them, in words, with its counts.
    """

    n_texts: int = 0
    first: str = ""

    def __add__(self, later: "LostLetters") -> "LostLetters":
        """Add texts that come later."""
        return LostLetters(self.n_texts + later.n_texts, self.first or later.first)


@dataclass(frozen=True, slots=True)
class Notices:
    """What there is to say of some texts.

    Parameters
    ----------
    n_texts : int
        All of them.
    empty_texts : tuple of str
        A line for each text in which there is nothing to count.
    lost : LostLetters
    tallies : tuple of Tally
        The texts without separator of each file, where they are counted.
    """

    n_texts: int = 0
    empty_texts: tuple[str, ...] = ()
    lost: LostLetters = field(default_factory=LostLetters)
    tallies: tuple[Tally, ...] = ()

    def __add__(self, later: "Notices") -> "Notices":
        """Add the notices of texts that come later."""
        return Notices(
            self.n_texts + later.n_texts,
            self.empty_texts + later.empty_texts,
            self.lost + later.lost,
            merged((*self.tallies, *later.tallies)),
        )

    def warnings(self, options: Options) -> Iterator[str]:
        """Yield all there is to say, on the run as a whole first."""
        if self.lost.n_texts:
            lose, their = ("loses", "its") if self.lost.n_texts == 1 else ("lose", "their")
            yield (
                f"{self.lost.n_texts} of {self.n_texts} texts {lose} more than a tenth of {their} "
                f"letters, the first {self.lost.first}: as in the original only A to Z and digits "
                "make words, so such scores say little; write the words in these letters first"
            )
        yield from unsplit_warnings(self.tallies, options.sentence_separator)
        yield from self.empty_texts


def notices_of(block: Block, empty_texts: Sequence[int], empty: str) -> Notices:
    """Return what there is to say of the texts of a block.

    Parameters
    ----------
    block : Block
    empty_texts : sequence of int
        The texts in which there is nothing to count.
    empty : str
        What becomes of these: ``"warn"``, ``"skip"`` or ``"error"``.
    """
    lines = _empty_lines(block, empty_texts, is_skipped=empty == "skip")
    return Notices(len(block.texts), tuple(lines), _lost(block), block.tallies)


def _empty_lines(block: Block, empty_texts: Iterable[int], *, is_skipped: bool) -> Iterator[str]:
    """Yield a line for each empty text, and what follows from it."""
    models = set(block.pairs.models.tolist()) if is_skipped else set()
    for text in empty_texts:
        line = f"{block.describe(text)}: no tokens"
        if is_skipped:
            line += "; its EVAL is left out" if text in models else "; left out"
        yield line


def _lost(block: Block) -> LostLetters:
    """Return the texts of a block that lose many letters."""
    if all(map(bytes.isascii, block.texts)):
        return LostLetters()
    found = LostLetters()
    for number, text in enumerate(block.texts):
        if not text.isascii() and (counts := lost_letters(text))[0]:
            n_lost, n_letters = counts
            first = f"{block.describe(number)} ({n_lost} of {n_letters})"
            found += LostLetters(1, first)
    return found
