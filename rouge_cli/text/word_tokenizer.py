"""Texts of other languages to columns: normal form, case, words, limits, stopwords, stems.

Each type becomes an id once in a block; stopwords and stems are looked up once for each type. From
there on all counting is that of ROUGE-1.5.5.
"""

import pickle
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import OptionError
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.columns import TextColumns
from rouge_cli.text.language_words import (
    StemRule,
    StopwordList,
    load_stem_rule,
    load_stopword_list,
    primary_language,
)
from rouge_cli.text.limits import limit_bytes
from rouge_cli.text.reading import ReadTexts, Spelling, TextDecodeError
from rouge_cli.text.segmented import SENTENCE_END, SegmentedText
from rouge_cli.text.segmenters import Segmenter
from rouge_cli.text.stemmer import Numbers
from rouge_cli.text.tokens import MOST_DROPPED

__all__ = ["TextForm", "WordTokenizer"]

MOST_STEMS = 1 << 20
TURKIC = frozenset({"tr", "az"})
"""Languages in which the lower case of I has no dot, and that of a dotted one is i."""

DOTTED_I = "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}"
DOTLESS_I = "\N{LATIN SMALL LETTER DOTLESS I}"
DOT_ABOVE = "\N{COMBINING DOT ABOVE}"
COMPOSING = re.compile(
    "[\u0300-\u036f\u0653-\u0655\u093c\u09be\u09d7\u0b3e-\u0b57\u0bbe-\u0bd7\u0c56\u0cc2-\u0cd6"
    "\u0d3e-\u0d57\u0dca-\u0ddf\u102e\u1161-\u11c2\u1b35\u3099\u309a]"
)
"""Most of what may compose with the character before it, and a little more: for speed alone."""

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class TextForm:
    """The form in which texts are compared.

    Parameters
    ----------
    normal_form : {"NFC", "NFKC"} or None
        None leaves the characters as they are.
    case : str
        ``"lower"``, ``"fold"`` or ``"none"``.
    strip_marks : bool
        Whether nonspacing marks are dropped.
    is_turkic : bool
        Whether I and i belong together by dot, and not by Unicode's default.
    """

    normal_form: Literal["NFC", "NFKC"] | None
    case: str
    strip_marks: bool
    is_turkic: bool

    @classmethod
    def of(cls, options: TextOptions) -> "TextForm":
        """Return the form that the options ask for."""
        asked_for = options.normalization or ("none" if options.language is None else "nfc")
        forms: dict[str, Literal["NFC", "NFKC"]] = {"nfc": "NFC", "nfkc": "NFKC"}
        is_turkic = primary_language(options.language) in TURKIC
        return cls(forms.get(asked_for), options.case or "lower", options.strip_marks, is_turkic)

    def normalised(self, text: str) -> str:
        """Return a text in the normal form."""
        text = text.replace(BYTE_ORDER_MARK, "")
        if self.normal_form is None:
            return text
        normalise = partial(unicodedata.normalize, self.normal_form)
        if not COMPOSING.search(text):
            return normalise(text)
        # Python tells at a glance that most texts are normalised, but not if there is anything to
        # compose, as in every text in Hindi or Tamil. Nothing composes with a blank, so each of the
        # words that occur is looked at once.
        words = text.split(" ")
        forms = {word: normalise(word) for word in set(words)}
        return " ".join(map(forms.__getitem__, words))

    def cased(self, text: str) -> str:
        """Return a normalised text in the case asked for, without marks if these are dropped."""
        given = text
        if self.case != "none":
            if self.is_turkic:
                text = text.replace("I" + DOT_ABOVE, "i").replace(DOTTED_I, "i")
                text = text.replace("I", DOTLESS_I)
            text = text.lower() if self.case == "lower" else text.casefold()
        if self.strip_marks:
            import regex

            text = regex.sub(r"\p{Mn}+", "", unicodedata.normalize("NFD", text))
            text = unicodedata.normalize("NFC", text)
        # The lower case of a composed character need not be composed.
        return text if text == given else self.normalised(text)

    def signature(self) -> Iterator[str]:
        """Yield the parts of the signature."""
        yield f"norm:{(self.normal_form or 'none').lower()}"
        yield f"case:{self.case}"
        if self.strip_marks:
            yield "marks:stripped"


