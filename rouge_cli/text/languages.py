"""The tokenizer for other languages: normal form, case, words, limits, stopwords, stems.

Each distinct token of a block gets a number, and is looked up once among stopwords and stems;
counting is then the same as for ROUGE-1.5.5. Stems are by Snowball's algorithms, as implemented by
NLTK or snowballstemmer, or by ROUGE-1.5.5. Stopwords come from the package stopwordsiso or a file.
"""

import pickle
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.options.texts import (
    NLTK_ALGORITHMS,
    SNOWBALL_ALGORITHMS,
    TextOptions,
    primary_language,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.ascii155 import limit_bytes
from rouge_cli.text.columns import (
    ReadTexts,
    Spelling,
    TextColumns,
    TextDecodeError,
    encoded,
    looked_up,
)
from rouge_cli.text.segmenters import (
    JOINERS,
    SENTENCE_END,
    SegmentedText,
    Segmenter,
    require,
    version,
)
from rouge_cli.text.word_lists import (
    BUILT_IN_EXCEPTIONS,
    built_in_stems,
    fingerprint,
    own_stopwords,
)

NLTK, SNOWBALL, PORTER155 = "nltk", "snowballstemmer", "porter155"

SAME_LIST = {"nb": "no", "nn": "no", "fil": "tl"}  # languages that use the stopword list of another
TURKIC = frozenset({"tr", "az"})  # languages that pair I with dotless i, and dotted I with i

DOTTED_I = "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}"
DOTLESS_I = "\N{LATIN SMALL LETTER DOTLESS I}"
DOT_ABOVE = "\N{COMBINING DOT ABOVE}"

# Characters that may compose with the one before. A rough list is enough: it changes only the speed
# of `TextForm.normalised`, not its result.
COMPOSING = re.compile(
    "[\u0300-\u036f\u0653-\u0655\u093c\u09be\u09d7\u0b3e-\u0b57\u0bbe-\u0bd7\u0c56\u0cc2-\u0cd6"
    "\u0d3e-\u0d57\u0dca-\u0ddf\u102e\u1161-\u11c2\u1b35\u3099\u309a]"
)

BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class TextForm:
    """The form in which texts are compared.

    - `normal_form`: Unicode's normal form; None leaves characters unchanged.
    - `case`: ``"lower"``, ``"fold"`` or ``"none"``.
    - `strip_marks`: whether nonspacing marks and zero-width joiners are removed.
    - `is_turkic`: whether I and i are converted as in Turkish.
    """

    normal_form: Literal["NFC", "NFKC"] | None
    case: str
    strip_marks: bool
    is_turkic: bool

    @classmethod
    def from_options(cls, options: TextOptions) -> "TextForm":
        """Return the form that the options specify."""
        normalization = options.normalization or ("none" if options.language is None else "nfc")
        forms: dict[str, Literal["NFC", "NFKC"]] = {"nfc": "NFC", "nfkc": "NFKC"}
        is_turkic = primary_language(options.language) in TURKIC
        return cls(
            forms.get(normalization), options.case or "lower", options.strip_marks, is_turkic
        )

    def normalised(self, text: str) -> str:
        """Return a text in the normal form."""
        text = text.replace(BYTE_ORDER_MARK, "")
        if self.normal_form is None:
            return text
        normalise = partial(unicodedata.normalize, self.normal_form)
        if not COMPOSING.search(text):
            return normalise(text)
        # `unicodedata` has a quick check for normalised texts, but it gives up at any character
        # that may compose, and every text in Hindi or Tamil has some. Nothing composes with a
        # blank, so it is enough to normalise each distinct word once.
        words = text.split(" ")
        forms = {word: normalise(word) for word in set(words)}
        return " ".join(map(forms.__getitem__, words))

    def cased(self, text: str) -> str:
        """Return a normalised text in the required case, without marks if these are dropped."""
        before = text
        if self.case != "none":
            if self.is_turkic:
                text = text.replace("I" + DOT_ABOVE, "i").replace(DOTTED_I, "i")
                text = text.replace("I", DOTLESS_I)
            text = text.lower() if self.case == "lower" else text.casefold()
        if self.strip_marks:
            import regex

            text = regex.sub(rf"[\p{{Mn}}{JOINERS}]+", "", unicodedata.normalize("NFD", text))
            text = unicodedata.normalize("NFC", text)
        # Changing the case of a composed character may decompose it.
        return text if text == before else self.normalised(text)

    def signature(self) -> Iterator[str]:
        """Yield the parts of the signature."""
        yield f"norm:{(self.normal_form or 'none').lower()}"
        yield f"case:{self.case}"
        if self.strip_marks:
            yield "marks:stripped"


StemFunction = Callable[[str], str]  # from a token to its stem


def load_stemmer(language: str | None, stemmer: str | None) -> tuple[str, StemFunction]:
    """Load the stemmer of ``-m`` for a language, a BCP 47 tag, with its name in the signature.

    `stemmer` is the value of ``--stemmer``. By default NLTK's stemmer is used if it supports the
    language, else that of snowballstemmer. Raises OptionError if the language has no stemmer, or
    the package of the stemmer is not installed.
    """
    source, _, algorithm = (stemmer or "").partition(":")
    if source == PORTER155:
        stems = built_in_stems()
        # Words with other letters than those of ASCII stay as they are.
        return (
            f"porter155+{BUILT_IN_EXCEPTIONS}",
            lambda token: stems[token.encode()].decode() if token.isascii() else token,
        )
    if not source:
        source = NLTK if primary_language(language) in NLTK_ALGORITHMS else SNOWBALL
    table = NLTK_ALGORITHMS if source == NLTK else SNOWBALL_ALGORITHMS
    chosen = algorithm or table.get(primary_language(language))
    if chosen is None:
        raise OptionError(_no_stemmer(language, stemmer, table))
    suffix = f"-{algorithm}" if algorithm else ""
    if source == NLTK:
        from nltk.stem.snowball import SnowballStemmer

        _check_algorithm("NLTK", chosen, SnowballStemmer.languages)
        return f"nltk-snowball-{version('nltk')}{suffix}", SnowballStemmer(chosen).stem
    snowball: Any = require(SNOWBALL, f"the stemmer for {chosen}", "languages")
    _check_algorithm(f"snowballstemmer {version(SNOWBALL)}", chosen, snowball.algorithms())
    return f"snowballstemmer-{version(SNOWBALL)}{suffix}", snowball.stemmer(chosen).stemWord


def load_stopword_list(language: str | None, path: str | None) -> tuple[str, list[str]]:
    """Load the stopwords that ``-s`` removes, from a file or for a language, with their name.

    Raises OptionError if the language has no list, or the package with the lists is not installed;
    InputError if the file cannot be read, or is empty.
    """
    if path is not None:
        try:
            words = sorted(word.decode("utf-8-sig") for word in own_stopwords(path))
        except UnicodeDecodeError as error:
            problem = f"{error.object!r} is not UTF-8; save the list as UTF-8"
            raise InputError(f"{path}: {problem}") from None
        return fingerprint(map(str.encode, words)), words
    if language is None:
        raise OptionError(
            "-s/--remove-stopwords: a --tokenizer has no stopwords of its own; name a --language "
            "or --stopwords FILE"
        )
    lists: Any = require("stopwordsiso", f"-s with --language {language}", "languages")
    code = primary_language(language)
    code = SAME_LIST.get(code, code)
    if code not in lists.langs():
        known = ", ".join(sorted(lists.langs()))
        raise OptionError(
            f"-s/--remove-stopwords: no list of stopwords for --language {language}; there is one "
            f"for {known}; name a list of your own with --stopwords"
        )
    return f"stopwordsiso-{version('stopwordsiso')}", sorted(lists.stopwords(code))


def _check_algorithm(package: str, algorithm: str, known: Sequence[str]) -> None:
    if algorithm not in known:
        raise OptionError(
            f"--stemmer: {package} has no stemmer {algorithm!r}; it has {', '.join(known)}"
        )


def _no_stemmer(language: str | None, stemmer: str | None, table: dict[str, str]) -> str:
    if language is None:
        return (
            "-m/--stem: a --tokenizer has no stemmer of its own; name a --language or a --stemmer, "
            "such as nltk:german"
        )
    option = f"--stemmer {stemmer}" if stemmer else "-m/--stem"
    return (
        f"{option}: no stemmer for --language {language}; there is one for "
        f"{', '.join(sorted(table))}; --no-stem scores words as they are"
    )


MOST_STEMS = 1 << 20


class WordTokenizer:
    """Words found by a segmenter; see `rouge_cli.text.tokenizer.Tokenizer`.

    `load_segmenter` returns the segmenter for a language. It must be picklable, as it is sent to
    worker processes. Raises OptionError and InputError.
    """

    is_compiled = False
    stem = None  # Basic Elements are English, and only the tokenizer of ROUGE-1.5.5 stems them

    def __init__(
        self, options: TextOptions, load_segmenter: Callable[[str | None], Segmenter]
    ) -> None:
        self.options, self.load_segmenter = options, load_segmenter
        self.form, self.segmenter = TextForm.from_options(options), load_segmenter(options.language)
        self.stem_word: Callable[[bytes], bytes] | None = None
        self.stems_name, self.stopwords_name = "no", "no"
        self.stopwords: frozenset[bytes] = frozenset()
        self.warnings: Sequence[str] = ()
        if options.stem or options.stem_models:
            self.stems_name, stem = load_stemmer(options.language, options.stemmer)
            self.stem_word = lru_cache(MOST_STEMS)(partial(_stemmed, stem))
        if options.remove_stopwords:
            self._load_stopwords()

    def _load_stopwords(self) -> None:
        options, segmenter = self.options, self.segmenter
        self.stopwords_name, words = load_stopword_list(options.language, options.stopwords)
        forms = (self.form.cased(self.form.normalised(word)) for word in words)
        segmented = list(map(segmenter.read, forms))
        single = [text for text in segmented if text.types.size == 1]
        self.stopwords = frozenset(encoded(text.spell()[text.types[0]]) for text in single)
        n_ignored = len(words) - len(single)
        if 2 * n_ignored > len(words):
            name = options.stopwords or self.stopwords_name
            self.warnings = (
                f"{name}: {n_ignored} of {len(words)} stopwords are not one token each as "
                f"{segmenter.name} finds them, and remove nothing",
            )

    def __reduce__(self) -> tuple[Callable[..., "WordTokenizer"], tuple[Any, ...]]:
        """Pickle only the options; the other process loads its own dictionaries."""
        try:
            pickle.dumps(self.load_segmenter)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise OptionError(
                f"tokenizer: cannot be sent to another process ({error}); use a function that a "
                "module defines, or jobs=1"
            ) from None
        return WordTokenizer, (self.options, self.load_segmenter)

    def read(
        self,
        texts: Sequence[bytes],
        *,
        with_unsummed: bool,
        starts: NDArray[np.int64] | None = None,
    ) -> ReadTexts:
        """Read texts into columns; raises TextDecodeError if a text is not UTF-8.

        A byte limit is the same for all metrics, and types are the same in all groups.
        """
        text = self.form.normalised(_decoded(texts))
        n_sentences = [text.count(b"\n") + 1 for text in texts]
        if self.options.bytes:
            text, n_sentences = _cut(text, n_sentences, self.options.bytes)
        segmented = self.segmenter.read(self.form.cased(text))
        columns = _columns(segmented, n_sentences)
        if self.options.words:
            columns = columns.first_tokens(self.options.words)
        spelling = Spelling(list(map(encoded, segmented.spell())), columns, self.stem_word)
        return looked_up(spelling, self.stopwords, with_unstemmed=not self.options.stem)

    def split(self, texts: Sequence[bytes]) -> None:
        """Return None: words come in columns."""

    def pair_counter(self, core: Any, units: tuple[int, bool, bool, bool]) -> None:
        """Return None: the core does not find these words."""

    def count_tokens(self, texts: Sequence[bytes]) -> list[int]:
        """Return the number of tokens of each text; raises TextDecodeError."""
        text = self.form.cased(self.form.normalised(_decoded(texts)))
        columns = _columns(self.segmenter.read(text), [text.count(b"\n") + 1 for text in texts])
        counts: list[int] = columns.token_counts.tolist()
        return counts

    def as_read(self, texts: Sequence[bytes]) -> list[bytes] | None:
        """Return texts in normal form and case; None if the segmenter drops no letters."""
        if not self.segmenter.drops_letters:
            return None
        form = self.form
        return [
            text if text.isascii() else form.cased(form.normalised(_decoded([text]))).encode()
            for text in texts
        ]

    def signature(self, *, stems_models: bool) -> Iterator[str]:
        """Yield language, tokenizer, form, stems and stopwords, with versions."""
        if self.options.language is not None:
            yield f"lang:{self.options.language}"
        yield f"tok:{self.segmenter.name}"
        yield from self.form.signature()
        if self.segmenter.joins or self.form.strip_marks:
            yield f"joiners:{'dropped' if self.form.strip_marks else 'inside'}"
        yield f"stem:{self.stems_name if self.options.stem else 'no'}"
        if self.options.stem_models and stems_models:
            yield f"stem-models:{self.stems_name}"
        yield f"stop:{self.stopwords_name}"


def _columns(segmented: SegmentedText, n_sentences: Sequence[int]) -> TextColumns:
    return TextColumns(segmented.types, segmented.sentence_offsets, np.cumsum([0, *n_sentences]))


def _stemmed(stem: StemFunction, word: bytes) -> bytes:
    return encoded(stem(word.decode("utf-8", "surrogatepass")))


def _decoded(texts: Sequence[bytes]) -> str:
    try:
        return b"\n".join(texts).decode()
    except UnicodeDecodeError as error:
        whole, start = error.object, error.start
    starts = np.cumsum([0, *(len(text) + 1 for text in texts)])
    number = int(np.searchsorted(starts, start, side="right")) - 1
    raise TextDecodeError(number, start - int(starts[number]), whole[start])


def _cut(text: str, n_sentences: Sequence[int], n_bytes: int) -> tuple[str, list[int]]:
    """Cut each text to the whole characters in its first `n_bytes` bytes of UTF-8.

    Texts are joined with newlines, and text ``t`` has ``n_sentences[t]`` lines; both before and
    after the cut.
    """
    sentences = iter(text.split(SENTENCE_END))
    texts = [SENTENCE_END.join(next(sentences) for _ in range(n)) for n in n_sentences]
    kept = [limit_bytes(text.encode(), n_bytes).decode(errors="ignore") for text in texts]
    return SENTENCE_END.join(kept), [text.count(SENTENCE_END) + 1 for text in kept]
