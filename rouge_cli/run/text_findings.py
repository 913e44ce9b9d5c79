"""Findings on the texts of a run: warnings, batch by batch, and the pairs of ``--dry-run``."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, Problems
from rouge_cli.escapes import escaped
from rouge_cli.inputs.batch import Batch, InputText
from rouge_cli.inputs.index import Input
from rouge_cli.inputs.sentences import are_sentences_read, sentences_of
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import FlaggedTexts, TextDecodeError
from rouge_cli.text.flags import (
    FLAGS,
    HAS_BROKEN,
    HAS_END,
    HAS_INVISIBLE,
    HAS_ZERO,
    INVISIBLE_MARKS,
    MAY_LOSE,
    dropped_letters,
    flagged,
    likely_language,
)
from rouge_cli.text.seen import SEEN, Seen
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

ONE_WORD_IN = 50

MOST_LETTERS = 400
"""Number of letters that suffices to identify a language."""

ENDS = b".?!"

IN_WORD = rb"[0-9A-Za-z\x80-\xbf]%b[0-9A-Za-z\xc3-\xdf]"
"""Such a mark in front of a letter of a script such as Latin, Greek or Arabic: Khmer and others,
whose letters have three bytes, may have such spaces between words."""

FLAGGED = {row.key: row for row in SEEN if row.flag}
"""Rows that the core finds in all texts, by their flags."""

FEW = 20
"""Findings in fewer than one of `FEW` texts share a line with others."""


@dataclass(frozen=True, slots=True)
class FoundTexts:
    """The number of texts with a warning, and the name of the first."""

    n_texts: int = 0
    first: str = ""

    def __add__(self, later: "FoundTexts") -> "FoundTexts":
        return FoundTexts(self.n_texts + later.n_texts, self.first or later.first)


@dataclass(frozen=True, slots=True)
class BrokenWords:
    """Words, at the beginnings of texts, with a letter that is in no token.

    - `n_words`: number of examined words.
    - `n_broken`: number of broken words among them.
    - `first`: the name of the first text with such a word.
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
        """Whether one word in `ONE_WORD_IN` or more is broken; a byte order mark breaks none."""
        is_any = self.n_broken > 0 and self.letters.strip("\ufeff") != ""
        return is_any and self.n_broken * ONE_WORD_IN >= self.n_words

    @property
    def are_compatible(self) -> bool:
        """Whether most letters are other forms of A to Z, such as full-width ones."""
        from unicodedata import normalize  # few runs need it

        letters = self.letters
        return sum(normalize("NFKC", letter).isascii() for letter in letters) * 2 > len(letters)


