"""The self-test, which compares stored runs of the original with the output of this machine.

``data/selftest/runs.tar.gz`` contains the runs; ``README.md`` next to it says how it is made.
Outputs are compared line by line. Stems, word lists and random draws are compared too. The report
has a table, the first differences, the verdict and, on request, facts about the machine.
"""

import gzip
import hashlib
import io
import json
import locale
import os
import platform
import re
import sys
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import zip_longest
from typing import NamedTuple

from rouge_cli.atomic_files import temporary_folder
from rouge_cli.core import describe_core
from rouge_cli.data import EXCEPTIONS, FOLDER, STOPWORDS, read_data, read_list
from rouge_cli.errors import InputError, RougeError
from rouge_cli.escapes import escaped
from rouge_cli.options.texts import TextOptions
from rouge_cli.scores.bootstrap import draw_instances
from rouge_cli.text import word_lists
from rouge_cli.text.stems import stem_of
from rouge_cli.version import __version__

ARCHIVE = os.path.join(FOLDER, "selftest", "runs.tar.gz")

# The checksum of the content, since that of the archive depends on the compressor.
CONTENT_SHA256 = "9dd44d97f7e037d1ff374ef89a7382a8fffd3ccddc932112a5c3ecfcd492689a"

INPUTS = "corpora/"


class StoredRunsError(RougeError):
    """The stored runs are missing or damaged, or there is no folder to run them in."""


class StoredRun(NamedTuple):
    """A run of the original, and its output.

    - `folder`: its working directory, a prefix of names in `StoredRuns.inputs`.
    - `letters`: the letters of its options.
    - `input`: layout and format of its input, such as ``XML, SEE``.
    - `expected`: the output of the original.
    """

    id: str
    folder: str
    arguments: tuple[str, ...]
    letters: str
    input: str
    expected: bytes


class StoredRuns(NamedTuple):
    """The stored runs, their input files by name (with ``/``), and tokens with their stems."""

    runs: tuple[StoredRun, ...]
    inputs: Mapping[str, bytes]
    stems: tuple[tuple[bytes, bytes], ...]


