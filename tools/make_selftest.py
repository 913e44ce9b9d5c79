"""Make the stored runs of `rouge-cli selftest` from the golden cases.

Run as ``python tools/make_selftest.py``. It chooses a few runs of the original that together
cover every metric, option, value and format, packs them with their inputs and thousands of stems
into ``rouge_cli/data/selftest/runs.tar.gz``, and prints the checksum of the content, which
`rouge_cli.selftest` has to contain. Equal cases give equal content.
"""

import gzip
import hashlib
import io
import json
import re
import sys
import tarfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "fixtures" / "golden"
ARCHIVE = ROOT / "rouge_cli" / "data" / "selftest" / "runs.tar.gz"

# One stem in three is stored.
STEM_STEP = 3

# Runs that show a rare quirk.
WITH_QUIRKS = (
    "0000-duc-see 0002-duc-see 0003-duc-see 0006-duc-see 0009-be 0010-be 0011-be 0013-be 0015-be "
    "0017-be 0019-be 0021-stem 0022-spl 0023-duc-see 0025-duc-see 0028-duc-see 0029-duc-see "
    "0034-duc-see 0035-duc-see 0038-spl 0039-spl 0041-spl 0045-spl 0046-spl 0054-spl 0058-isi "
    "0059-isi 0065-isi 0068-odd 0072-odd 0082-odd 0091-stem 0093-stem 0102-stem 0113-short "
    "0120-short 0131-edge 0144-edge 0152-many"
)

WITH_VALUE = "nw23lbfptcrz"
LETTER = re.compile(r"-([A-Za-z0-9])(.*)", re.DOTALL)
METRIC = re.compile(rb"^\S+ ROUGE-(?:(?P<order>\d)|(?P<name>BE-\w+|SU|L|W|S))", re.MULTILINE)
FORMAT = re.compile(r'TYPE="([A-Z]+)"')


@dataclass(frozen=True)
class Case:
    """A run of the original.

    Parameters
    ----------
    id, cwd : str
    args : tuple of str
    options : tuple of (str, str)
        Each letter with its value, which is empty for a switch.
    input : str
        Layout and format, such as ``XML, SEE``.
    expected : bytes
        What was printed.
    """

    id: str
    cwd: str
    args: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    input: str
    expected: bytes

    @property
    def letters(self) -> str:
        """The letters of its options."""
        return "".join(letter for letter, _ in self.options)

    @property
    def metrics(self) -> set[str]:
        """Families of metrics in what was printed; BE with its mode."""
        return {
            "N" if found["order"] else found["name"].decode()
            for found in METRIC.finditer(self.expected)
        }

    def features(self) -> set[tuple[str, ...]]:
        """Return what the run shows: options with values, metrics with settings, spellings."""
        settings: list[tuple[str, ...]] = [("corpus", self.cwd), ("input", self.input)]
        settings += [item for item in self.options if item[0] in "fptd"]
        settings += [(letter,) for letter in self.letters if letter in "mMslba"]
        attached = [("spelt", word[:2]) for word in self.args if re.match(r"-[a-zA-Z]\w", word)]
        pairs = {(metric, *setting) for metric, setting in product(self.metrics, settings)}
        return {*self.options, *settings, *attached, *pairs}


def parse_options(args: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield letters and values, with clusters split, up to the first word that is not an option."""
    words = iter(args)
    for word in words:
        rest = word
        while match := LETTER.fullmatch(rest):
            letter, more = match.groups()
            if letter in WITH_VALUE:
                yield letter, more or next(words)
                break
            yield letter, ""
            rest = f"-{more}"
        if not word.startswith("-"):
            return


def read_cases() -> list[Case]:
    """Read all golden cases."""
    cases = []
    for line in (GOLDEN / "cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        options = tuple(parse_options(case["args"]))
        config = (GOLDEN / case["cwd"] / "config.xml").read_text("latin-1")
        (form,) = set(FORMAT.findall(config))
        layout = "list" if "z" in dict(options) else "XML"
        expected = (GOLDEN / "expected" / f"{case['id']}.out").read_bytes()
        args = tuple(case["args"])
        cases.append(Case(case["id"], case["cwd"], args, options, f"{layout}, {form}", expected))
    return cases


def chosen(cases: list[Case]) -> list[Case]:
    """Choose the cases with quirks, then repeatedly the one with most new features per byte."""
    picked = [case for case in cases if case.id in WITH_QUIRKS.split()]
    missing = {feature for case in cases for feature in case.features()}
    missing -= {feature for case in picked for feature in case.features()}
    cost = {case.id: len(zlib.compress(case.expected, 9)) for case in cases}
    while missing:
        best = max(cases, key=lambda case: len(case.features() & missing) / cost[case.id])
        missing -= best.features()
        picked.append(best)
    return sorted(picked, key=lambda case: case.id)


def content() -> dict[str, bytes]:
    """Return the files to store: name to bytes."""
    cases = chosen(read_cases())
    listed = [
        {
            "id": case.id,
            "cwd": case.cwd,
            "args": case.args,
            "letters": case.letters,
            "input": case.input,
        }
        for case in cases
    ]
    files = {"cases.jsonl": b"".join(json.dumps(one).encode() + b"\n" for one in listed)}
    files |= {f"expected/{case.id}.out": case.expected for case in cases}
    for folder in sorted({case.cwd for case in cases}):
        for path in (GOLDEN / folder).rglob("*"):
            if path.is_file():
                files[path.relative_to(GOLDEN).as_posix()] = path.read_bytes()
    stems = (GOLDEN / "stems.tsv").read_bytes().splitlines(keepends=True)
    files["stems.tsv"] = b"".join(stems[::STEM_STEP])
    return files


def packed(files: dict[str, bytes]) -> bytes:
    """Return the files as a tar archive, the same for the same files."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def main() -> int:
    """Write the archive and describe its content; return the exit code."""
    files = content()
    archive = packed(files)
    data = gzip.compress(archive, 9, mtime=0)
    ARCHIVE.write_bytes(data)
    n_runs = sum(name.startswith("expected/") for name in files)
    n_stems = files["stems.tsv"].count(b"\n")
    print(f"{ARCHIVE.name}: {n_runs} runs, {n_stems:,} stems, {len(data):,} bytes")
    print(f"SHA-256 of the tar archive in it: {hashlib.sha256(archive).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
