"""Sentences, limits and tokens (specification, sections 2 and 3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

Stem = Callable[[bytes], bytes]


def words(sentence: bytes) -> list[bytes]:
    """The words that ``-l`` counts (section 2, limits).

    A sentence that starts with white space has an empty first word, and it
    counts; trailing white space makes no word.
    """
    parts = re.split(rb"\s+", sentence)
    while parts and parts[-1] == b"":
        parts.pop()
    return parts


def limit_words(sentences: list[bytes], n: int) -> list[bytes]:
    """The first ``n`` words of a text; 0 is no limit (section 2, limits)."""
    if n == 0:
        return list(sentences)
    kept: list[bytes] = []
    total = 0
    for sentence in sentences:
        parts = words(sentence)
        if total + len(parts) < n:
            kept.append(sentence)
            total += len(parts)
        else:
            kept.append(b" ".join(parts[: n - total]))
            break
    return kept


def limit_bytes(sentences: list[bytes], n: int) -> list[bytes]:
    """The first ``n`` bytes of a text; 0 is no limit (section 2, limits)."""
    if n == 0:
        return list(sentences)
    kept: list[bytes] = []
    total = 0
    for sentence in sentences:
        if total + len(sentence) < n:
            kept.append(sentence)
            total += len(sentence)
        else:
            kept.append(sentence[: n - total])
            break
    return kept


def limit_bytes_unsummed(sentences: list[bytes], n: int) -> list[bytes]:
    """``-b`` as ROUGE-L and ROUGE-W read it (section 2, limits).

    The byte total is never added up: every sentence shorter than ``n`` bytes is
    taken whole, the first of ``n`` bytes or more is cut and ends the reading.
    """
    if n == 0:
        return list(sentences)
    kept: list[bytes] = []
    for sentence in sentences:
        if len(sentence) < n:
            kept.append(sentence)
        else:
            kept.append(sentence[:n])
            break
    return kept


def tokens(
    sentence: bytes, *, stopwords: Collection[bytes] = frozenset(), stem: Stem | None = None
) -> list[bytes]:
    """The tokens of a sentence, in order (section 3).

    Lower case; ``-`` set off by blanks; every other byte outside a-z and 0-9 a
    blank; stopwords out; tokens that start with neither letter nor digit out;
    stems.
    """
    text = bytearray()
    for byte in sentence.lower():
        character = bytes([byte])
        if character == b"-":
            text += b" - "
        elif character in b"abcdefghijklmnopqrstuvwxyz0123456789":
            text += character
        else:
            text += b" "
    found = [token for token in bytes(text).split() if token not in stopwords]
    found = [token for token in found if not token.startswith(b"-")]
    if stem is not None:
        found = [stem(token) for token in found]
    return found
