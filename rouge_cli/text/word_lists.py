"""Stopwords and irregular forms of ROUGE-1.5.5: built in, or from a data directory.

The signature names a list by its content, so equal lists have equal names wherever they come from.
Source: specification, sections 1 (``-e``) and 4.
"""

import errno
import os
import stat
from collections.abc import Iterable, Mapping
from functools import cache

from rouge_cli.data import EXCEPTIONS, STOPWORDS, read_list
from rouge_cli.errors import InputError
from rouge_cli.options.options import Options
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.text.stems import Stems

HOME_VARIABLES = ("ROUGE_EVAL_HOME", "RED_EVAL_HOME")
STOPWORDS_FILE = "smart_common_words.txt"
EXCEPTIONS_DIRECTORY = "WordNet-2.0-Exceptions"
EXCEPTIONS_FILES = ("adj.exc", "noun.exc", "verb.exc", "adv.exc")
DATABASE_FILE = "WordNet-2.0.exc.db"

BUILT_IN_EXCEPTIONS = "wn2.0"
BUILT_IN_STOPWORDS = "smart155"
FINGERPRINT_DIGITS = 12
"""Hexadecimal digits: 48 bits."""

_PAIR = 2

ZEROS = bytes(4)
"""Begins no word list: who names another file by mistake shall not wait until it is read."""


@dataclass(frozen=True, slots=True, eq=False)
class WordLists:
    """The word lists of a run; without stopwords none is removed, without stems nothing is stemmed.

    The names are for the signature: ``smart155``, ``wn2.0``, or ``own-`` and a fingerprint.
    `warnings` are remarks on where the lists came from.
    """

    stopwords: frozenset[bytes] | None = None
    stems: Stems | None = None
    stopwords_name: str = BUILT_IN_STOPWORDS
    exceptions_name: str = BUILT_IN_EXCEPTIONS
    warnings: tuple[str, ...] = ()


def load_word_lists(options: TextOptions, environment: Mapping[str, str]) -> WordLists:
    """Load the word lists that a run needs.

    In `environment` ``ROUGE_EVAL_HOME`` and then ``RED_EVAL_HOME`` are the data directory if there
    is no ``-e``. Raises InputError if lists are needed, and ``-e`` does not name a directory or a
    list in it cannot be read.
    """
    if not _needs_words(options):
        return WordLists()
    if options.data_dir and not os.path.isdir(options.data_dir):
        raise InputError(
            f"-e/--data-dir: {options.data_dir!r} is not a directory; without -e the "
            "built-in word lists are used"
        )
    directory = _directory(options, environment)
    stopwords, stopwords_name, of_stopwords = _stopwords(options, directory)
    stems, exceptions_name, of_stems = _stems(options, directory)
    warnings = (*of_stopwords, *of_stems)
    return WordLists(stopwords, stems, stopwords_name, exceptions_name, warnings)


def with_data_dir(options: Options, environment: Mapping[str, str]) -> Options:
    """Return the options with the data directory that the environment names, if ``-e`` is absent.

    Options that need no word lists stay as they are, as they do if there is no such directory.
    """
    needs_lists = options.texts.reads_as_original and _needs_words(options.texts)
    directory = _directory(options.texts, environment) if needs_lists else None
    if directory is None or not os.path.isdir(directory):
        return options
    return options.changed(data_dir=directory)


def _needs_words(options: TextOptions) -> bool:
    """Whether a run stems or removes stopwords."""
    return options.stem or options.stem_models or options.remove_stopwords


def _directory(options: TextOptions, environment: Mapping[str, str]) -> str | None:
    """Return the data directory of the options, or else of the environment."""
    homes = (options.data_dir, *(environment.get(name) for name in HOME_VARIABLES))
    return next(filter(None, homes), None)


def _stopwords(
    options: TextOptions, directory: str | None
) -> tuple[frozenset[bytes] | None, str, list[str]]:
    """Return the stopwords that a run removes, their name, and warnings.

    They are those of ``--stopwords``, of the directory, or the built-in ones; None removes none.
    """
    if options.stopwords is not None:
        words = parse_stopwords(read_word_list(options.stopwords))
        if not words:
            raise InputError(f"{options.stopwords}: no words in it; expected stopwords, one a line")
        return words, _fingerprint(words), []
    if not options.remove_stopwords:
        return None, BUILT_IN_STOPWORDS, []
    built_in = load_stopwords()
    if directory is None:
        return built_in, BUILT_IN_STOPWORDS, []
    path = os.path.join(directory, STOPWORDS_FILE)
    if not os.path.exists(path):
        warning = f"{path}: no such file; the built-in stopwords are used"
        return built_in, BUILT_IN_STOPWORDS, [warning]
    stopwords = parse_stopwords(read_word_list(path))
    name = BUILT_IN_STOPWORDS if stopwords == built_in else _fingerprint(stopwords)
    warnings = [] if stopwords else [f"{path}: no words in it; no stopwords are removed"]
    return stopwords, name, warnings


