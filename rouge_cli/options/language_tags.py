"""How languages, tokenizers and stemmers are named."""

import re
from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["STEMMERS", "function_name", "language_tag", "stemmer", "tokenizer"]

STEMMERS = ("nltk", "snowballstemmer", "porter155")

ISO_639_1 = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
    de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy
    hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg
    li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or
    os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw
    ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()  # noqa: SIM905
)
"""The languages with a code of two letters; BCP 47 has no other code for them."""

TAG = re.compile(
    r"(?P<language>[a-z]{2,3})(?:-[a-z]{3})?(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|[0-9]{3}))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*",
    re.IGNORECASE,
)
EXPECTED_TAG = "a BCP 47 tag, such as de, zh or pt-BR"


def language_tag(given: Any) -> str:
    """Read a BCP 47 tag, and return it in the usual case: ``pt-BR``, ``zh-Hant``."""
    found = TAG.fullmatch(given) if isinstance(given, str) else None
    if found is None:
        raise ValueError(EXPECTED_TAG)
    language = found["language"].lower()
    if len(language) == 2 and language not in ISO_639_1:  # noqa: PLR2004
        raise ValueError(f"{EXPECTED_TAG}; no language has the code {language}")
    tag: str = given.lower()
    for part, spell in (("script", str.title), ("region", str.upper)):
        if found[part]:
            tag = tag[: found.start(part)] + spell(found[part]) + tag[found.end(part) :]
    return tag


def tokenizer(given: Any) -> str | Callable[[str], Iterable[str]]:
    """Read the name of a tokenizer or, in Python, take a function from a text to its tokens."""
    if callable(given):
        words: Callable[[str], Iterable[str]] = given
        return words
    if not isinstance(given, str) or not given.strip():
        raise ValueError("the name of a tokenizer or, in Python, a function from str to tokens")
    return given


def function_name(words: Callable[[str], Iterable[str]]) -> str:
    """Name a tokenizer that is a function, for signatures and reports."""
    name = getattr(words, "__qualname__", None) or type(words).__qualname__
    module = getattr(words, "__module__", None) or type(words).__module__
    return f"{module}.{name}"


def stemmer(given: Any) -> str:
    """Read the name of a stemmer, and perhaps of the algorithm in it."""
    name, colon, algorithm = str(given).partition(":")
    is_named = not colon or (algorithm.isidentifier() and name != "porter155")
    if name not in STEMMERS or not is_named:
        raise ValueError(
            f"one of {', '.join(STEMMERS)}, perhaps with a language, such as nltk:german"
        )
    return str(given)