@dataclass(frozen=True, slots=True, eq=False)
class WordTokenizer:
    """Words as a segmenter finds them; see `rouge_cli.text.tokenizer.Tokenizer`.

    Parameters
    ----------
    load_segmenter : callable
        From a language to the segmenter; picklable, as it goes to other processes.
    stopwords : frozenset of str
        Tokens to remove, unstemmed.
    stem_rule : StemRule or None
        Remembers the stems that it has worked out.
    """

    options: TextOptions
    load_segmenter: Callable[[str | None], Segmenter]
    segmenter: Segmenter
    form: TextForm
    stopwords: frozenset[str]
    stopwords_name: str
    stem_rule: StemRule | None
    warnings: tuple[str, ...]

    @classmethod
    def load(
        cls, options: TextOptions, load_segmenter: Callable[[str | None], Segmenter]
    ) -> "WordTokenizer":
        """Load it with the words that the options ask for; raises OptionError and InputError."""
        segmenter, form, rule = load_segmenter(options.language), TextForm.of(options), None
        if options.stem or options.stem_models:
            rule = load_stem_rule(options.language, options.stemmer)
            rule = StemRule(rule.name, lru_cache(MOST_STEMS)(rule.stem))
        if not options.remove_stopwords:
            return cls(options, load_segmenter, segmenter, form, frozenset(), "no", rule, ())
        listed = load_stopword_list(options.language, options.stopwords)
        stopwords, warnings = _stopword_tokens(listed, form, segmenter)
        return cls(options, load_segmenter, segmenter, form, stopwords, listed.name, rule, warnings)

    def __reduce__(self) -> tuple[Callable[..., "WordTokenizer"], tuple[Any, ...]]:
        """Pickle the options alone; dictionaries are loaded anew."""
        try:
            pickle.dumps(self.load_segmenter)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise OptionError(
                f"tokenizer: cannot be sent to another process ({error}); use a function that a "
                "module defines, or jobs=1"
            ) from None
        return WordTokenizer.load, (self.options, self.load_segmenter)

    @property
    def stem(self) -> None:
        """Nothing: Basic Elements are in English, and read as ROUGE-1.5.5 does."""
        return None

    def read(self, texts: Sequence[bytes], *, with_unsummed: bool) -> ReadTexts:
        """Read texts into columns; a byte limit is the same for all metrics.

        Raises
        ------
        TextDecodeError
            If a text is not UTF-8.
        """
        text = self.form.normalised(_decoded(texts))
        n_sentences = [one.count(b"\n") + 1 for one in texts]
        if self.options.bytes:
            text, n_sentences = _cut(text, n_sentences, self.options.bytes)
        found = self.segmenter.read(self.form.cased(text))
        columns = _columns(found, n_sentences)
        if self.options.words:
            columns = columns.first_tokens(self.options.words)
        if self.stopwords:
            listed = map(self.stopwords.__contains__, found.strings())
            columns = columns.without(np.fromiter(listed, np.int32, found.n_types))
        spell = partial(_spelling, columns, found, self.stem_rule)
        if self.stem_rule is None:
            return ReadTexts(columns, None, found.n_types, spell=spell)
        strings = found.strings()
        numbers: Numbers[str] = Numbers()
        stems = _table(map(numbers.__getitem__, map(self.stem_rule.stem, strings)), strings)
        unstemmed = None
        if not self.options.stem:
            unstemmed = columns.relabelled(_table(map(numbers.__getitem__, strings), strings))
        stemmed = columns.relabelled(stems)
        return ReadTexts(unstemmed, stemmed, len(numbers), spell=spell)

    def split(self, texts: Sequence[bytes]) -> None:
        """Return None: words are found in columns."""

    def read_pair(self, core: Any, peer: bytes, model: bytes, *, as_one_sentence: bool) -> None:
        """Return None, too."""

    def count_tokens(self, texts: Sequence[bytes]) -> list[int]:
        """Return the number of tokens of each text; raises TextDecodeError."""
        text = self.form.cased(self.form.normalised(_decoded(texts)))
        columns = _columns(self.segmenter.read(text), [one.count(b"\n") + 1 for one in texts])
        counts: list[int] = columns.token_counts.tolist()
        return counts

    def dropped_letters(self, text: bytes) -> tuple[int, int]:
        """Return how many letters are in no token, and how many there are; zeros if few."""
        if not self.segmenter.drops_letters:
            return 0, 0
        cased = self.form.cased(self.form.normalised(_decoded([text])))
        n_letters = sum(map(str.isalpha, cased))
        found = self.segmenter.read(cased)
        n_letters_of_type = [sum(map(str.isalpha, string)) for string in found.strings()]
        n_kept = int(np.array(n_letters_of_type, np.int64)[found.types].sum())
        n_dropped = n_letters - n_kept
        return (n_dropped, n_letters) if n_dropped * MOST_DROPPED > n_letters else (0, 0)

    def signature(self, *, stems_models: bool) -> Iterator[str]:
        """Yield language, tokenizer, form, stems and stopwords, with versions."""
        if self.options.language is not None:
            yield f"lang:{self.options.language}"
        yield f"tok:{self.segmenter.name}"
        yield from self.form.signature()
        stems = "no" if self.stem_rule is None else self.stem_rule.name
        yield f"stem:{stems if self.options.stem else 'no'}"
        if self.options.stem_models and stems_models:
            yield f"stem-models:{stems}"
        yield f"stop:{self.stopwords_name}"


