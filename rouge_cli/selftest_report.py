"""The report of a self-test: a table, the first differences, the verdict, the machine."""

import hashlib
import locale
import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from rouge_cli.core import describe_core
from rouge_cli.data import EXCEPTIONS, STOPWORDS
from rouge_cli.errors import InputError
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.selftest import CONTENT_SHA256, FAMILIES, Check, Difference, Outcome, list_sha256
from rouge_cli.text.word_lists import (
    EXCEPTIONS_DIRECTORY,
    EXCEPTIONS_FILES,
    HOME_VARIABLES,
    STOPWORDS_FILE,
    load_word_lists,
)
from rouge_cli.version import __version__

OPTION_GROUPS = (
    ("-m -M", "stems"),
    ("-s", "stopwords"),
    ("-l -b", "limits"),
    ("-f", "several models"),
    ("-p", "weight of F"),
    ("-t", "pooled counts"),
    ("-c -r", "bootstrap"),
    ("-d", "each EVAL"),
    ("-a", "all systems"),
)
"""Option letters and their subject; metrics and inputs have other rows."""

RUNS_SHOWN, LINES_SHOWN, WORDS_SHOWN = 3, 3, 5


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table.

    `n_runs` is None for checks other than runs. `n_compared` counts lines, or whatever is compared.
    """

    what: str
    n_runs: int | None
    n_compared: int
    is_same: bool


def selftest_report(
    outcomes: Sequence[Outcome], checks: Sequence[Check], notes: Iterable[str]
) -> Iterator[str]:
    """Yield the lines of the report, without newlines.

    `notes` appear above the verdict.
    """
    yield f"rouge-cli {__version__} against stored runs of ROUGE-1.5.5, byte by byte"
    yield ""
    yield from _table(rows(outcomes, checks))
    yield ""
    different = [outcome for outcome in outcomes if not outcome.is_same]
    for outcome in different[:RUNS_SHOWN]:
        yield from _run_lines(outcome)
        yield ""
    if len(different) > RUNS_SHOWN:
        yield from (f"... and {len(different) - RUNS_SHOWN} more runs that differ", "")
    for check in checks:
        if not check.is_same:
            yield from (*_first(check.differences), "")
    for note in notes:
        yield from (f"Note: {note}", "")
    yield _verdict(outcomes, checks)


def rows(outcomes: Sequence[Outcome], checks: Iterable[Check]) -> Iterator[Row]:
    """Yield the rows of the table: runs by metric, input and option, then the other checks."""
    for family in FAMILIES:
        lines = [outcome.family_lines[family] for outcome in outcomes]
        is_same = not any(outcome.differs_in(family) for outcome in outcomes)
        yield Row(f"ROUGE-{family}", sum(map(bool, lines)), sum(lines), is_same)
    for name in sorted({outcome.run.input for outcome in outcomes}):
        chosen = [outcome for outcome in outcomes if outcome.run.input == name]
        yield _row_of_runs(name, chosen)
    for letters, subject in OPTION_GROUPS:
        group = set(letters) - set(" -")
        chosen = [outcome for outcome in outcomes if group & set(outcome.run.letters)]
        yield _row_of_runs(f"{letters}, {subject}", chosen)
    for check in checks:
        yield Row(check.what, None, check.n_compared, check.is_same)


def _row_of_runs(what: str, outcomes: Sequence[Outcome]) -> Row:
    is_same = all(outcome.is_same for outcome in outcomes)
    n_lines = sum(outcome.n_lines for outcome in outcomes)
    return Row(what, len(outcomes), n_lines, is_same)


def _table(table: Iterable[Row]) -> Iterator[str]:
    yield f"{'what':<22}  {'runs':>4}  {'compared':>8}"
    for row in table:
        runs = "" if row.n_runs is None else str(row.n_runs)
        verdict = "ok" if row.is_same else "DIFFERENT"
        yield f"{row.what:<22}  {runs:>4}  {row.n_compared:>8,}  {verdict}"


def _run_lines(outcome: Outcome) -> Iterator[str]:
    run = outcome.run
    yield f"DIFFERENT in {run.id}: rouge-cli {' '.join(run.arguments)}"
    if outcome.stopped is not None:
        yield f"  stopped by {outcome.stopped}"
    for difference in outcome.differences[:LINES_SHOWN]:
        yield from _difference_lines(difference)
    if (n_more := len(outcome.differences) - LINES_SHOWN) > 0:
        yield f"  ... and {n_more:,} more of its {outcome.n_lines:,} lines"


def _difference_lines(difference: Difference) -> Iterator[str]:
    yield f"  line {difference.line}"
    yield f"    original  {_shown(difference.expected)}"
    yield f"    here      {_shown(difference.found)}"


def _shown(line: bytes | None) -> str:
    """Return a line with every byte visible, without its final newline."""
    if line is None:
        return "(nothing)"
    return ascii(line.removesuffix(b"\n"))[2:-1] + ("" if line.endswith(b"\n") else " (no newline)")


def _first(differences: Sequence[str]) -> Iterator[str]:
    for difference in differences[:WORDS_SHOWN]:
        yield f"DIFFERENT {difference}"
    if (n_more := len(differences) - WORDS_SHOWN) > 0:
        yield f"... and {n_more:,} more"


def _verdict(outcomes: Sequence[Outcome], checks: Sequence[Check]) -> str:
    n_different = sum(not outcome.is_same for outcome in outcomes)
    different = [f"{n_different} of {len(outcomes)} runs"] if n_different else []
    different += [check.what for check in checks if not check.is_same]
    if different:
        return (
            f"NOT THE SAME: {', '.join(different)}. This installation does not give the scores of "
            "ROUGE-1.5.5; please report it with the output of: rouge-cli selftest --verbose"
        )
    n_lines = sum(outcome.n_lines for outcome in outcomes)
    others = [f"{check.n_compared:,} {check.what}" for check in checks]
    return f"All the same: {', '.join([f'{len(outcomes)} runs with {n_lines:,} lines', *others])}."


NEEDED = ("numpy", "click", "rich", "defusedxml", "nltk")
OPTIONAL = ("pyarrow", "pandas", "scipy")
LOCALE_VARIABLES = ("LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LANG", "PYTHONUTF8", "PYTHONIOENCODING")


def home_notes(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield a note if the environment names word lists, since they change scores."""
    variable, directory = _home(environment)
    if directory is None:
        return
    named = f"{variable} names {_printable(directory)}"
    if not os.path.isdir(directory):
        yield f"{named}, which is no directory; the built-in word lists are used."
        return
    options = TextOptions(stem=True, remove_stopwords=True, data_dir=directory)
    try:
        words = load_word_lists(options, {})
        lists = f"stopwords {words.stopwords_name}, irregular forms {words.exceptions_name}"
    except InputError as error:
        lists = f"they cannot be read: {_printable(str(error))}"
    yield (
        f"{named}; runs with -m, -M or -s take their word lists from there unless -e names others: "
        f"{lists} (built in: smart155, wn2.0). The comparison above is with the built-in ones."
    )