@dataclass(frozen=True, slots=True)
class TextFindings:
    """Warnings about some texts, `n_texts` in all.

    - `n_read`, `n_sentences`: number of texts, including repeated ones, and of all their sentences.
    - `empty_texts`: each text with nothing to count, and the remark on it.
    - `dropped`: texts with more than a tenth of their letters in no token.
    - `broken`: the broken words of all texts.
    - `zeros`: texts with a zero byte.
    - `unsplit`: texts of a single sentence that look like several.
    - `odd`: texts of each kind in `FLAGGED` that occurs.
    - `half_empty`: models with nothing to count beside others of their EVAL, by EVAL.
    """

    n_texts: int = 0
    n_read: int = 0
    n_sentences: int = 0
    empty_texts: tuple[tuple[str, str], ...] = ()
    dropped: FoundTexts = field(default_factory=FoundTexts)
    broken: BrokenWords = field(default_factory=BrokenWords)
    zeros: FoundTexts = field(default_factory=FoundTexts)
    unsplit: FoundTexts = field(default_factory=FoundTexts)
    odd: Mapping[str, FoundTexts] = field(default_factory=dict)
    half_empty: FoundTexts = field(default_factory=FoundTexts)

    def __add__(self, later: "TextFindings") -> "TextFindings":
        names = set(self.__slots__) - {"odd"}
        sums = {name: getattr(self, name) + getattr(later, name) for name in names}
        none = FoundTexts()
        odd = {
            kind: self.odd.get(kind, none) + later.odd.get(kind, none)
            for kind in (*self.odd, *later.odd)
        }
        return TextFindings(**sums, odd=odd)

    @property
    def sentences_per_text(self) -> float | None:
        """Mean number of sentences of a text; None without texts."""
        return self.n_sentences / self.n_read if self.n_read else None

    def warnings(
        self, options: Options, effect: Callable[[Seen], str] | None = None
    ) -> Iterator[str]:
        """Yield all warnings, those about the run as a whole first.

        `effect` tells what the score of a sample becomes without what a row sees.
        """
        if self.zeros.n_texts:
            hold = "holds" if self.zeros.n_texts == 1 else "hold"
            yield (
                f"{self.zeros.n_texts} of {self.n_texts} texts {hold} a zero byte, as UTF-16 and "
                f"what is no text do, the first {self.zeros.first}; save it as UTF-8"
            )
        # The sample reports compatibility letters, together with what mends them.
        lines = {} if effect and self.broken.are_compatible else self._of_letters(options)
        yield from (line for line, is_told in lines.items() if is_told)
        if 2 * self.unsplit.n_texts > self.n_texts and are_sentences_read(options.metrics):
            yield (
                f"{self.unsplit.n_texts} of {self.n_texts} texts are a single sentence with ends "
                f"of sentences inside, the first {self.unsplit.first}: ROUGE-L and ROUGE-W depend "
                "on where sentences end; find them with --sentences en or another language, say "
                "what stands between them with --sentence-separator, or ask for the ROUGE-L of "
                "whole texts, which others call rougeL, with --lcs-unit text"
            )
        rows = self._of_rows(effect or (lambda row: ""))
        yield from (line for line, is_told in rows.items() if is_told)
        few = [line for line, is_told in (lines | rows).items() if not is_told]
        if few := [line.partition(", the first")[0] for line in few]:
            yield f"{'; '.join(few)}: fewer than one in {FEW}; -v says which, and what to do"
        if self.half_empty.n_texts and options.metrics.protocol is None:
            have = "text has" if self.half_empty.n_texts == 1 else "texts have"
            yield (
                f"{self.half_empty.n_texts} {have} references without words beside others, the "
                f"first {self.half_empty.first}: each counts as a reference, which divides "
                "precision by the number of all; leave such references out"
            )
        if self.empty_texts:
            yield from self.empty_lines()

    def details(self, options: Options) -> list[str]:
        """Return the findings in few texts."""
        lines = self._of_letters(options) | self._of_rows(lambda row: "")
        return [line for line, is_told in lines.items() if not is_told]

    def _of_letters(self, options: Options) -> dict[str, bool]:
        if options.metrics.protocol is not None:
            return {}
        is_told = self.broken.are_many or self.dropped.n_texts * FEW >= self.n_texts
        return dict.fromkeys(self._lost_letters(), is_told)

    def _of_rows(self, effect: Callable[[Seen], str]) -> dict[str, bool]:
        lines = {}
        # Sorted, because the order of finding depends on the ends of blocks.
        for kind, row in FLAGGED.items():
            if (odd := self.odd.get(kind)) is None:
                continue
            hold = "holds" if odd.n_texts == 1 else "hold"
            texts = (
                f"{odd.n_texts} of {self.n_texts} texts {hold} {row.what}, the first {odd.first}"
            )
            is_told = odd.n_texts * FEW >= self.n_texts
            score = effect(row) if is_told else ""
            lines[f"{texts}: {'; '.join(filter(None, (row.effect, score, row.remedy)))}"] = is_told
        return lines

    def _lost_letters(self) -> Iterator[str]:
        lost = []
        if self.dropped.n_texts:
            lose, their = ("loses", "its") if self.dropped.n_texts == 1 else ("lose", "their")
            lost.append(
                f"{self.dropped.n_texts} of {self.n_texts} texts {lose} more than a tenth of "
                f"{their} letters, the first {self.dropped.first}"
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
        """Return the warnings about texts without anything to count."""
        return Problems.of("", dict.fromkeys(self.empty_texts)).lines()


def find_in_texts(
    batch: Batch,
    empty_texts: Sequence[int],
    when_empty: str,
    tokenizer: Tokenizer,
    flags: FlaggedTexts | None = None,
) -> TextFindings:
    """Search the texts of a batch for anything that deserves a warning.

    `empty_texts` have nothing to count; `when_empty` is their treatment: ``"warn"``, ``"skip"`` or
    ``"error"``. `flags` are the flags of the texts, if they were found while reading.
    """
    texts = batch.texts
    lettered = tokenizer.as_read(texts)
    # Letters are looked for in the texts themselves only if their words are found in these.
    flags = flags or flagged(texts, has_letters=lettered is texts)
    numbers = _by_flag(batch, flags)
    n_repeated = 0 if batch.is_repeated is None else int(np.count_nonzero(batch.is_repeated))
    return TextFindings(
        len(texts) - n_repeated,
        len(texts),
        flags.n_newlines + sum(map(bool, texts)),
        tuple(_of_empty(batch, empty_texts, is_skipped=when_empty == "skip")),
        *_lost_letters(batch, lettered, flags),
        _found_texts(batch, numbers[HAS_ZERO]),
        _found_texts(batch, [n for n in numbers[HAS_END].tolist() if is_unsplit(texts[n])]),
        _odd_texts(batch, numbers, tokenizer),
        _half_empty(batch, empty_texts if when_empty == "warn" else ()),
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


def _odd_texts(
    batch: Batch, by_flag: Mapping[int, NDArray[np.int64]], tokenizer: Tokenizer
) -> dict[str, FoundTexts]:
    texts = batch.texts
    numbers = {
        key: [n for n in by_flag[row.flag].tolist() if row.is_in(texts[n])]
        for key, row in FLAGGED.items()
    }
    numbers["invisible"] = _with_cut_words(texts, by_flag[HAS_INVISIBLE].tolist(), tokenizer)
    return {kind: _found_texts(batch, odd) for kind, odd in numbers.items() if odd}


def _with_cut_words(
    texts: Sequence[bytes], numbers: Sequence[int], tokenizer: Tokenizer
) -> list[int]:
    if not numbers:
        return []
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
    """Return whether a text is one sentence that looks like several."""
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
    batch: Batch, texts: Sequence[bytes] | None, flags: FlaggedTexts
) -> tuple[FoundTexts, BrokenWords]:
    """Find lost letters in `texts`, as `Tokenizer.as_read` returns them."""
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


@dataclass(frozen=True, slots=True)
class PairedText:
    """A text and its length.

    `place` is the file, and the line if the file holds many texts. `n_sentences` counts lines for
    Basic Elements. `n_words` counts words as the metrics do, before limits and stopwords.
    """

    place: str
    n_sentences: int
    n_words: int


@dataclass(frozen=True, slots=True)
class PairedEval:
    """The models of an EVAL, and its peer for each system of the run; None where it is absent."""

    id: str
    peers: tuple[PairedText | None, ...]
    models: tuple[PairedText, ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """The texts that a run would score, or their Basic Elements if `as_elements`.

    The systems are in the order of print; the EVALs in that of the input, without those in which no
    system of the run has a peer.
    """

    systems: tuple[str, ...]
    evals: tuple[PairedEval, ...]
    as_elements: bool

    @property
    def peers(self) -> Iterator[PairedText]:
        """The peers of all EVALs."""
        return (peer for paired in self.evals for peer in paired.peers if peer is not None)

    @property
    def models(self) -> Iterator[PairedText]:
        """The models of all EVALs, each as often as an EVAL has it."""
        return (model for paired in self.evals for model in paired.models)


def pair_texts(source: Input, options: Options) -> Pairing:
    """Read all texts of an input, and count their sentences and words.

    Raises InputError if a text cannot be read.
    """
    # Words are counted as they are written, so no word list is loaded.
    whole = replace(options.texts, stem=False, stem_models=False, remove_stopwords=False)
    tokenizer = load_tokenizer(whole, {})

    def paired(text: InputText) -> PairedText:
        try:
            (n_words,) = tokenizer.count_tokens([text.content])
        except TextDecodeError as error:
            raise InputError(f"{text.name}: {error}") from None
        return PairedText(text.place, len(sentences_of(text.content)), n_words)

    systems = source.complete().order
    evals = []
    for texts in source.evals():
        peers = {system: paired(peer) for system, peer in texts.peers.items()}
        models = tuple(map(paired, texts.models))
        evals.append(PairedEval(texts.id, tuple(map(peers.get, systems)), models))
    return Pairing(systems, tuple(evals), options.metrics.reads_only_elements)