def _columns(found: SegmentedText, n_sentences: Sequence[int]) -> TextColumns:
    """Return the columns of texts that were read as one."""
    return TextColumns(found.types, found.sentence_offsets, np.cumsum([0, *n_sentences]))


def _spelling(columns: TextColumns, found: SegmentedText, rule: StemRule | None) -> Spelling:
    """Return the words of the columns of a text."""
    words = list(map(_encoded, found.strings()))
    if rule is None:
        return Spelling(words, columns)
    stem_string = rule.stem
    return Spelling(
        words,
        columns,
        lambda word: _encoded(stem_string(word.decode("utf-8", "surrogatepass"))),
    )


def _encoded(string: str) -> bytes:
    """Return a token in UTF-8, lone surrogates too."""
    return string.encode("utf-8", "surrogatepass")


def _decoded(texts: Sequence[bytes]) -> str:
    """Return texts as one, with a newline between them; raises TextDecodeError."""
    try:
        return b"\n".join(texts).decode()
    except UnicodeDecodeError as error:
        whole, start = error.object, error.start
    starts = np.cumsum([0, *(len(text) + 1 for text in texts)])
    number = int(np.searchsorted(starts, start, side="right")) - 1
    raise TextDecodeError(number, start - int(starts[number]), whole[start])


def _cut(text: str, n_sentences: Sequence[int], n_bytes: int) -> tuple[str, list[int]]:
    """Cut each text to its first `n_bytes` bytes of UTF-8, and to whole characters."""
    sentences = iter(text.split(SENTENCE_END))
    texts = [SENTENCE_END.join(next(sentences) for _ in range(n)) for n in n_sentences]
    cut = limit_bytes([one.encode() for one in texts], n_bytes)
    kept = [one.decode(errors="ignore") for one in cut]
    return SENTENCE_END.join(kept), [one.count(SENTENCE_END) + 1 for one in kept]


def _table(values: Iterator[Any], strings: Sequence[str]) -> NDArray[np.int32]:
    """Return a table from type to value, shape (n_types,)."""
    return np.fromiter(values, np.int32, len(strings))


def _stopword_tokens(
    listed: StopwordList, form: TextForm, segmenter: Segmenter
) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the stopwords that are one token each, and a warning if they are few."""
    read = partial(_tokens_of, form, segmenter)
    single = [tokens[0] for tokens in map(read, listed.words) if len(tokens) == 1]
    n_words = len(listed.words)
    if 2 * len(single) >= n_words:
        return frozenset(single), ()
    warning = (
        f"{listed.source}: {n_words - len(single)} of {n_words} stopwords are not one token each "
        f"as {segmenter.name} finds them, and remove nothing"
    )
    return frozenset(single), (warning,)


def _tokens_of(form: TextForm, segmenter: Segmenter, word: str) -> list[str]:
    """Return the tokens of a stopword."""
    found = segmenter.read(form.cased(form.normalised(word)))
    strings = found.strings()
    return [strings[number] for number in found.types]
