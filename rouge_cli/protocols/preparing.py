"""What frameworks do to a text before they hand it to a package."""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from itertools import chain
from string import punctuation

from rouge_cli.data import LVEVAL_MARKS, LVEVAL_STOPWORDS, read_list
from rouge_cli.inputs.sentences import punkt_splitter
from rouge_cli.protocols.texts import CONTRACTIONS, Prepare
from rouge_cli.text.segmenters import jieba_words

MOST_CUT = 1 << 14
"""Texts or words that are remembered; several frameworks cut the same ones."""

_PIECE = re.compile(r"\s+|\S+")


def cut(text: str) -> tuple[str, ...]:
    """Return the words of jieba; white space is words too. Raises OptionError without jieba."""
    # No word goes over white space, and the pieces of English texts come again and again.
    return tuple(chain.from_iterable(map(_cut_piece, _PIECE.findall(text))))


@lru_cache(MOST_CUT)
def _cut_piece(piece: str) -> tuple[str, ...]:
    return tuple(jieba_words("this protocol")(piece))


def _jieba(text: str, _: bool) -> str:
    return " ".join(cut(text))


def _ms_swift(text: str, _: bool) -> str:
    return " ".join(filter(None, (word.strip(" ") for word in cut(text))))


_ARTICLES = re.compile(r"\b(?:a|an|the)\b", re.IGNORECASE)


def _opencompass(text: str, is_reference: bool) -> str:
    """Keep what is before the first newline, period or comma."""
    first = re.split("[\n.,]", text, maxsplit=1)[0]
    words = _ARTICLES.sub(" ", re.sub(r"[^\w\s]", "", first)).split()
    placeholder = "__REFRPLACEHOLDER__" if is_reference else "__PREDPLACEHOLDER__"
    return " ".join(cut(" ".join(words))) or placeholder


@cache
def _lveval_words(language: str) -> tuple[dict[int, None], frozenset[str]]:
    """Return the characters and the words that are dropped."""
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
    # Marks leave empty words, and `rouge` takes a text of these for one empty word.
    return " ".join(word for word in words if word not in stopwords)


def _helm(text: str, _: bool) -> str:
    return text.strip().removeprefix("{").removesuffix("}")


def _helm_chinese(text: str, is_reference: bool) -> str:
    return text if is_reference else text.strip()


_SPLIT_BY_NLTK = ("n't", "cannot", *CONTRACTIONS)


def _nltk(text: str, _: bool) -> str:
    splitter = punkt_splitter("the tokenizer of gem")
    lowered = text.lower()
    # All its other tokens end where runs of letters and digits do, and it is slow.
    if not any(word in lowered for word in _SPLIT_BY_NLTK):
        return text
    sentences = splitter.sentences(text)
    return " ".join(token for sentence in sentences for token in _nltk_tokens()(sentence))


@cache
def _nltk_tokens() -> Callable[[str], list[str]]:
    from nltk.tokenize import NLTKWordTokenizer

    tokenize: Callable[[str], list[str]] = NLTKWordTokenizer().tokenize
    return tokenize


PREPARE: Mapping[Prepare, Callable[[str, bool], str]] = {
    "jieba": _jieba,
    "jieba-again": _jieba,
    "jieba-stripped": _ms_swift,
    "first-phrase": _opencompass,
    "lveval-en": _lveval_en,
    "lveval-zh": _lveval_zh,
    "braces": _helm,
    "strip-predictions": _helm_chinese,
    "nltk": _nltk,
}
"""From a text, and whether it is a reference, to the text that the package gets."""

NEEDS_JIEBA = {"jieba", "jieba-again", "jieba-stripped", "first-phrase", "lveval-zh"}