def environment_facts(environment: Mapping[str, str], n_processors: int) -> Iterator[str]:
    """Yield versions, platform, encodings and checksums, a line each.

    `n_processors` is the number that this process may use.
    """
    for name, fact in _facts(environment, n_processors):
        yield f"{name + ':':<24} {fact}"


def _facts(environment: Mapping[str, str], n_processors: int) -> Iterator[tuple[str, str]]:
    yield "rouge-cli", f"{__version__}, {_printable(os.path.dirname(__file__))}"
    yield "Python", f"{platform.python_implementation()} {' '.join(sys.version.split())}"
    yield "core", describe_core()
    yield "needed packages", _versions(NEEDED)
    yield "optional packages", _versions(OPTIONAL)
    yield "platform", f"{platform.platform()}, {platform.machine()}, {sys.byteorder}-endian"
    yield "processors", f"{n_processors} of {os.cpu_count()}"
    yield "encodings", _encodings()
    for name in (*LOCALE_VARIABLES, *HOME_VARIABLES):
        if environment.get(name):
            yield name, _printable(environment[name])
    yield "SHA-256, stored runs", CONTENT_SHA256
    for name in (STOPWORDS, EXCEPTIONS):
        yield f"SHA-256, {name}", list_sha256(name)
    yield from _home_checksums(environment)


def _encodings() -> str:
    printed = getattr(sys.stdout, "encoding", None)
    return (
        f"file names {sys.getfilesystemencoding()}, locale {locale.getpreferredencoding(False)}, "
        f"standard output {printed}, UTF-8 mode {'on' if sys.flags.utf8_mode else 'off'}"
    )


def _versions(packages: Iterable[str]) -> str:
    return ", ".join(f"{package} {_version(package)}" for package in packages)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _home(environment: Mapping[str, str]) -> tuple[str, str | None]:
    named = ((name, environment.get(name)) for name in HOME_VARIABLES)
    return next(((name, directory) for name, directory in named if directory), ("", None))


def _home_checksums(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    _, directory = _home(environment)
    if directory is None:
        return
    paths = [
        STOPWORDS_FILE,
        *(os.path.join(EXCEPTIONS_DIRECTORY, file) for file in EXCEPTIONS_FILES),
    ]
    for path in paths:
        full = os.path.join(directory, path)
        yield f"SHA-256, {_printable(full)}", _file_sha256(full)


def _file_sha256(path: str) -> str:
    # Reading anything but a regular file might never end.
    if not os.path.isfile(path):
        return "no such file"
    try:
        with open(path, "rb") as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _printable(text: str) -> str:
    return text if text.isprintable() else ascii(text)
