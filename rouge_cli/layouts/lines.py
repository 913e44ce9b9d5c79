"""Parallel line files: a text a line, line N of each file belongs to EVAL N."""

from collections.abc import Sequence

__all__ = ["named_files", "sentence_texts"]


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


def sentence_texts(lines: bytes, separator: str | None) -> list[bytes]:
    """Split the content of a line file into normalised texts.

    Parameters
    ----------
    lines : bytes
        Some whole lines; the last one may lack its newline.
    separator : str or None
        What stands between the sentences of a text; of several words, such as ``<t> </t>``, each
        one separates. None: a line is one sentence.

    Returns
    -------
    list of bytes
        A text for each line, with newlines between its sentences.
    """
    texts = lines.split(b"\n")
    if not texts[-1]:
        texts.pop()
    for word in (separator or "").split():
        texts = [text.replace(word.encode("utf-8", "surrogateescape"), b"\n") for text in texts]
    return texts
