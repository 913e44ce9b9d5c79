"""The steps by which a protocol turns a text into words.

The steps always come in the same order: preparation, replacements, limit, sentences, case, words,
stopwords, stems. Each step is a choice, even if only one package makes it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import chain
from string import punctuation
from typing import Annotated, Literal
from unicodedata import category, normalize

from rouge_cli.core import compiled_core
from rouge_cli.data import (
    LVEVAL_MARKS,
    LVEVAL_STOPWORDS,
    PY_ROUGE_STEMS,
    SUMEVAL_SEVERAL_BASES,
    read_list,
)
from rouge_cli.inputs.sentences import PunktSplitter, punkt_splitter
from rouge_cli.protocols import js_rouge
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.segmenters import jieba_words
from rouge_cli.text.word_lists import built_in_stems, load_exceptions, load_stopwords
from rouge_cli.text.xlsum import unpunctuated_words, xlsum_words


def _by_sentence(text: str, limit: int, *, of_words: bool) -> str:
    # Each line is a sentence. Newlines and the blanks around a sentence do not count towards the
    # limit.
    kept: list[str] = []
    n_left = limit
    for line in text.split("\n"):
        sentence = line.strip()
        units = sentence.split() if of_words else sentence
        if len(units) >= n_left:
            kept.append(" ".join(sentence.split()[:n_left]) if of_words else sentence[:n_left])
            break
        kept.append(sentence)
        n_left -= len(units)
    return "\n".join(kept)


LIMITS: Mapping[str, Callable[[str, int], str]] = {
    "text-words": lambda text, limit: " ".join(text.split(" ")[:limit]),
    "text-characters": lambda text, limit: text[:limit],
    "sentence-words": partial(_by_sentence, of_words=True),
    "sentence-characters": partial(_by_sentence, of_words=False),
}


def _at_periods(text: str) -> list[str]:
    return [piece for piece in text.split(".") if piece]


_CHINESE_ENDS = (
    # A mark, six periods or two ellipses end a sentence unless a closing quotation mark follows.
    ("\u3002\uff01\uff1f?", "([\u3002\uff01\uff1f?])([^\u201d\u2019])"),
    (("......",), "([.]{6})([^\u201d\u2019])"),
    ("\u2026", "(\u2026{2})([^\u201d\u2019])"),
    # So does a mark with its closing quotation mark, unless another mark follows.
    ("\u201d\u2019", "([\u3002\uff01\uff1f?][\u201d\u2019])([^\uff0c\u3002\uff01\uff1f?])"),
)


def _after_chinese_marks(text: str) -> list[str]:
    # The patterns include the character after a mark, so of two marks in a row only the first ends
    # a sentence.
    for marks, pattern in _CHINESE_ENDS:
        # Most texts lack some of these marks, and `in` is much faster than the pattern.
        if any(mark in text for mark in marks):
            text = re.sub(pattern, r"\1\n\2", text)
    return [piece for piece in text.rstrip().split("\n") if piece]


# Cached because `identify` tries several protocols that need the same sentences.
@lru_cache(1 << 14)
def _sentences_of(splitter: PunktSplitter, text: str) -> list[str]:
    return splitter.sentences(text)


SENTENCES: Mapping[str, Callable[[str], list[str]]] = {
    "none": lambda text: [text],
    "newline": lambda text: text.split("\n"),
    "filled-lines": lambda text: list(filter(None, text.split("\n"))),
    # The original treats the rest of a line as markup.
    "see": lambda text: [line.partition("<")[0] for line in text.split("\n")],
    "period": _at_periods,
    "filled-period": lambda text: list(filter(str.strip, _at_periods(text))) or _at_periods(text),
    "chinese": _after_chinese_marks,
    "punkt": lambda text: _sentences_of(punkt_splitter("sentences by Punkt"), text),
    "js-lines": js_rouge.filled_lines,
    "js-3.2.1": partial(js_rouge.sentences, version="3.2.1"),
    "js-3.2.1-neutral": partial(js_rouge.sentences, version="3.2.1", is_neutral=True),
    "js-3.2.3": partial(js_rouge.sentences, version="3.2.3"),
    "js-3.2.3-neutral": partial(js_rouge.sentences, version="3.2.3", is_neutral=True),
}
"""The functions that split a text into sentences."""

CONTRACTIONS = {
    "gimme": ("gim", "me"),
    "gonna": ("gon", "na"),
    "gotta": ("got", "ta"),
    "lemme": ("lem", "me"),
    "wanna": ("wan", "na"),
}

_CONTRACTED = re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(CONTRACTIONS)})(?![A-Za-z0-9_])")


def in_py_rouge_words(text: str) -> str:
    """Return a text in which runs of letters, digits and underscores are the words of py-rouge.

    They are those that NLTK's tokenizer finds in text without punctuation. NLTK splits ``cannot``
    into two words. The package prevents this with underscores, which it also adds inside longer
    words and removes only after stemming.
    """
    text = text.replace("_", " ").replace("cannot", "_cannot_")
    if any(word in text for word in CONTRACTIONS):
        text = _CONTRACTED.sub(lambda match: " ".join(CONTRACTIONS[match[0]]), text)
    return text


_ascii_words: Callable[[str], list[str]] = re.compile("[A-Za-z0-9]+").findall

_SINGLE = re.compile("[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]")
_SPACELESS = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f]")


@lru_cache(1 << 16)
def _google_adk_character(character: str) -> str:
    """Return the character with blanks where words are to be separated.

    Punctuation becomes a blank; combining marks (Unicode's category M) stay with their letter.
    """
    is_mark = category(character).startswith("M")
    if _SINGLE.match(character):
        return f" {character} "
    if _SPACELESS.match(character):
        return character if is_mark else f" {character}"
    return character if is_mark or character.isalnum() else " "


def _google_adk_words(text: str) -> list[str]:
    text = normalize("NFKC", text).lower()
    if text.isascii():
        return _ascii_words(text)
    words = "".join(map(_google_adk_character, text)).split()
    return [part for word in words for part in (_ascii_words(word) if word.isascii() else [word])]


WORDS: Mapping[str, Callable[[str], list[str]]] = {
    "whitespace": str.split,
    "whitespace-or-empty": lambda sentence: sentence.split() or [""],
    "single-blanks": lambda sentence: sentence.split(" "),
    "ascii": _ascii_words,
    "py-rouge": lambda sentence: re.findall("[A-Za-z0-9_]+", in_py_rouge_words(sentence)),
    "unpunctuated": unpunctuated_words,
    "xlsum": xlsum_words(None),
    "characters": list,
    # Unlike str.split(), this leaves an empty word if the text begins or ends with white space.
    "kurenai": lambda text: re.split(r"\s+", text),
    "google-adk": _google_adk_words,
    "js-spaces": js_rouge.words_at_spaces,
    "js-3.0.0": partial(js_rouge.words_of_text, has_undefined=True),
    "js-3.2.0": partial(js_rouge.words_of_text, has_undefined=False),
    "js-3.2.1": partial(js_rouge.words_of_sentence, version="3.2.1"),
    "js-3.2.3": partial(js_rouge.words_of_sentence, version="3.2.3"),
}
"""The functions that split a sentence into words; that of ``xlsum`` is for no language."""


@cache
def words_in(kind: str, language: str | None) -> Callable[[str], list[str]]:
    """Return the function that finds words.

    Raises OptionError if the dictionary of the language is not installed.
    """
    return xlsum_words(language) if kind == "xlsum" else WORDS[kind]


@cache
def stopwords() -> frozenset[str]:
    """Return the built-in stopwords."""
    return frozenset(word.decode("ascii") for word in load_stopwords())


MOST_STEMS = 1 << 18


@cache
def stemmer_of(kind: str) -> Callable[[str], str]:
    """Return the stemmer of a kind, with a cache that all runs of the process share."""
    return lru_cache(MOST_STEMS)(STEMMERS[kind]())


_SHORTEST_STEMMED = 4
_SHORTEST_LOOKED_UP = 3


@cache
def nltk_stemmer(*, is_extended: bool) -> Callable[[str], str]:
    """Return NLTK's stemmer in its default (`is_extended`) or its original mode."""
    # Imported here because NLTK takes a while to load.
    from nltk.stem.porter import PorterStemmer

    stem: Callable[[str], str] = PorterStemmer(
        PorterStemmer.NLTK_EXTENSIONS if is_extended else PorterStemmer.ORIGINAL_ALGORITHM
    ).stem
    return stem


_IS_ALPHANUMERIC = re.compile("[a-z0-9]+").fullmatch
_IS_PLAIN = re.compile("[a-z0-9_]+").fullmatch


def _porter(*, is_extended: bool) -> Callable[[str], str]:
    core = compiled_core()

    def stem(word: str) -> str:
        if len(word) < _SHORTEST_STEMMED:
            return word
        # The core has the same stemmer, but only for words of ASCII.
        if core is None or not _IS_PLAIN(word):
            return nltk_stemmer(is_extended=is_extended)(word)
        known: bytes = core.nltk_stem(word.encode("ascii"), is_extended)
        return known.decode("ascii")

    return stem


def _alphanumeric_stemmer() -> Callable[[str], str]:
    stem = _porter(is_extended=True)
    return lambda word: stem(word) if _IS_ALPHANUMERIC(word) else word


def _py_rouge_stemmer() -> Callable[[str], str]:
    lines = read_list(PY_ROUGE_STEMS).decode("ascii").splitlines()
    rows = [line.split("\t", 1) for line in lines if not line.startswith("#")]
    bases = {word: stem for word, stem in rows} | _exceptions()  # noqa: C416
    porter = _porter(is_extended=False)

    def stem(word: str) -> str:
        base = bases.get(word) if len(word) >= _SHORTEST_STEMMED else word
        return (base or porter(word)).replace("_cannot_", "cannot")

    return stem


def _wordnet_bases() -> Callable[[str], str]:
    bases = _exceptions()
    # The package joins the bases of a word that has several with a blank. A word with a blank in it
    # matches nothing, so one trailing blank has the same effect.
    bases |= {word: f"{bases[word]} " for word in read_list(SUMEVAL_SEVERAL_BASES).decode().split()}
    return lambda word: word if len(word) < _SHORTEST_LOOKED_UP else bases.get(word, word)


def _original_stemmer() -> Callable[[str], str]:
    stems = built_in_stems()
    return lambda word: stems[word.encode("ascii")].decode("ascii")


STEMMERS: Mapping[str, Callable[[], Callable[[str], str]]] = {
    "none": lambda: str,
    "porter": lambda: _porter(is_extended=True),
    "alphanumeric": _alphanumeric_stemmer,
    "py-rouge": _py_rouge_stemmer,
    "references-only": _wordnet_bases,
    "original": _original_stemmer,
}


def _exceptions() -> dict[str, str]:
    return {form.decode("ascii"): base.decode("ascii") for form, base in load_exceptions().items()}


# How frameworks prepare a text before they pass it to a package

MOST_CUT = 1 << 14

_PIECE = re.compile(r"\s+|\S+")
_cut_piece = lru_cache(MOST_CUT)(lambda piece: tuple(jieba_words("this protocol")(piece)))


def cut(text: str) -> tuple[str, ...]:
    """Return the words that jieba finds; runs of white space count as words.

    Raises OptionError if jieba is not installed.
    """
    # Words never extend across white space, so pieces can be cut separately. Caching them helps
    # because the same pieces recur in English texts.
    return tuple(chain.from_iterable(map(_cut_piece, _PIECE.findall(text))))


_ARTICLES = re.compile(r"\b(?:a|an|the)\b", re.IGNORECASE)


def _opencompass(text: str, is_reference: bool) -> str:
    first = re.split("[\n.,]", text, maxsplit=1)[0]
    words = _ARTICLES.sub(" ", re.sub(r"[^\w\s]", "", first)).split()
    placeholder = "__REFRPLACEHOLDER__" if is_reference else "__PREDPLACEHOLDER__"
    return " ".join(cut(" ".join(words))) or placeholder


@cache
def _lveval_words(language: str) -> tuple[dict[int, None], frozenset[str]]:
    marks = punctuation + (read_list(LVEVAL_MARKS).decode().strip() if language == "zh" else "")
    words = read_list(LVEVAL_STOPWORDS[language]).decode().split()
    return dict.fromkeys(map(ord, marks)), frozenset(words)


def _lveval_en(text: str, _: bool) -> str:
    marks, stopwords = _lveval_words("en")
    words = _ARTICLES.sub(" ", text.lower().translate(marks)).split()
    return " ".join(word for word in words if word not in stopwords)


def _lveval_zh(text: str, _: bool) -> str:
    marks, stopwords = _lveval_words("zh")
    words = ("".join(word.lower().translate(marks).split()) for word in cut(text))
    # Words that consist of marks become empty, but are kept: `rouge` reads a text of blanks as one
    # empty word.
    return " ".join(word for word in words if word not in stopwords)


_SPLIT_BY_NLTK = ("n't", "cannot", *CONTRACTIONS)


def _nltk(text: str, _: bool) -> str:
    splitter = punkt_splitter("the tokenizer of gem")
    lowered = text.lower()
    # Only these strings make NLTK split a run of letters and digits. Without them the slow
    # tokenizer would not change the words that the package finds.
    if not any(word in lowered for word in _SPLIT_BY_NLTK):
        return text
    sentences = splitter.sentences(text)
    return " ".join(token for sentence in sentences for token in _nltk_tokens()(sentence))


@cache
def _nltk_tokens() -> Callable[[str], list[str]]:
    from nltk.tokenize import NLTKWordTokenizer

    tokenize: Callable[[str], list[str]] = NLTKWordTokenizer().tokenize
    return tokenize


PREPARE: Mapping[str, Callable[[str, bool], str]] = {
    "none": lambda text, _: text,
    "jieba": lambda text, _: " ".join(cut(text)),
    "jieba-again": lambda text, _: " ".join(cut(text)),
    "jieba-stripped": lambda text, _: " ".join(
        filter(None, (word.strip(" ") for word in cut(text)))
    ),
    "first-phrase": _opencompass,
    "lveval-en": _lveval_en,
    "lveval-zh": _lveval_zh,
    "braces": lambda text, _: text.strip().removeprefix("{").removesuffix("}"),
    "strip-predictions": lambda text, is_reference: text if is_reference else text.strip(),
    "nltk": _nltk,
}
"""The functions of `TextChoices.prepare`. Each takes a text and whether it is a reference, and
returns the text that the package receives."""

NEEDS_JIEBA = {"jieba", "jieba-again", "jieba-stripped", "first-phrase", "lveval-zh"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChoices:
    """Choices that determine how a text becomes words.

    - `prepare`: what a framework does to a text before the package receives it. ``jieba`` puts
      blanks between the words that jieba finds; ``jieba-again`` also cuts the prediction again for
      each further reference; ``jieba-stripped`` drops words that are only blanks. ``first-phrase``
      keeps the text before the first newline, period or comma, cut by jieba and without marks and
      articles; a placeholder replaces an empty result. ``lveval-en`` and ``lveval-zh`` remove marks
      and stopwords; the latter cuts the text with jieba. ``braces`` strips the text, then removes
      one brace at each end. ``strip-predictions`` strips predictions only. ``nltk`` puts blanks
      between the tokens that NLTK finds.
    - `replacements`: old and new strings, replaced in the whole text one pair after the other.
    - `limit`: number of words or characters to keep of each text; 0 keeps all.
    - `limit_unit`: ``text-words`` counts the pieces between single blanks, ``text-characters``
      characters. ``sentence-words`` and ``sentence-characters`` count sentence by sentence: the
      sentence that reaches the limit is cut there, and those after it are dropped.
    - `sentences`: ``none``: a text is one sentence. ``newline``: each line; ``filled-lines``: each
      line that is not empty. ``see``: each line up to its first ``<``, as in the pages of the
      original. ``period``: the pieces between periods, except empty ones; ``filled-period``: except
      blank ones too, unless all are blank. ``chinese``: split after Chinese punctuation. ``punkt``:
      NLTK's model for English. ``js-lines``: each line that is not blank. ``js-3.2.1`` and
      ``js-3.2.3``: as that version of js-rouge does; ``-neutral`` ignores case.
    - `case`: ``lower`` lowers a text before words are found, ``lower-words`` lowers the words. They
      differ for the Kelvin sign, which becomes a ``k`` of ASCII only if it is lowered first.
    - `words`: ``whitespace``: Python's ``split()``. ``whitespace-or-empty``: the same, but a
      sentence without words has one empty word. ``single-blanks``: split at each blank, so that two
      in a row enclose an empty word. ``ascii``: runs of ``[A-Za-z0-9]``. ``py-rouge``: these, with
      six contractions split. ``unpunctuated``: split at white space and punctuation. ``xlsum``: as
      in XL-Sum's fork of rouge_score for `language`. ``characters``: each character. ``kurenai``:
      split at white space, which leaves an empty word at an end of the text where it occurs.
      ``google-adk``: as ``ascii``, and also words of other scripts and single characters of
      Chinese, Japanese and Korean. ``js-spaces``: split at JavaScript's white space. ``js-3.0.0``
      to ``js-3.2.3``: as that version of js-rouge does. A program may set a function from a
      sentence to its words.
    - `sentence_words`: how to find words for metrics that read sentences; `words` then applies only
      to metrics that read whole texts. None: `words` applies to all.
    - `language`: the English name of the language for ``xlsum``.
    - `remove_stopwords`: remove the 596 words of ``-s``.
    - `stems`: ``porter``: NLTK's stemmer in its default mode, for words of more than three letters.
      ``alphanumeric``: the same, only for words of ASCII letters and digits. ``py-rouge``:
      WordNet's exceptions and 138 words of the package's own; for all other words, NLTK's stemmer
      in its original mode. ``references-only``: WordNet's exceptions, in references only.
      ``original``: the stemmer of ROUGE-1.5.5.
    """

    prepare: Annotated[str, tuple(PREPARE)] = "none"
    replacements: tuple[tuple[str, str], ...] = ()
    limit: int = 0
    limit_unit: Annotated[str, tuple(LIMITS)] = "text-words"
    sentences: Annotated[str, tuple(SENTENCES)] = "none"
    case: Literal["kept", "lower", "lower-words"] = "kept"
    words: Annotated[str, tuple(WORDS)] = "whitespace"
    sentence_words: Annotated[str, tuple(WORDS)] | None = None
    language: str | None = None
    remove_stopwords: bool = False
    stems: Annotated[str, tuple(STEMMERS)] = "none"

    def of_metric(self, *, reads_sentences: bool) -> "TextChoices":
        """Return the choices for one kind of metric; `sentence_words` is resolved into `words`."""
        if self.sentence_words is None:
            return self
        if reads_sentences:
            return replace(self, words=self.sentence_words, sentence_words=None)
        return replace(self, sentences="none", sentence_words=None)


def limited(choices: TextChoices, text: str) -> str:
    """Apply the replacements to a text, then the limit."""
    for old, new in choices.replacements:
        text = text.replace(old, new)
    if choices.limit > 0:
        text = LIMITS[choices.limit_unit](text, choices.limit)
    return text
