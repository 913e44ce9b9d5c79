"""Parallel line files: a text a line, line N of each file belongs to EVAL N."""

from collections.abc import Sequence

__all__ = ["holds_separator", "named_files", "sentence_texts", "split_sentences", "text_lines"]


def named_files(values: Sequence[str], default_name: str) -> dict[str, str]:
    """Read ``[NAME=]FILE`` values.

    Parameters
    ----------
    values : sequence of str
        With more than one file each needs a name.
    default_name : str
        Name of the only file, if it has none.

    Returns
    -------
    dict of str to str
        System ID to path, in the order given.

    Raises
    ------
    ValueError
        If a name is missing or used twice.
    """
    if len(values) == 1 and "=" not in values[0]:
        return {default_name: values[0]}
    files: dict[str, str] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not equals or not name or not path:
            raise ValueError(f"NAME=FILE for each of several files, found {value!r}")
        if name in files:
            raise ValueError(f"a name for each file of its own, found {name!r} twice")
        files[name] = path
    return files


def text_lines(content: bytes) -> list[bytes]:
    """Return the lines of `content`; only a newline ends one, and the last may lack it."""
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def split_sentences(lines: Sequence[bytes], separator: str | None) -> list[bytes]:
    """Turn lines into normalised texts.

    Parameters
    ----------
    lines : sequence of bytes
        A text each, without newlines.
    separator : str or None
        What stands between the sentences of a text. Of several words, such as ``<t> </t>``, each
        one separates; they are tags then, and the blanks beside them belong to no sentence. None:
        a line is one sentence.

    Returns
    -------
    list of bytes
        A text for each line, with newlines between its sentences. A line without separator is
        left as it is.
    """
    words = _words(separator)
    texts = list(lines)
    for word in words:
        texts = [text.replace(word, b"\n") for text in texts]
    if len(words) > 1:
        texts = [_trimmed(text) if b"\n" in text else text for text in texts]
    return texts


def sentence_texts(content: bytes, separator: str | None) -> list[bytes]:
    """Split the content of a line file into normalised texts: lines first, then sentences."""
    return split_sentences(text_lines(content), separator)


def holds_separator(text: bytes, separator: str) -> bool:
    """Return whether a separator, or one of its words, occurs in a text."""
    return any(word in text for word in _words(separator))


def _words(separator: str | None) -> list[bytes]:
    """Return the words of a separator, as bytes."""
    return [word.encode("utf-8", "surrogateescape") for word in (separator or "").split()]


def _trimmed(text: bytes) -> bytes:
    """Return the sentences of a text without blanks around them, and none that is empty."""
    return b"\n".join(filter(None, map(bytes.strip, text.split(b"\n"))))
