"""Names for the word lists of a run: equal lists have equal names, wherever they come from."""

import hashlib
from collections.abc import Iterable

from rouge_cli.options.every import Options
from rouge_cli.scoring.word_lists import load_stems, load_word_lists
from rouge_cli.text.exceptions import load_exceptions
from rouge_cli.text.stopwords import load_stopwords

__all__ = ["exceptions_name", "stopwords_name"]

DIGITS = 12
"""Hexadecimal digits of a fingerprint: 48 bits."""


def exceptions_name(options: Options) -> str:
    """Return the name of the exception table: ``wn2.0``, or ``own-`` and a fingerprint.

    Raises
    ------
    InputError
        If a list of the data directory cannot be read.
    """
    if options.texts.data_dir is None:
        return "wn2.0"
    # Refuses what is no directory.
    load_word_lists(options, {})
    exceptions = load_stems(options.texts.data_dir, []).exceptions
    if exceptions == load_exceptions():
        return "wn2.0"
    return _own(form + b" " + base for form, base in exceptions.items())


def stopwords_name(options: Options) -> str:
    """Return the name of the stopwords: ``smart155``, or ``own-`` and a fingerprint.

    Raises
    ------
    InputError
        If the list of the data directory cannot be read.
    """
    if options.texts.data_dir is None:
        return "smart155"
    stopwords = load_word_lists(options, {}).stopwords
    if stopwords is None or stopwords == load_stopwords():
        return "smart155"
    return _own(stopwords)


def _own(lines: Iterable[bytes]) -> str:
    """Name a list by its lines, in whatever order they stand."""
    return "own-" + hashlib.sha256(b"\n".join(sorted(lines))).hexdigest()[:DIGITS]
