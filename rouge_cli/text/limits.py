"""Cut texts to their first words or bytes, as ``-l`` and ``-b`` ask for.

Every limit leaves a beginning of the text, so each function here returns, for each text, how many
of its bytes stay. The bytes of the newlines between sentences are not counted by the limit.
Source: specification, section 2, "Limits".
"""

from collections.abc import Sequence

__all__ = ["limit_bytes", "limit_bytes_unsummed", "limit_words"]


def limit_words(texts: Sequence[bytes], n_words: int) -> list[bytes]:
    """Return the first `n_words` words of each text.

    Whole sentences are taken while the running total stays below `n_words`; the first that would
    reach it is cut. A sentence that begins with white space has an empty first word, and it counts.
    """
    return [_first_words(text, n_words) for text in texts]


def limit_bytes(texts: Sequence[bytes], n_bytes: int) -> list[bytes]:
    """Return the first `n_bytes` bytes of each text, the ends of sentences not counted."""
    return [_first_bytes(text, n_bytes) for text in texts]


def limit_bytes_unsummed(texts: Sequence[bytes], n_bytes: int) -> list[bytes]:
    """Return each text up to the first sentence of `n_bytes` bytes or more, which is cut.

    This is how ROUGE-L and ROUGE-W read the byte limit: the total is never added up.
    """
    return [_until_long_sentence(text, n_bytes) for text in texts]


def _first_words(text: bytes, n_words: int) -> bytes:
    """Return the beginning of `text` that holds `n_words` words."""
    kept = []
    for sentence in text.split(b"\n"):
        words = sentence.split()
        if words and sentence[:1].isspace():
            words.insert(0, b"")
        if len(words) >= n_words:
            kept.append(b" ".join(words[:n_words]))
            break
        kept.append(sentence)
        n_words -= len(words)
    return b"\n".join(kept)


def _first_bytes(text: bytes, n_bytes: int) -> bytes:
    """Return the beginning of `text` that holds `n_bytes` bytes besides newlines."""
    end = n_bytes
    while end < len(text) and (extra := text.count(b"\n", 0, end) - (end - n_bytes)):
        end += extra
    return text[:end]


def _until_long_sentence(text: bytes, n_bytes: int) -> bytes:
    """Return `text` up to byte `n_bytes` of its first sentence of that length."""
    start = 0
    for sentence in text.split(b"\n"):
        if len(sentence) >= n_bytes:
            return text[: start + n_bytes]
        start += len(sentence) + 1
    return text