def read_stored(path: str = ARCHIVE) -> StoredRuns:
    """Read the stored runs.

    Raises StoredRunsError if the file is missing or does not belong to this version.
    """
    advice = "reinstall rouge-cli"
    try:
        content = gzip.decompress(read_data(path))
    except (EOFError, OSError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StoredRunsError(
            f"{path}: the stored runs cannot be read: {reason}; {advice}"
        ) from None
    checksum = hashlib.sha256(content).hexdigest()
    if checksum != CONTENT_SHA256:
        raise StoredRunsError(
            f"{path}: not the stored runs of this version: SHA-256 of the content is {checksum}, "
            f"expected {CONTENT_SHA256}; {advice}"
        )
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
        files = {
            member.name: stream.read()
            for member in archive
            if (stream := archive.extractfile(member)) is not None
        }
    runs = []
    for case in map(json.loads, files["cases.jsonl"].splitlines()):
        arguments, expected = tuple(case["args"]), files[f"expected/{case['id']}.out"]
        run = case["id"], case["cwd"], arguments, case["letters"], case["input"], expected
        runs.append(StoredRun(*run))
    lines = (line.partition(b"\t") for line in files["stems.tsv"].splitlines())
    inputs = {name: data for name, data in files.items() if name.startswith(INPUTS)}
    return StoredRuns(tuple(runs), inputs, tuple((token, stem) for token, _, stem in lines))


FAMILIES = ("N", "L", "W", "S", "SU", "BE")
"""Families of metrics, in print order."""

METRIC = re.compile(rb" ROUGE-(?:[0-9]+|(L|W|SU|S|BE)[^ ]*) (?:Average_|M_count|Eval )")
LINE = re.compile(rb"[^\n]*\n|[^\n]+")

Printer = Callable[[Sequence[str]], bytes]
"""Runs the command with some arguments, and returns its standard output."""

Line = tuple[str, bytes | None, bytes | None]
"""The family of a metric (empty if unknown), the line of the original, and the line printed here.
Lines have newlines; None means that the output has ended."""


class Outcome(NamedTuple):
    """A stored run, the lines that this machine prints, and the reason if the run stopped early."""

    run: StoredRun
    lines: tuple[Line, ...]
    stopped: str | None = None

    @property
    def is_same(self) -> bool:
        """Whether the same bytes were printed."""
        return self.stopped is None and not any(before != now for _, before, now in self.lines)


def compared_lines(expected: bytes, printed: bytes) -> tuple[Line, ...]:
    """Return the lines of the original beside those of this machine."""
    # Lines end with newlines only; `splitlines` knows other ends.
    old, new = LINE.findall(expected), LINE.findall(printed)
    families = zip_longest(families_of(old), families_of(new), fillvalue="")
    return tuple(
        (of_old or of_new, before, now)
        for before, now, (of_old, of_new) in zip_longest(old, new, families)
    )


def families_of(lines: Iterable[bytes]) -> list[str]:
    """Return the family of the metric in each line."""
    # From the last line on, because a line without a metric belongs to the lines that follow.
    families: list[str] = []
    family = ""
    for line in reversed(list(lines)):
        if match := METRIC.search(line):
            family = match[1].decode() if match[1] else "N"
        families.append(family)
    return families[::-1]


def reproduce(stored: StoredRuns, printer: Printer) -> tuple[Outcome, ...]:
    """Repeat all stored runs in order, and compare their output.

    During the runs, the working directory is a temporary folder. Raises StoredRunsError if the
    inputs cannot be written.
    """
    outcomes = []
    with _folder_of(stored.inputs) as folder:
        for run in stored.runs:
            os.chdir(os.path.join(folder, run.folder))
            printed, stopped = b"", None
            try:
                printed = printer(run.arguments)
            # Incompatible libraries can raise anything.
            except Exception as error:
                stopped = f"{type(error).__name__}: {error}".replace("\n", " ")
            outcomes.append(Outcome(run, compared_lines(run.expected, printed), stopped))
    return tuple(outcomes)


@contextmanager
def _folder_of(inputs: Mapping[str, bytes]) -> Iterator[str]:
    """Provide a temporary folder with these files, and restore the working directory at the end."""
    try:
        before = os.getcwd()
    except OSError:
        # The working directory has been removed.
        before = os.path.abspath(os.sep)
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(temporary_folder())
            for name, data in inputs.items():
                path = os.path.join(folder, *name.split("/"))
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as stream:
                    stream.write(data)
        except OSError as error:
            raise StoredRunsError(
                "the inputs of the stored runs cannot be written to a temporary folder: "
                f"{error.strerror}; set TMPDIR to a folder that can be written to"
            ) from None
        try:
            yield folder
        finally:
            # Windows cannot remove the working directory.
            os.chdir(os.path.dirname(folder))
            with suppress(OSError):
                os.chdir(before)


LIST_SHA256 = {
    STOPWORDS: "708a95967c37d7d52765589e92d787e912d971e60d6d41d81c92a00cff58a42e",
    EXCEPTIONS: "3a4bb83017adaa453bcde932613158bdf4a0c58eda73120ce0d70315c1d63559",
}

# The results of ``int(rand(10000))`` after ``srand(SEED)`` in Perl, which are those of C's drand48.
FIRST_DRAWS = {
    0: (1708, 7499, 963, 8704, 5773, 7857, 6921, 3687),
    1: (416, 4544, 8348, 3359, 5654, 17, 1875, 9904),
    2: (9124, 1590, 5732, 8015, 5536, 2177, 6829, 6121),
    999: (1023, 6357, 8034, 9257, 7750, 5374, 5921, 4149),
    123_456: (9406, 6702, 6317, 2067, 553, 2884, 2221, 9899),
}

N_DRAWN_FROM = 10_000


SelfCheck = tuple[str, int, Sequence[str]]
"""A check of stems, words or draws: its subject, the number of items, and a line for each item that
differs."""


def check_stems(stems: Sequence[tuple[bytes, bytes]]) -> SelfCheck:
    """Compare the stems of some tokens with those of the original."""
    try:
        exceptions = word_lists.load_exceptions()
    except OSError as error:
        return "stems", len(stems), [_unreadable(EXCEPTIONS, error)]
    differences = [
        f"stem of {token.decode()}: original {stem.decode()}, here {here.decode()}"
        for token, stem in stems
        if (here := stem_of(token, exceptions)) != stem
    ]
    return "stems", len(stems), differences


def check_list(what: str, name: str) -> SelfCheck:
    """Compare a word list of the package, `STOPWORDS` or `EXCEPTIONS`, with its checksum.

    `what` is its name in messages.
    """
    try:
        n_lines = read_list(name).count(b"\n")
    except OSError as error:
        return what, 0, [_unreadable(name, error)]
    checksum, expected = list_sha256(name), LIST_SHA256[name]
    difference = f"{name}: SHA-256 is {checksum}, expected {expected}"
    return what, n_lines, [] if checksum == expected else [difference]


def check_draws() -> SelfCheck:
    """Compare the first draws of some resamples with those of Perl."""
    differences = []
    for seed, expected in FIRST_DRAWS.items():
        draws = draw_instances(N_DRAWN_FROM, range(seed, seed + 1))[0, : len(expected)].tolist()
        if draws != list(expected):
            differences.append(f"draws of seed {seed}: original {list(expected)}, here {draws}")
    return "random draws", sum(map(len, FIRST_DRAWS.values())), differences


def list_sha256(name: str) -> str:
    """Return the checksum of a word list that comes with the package, or an error message."""
    try:
        return hashlib.sha256(read_list(name)).hexdigest()
    except OSError as error:
        return _unreadable(name, error)


def _unreadable(name: str, error: OSError) -> str:
    return f"{name}: cannot be read: {error.strerror}; reinstall rouge-cli"


OPTION_GROUPS = (
    ("-m -M", "stems"),
    ("-s", "stopwords"),
    ("-l -b", "limits"),
    ("-f", "several references"),
    ("-p", "weight of F"),
    ("-t", "pooled counts"),
    ("-c -r", "bootstrap"),
    ("-d", "each text"),
    ("-a", "all systems"),
)
"""Rows of the report: letters of options, and their subject. Metrics and inputs have rows too."""

RUNS_SHOWN, LINES_SHOWN, WORDS_SHOWN = 3, 3, 5


def selftest(
    printer: Printer, environment: Mapping[str, str], n_processors: int, *, verbose: bool
) -> tuple[list[str], bool]:
    """Repeat the stored runs and all checks; return the report, and whether nothing differs.

    `n_processors` is as in `environment_facts`. Raises StoredRunsError.
    """
    stored = read_stored()
    outcomes = reproduce(stored, printer)
    checks = [
        check_stems(stored.stems),
        check_list("stopwords", STOPWORDS),
        check_list("irregular forms", EXCEPTIONS),
        check_draws(),
    ]
    is_same = all(outcome.is_same for outcome in outcomes)
    facts = [*environment_facts(environment, n_processors), ""] if verbose else []
    report = selftest_report(outcomes, checks, home_notes(environment))
    return [*facts, *report], is_same and not any(differences for *_, differences in checks)


def selftest_report(
    outcomes: Sequence[Outcome], checks: Sequence[SelfCheck], notes: Iterable[str]
) -> Iterator[str]:
    """Yield the lines of the report, without newlines; `notes` precede the verdict."""
    yield f"rouge-cli {__version__} against stored runs of ROUGE-1.5.5, byte by byte"
    yield ""
    yield f"{'what':<22}  {'runs':>4}  {'compared':>8}"
    for what, n_runs, n_compared, is_same in rows(outcomes, checks):
        runs = "" if n_runs is None else str(n_runs)
        yield f"{what:<22}  {runs:>4}  {n_compared:>8,}  {'ok' if is_same else 'DIFFERENT'}"
    yield ""
    different = [outcome for outcome in outcomes if not outcome.is_same]
    for outcome in different[:RUNS_SHOWN]:
        yield from _run_lines(outcome)
        yield ""
    if len(different) > RUNS_SHOWN:
        yield from (f"... and {len(different) - RUNS_SHOWN} more runs that differ", "")
    for *_, differences in checks:
        if differences:
            yield from (f"DIFFERENT {difference}" for difference in differences[:WORDS_SHOWN])
            if (n_more := len(differences) - WORDS_SHOWN) > 0:
                yield f"... and {n_more:,} more"
            yield ""
    for note in notes:
        yield from (f"Note: {note}", "")
    yield _verdict(outcomes, checks)


def rows(
    outcomes: Sequence[Outcome], checks: Iterable[SelfCheck]
) -> Iterator[tuple[str, int | None, int, bool]]:
    """Yield the rows of the table: runs by metric, input and option, then the other checks.

    A row has a name, the number of runs (None for other checks), the number of compared lines or
    items, and whether all were the same.
    """
    groups: list[tuple[str, list[Sequence[Line]]]] = [
        (f"ROUGE-{family}", [[x for x in outcome.lines if x[0] == family] for outcome in outcomes])
        for family in FAMILIES
    ]
    groups += [
        (layout, [x.lines for x in outcomes if x.run.input == layout])
        for layout in sorted({outcome.run.input for outcome in outcomes})
    ]
    for letters, subject in OPTION_GROUPS:
        chosen = set(letters) - set(" -")
        runs = [outcome.lines for outcome in outcomes if chosen & set(outcome.run.letters)]
        groups.append((f"{letters}, {subject}", [*runs]))
    for name, portions in groups:
        n_lines = list(map(_n_lines, portions))
        is_same = all(before == now for lines in portions for _, before, now in lines)
        yield name, sum(map(bool, n_lines)), sum(n_lines), is_same
    yield from ((what, None, n, not differences) for what, n, differences in checks)


def _n_lines(lines: Sequence[Line]) -> int:
    """Return the number of lines that the original printed."""
    return sum(before is not None for _, before, _ in lines)


def _run_lines(outcome: Outcome) -> Iterator[str]:
    run = outcome.run
    yield f"DIFFERENT in {run.id}: rouge-cli {' '.join(run.arguments)}"
    if outcome.stopped is not None:
        yield f"  stopped by {outcome.stopped}"
        return
    different = [
        (number, before, now)
        for number, (_, before, now) in enumerate(outcome.lines, 1)
        if before != now
    ]
    for number, before, now in different[:LINES_SHOWN]:
        yield f"  line {number}"
        yield f"    original  {_shown(before)}"
        yield f"    here      {_shown(now)}"
    if (n_more := len(different) - LINES_SHOWN) > 0:
        yield f"  ... and {n_more:,} more of its {_n_lines(outcome.lines):,} lines"


def _shown(line: bytes | None) -> str:
    if line is None:
        return "(nothing)"
    return ascii(line.removesuffix(b"\n"))[2:-1] + ("" if line.endswith(b"\n") else " (no newline)")


def _verdict(outcomes: Sequence[Outcome], checks: Sequence[SelfCheck]) -> str:
    n_different = sum(not outcome.is_same for outcome in outcomes)
    different = [f"{n_different} of {len(outcomes)} runs"] if n_different else []
    different += [what for what, _, differences in checks if differences]
    if different:
        return (
            f"NOT THE SAME: {', '.join(different)}. This installation does not give the scores of "
            "ROUGE-1.5.5; please report it with the output of: rouge-cli selftest --verbose"
        )
    n_lines = sum(_n_lines(outcome.lines) for outcome in outcomes)
    others = [f"{n:,} {what}" for what, n, _ in checks]
    return f"All the same: {', '.join([f'{len(outcomes)} runs with {n_lines:,} lines', *others])}."


NEEDED = ("numpy", "click", "rich", "defusedxml", "nltk")
OPTIONAL = ("pyarrow", "pandas", "scipy")
LOCALE_VARIABLES = ("LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LANG", "PYTHONUTF8", "PYTHONIOENCODING")


def home_notes(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield a note if the environment names word lists, since these change scores."""
    variable, directory = _home(environment)
    if directory is None:
        return
    named = f"{variable} names {escaped(directory)}"
    if not os.path.isdir(directory):
        yield f"{named}, which is not a directory; the built-in word lists are used."
        return
    options = TextOptions(stem=True, remove_stopwords=True, data_dir=directory)
    try:
        words = word_lists.load_word_lists(options, {})
        lists = f"stopwords {words.stopwords_name}, irregular forms {words.exceptions_name}"
    except InputError as error:
        lists = f"they cannot be read: {escaped(str(error))}"
    yield (
        f"{named}; runs with -m, -M or -s take their word lists from there unless -e names others: "
        f"{lists} (built in: smart155, wn2.0). The comparison above is with the built-in ones."
    )


def environment_facts(environment: Mapping[str, str], n_processors: int) -> Iterator[str]:
    """Yield lines with versions, platform, encodings and checksums.

    `n_processors` is the number of processors that this process may use.
    """
    printed = getattr(sys.stdout, "encoding", None)
    facts = [
        ("rouge-cli", f"{__version__}, {escaped(os.path.dirname(__file__))}"),
        ("Python", f"{platform.python_implementation()} {' '.join(sys.version.split())}"),
        ("core", describe_core()),
        ("needed packages", _versions(NEEDED)),
        ("optional packages", _versions(OPTIONAL)),
        ("platform", f"{platform.platform()}, {platform.machine()}, {sys.byteorder}-endian"),
        ("processors", f"{n_processors} of {os.cpu_count()}"),
        (
            "encodings",
            f"file names {sys.getfilesystemencoding()}, "
            f"locale {locale.getpreferredencoding(False)}, standard output {printed}, "
            f"UTF-8 mode {'on' if sys.flags.utf8_mode else 'off'}",
        ),
    ]
    variables = (*LOCALE_VARIABLES, *word_lists.HOME_VARIABLES)
    facts += [(name, escaped(environment[name])) for name in variables if environment.get(name)]
    facts.append(("SHA-256, stored runs", CONTENT_SHA256))
    facts += [(f"SHA-256, {name}", list_sha256(name)) for name in (STOPWORDS, EXCEPTIONS)]
    _, directory = _home(environment)
    exceptions = (
        os.path.join(word_lists.EXCEPTIONS_DIRECTORY, file) for file in word_lists.EXCEPTIONS_FILES
    )
    for path in (word_lists.STOPWORDS_FILE, *exceptions) if directory is not None else ():
        full = os.path.join(directory or "", path)
        facts.append((f"SHA-256, {escaped(full)}", _file_sha256(full)))
    yield from (f"{name + ':':<24} {fact}" for name, fact in facts)


def _versions(packages: Iterable[str]) -> str:
    versions = []
    for package in packages:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"{package} not installed")
    return ", ".join(versions)


def _home(environment: Mapping[str, str]) -> tuple[str, str | None]:
    named = ((name, environment.get(name)) for name in word_lists.HOME_VARIABLES)
    return next(((name, directory) for name, directory in named if directory), ("", None))


def _file_sha256(path: str) -> str:
    # Only a regular file: reading a pipe or a device might never end.
    if not os.path.isfile(path):
        return "no such file"
    try:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        return f"cannot be read: {error.strerror}"
