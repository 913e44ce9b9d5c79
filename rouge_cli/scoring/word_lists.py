"""The stopwords and the stemmer of a run: built in, or from a data directory of the original's.

Source: specification, sections 1 (``-e``) and 4.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rouge_cli.errors import InputError
from rouge_cli.inputs.files import read_file
from rouge_cli.options.every import Options
from rouge_cli.text.exceptions import load_exceptions, parse_exceptions
from rouge_cli.text.stemmer import Stemmer, Stems
from rouge_cli.text.stopwords import load_stopwords, parse_stopwords

__all__ = ["WordLists", "load_stems", "load_word_lists", "with_data_dir"]

HOME_VARIABLES = ("ROUGE_EVAL_HOME", "RED_EVAL_HOME")
STOPWORDS_FILE = "smart_common_words.txt"
EXCEPTIONS_DIRECTORY = "WordNet-2.0-Exceptions"
EXCEPTIONS_FILES = ("adj.exc", "noun.exc", "verb.exc", "adv.exc")
DATABASE_FILE = "WordNet-2.0.exc.db"


@dataclass(frozen=True, slots=True, eq=False)
class WordLists:
    """What a run needs of words.

    Parameters
    ----------
    stopwords : frozenset of bytes or None
        None if none are removed.
    stemmer : Stemmer or None
        None if nothing is stemmed.
    warnings : tuple of str
        What the user should know about where these came from.
    """

    stopwords: frozenset[bytes] | None
    stemmer: Stemmer | None
    warnings: tuple[str, ...] = ()


def load_word_lists(options: Options, environment: Mapping[str, str]) -> WordLists:
    """Load the word lists that a run needs.

    Parameters
    ----------
    options : Options
    environment : mapping of str to str
        ``ROUGE_EVAL_HOME`` and then ``RED_EVAL_HOME`` are the data directory if there is no ``-e``.

    Raises
    ------
    InputError
        If lists are needed and the directory given with ``-e`` is none, or a list in it cannot be
        read.
    """
    needs_stems = options.texts.stem or options.texts.stem_models
    if not (needs_stems or options.texts.remove_stopwords):
        return WordLists(None, None)
    if options.texts.data_dir and not os.path.isdir(options.texts.data_dir):
        raise InputError(
            f"-e/--data-dir: {options.texts.data_dir!r} is not a directory; without -e the "
            "built-in word lists are used"
        )
    directory = _directory(options, environment)
    warnings: list[str] = []
    stopwords = _stopwords(directory, warnings) if options.texts.remove_stopwords else None
    stemmer = Stemmer(load_stems(directory, warnings)) if needs_stems else None
    return WordLists(stopwords, stemmer, tuple(warnings))


def with_data_dir(options: Options, environment: Mapping[str, str]) -> Options:
    """Return options that name the data directory of a run, where only the environment does.

    Options without a use for word lists, and a directory that is none, change nothing.
    """
    needs_words = options.texts.stem or options.texts.stem_models or options.texts.remove_stopwords
    directory = _directory(options, environment) if needs_words else None
    if directory is None or not os.path.isdir(directory):
        return options
    return options.changed(data_dir=directory)


def _directory(options: Options, environment: Mapping[str, str]) -> str | None:
    """Return the data directory: of the options, or else of the environment."""
    homes = (options.texts.data_dir, *(environment.get(name) for name in HOME_VARIABLES))
    return next(filter(None, homes), None)


def _stopwords(directory: str | None, warnings: list[str]) -> frozenset[bytes]:
    """Return the stopwords of the directory, or the built-in ones."""
    if directory is None:
        return load_stopwords()
    path = os.path.join(directory, STOPWORDS_FILE)
    if os.path.exists(path):
        stopwords = parse_stopwords(_read(path))
        if not stopwords:
            warnings.append(f"{path}: no words in it; no stopwords are removed")
        return stopwords
    warnings.append(f"{path}: no such file; the built-in stopwords are used")
    return load_stopwords()


@cache
def _built_in_stems() -> Stems:
    """Return the stems by the built-in exception table; they serve all runs of the process."""
    return Stems(load_exceptions())


def load_stems(directory: str | None, warnings: list[str]) -> Stems:
    """Return the stems by the exception table of the directory, or by the built-in one.

    Warnings of what the directory lacks are added to `warnings`; raises InputError.
    """
    if directory is None:
        return _built_in_stems()
    paths = [os.path.join(directory, EXCEPTIONS_DIRECTORY, name) for name in EXCEPTIONS_FILES]
    present = [path for path in paths if os.path.exists(path)]
    if present:
        warnings += [
            f"{path}: no such file; the exception table goes without it"
            for path in paths
            if path not in present
        ]
        exceptions = parse_exceptions(b"\n".join(map(_read, present)))
        if not exceptions:
            warnings.append(f"{os.path.dirname(paths[0])}: no exceptions in it; none are used")
        return Stems(exceptions)
    database = os.path.join(directory, DATABASE_FILE)
    if os.path.exists(database):
        warnings.append(f"{database}: not read; the built-in exception table is used")
    else:
        folder = os.path.join(directory, EXCEPTIONS_DIRECTORY)
        warnings.append(f"{folder}: no *.exc files; the built-in exception table is used")
    return _built_in_stems()


def _read(path: str) -> bytes:
    """Read a word list."""
    try:
        return read_file(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read as a word list: {error.strerror}") from None