def _stems(options: TextOptions, directory: str | None) -> tuple[Stems | None, str, list[str]]:
    """Return the stems of a run, the name of their exceptions, and warnings.

    The exceptions are those of the directory, or the built-in ones; None stems nothing.
    """
    if not (options.stem or options.stem_models):
        return None, BUILT_IN_EXCEPTIONS, []
    built_in = built_in_stems()
    if directory is None:
        return built_in, BUILT_IN_EXCEPTIONS, []
    folder = os.path.join(directory, EXCEPTIONS_DIRECTORY)
    paths = [os.path.join(folder, name) for name in EXCEPTIONS_FILES]
    present = [path for path in paths if os.path.exists(path)]
    if not present:
        database = os.path.join(directory, DATABASE_FILE)
        # The original's index is a Berkeley DB file, which Python does not read.
        has_index = os.path.exists(database)
        reason = f"{database}: not read" if has_index else f"{folder}: no *.exc files"
        return built_in, BUILT_IN_EXCEPTIONS, [f"{reason}; the built-in exception table is used"]
    warnings = [
        f"{path}: no such file; the exception table goes without it"
        for path in paths
        if path not in present
    ]
    exceptions = parse_exceptions(b"\n".join(map(read_word_list, present)))
    if not exceptions:
        warnings.append(f"{folder}: no exceptions in it; none are used")
    name = BUILT_IN_EXCEPTIONS
    if exceptions != built_in.exceptions:
        name = _fingerprint(form + b" " + base for form, base in exceptions.items())
    return Stems.of(exceptions), name, warnings


def _fingerprint(lines: Iterable[bytes]) -> str:
    """Name a list by its lines, whatever their order."""
    from hashlib import sha256

    return "own-" + sha256(b"\n".join(sorted(lines))).hexdigest()[:FINGERPRINT_DIGITS]


@cache
def built_in_stems() -> Stems:
    """Return the stems by the built-in exception table; they serve all runs of the process."""
    return Stems(read_list(EXCEPTIONS))


@cache
def load_stopwords() -> frozenset[bytes]:
    """Read the list that comes with the package: 596 words; it serves all runs of the process."""
    return parse_stopwords(read_list(STOPWORDS))


def load_exceptions() -> dict[bytes, bytes]:
    """Read the table that comes with the package, irregular form to base form: 5,930 entries."""
    return dict(built_in_stems().exceptions)


def parse_stopwords(data: bytes) -> frozenset[bytes]:
    """Read stopwords, one a line; white space around a word and blank lines do not count.

    They are compared with tokens before stemming, so words that are never a token, such as
    ``e.g.`` or ``a's``, have no effect.
    """
    words = (line.strip() for line in data.split(b"\n"))
    return frozenset(word for word in words if word)


def parse_exceptions(data: bytes) -> dict[bytes, bytes]:
    """Read an exception list in WordNet's form, such as ``noun.exc``: irregular to base form.

    A line has both, separated by white space. Further words of a line, and lines of fewer than two
    words, do not count; of several lines for a form, the last counts.
    """
    entries = (line.split(None, _PAIR) for line in data.split(b"\n"))
    return {entry[0]: entry[1] for entry in entries if len(entry) >= _PAIR}


def read_word_list(path: str) -> bytes:
    """Return the bytes of a word list; raises InputError.

    A FIFO or a device is refused, since it could keep a run waiting for ever.
    """
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISFIFO(mode):
            raise OSError(errno.EINVAL, "a FIFO, not a regular file")
        if (stat.S_ISCHR(mode) or stat.S_ISBLK(mode)) and os.path.realpath(path) != os.devnull:
            raise OSError(errno.EINVAL, "a device, not a file")
        with open(path, "rb") as stream:
            if not stream.peek(len(ZEROS)).startswith(ZEROS):
                return stream.read()
    except OSError as error:
        raise InputError(f"{path}: cannot be read as a word list: {error.strerror}") from None
    raise InputError(f"{path}: begins with zero bytes; expected a word list")
