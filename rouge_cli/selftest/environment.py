"""What a report of a fault has to say of the machine; and what on it changes scores."""

import hashlib
import locale
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping

from rouge_cli.core.choice import describe_core
from rouge_cli.data import EXCEPTIONS, STOPWORDS
from rouge_cli.errors import InputError
from rouge_cli.options.texts import TextOptions
from rouge_cli.selftest.stored import CONTENT_SHA256
from rouge_cli.selftest.words import list_sha256
from rouge_cli.text.word_lists import (
    EXCEPTIONS_DIRECTORY,
    EXCEPTIONS_FILES,
    HOME_VARIABLES,
    STOPWORDS_FILE,
    load_word_lists,
)
from rouge_cli.version import __version__

__all__ = ["environment_facts", "home_notes"]

NEEDED = ("numpy", "click", "rich", "defusedxml", "nltk")
OPTIONAL = ("pyarrow", "pandas", "scipy")
LOCALE_VARIABLES = ("LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LANG", "PYTHONUTF8", "PYTHONIOENCODING")


def home_notes(environment: Mapping[str, str]) -> Iterator[str]:
    """Say which word lists of the user's own the environment names, for they change scores."""
    variable, directory = _home(environment)
    if directory is None:
        return
    named = f"{variable} names {_shown(directory)}"
    if not os.path.isdir(directory):
        yield f"{named}, which is no directory; the built-in word lists are used."
        return
    options = TextOptions(stem=True, remove_stopwords=True, data_dir=directory)
    try:
        words = load_word_lists(options, {})
        lists = f"stopwords {words.stopwords_name}, irregular forms {words.exceptions_name}"
    except InputError as error:
        lists = f"they cannot be read: {_shown(str(error))}"
    yield (
        f"{named}; runs with -m, -M or -s take their word lists from there unless -e names others: "
        f"{lists} (built in: smart155, wn2.0). The comparison above is with the built-in ones."
    )


def environment_facts(environment: Mapping[str, str], n_processors: int) -> Iterator[str]:
    """Yield versions, platform, encodings and checksums, a line each.

    Parameters
    ----------
    n_processors : int
        How many this process may use.
    """
    for what, said in _facts(environment, n_processors):
        yield f"{what + ':':<24} {said}"


def _facts(environment: Mapping[str, str], n_processors: int) -> Iterator[tuple[str, str]]:
    """Yield what each line is about, and what it says."""
    yield "rouge-cli", f"{__version__}, {_shown(os.path.dirname(os.path.dirname(__file__)))}"
    yield "Python", f"{platform.python_implementation()} {' '.join(sys.version.split())}"
    yield "core", describe_core()
    yield "needed packages", _versions(NEEDED)
    yield "optional packages", _versions(OPTIONAL)
    yield "platform", f"{platform.platform()}, {platform.machine()}, {sys.byteorder}-endian"
    yield "processors", f"{n_processors} of {os.cpu_count()}"
    yield "encodings", _encodings()
    for name in (*LOCALE_VARIABLES, *HOME_VARIABLES):
        if environment.get(name):
            yield name, _shown(environment[name])
    yield "SHA-256, stored runs", CONTENT_SHA256
    for name in (STOPWORDS, EXCEPTIONS):
        yield f"SHA-256, {name}", list_sha256(name)
    yield from _home_checksums(environment)


def _encodings() -> str:
    """Name the encodings that Python has chosen."""
    printed = getattr(sys.stdout, "encoding", None)
    return (
        f"file names {sys.getfilesystemencoding()}, locale {locale.getpreferredencoding(False)}, "
        f"standard output {printed}, UTF-8 mode {'on' if sys.flags.utf8_mode else 'off'}"
    )


def _versions(packages: Iterable[str]) -> str:
    """Return the version of each package, or that there is none."""
    return ", ".join(f"{package} {_version(package)}" for package in packages)


def _version(package: str) -> str:
    """Return the version of a package, or that there is none."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _home(environment: Mapping[str, str]) -> tuple[str, str | None]:
    """Return the variable that names a data directory, and the directory."""
    named = ((name, environment.get(name)) for name in HOME_VARIABLES)
    return next(((name, directory) for name, directory in named if directory), ("", None))


def _home_checksums(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the checksum of each word list that the environment names."""
    _, directory = _home(environment)
    if directory is None:
        return
    paths = [STOPWORDS_FILE, *(os.path.join(EXCEPTIONS_DIRECTORY, one) for one in EXCEPTIONS_FILES)]
    for path in paths:
        full = os.path.join(directory, path)
        yield f"SHA-256, {_shown(full)}", _file_sha256(full)


def _file_sha256(path: str) -> str:
    """Return the checksum of a file, or why there is none."""
    # Anything but a regular file could have no end.
    if not os.path.isfile(path):
        return "no such file"
    try:
        with open(path, "rb") as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _shown(text: str) -> str:
    """Return a text as it is, or escaped where it would break a line."""
    return text if text.isprintable() else ascii(text)
