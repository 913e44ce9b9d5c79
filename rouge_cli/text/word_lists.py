"""Stopwords and irregular forms of ROUGE-1.5.5: built in, or from a data directory.

Signatures name a list by its content, so equal lists have equal names, whatever their source.
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
_PAIR = 2

# No word list begins with these. Checking first avoids reading a large file named by mistake.
ZEROS = bytes(4)


@dataclass(frozen=True, slots=True, eq=False)
class WordLists:
    """The word lists of a run; None if the run does not use them.

    The names are for the signature: ``smart155``, ``wn2.0``, or ``own-`` and a fingerprint.
    `warnings` are about the source of the lists.
    """

    stopwords: frozenset[bytes] | None = None
    stems: Stems | None = None
    stopwords_name: str = BUILT_IN_STOPWORDS
    exceptions_name: str = BUILT_IN_EXCEPTIONS
    warnings: tuple[str, ...] = ()


def load_word_lists(options: TextOptions, environment: Mapping[str, str]) -> WordLists:
    """Load the word lists that a run needs.

    Without ``-e``, the data directory is the variable ``ROUGE_EVAL_HOME`` in `environment` or, if
    that is not set, ``RED_EVAL_HOME``. Raises InputError if lists are needed and ``-e`` does not
    name a directory, or a list cannot be read.
    """
    if not _needs_words(options):
        return WordLists()
    if options.data_dir and not os.path.isdir(options.data_dir):
        raise InputError(
            f"-e/--data-dir: {options.data_dir!r} is not a directory; without -e the "
            "built-in word lists are used"
        )
    directory = _directory(options, environment)
    stopwords, stopwords_name, stopword_warnings = _stopwords(options, directory)
    stems, exceptions_name, stem_warnings = _stems(options, directory)
    warnings = (*stopword_warnings, *stem_warnings)
    return WordLists(stopwords, stems, stopwords_name, exceptions_name, warnings)


def with_data_dir(options: Options, environment: Mapping[str, str]) -> Options:
    """Return the options with the data directory of the environment, if ``-e`` is absent.

    The options are unchanged if they need no word lists, or if the directory does not exist.
    """
    needs_lists = options.texts.reads_as_original and _needs_words(options.texts)
    directory = _directory(options.texts, environment) if needs_lists else None
    if directory is None or not os.path.isdir(directory):
        return options
    return options.changed(data_dir=directory)


def _needs_words(options: TextOptions) -> bool:
    return options.stem or options.stem_models or options.remove_stopwords


def _directory(options: TextOptions, environment: Mapping[str, str]) -> str | None:
    homes = (options.data_dir, *(environment.get(name) for name in HOME_VARIABLES))
    return next(filter(None, homes), None)


def _stopwords(
    options: TextOptions, directory: str | None
) -> tuple[frozenset[bytes] | None, str, list[str]]:
    if options.stopwords is not None:
        words = own_stopwords(options.stopwords)
        return words, fingerprint(words), []
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
    name = BUILT_IN_STOPWORDS if stopwords == built_in else fingerprint(stopwords)
    warnings = [] if stopwords else [f"{path}: no words in it; no stopwords are removed"]
    return stopwords, name, warnings


def _stems(options: TextOptions, directory: str | None) -> tuple[Stems | None, str, list[str]]:
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
        # The original's index is a Berkeley DB file, which Python cannot read.
        has_index = os.path.exists(database)
        reason = f"{database}: not read" if has_index else f"{folder}: no *.exc files"
        return built_in, BUILT_IN_EXCEPTIONS, [f"{reason}; the built-in exception table is used"]
    warnings = [
        f"{path}: no such file; the exception table lacks its entries"
        for path in paths
        if path not in present
    ]
    exceptions = parse_exceptions(b"\n".join(map(read_word_list, present)))
    if not exceptions:
        warnings.append(f"{folder}: no exceptions in it; none are used")
    name = BUILT_IN_EXCEPTIONS
    if exceptions != built_in.exceptions:
        name = fingerprint(form + b" " + base for form, base in exceptions.items())
    return Stems.of(exceptions), name, warnings


def own_stopwords(path: str) -> frozenset[bytes]:
    """Read the user's own list of stopwords; raises InputError."""
    words = parse_stopwords(read_word_list(path))
    if not words:
        raise InputError(f"{path}: no words in it; expected stopwords, one per line")
    return words


def fingerprint(lines: Iterable[bytes]) -> str:
    """Return the name of a list that is not built in, by its content."""
    from hashlib import sha256

    return "own-" + sha256(b"\n".join(sorted(lines))).hexdigest()[:FINGERPRINT_DIGITS]


@cache
def built_in_stems() -> Stems:
    """Return the stems for the built-in exceptions, which all runs of the process share."""
    return Stems(read_list(EXCEPTIONS))


@cache
def load_stopwords() -> frozenset[bytes]:
    """Return the built-in list of 596 words, which all runs of the process share."""
    return parse_stopwords(read_list(STOPWORDS))


def load_exceptions() -> dict[bytes, bytes]:
    """Return a copy of the built-in table, from irregular form to base form: 5,930 entries."""
    return dict(built_in_stems().exceptions)


def parse_stopwords(data: bytes) -> frozenset[bytes]:
    """Read stopwords, one per line, ignoring blank lines and white space around words.

    They are compared with unstemmed tokens, so words that are never a token, such as ``e.g.`` or
    ``a's``, have no effect.
    """
    return frozenset(map(bytes.strip, data.split(b"\n"))) - {b""}


def parse_exceptions(data: bytes) -> dict[bytes, bytes]:
    """Read an exception list of WordNet, such as ``noun.exc``: from irregular form to base form.

    Each line has both, separated by white space. Further words are ignored, as are lines of a
    single word. If a form has several lines, the last one counts.
    """
    entries = (line.split(None, _PAIR) for line in data.split(b"\n"))
    return {entry[0]: entry[1] for entry in entries if len(entry) >= _PAIR}


def read_word_list(path: str) -> bytes:
    """Return the bytes of a word list; raises InputError.

    FIFOs and devices are refused, since reading them could block forever.
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
