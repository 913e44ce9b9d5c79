"""The self-test: stored runs of the original, compared with what this machine prints.

``data/selftest/runs.tar.gz`` holds the runs; ``README.md`` next to it says how it is made. Outputs
are compared line by line. Stems, word lists and random draws are compared too. At the end of the
file is the report: a table, the first differences, the verdict, the machine.
"""

import gzip
import hashlib
import io
import json
import os
import re
import tarfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import zip_longest
from types import MappingProxyType

from rouge_cli.atomic_files import temporary_folder
from rouge_cli.data import EXCEPTIONS, FOLDER, STOPWORDS, read_data, read_list
from rouge_cli.errors import RougeError
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.bootstrap import draw_instances
from rouge_cli.text.stems import stem_of
from rouge_cli.text.word_lists import load_exceptions

ARCHIVE = os.path.join(FOLDER, "selftest", "runs.tar.gz")

CONTENT_SHA256 = "9dd44d97f7e037d1ff374ef89a7382a8fffd3ccddc932112a5c3ecfcd492689a"
"""Checksum of the uncompressed archive, which does not depend on the compressor."""

INPUTS = "corpora/"


class StoredRunsError(RougeError):
    """The stored runs are missing or damaged, or there is no folder to run them in."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run of the original, with its output.

    `folder` is its working directory, a prefix of names in `StoredRuns.inputs`. `letters` are those
    of its options. `input` is layout and format, such as ``XML, SEE``.
    """

    id: str
    folder: str
    arguments: tuple[str, ...]
    letters: str
    input: str
    expected: bytes


@dataclass(frozen=True, slots=True)
class StoredRuns:
    """Runs, the files that they read, and tokens with the original's stems.

    The names of `inputs` are separated by ``/``.
    """

    runs: tuple[StoredRun, ...]
    inputs: Mapping[str, bytes]
    stems: tuple[tuple[bytes, bytes], ...]


def read_stored(path: str = ARCHIVE) -> StoredRuns:
    """Read the stored runs.

    Raises StoredRunsError if the file is missing or does not belong to this version.
    """
    files = _unpacked(_content(path))
    stems = tuple(
        (token, stem)
        for token, _, stem in (line.partition(b"\t") for line in files["stems.tsv"].splitlines())
    )
    inputs = {name: data for name, data in files.items() if name.startswith(INPUTS)}
    return StoredRuns(_runs(files), inputs, stems)


def _content(path: str) -> bytes:
    advice = "install rouge-cli anew"
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
    return content


