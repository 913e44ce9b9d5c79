"""Findings on the texts of a run: warnings, portion by portion, and the pairs of ``--dry-run``."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import chain, islice
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.blocks import BLOCK_BYTES, Block
from rouge_cli.inputs.corpus import Corpus, EvalTexts
from rouge_cli.inputs.formats import sentences_of
from rouge_cli.inputs.sentences import Tally, are_sentences_read, merged, unsplit_warnings
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import ScoreTable
from rouge_cli.text.columns import FlaggedTexts, TextDecodeError
from rouge_cli.text.flags import (
    FLAGS,
    HAS_BACKSLASH,
    HAS_BROKEN,
    HAS_END,
    HAS_INVISIBLE,
    HAS_MARKUP,
    HAS_ZERO,
    INVISIBLE_MARKS,
    IS_SHORT,
    MAY_LOSE,
    dropped_letters,
    flagged,
    likely_language,
)
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

ONE_WORD_IN = 50
"""Where one word in so many is broken, a warning says so."""

MOST_LETTERS = 400
"""So many letters tell a language."""

ENDS = b".?!"

PLACEHOLDERS = frozenset({b"nan", b"none", b"null", b"n/a", b"<na>", b"#n/a", b"undefined"})
"""What programs write where there is no text, in lower case."""

MARKUP = re.compile(
    rb"&(?:amp|lt|gt|quot|apos|nbsp|[lr][sd]quo|[mn]dash|hellip|#[0-9]{1,7}|#x[0-9a-f]{1,6});"
    rb"|</?(?:p|br|b|i|u|em|strong|div|span|li|ul|ol|h[1-6]|a href=[^<>]*)(?: ?/)?>",
    re.IGNORECASE,
)
"""Entities and tags of HTML that are left over in texts; others, such as <t>, may be marks."""

WRITTEN_NEWLINE = re.compile(rb"\\n(?![a-z])")
"""In lower case, more letters make a command of LaTeX, such as that for nabla."""

IN_WORD = rb"[0-9A-Za-z\x80-\xbf]%b[0-9A-Za-z\xc3-\xdf]"
"""Such a mark in front of a letter of a script such as Latin, Greek or Arabic: Khmer and others,
whose letters have three bytes, may have such spaces between words."""

NOT_TEXT, HTML, BACKSLASH, INVISIBLE = "placeholder", "html", "backslash", "invisible"

ODD_TEXTS = {
    NOT_TEXT: (
        "nothing but a word such as 'nan', 'None' or 'NULL'",
        "programs write these for a missing value, and they are scored as words; leave such texts "
        "out, or repair what wrote them",
    ),
    HTML: (
        "entities or tags of HTML, such as &amp; or <br>",
        "their letters count as words; convert the texts to plain text",
    ),
    BACKSLASH: (
        "a backslash and an n in place of a newline",
        "the n counts as a letter; write newlines, or give --sentence-separator '\\n'",
    ),
    INVISIBLE: (
        "soft hyphens or zero-width spaces within words",
        "such words are cut in two or match no others; delete these characters, U+00AD and U+200B",
    ),
}
"""What odd texts of each kind hold; why that matters, and the remedy."""


@dataclass(frozen=True, slots=True)
class FoundTexts:
    """The number of texts that share one warning, and the first of them, in words.

    `key` is its place in the order of the files, where texts go by that; elsewhere 0.
    """

    n_texts: int = 0
    first: str = ""
    key: int = 0

    def __add__(self, later: "FoundTexts") -> "FoundTexts":
        """Add texts that come later, but for their key."""
        first = later if _comes_first(later, self) else self
        return FoundTexts(self.n_texts + later.n_texts, first.first, first.key)


@dataclass(frozen=True, slots=True)
class BrokenWords:
    """Words of which a letter is in no token, at the beginnings of texts.

    Parameters
    ----------
    n_words : int
        How many were looked at.
    n_broken : int
        How many of these are broken.
    first : str
        The first text with such a word, in words.
    letters : str
        The first `MOST_LETTERS` letters that are lost, EVAL by EVAL: those in the order of the
        files would depend on how EVALs are shared out among threads.
    key : int
        As of `FoundTexts`.
    """

    n_words: int = 0
    n_broken: int = 0
    first: str = ""
    letters: str = ""
    key: int = 0

    def __add__(self, later: "BrokenWords") -> "BrokenWords":
        """Add words of texts that come later, but for their key."""
        first = later if _comes_first(later, self) else self
        return BrokenWords(
            self.n_words + later.n_words,
            self.n_broken + later.n_broken,
            first.first,
            (self.letters + later.letters)[:MOST_LETTERS],
            first.key,
        )

    @property
    def are_many(self) -> bool:
        """Whether one word in `ONE_WORD_IN` or more is broken."""
        return self.n_broken > 0 and self.n_broken * ONE_WORD_IN >= self.n_words


def _comes_first(later: FoundTexts | BrokenWords, earlier: FoundTexts | BrokenWords) -> bool:
    """Say whether the first of some texts comes before that of texts in an earlier block."""
    return bool(later.first) and (not earlier.first or later.key < earlier.key)


@dataclass(frozen=True, slots=True)
class TextFindings:
    """Warnings about some texts, `n_texts` in all, with `n_sentences`.

    Parameters
    ----------
    empty_texts : tuple of tuple of str and str
        Each text without anything to count, and the remark on it.
    dropped : FoundTexts
        Those of which more than a tenth of the letters is in no token.
    broken : BrokenWords
        The words of all of them.
    zeros : FoundTexts
        Those with a zero byte.
    tallies : tuple of Tally
        The texts without separator of each file, where they are counted.
    unsplit : FoundTexts
        Texts of a single sentence that look like several.
    odd : mapping of str to FoundTexts
        Texts of each kind in `ODD_TEXTS`, those that there are.
    """

    n_texts: int = 0
    empty_texts: tuple[tuple[str, str], ...] = ()
    dropped: FoundTexts = field(default_factory=FoundTexts)
    broken: BrokenWords = field(default_factory=BrokenWords)
    zeros: FoundTexts = field(default_factory=FoundTexts)
    tallies: tuple[Tally, ...] = ()
    n_sentences: int = 0
    unsplit: FoundTexts = field(default_factory=FoundTexts)
    odd: Mapping[str, FoundTexts] = field(default_factory=dict)

    def __add__(self, later: "TextFindings") -> "TextFindings":
        """Add the findings of texts that come later."""
        return TextFindings(
            self.n_texts + later.n_texts,
            self.empty_texts + later.empty_texts,
            self.dropped + later.dropped,
            self.broken + later.broken,
            self.zeros + later.zeros,
            merged((*self.tallies, *later.tallies)),
            self.n_sentences + later.n_sentences,
            self.unsplit + later.unsplit,
            {
                kind: self.odd.get(kind, FoundTexts()) + later.odd.get(kind, FoundTexts())
                for kind in (*self.odd, *later.odd)
            },
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
        if options.metrics.protocol is None:
            yield from self._lost_letters()
        if 2 * self.unsplit.n_texts > self.n_texts and are_sentences_read(options.metrics):
            yield (
                f"{self.unsplit.n_texts} of {self.n_texts} texts are a single sentence with ends "
                f"of sentences inside, the first {self.unsplit.first}: ROUGE-L and ROUGE-W depend "
                "on where sentences end; find them with --sentences en or another language, say "
                "what stands between them with --sentence-separator, or ask for the ROUGE-L of "
                "whole texts, which others call rougeL, with --lcs-unit text"
            )
        # Not in the order in which they were found, which depends on where blocks end.
        for kind, (what, remedy) in ODD_TEXTS.items():
            if (odd := self.odd.get(kind)) is None:
                continue
            hold = "holds" if odd.n_texts == 1 else "hold"
            texts = f"{odd.n_texts} of {self.n_texts} texts {hold} {what}"
            yield f"{texts}, the first {odd.first}: {remedy}"
        yield from unsplit_warnings(self.tallies, options.inputs.sentence_separator)
        if self.empty_texts:
            yield from self.empty_lines()

    def _lost_letters(self) -> Iterator[str]:
        """Yield the warning that letters are in no word, if they are many in a text or in all."""
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
    block: Block,
    empty_texts: Sequence[int],
    when_empty: str,
    tokenizer: Tokenizer,
    flags: FlaggedTexts | None = None,
) -> TextFindings:
    """Look for what a warning should tell of the texts of a block.

    In `empty_texts` there is nothing to count; `when_empty` says what becomes of these: ``"warn"``,
    ``"skip"`` or ``"error"``. `flags` are those of the texts, where they were read with them.
    """
    texts = block.texts
    lettered = tokenizer.as_read(texts)
    # Letters are looked for in the texts themselves only if their words are found in these.
    flags = flags or flagged(texts, has_letters=lettered is texts)
    numbers = _by_flag(block, flags)
    return TextFindings(
        len(texts),
        tuple(_of_empty(block, empty_texts, is_skipped=when_empty == "skip")),
        *_lost_letters(block, lettered, flags),
        _found_texts(block, numbers[HAS_ZERO]),
        block.tallies,
        flags.n_newlines + int(np.count_nonzero(block.text_bytes)),
        _found_texts(block, [n for n in numbers[HAS_END].tolist() if is_unsplit(texts[n])]),
        _odd_texts(block, numbers, tokenizer),
    )


def _by_flag(block: Block, flags: FlaggedTexts) -> dict[int, NDArray[np.int64]]:
    """Return the numbers of the texts with each flag, in the order in which messages name them."""
    by_text = np.frombuffer(flags.flags, np.uint8)
    seen = np.bitwise_or.reduce(by_text, initial=0)
    numbers: dict[int, NDArray[np.int64]] = dict.fromkeys(FLAGS, np.zeros(0, np.int64))
    order = block.order
    for flag in FLAGS:
        if seen & flag:
            has_flag = by_text & flag != 0
            numbers[flag] = np.flatnonzero(has_flag) if order is None else order[has_flag[order]]
    return numbers


def _found_texts(block: Block, numbers: Sequence[int] | NDArray[np.int64]) -> FoundTexts:
    """Return how many texts share a warning, and the first of them."""
    if len(numbers) == 0:
        return FoundTexts()
    first = int(numbers[0])
    key = 0 if block.keys is None else int(block.keys[first])
    return FoundTexts(len(numbers), block.describe(first), key)


def _odd_texts(
    block: Block, by_flag: Mapping[int, NDArray[np.int64]], tokenizer: Tokenizer
) -> dict[str, FoundTexts]:
    """Return the odd texts of a block."""
    texts = block.texts
    placeholders = by_flag[IS_SHORT].tolist()
    numbers = {
        NOT_TEXT: [n for n in placeholders if texts[n].strip().lower() in PLACEHOLDERS],
        HTML: [n for n in by_flag[HAS_MARKUP].tolist() if MARKUP.search(texts[n])],
        BACKSLASH: [n for n in by_flag[HAS_BACKSLASH].tolist() if WRITTEN_NEWLINE.search(texts[n])],
        INVISIBLE: _with_cut_words(texts, by_flag[HAS_INVISIBLE].tolist(), tokenizer),
    }
    return {kind: _found_texts(block, odd) for kind, odd in numbers.items() if odd}


def _with_cut_words(
    texts: Sequence[bytes], numbers: Sequence[int], tokenizer: Tokenizer
) -> list[int]:
    """Return which of some texts have marks within words that the tokenizer does not drop."""
    if not numbers:
        return []
    in_words = [
        re.compile(IN_WORD % mark) for mark in INVISIBLE_MARKS if _cuts_words(mark, tokenizer)
    ]
    return [n for n in numbers if any(in_word.search(texts[n]) for in_word in in_words)]


def _cuts_words(mark: bytes, tokenizer: Tokenizer) -> bool:
    """Say whether a word with a mark in it is another word, or several."""
    read = tokenizer.read([b"ab%bcd" % mark, b"abcd"], with_unsummed=False)
    columns = read.stemmed if read.unstemmed is None else read.unstemmed
    return columns is None or columns.tokens_of(0)[1] != columns.tokens_of(1)[1]


def is_unsplit(text: bytes) -> bool:
    """Say whether a text is a single sentence that looks like several: one ends, more follows."""
    body = text.strip().rstrip(ENDS)
    return b"\n" not in body and (b". " in body or b"? " in body or b"! " in body)


def _of_empty(
    block: Block, empty_texts: Sequence[int], *, is_skipped: bool
) -> Iterator[tuple[str, str]]:
    """Yield each empty text with its effect, in the order of pairs, which blocks do not change."""
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


def _lost_letters(
    block: Block, texts: Sequence[bytes] | None, flags: FlaggedTexts
) -> tuple[FoundTexts, BrokenWords]:
    """Return the texts of a block that lose many letters, and broken words.

    `texts` are as `Tokenizer.as_read` returns them, `flags` those of the block.
    """
    if texts is None:
        return FoundTexts(), BrokenWords()
    if texts is not block.texts:
        flags = flagged(texts, has_letters=True)
    numbers = _by_flag(block, flags)
    counts = ((number, dropped_letters(texts[number])) for number in numbers[MAY_LOSE].tolist())
    dropped = [(number, n_lost) for number, n_lost in counts if n_lost is not None]
    losing = _found_texts(block, [number for number, _ in dropped])
    if dropped:
        n_dropped, n_letters = dropped[0][1]
        losing = replace(losing, first=f"{losing.first} ({n_dropped} of {n_letters})")
    broken = _found_texts(block, numbers[HAS_BROKEN])
    letters = flags.letters[:MOST_LETTERS]
    return losing, BrokenWords(flags.n_words, flags.n_broken, broken.first, letters, broken.key)


def same_text_warnings(corpus: Corpus, table: ScoreTable) -> Iterator[str]:
    """Warn of systems that have the texts of another one in every EVAL.

    Such systems have equal scores, so texts are read again only where scores are equal.
    """
    by_scores: dict[tuple[int, int], list[str]] = {}
    for system in table.systems.values():
        scores = [column.values for column in system.columns.values()]
        key = len(system.eval_ids), crc32(scores[0].tobytes()) if scores else 0
        by_scores.setdefault(key, []).append(system.id)
    equal = [group for group in by_scores.values() if len(group) > 1]
    same = [(name, group[0]) for group in _with_same_texts(corpus, equal) for name in group[1:]]
    if same:
        have = "1 system has" if len(same) == 1 else f"{len(same)} systems have"
        yield (
            f"{have} the texts of another one in every EVAL, the first {same[0][0]!r} those of "
            f"{same[0][1]!r}: their scores are the same; give the texts that are meant, or leave "
            "one of the systems out"
        )


def _with_same_texts(corpus: Corpus, groups: list[list[str]]) -> list[list[str]]:
    """Divide groups of systems into those of the same texts; raises InputError."""
    if groups:
        systems = tuple(chain.from_iterable(groups))
        for texts in replace(corpus, systems=systems).eval_texts():
            groups = [part for group in groups for part in _by_text(group, texts.peers)]
            if not groups:
                break
    return groups


def _by_text(systems: Sequence[str], peers: Mapping[str, bytes]) -> list[list[str]]:
    """Return the systems, two and more, that have the same text in an EVAL, or none."""
    by_text: dict[bytes | None, list[str]] = {}
    for system in systems:
        by_text.setdefault(peers.get(system), []).append(system)
    return [group for group in by_text.values() if len(group) > 1]


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


def pair_texts(corpus: Corpus, options: Options) -> Pairing:
    """Read all texts of a corpus, and count their sentences and words.

    Raises InputError if a text cannot be read.
    """
    # Words are counted as they stand in the text, so no word list is loaded.
    whole = replace(options.texts, stem=False, stem_models=False, remove_stopwords=False)
    tokenizer = load_tokenizer(whole, {})
    evals: list[PairedEval] = []
    batch: list[EvalTexts] = []
    n_bytes = 0
    for texts in corpus.eval_texts():
        batch.append(texts)
        n_bytes += sum(map(len, chain(texts.peers.values(), texts.models)))
        if n_bytes >= BLOCK_BYTES:
            evals += _paired(corpus, batch, tokenizer)
            batch, n_bytes = [], 0
    evals += _paired(corpus, batch, tokenizer)
    return Pairing(corpus.systems, tuple(evals), options.metrics.reads_only_elements)


def _paired(
    corpus: Corpus, batch: Sequence[EvalTexts], tokenizer: Tokenizer
) -> Iterator[PairedEval]:
    """Count sentences and words of some EVALs, the words of all texts at once."""
    numbered = [
        (text, number, of_eval.evaluation.id)
        for of_eval in batch
        for text, number in chain(
            ((text, of_eval.evaluation.peers[system]) for system, text in of_eval.peers.items()),
            zip(of_eval.models, of_eval.evaluation.models, strict=True),
        )
    ]
    try:
        n_words = tokenizer.count_tokens([text for text, _, _ in numbered])
    except TextDecodeError as error:
        _, number, eval_id = numbered[error.text]
        raise InputError(f"{corpus.texts.describe(number, eval_id)}: {error}") from None
    paired = (
        PairedText(corpus.texts.place(number), len(sentences_of(text)), n)
        for (text, number, _), n in zip(numbered, n_words, strict=True)
    )
    for of_eval in batch:
        peers = {system: next(paired) for system in of_eval.peers}
        models = tuple(islice(paired, len(of_eval.models)))
        yield PairedEval(of_eval.evaluation.id, tuple(map(peers.get, corpus.systems)), models)
