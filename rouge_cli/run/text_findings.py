"""Warnings about the texts of a run, collected batch by batch."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import Problems, with_number
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch
from rouge_cli.inputs.sentences import are_sentences_read
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import FlaggedTexts
from rouge_cli.text.seen import (
    FLAGS,
    HAS_BROKEN,
    HAS_END,
    HAS_INVISIBLE,
    HAS_ZERO,
    INVISIBLE_MARKS,
    MAY_LOSE,
    SEEN,
    Seen,
    dropped_letters,
    flagged,
    likely_language,
)
from rouge_cli.text.tokenizer import Tokenizer

ONE_WORD_IN = 50  # broken words are reported if they are at least one in this many
MOST_LETTERS = 400  # number of letters that is enough to identify a language

ENDS = b".?!"

IN_WORD = rb"[0-9A-Za-z\x80-\xbf]%b[0-9A-Za-z\xc3-\xdf]"
"""An invisible mark between two letters, the second of at most two bytes, as in Latin, Greek and
Arabic. Letters of Khmer and other scripts that put such marks between words have three bytes."""

FLAGGED = {row.key: row for row in SEEN if row.flag}
"""The rows of `SEEN` that have a flag, which the core finds in all texts rather than in a sample.
"""

FEW = 20  # a finding in fewer than one of `FEW` texts has no line of its own

ZERO, UNSPLIT, DROPPED, HALF_EMPTY = "zero byte", "unsplit", "dropped letters", "half empty"
"""Keys of findings that are not in `FLAGGED`: texts with a zero byte; with a single sentence that
looks like several; with more than a tenth of their letters in no token; and EVALs of which some
models, but not all, have nothing to count."""


@dataclass(frozen=True, slots=True)
class FoundTexts:
    """The number of texts that have a finding, and the name of the first."""

    n_texts: int = 0
    first: str = ""

    def __add__(self, later: "FoundTexts") -> "FoundTexts":
        return FoundTexts(self.n_texts + later.n_texts, self.first or later.first)


@dataclass(frozen=True, slots=True)
class BrokenWords:
    """Broken words, which have a letter that is in no token; only beginnings of texts are examined.

    - `n_words`: the number of examined words.
    - `n_broken`: the number of broken words among them.
    - `first`: the name of the first text with a broken word.
    - `letters`: the first `MOST_LETTERS` lost letters.
    """

    n_words: int = 0
    n_broken: int = 0
    first: str = ""
    letters: str = ""

    def __add__(self, later: "BrokenWords") -> "BrokenWords":
        return BrokenWords(
            self.n_words + later.n_words,
            self.n_broken + later.n_broken,
            self.first or later.first,
            (self.letters + later.letters)[:MOST_LETTERS],
        )

    @property
    def are_many(self) -> bool:
        """Whether at least one word in `ONE_WORD_IN` is broken, not counting byte order marks."""
        is_any = self.n_broken > 0 and self.letters.strip("\ufeff") != ""
        return is_any and self.n_broken * ONE_WORD_IN >= self.n_words

    @property
    def are_compatible(self) -> bool:
        """Whether most lost letters are variants of A to Z, such as full-width letters."""
        from unicodedata import normalize  # here, since few runs need it

        letters = self.letters
        return sum(normalize("NFKC", letter).isascii() for letter in letters) * 2 > len(letters)


@dataclass(frozen=True, slots=True)
class TextFindings:
    """The findings in some texts.

    - `n_texts`: the number of texts; repeated ones count once.
    - `n_read`, `n_sentences`: the number of texts with repetitions, and of their sentences.
    - `empty_texts`: the name of each text with nothing to count, and a remark.
    - `broken`: the broken words of all texts.
    - `found`: the texts with each finding that occurs, by its key.
    """

    n_texts: int = 0
    n_read: int = 0
    n_sentences: int = 0
    empty_texts: tuple[tuple[str, str], ...] = ()
    broken: BrokenWords = field(default_factory=BrokenWords)
    found: Mapping[str, FoundTexts] = field(default_factory=dict)

    def __add__(self, later: "TextFindings") -> "TextFindings":
        names = set(self.__slots__) - {"found"}
        sums = {name: getattr(self, name) + getattr(later, name) for name in names}
        kinds = (*self.found, *later.found)
        return TextFindings(
            **sums, found={kind: self._of(kind) + later._of(kind) for kind in kinds}
        )

    def _of(self, kind: str) -> FoundTexts:
        return self.found.get(kind, FoundTexts())

    @property
    def sentences_per_text(self) -> float | None:
        """The mean number of sentences per text; None if there are no texts."""
        return self.n_sentences / self.n_read if self.n_read else None

    def warnings(
        self, options: Options, effect: Callable[[Seen], str] | None = None
    ) -> Iterator[str]:
        """Yield all warnings, those about the run as a whole first.

        `effect` says how mending the finding of a row changes the score of a sample.
        """
        if ZERO in self.found:
            holding = self._holding(ZERO, "a zero byte, as UTF-16 and binary files do")
            yield f"{holding}; save it as UTF-8"
        # The sample reports compatibility letters, together with their remedy.
        lines = {} if effect and self.broken.are_compatible else self._of_letters(options)
        yield from (line for line, is_told in lines.items() if is_told)
        unsplit = self._of(UNSPLIT)
        if 2 * unsplit.n_texts > self.n_texts and are_sentences_read(options.metrics):
            yield (
                f"{unsplit.n_texts} of {self.n_texts} texts seem to be several sentences on "
                f"one line, the first {unsplit.first}: ROUGE-L and ROUGE-W depend "
                "on where sentences end; find them with --sentences en or another language, say "
                "what stands between them with --sentence-separator, or ask for the ROUGE-L of "
                "whole texts, which others call rougeL, with --lcs-unit text"
            )
        rows = self._of_rows(effect or (lambda row: ""))
        yield from (line for line, is_told in rows.items() if is_told)
        # The rare findings share a line.
        few = [line for line, is_told in (lines | rows).items() if not is_told]
        if few := [line.partition(", the first")[0] for line in few]:
            yield f"{'; '.join(few)}: fewer than one in {FEW}; -v says which, and what to do"
        if HALF_EMPTY in self.found and options.metrics.protocol is None:
            evals = self.found[HALF_EMPTY]
            have = with_number(evals.n_texts, "1 text has", "{} texts have")
            yield (
                f"{have} references without words beside others, the "
                f"first {evals.first}: each counts as a reference, which divides "
                "precision by the number of all; leave such references out"
            )
        yield from self.empty_lines()

    def details(self, options: Options) -> list[str]:
        """Return in full the findings that `warnings` only summarises, as they are rare."""
        lines = self._of_letters(options) | self._of_rows(lambda row: "")
        return [line for line, is_told in lines.items() if not is_told]

    def _of_letters(self, options: Options) -> dict[str, bool]:
        """Return the warnings about lost letters, each with whether it deserves its own line."""
        if options.metrics.protocol is not None:
            return {}
        is_told = self.broken.are_many or self._of(DROPPED).n_texts * FEW >= self.n_texts
        return dict.fromkeys(self._lost_letters(), is_told)

    def _of_rows(self, effect: Callable[[Seen], str]) -> dict[str, bool]:
        """Return the warnings about odd texts, each with whether it deserves its own line."""
        lines = {}
        # In the order of `FLAGGED`: that of `found` depends on where batches end.
        for kind, row in FLAGGED.items():
            if kind in self.found:
                is_told = self.found[kind].n_texts * FEW >= self.n_texts
                score = effect(row) if is_told else ""
                parts = "; ".join(filter(None, (row.effect, score, row.remedy)))
                lines[f"{self._holding(kind, row.what)}: {parts}"] = is_told
        return lines

    def _holding(self, kind: str, what: str) -> str:
        texts = self.found[kind]
        hold = "holds" if texts.n_texts == 1 else "hold"
        return f"{texts.n_texts} of {self.n_texts} texts {hold} {what}, the first {texts.first}"

    def _lost_letters(self) -> Iterator[str]:
        lost = []
        if (dropped := self.found.get(DROPPED)) is not None:
            lose, their = ("loses", "its") if dropped.n_texts == 1 else ("lose", "their")
            lost.append(
                f"{dropped.n_texts} of {self.n_texts} texts {lose} more than a tenth of "
                f"{their} letters, the first {dropped.first}"
            )
        if self.broken.are_many:
            share = min(100, round(100 * self.broken.n_broken / self.broken.n_words))
            first = "" if lost else f", the first in {self.broken.first}"
            lost.append(f"about {share}% of all words lose letters{first}")
        if not lost:
            return
        yield (
            f"{'; '.join(lost)}: as in the original only A to Z and digits make words, so such "
            "scores say little; say which language it is, such as --language "
            f"{likely_language(self.broken.letters) or 'de'}, or count the words of any script "
            "with --tokenizer unicode"
        )

    def empty_lines(self) -> list[str]:
        """Return the warnings about texts with nothing to count."""
        return Problems.of("", dict.fromkeys(self.empty_texts)).lines()


def find_in_texts(
    batch: Batch,
    empty_texts: Sequence[int],
    when_empty: str,
    tokenizer: Tokenizer,
    flags: FlaggedTexts | None = None,
) -> TextFindings:
    """Search the texts of a batch for anything that deserves a warning.

    `empty_texts` are the numbers of texts with nothing to count; `when_empty` is their treatment:
    ``"warn"``, ``"skip"`` or ``"error"``. `flags` are those of the texts, if reading found them.
    """
    texts = batch.texts
    lettered = tokenizer.as_read(texts)
    # If the tokenizer reads other texts in place of these, letters are flagged in those.
    flags = flags or flagged(texts, has_letters=lettered is texts)
    numbers = _by_flag(batch, flags)
    n_repeated = 0 if batch.is_repeated is None else int(np.count_nonzero(batch.is_repeated))
    dropped, broken = _lost_letters(batch, lettered, flags, numbers)
    with_ends = numbers[HAS_END].tolist()
    kinds = {
        ZERO: _found_texts(batch, numbers[HAS_ZERO]),
        UNSPLIT: _found_texts(batch, [n for n in with_ends if is_unsplit(texts[n])]),
        DROPPED: dropped,
        HALF_EMPTY: _half_empty(batch, empty_texts if when_empty == "warn" else ()),
    }
    for key, row in FLAGGED.items():
        odd = [n for n in numbers[row.flag].tolist() if row.is_in(texts[n])]
        kinds[key] = _found_texts(batch, odd)
    cut = _with_cut_words(texts, numbers[HAS_INVISIBLE].tolist(), tokenizer)
    kinds["invisible"] = _found_texts(batch, cut)
    return TextFindings(
        len(texts) - n_repeated,
        len(texts),
        flags.n_newlines + sum(map(bool, texts)),
        tuple(_of_empty(batch, empty_texts, is_skipped=when_empty == "skip")),
        broken,
        {kind: those for kind, those in kinds.items() if those.n_texts},
    )


def _by_flag(batch: Batch, flags: FlaggedTexts) -> dict[int, NDArray[np.int64]]:
    by_text = np.frombuffer(flags.flags, np.uint8)
    if batch.is_repeated is not None:
        by_text = np.where(batch.is_repeated, 0, by_text)
    seen = np.bitwise_or.reduce(by_text, initial=0)
    none = np.zeros(0, np.int64)
    return {flag: np.flatnonzero(by_text & flag) if seen & flag else none for flag in FLAGS}


def _found_texts(batch: Batch, numbers: Sequence[int] | NDArray[np.int64]) -> FoundTexts:
    if len(numbers) == 0:
        return FoundTexts()
    return FoundTexts(len(numbers), batch.describe(int(numbers[0])))


def _with_cut_words(
    texts: Sequence[bytes], numbers: Sequence[int], tokenizer: Tokenizer
) -> list[int]:
    if not numbers:
        return []
    # A mark is harmless if the tokenizer drops it: then a word with it equals the word without it.
    in_words = []
    for mark in INVISIBLE_MARKS:
        read = tokenizer.read([b"ab%bcd" % mark, b"abcd"], with_unsummed=False)
        columns = read.stemmed if read.unstemmed is None else read.unstemmed
        if columns is None or columns.tokens_of(0)[1] != columns.tokens_of(1)[1]:
            in_words.append(re.compile(IN_WORD % mark))
    return [n for n in numbers if any(in_word.search(texts[n]) for in_word in in_words)]


def _half_empty(batch: Batch, empty_texts: Sequence[int]) -> FoundTexts:
    if not empty_texts or batch.parts is not None:
        return FoundTexts()
    pairs = batch.pairs
    is_empty = np.isin(pairs.models, empty_texts).astype(np.int64)
    n_models = np.diff(pairs.starts, append=pairs.models.size)
    n_empty = np.add.reduceat(is_empty, pairs.starts)
    rows, first = np.unique(batch.rows[(n_empty > 0) & (n_empty < n_models)], return_index=True)
    if not rows.size:
        return FoundTexts()
    place = int(np.flatnonzero((n_empty > 0) & (n_empty < n_models))[first[0]])
    group = bisect_right(batch.first_texts, int(pairs.peers[pairs.starts[place]])) - 1
    eval_id = escaped(batch.eval_ids[group])
    return FoundTexts(rows.size, f"text {eval_id} ({n_empty[place]} of {n_models[place]})")


def is_unsplit(text: bytes) -> bool:
    """Return whether a text is on one line, but sentences end within it."""
    body = text.strip().rstrip(ENDS)
    return b"\n" not in body and (b". " in body or b"? " in body or b"! " in body)


def _of_empty(
    batch: Batch, empty_texts: Sequence[int], *, is_skipped: bool
) -> Iterator[tuple[str, str]]:
    if not empty_texts:
        return
    pairs, repeated = batch.pairs, batch.is_repeated
    in_pairs = np.stack((pairs.peers, pairs.models), axis=1).ravel()
    in_order = dict.fromkeys(in_pairs[np.isin(in_pairs, empty_texts)].tolist())
    models = set(pairs.models.tolist()) if is_skipped else set()
    for text in in_order:
        if repeated is None or not repeated[text]:
            message = "no tokens"
            if is_skipped:
                message += "; all of its text is left out" if text in models else "; left out"
            yield batch.describe(text), message


def _lost_letters(
    batch: Batch,
    texts: Sequence[bytes] | None,
    flags: FlaggedTexts,
    numbers: Mapping[int, NDArray[np.int64]],
) -> tuple[FoundTexts, BrokenWords]:
    """Find lost letters in `texts`, which come from `Tokenizer.as_read`.

    `flags` are those of the batch's own texts, and `numbers` the texts with each flag.
    """
    if texts is None:
        return FoundTexts(), BrokenWords()
    if texts is not batch.texts:
        flags = flagged(texts, has_letters=True)
        numbers = _by_flag(batch, flags)
    counts = ((number, dropped_letters(texts[number])) for number in numbers[MAY_LOSE].tolist())
    dropped = [(number, n_lost) for number, n_lost in counts if n_lost is not None]
    losing = _found_texts(batch, [number for number, _ in dropped])
    if dropped:
        n_dropped, n_letters = dropped[0][1]
        losing = FoundTexts(losing.n_texts, f"{losing.first} ({n_dropped} of {n_letters})")
    broken = _found_texts(batch, numbers[HAS_BROKEN])
    letters = flags.letters[:MOST_LETTERS]
    return losing, BrokenWords(flags.n_words, flags.n_broken, broken.first, letters)