def _unpacked(content: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
        return {
            member.name: stream.read()
            for member in archive
            if (stream := archive.extractfile(member)) is not None
        }


def _runs(files: Mapping[str, bytes]) -> tuple[StoredRun, ...]:
    listed = [json.loads(line) for line in files["cases.jsonl"].splitlines()]
    return tuple(
        StoredRun(
            case["id"],
            case["cwd"],
            tuple(case["args"]),
            case["letters"],
            case["input"],
            files[f"expected/{case['id']}.out"],
        )
        for case in listed
    )


FAMILIES = ("N", "L", "W", "S", "SU", "BE")
"""Families of metrics, in print order."""

METRIC = re.compile(rb" ROUGE-(?:[0-9]+|(L|W|SU|S|BE)[^ ]*) (?:Average_|M_count|Eval )")
LINE = re.compile(rb"[^\n]*\n|[^\n]+")

Printer = Callable[[Sequence[str]], bytes]
"""Runs arguments and returns standard output."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A line, counted from 1, that differs.

    `family` is that of the line's metric, one of `FAMILIES`; empty if unknown. Lines have their
    newlines; None where the output has ended.
    """

    line: int
    family: str
    expected: bytes | None
    found: bytes | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run of the original, and what happened here.

    `stopped` is the error that stopped the run, if any.
    """

    run: StoredRun
    differences: tuple[Difference, ...]
    stopped: str | None = None

    @property
    def is_same(self) -> bool:
        """Whether the same bytes were printed."""
        return not self.differences and self.stopped is None

    @property
    def n_lines(self) -> int:
        """Number of lines of the original's output."""
        return len(_lines(self.run.expected))

    @property
    def family_lines(self) -> Counter[str]:
        """Lines of the original's output, by family of metrics."""
        return Counter(families_of(_lines(self.run.expected)))

    def differs_in(self, family: str) -> bool:
        """Return whether a line about a family of metrics differs."""
        if self.stopped is not None:
            return self.family_lines[family] > 0
        return any(difference.family == family for difference in self.differences)


def compare_output(expected: bytes, printed: bytes) -> tuple[Difference, ...]:
    """Return the lines that differ."""
    old, new = _lines(expected), _lines(printed)
    families = zip_longest(families_of(old), families_of(new), fillvalue="")
    lines = zip_longest(old, new, families)
    return tuple(
        Difference(number, families[0] or families[1], before, now)
        for number, (before, now, families) in enumerate(lines, 1)
        if before != now
    )


def families_of(lines: Iterable[bytes]) -> list[str]:
    """Return the family of each line's metric; rules belong to the lines that follow."""
    families: list[str] = []
    family = ""
    for line in reversed(list(lines)):
        if match := METRIC.search(line):
            family = match[1].decode() if match[1] else "N"
        families.append(family)
    return families[::-1]


def _lines(output: bytes) -> list[bytes]:
    """Split an output after each newline, and nowhere else."""
    return LINE.findall(output)


def reproduce(stored: StoredRuns, printer: Printer) -> tuple[Outcome, ...]:
    """Repeat all stored runs in order and compare their output.

    The working directory is a temporary folder meanwhile. Raises StoredRunsError if the inputs
    cannot be written.
    """
    with _folder_of(stored.inputs) as folder:
        return tuple(
            [_outcome(run, os.path.join(folder, run.folder), printer) for run in stored.runs]
        )


def _outcome(run: StoredRun, folder: str, printer: Printer) -> Outcome:
    os.chdir(folder)
    try:
        printed = printer(run.arguments)
    # Incompatible libraries can raise anything.
    except Exception as error:
        reason = str(error).replace("\n", " ")
        return Outcome(run, (), f"{type(error).__name__}: {reason}")
    return Outcome(run, compare_output(run.expected, printed))


@contextmanager
def _folder_of(inputs: Mapping[str, bytes]) -> Iterator[str]:
    """Write files to a temporary folder; the working directory is restored afterwards."""
    before = _working_directory()
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(temporary_folder())
            _write(inputs, folder)
        except OSError as error:
            raise _no_place(error) from None
        try:
            yield folder
        finally:
            # Windows cannot remove the working directory.
            os.chdir(os.path.dirname(folder))
            with suppress(OSError):
                os.chdir(before)


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.path.abspath(os.sep)


def _write(inputs: Mapping[str, bytes], folder: str) -> None:
    for name, data in inputs.items():
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(data)


def _no_place(error: OSError) -> StoredRunsError:
    return StoredRunsError(
        f"the inputs of the stored runs cannot be written to a temporary folder: "
        f"{error.strerror}; set TMPDIR to a folder that can be written to"
    )


LIST_SHA256: Mapping[str, str] = MappingProxyType(
    {
        STOPWORDS: "708a95967c37d7d52765589e92d787e912d971e60d6d41d81c92a00cff58a42e",
        EXCEPTIONS: "3a4bb83017adaa453bcde932613158bdf4a0c58eda73120ce0d70315c1d63559",
    }
)
"""Checksums of the word lists, from the README next to them."""

FIRST_DRAWS: Mapping[int, tuple[int, ...]] = MappingProxyType(
    {
        0: (1708, 7499, 963, 8704, 5773, 7857, 6921, 3687),
        1: (416, 4544, 8348, 3359, 5654, 17, 1875, 9904),
        2: (9124, 1590, 5732, 8015, 5536, 2177, 6829, 6121),
        999: (1023, 6357, 8034, 9257, 7750, 5374, 5921, 4149),
        123_456: (9406, 6702, 6317, 2067, 553, 2884, 2221, 9899),
    }
)
"""What Perl prints for ``srand(SEED)`` and then ``int(rand(10000))``; C's drand48 is the same."""

N_DRAWN_FROM = 10_000


@dataclass(frozen=True, slots=True)
class Check:
    """A comparison of `n_compared` tokens, words or draws, with a line per difference."""

    what: str
    n_compared: int
    differences: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def check_stems(stems: Iterable[tuple[bytes, bytes]]) -> Check:
    """Compare stems with the original's."""
    pairs = list(stems)
    try:
        exceptions = load_exceptions()
    except OSError as error:
        return Check("stems", len(pairs), (_unreadable(EXCEPTIONS, error),))
    stems_here = ((token, stem, stem_of(token, exceptions)) for token, stem in pairs)
    differences = tuple(
        f"stem of {token.decode()}: original {stem.decode()}, here {here.decode()}"
        for token, stem, here in stems_here
        if here != stem
    )
    return Check("stems", len(pairs), differences)


def check_list(what: str, name: str) -> Check:
    """Check a word list that comes with the package against its checksum.

    `what` is its name in messages; `name` is `STOPWORDS` or `EXCEPTIONS` of `rouge_cli.data`.
    """
    try:
        data = read_list(name)
    except OSError as error:
        return Check(what, 0, (_unreadable(name, error),))
    checksum, expected = hashlib.sha256(data).hexdigest(), LIST_SHA256[name]
    differences = (
        (f"{name}: SHA-256 is {checksum}, expected {expected}",) if checksum != expected else ()
    )
    return Check(what, data.count(b"\n"), differences)


def check_draws() -> Check:
    """Compare the first draws of some resamples."""
    differences = []
    for seed, expected in FIRST_DRAWS.items():
        draws = draw_instances(N_DRAWN_FROM, range(seed, seed + 1))[0, : len(expected)].tolist()
        if draws != list(expected):
            differences.append(f"draws of seed {seed}: original {list(expected)}, here {draws}")
    n_draws = sum(map(len, FIRST_DRAWS.values()))
    return Check("random draws", n_draws, tuple(differences))


def list_sha256(name: str) -> str:
    """Return the checksum of a word list that comes with the package, or an error message."""
    try:
        return hashlib.sha256(read_list(name)).hexdigest()
    except OSError as error:
        return _unreadable(name, error)


def _unreadable(name: str, error: OSError) -> str:
    return f"{name}: cannot be read: {error.strerror}; install rouge-cli anew"
