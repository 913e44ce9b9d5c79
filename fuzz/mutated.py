"""Whole commands on mutated inputs: ``python -m fuzz.mutated [INPUTS [SEED]]``, ``make mutated``.

The files of a run are changed at random, by bytes, by lines or by long repetitions of up to a
megabyte. Each run is a forked child with limits of time and memory. It has to end with a known exit
code, and with a message if it refuses the input. It needs Linux.
"""

import gc
import gzip
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from pkgutil import walk_packages
from types import MappingProxyType

import rouge_cli
from fuzz.seeds import ROOT, SAMPLE, WORDS
from rouge_cli.cli.main import main as run_command

__all__ = ["READERS", "Outcome", "mutated", "outcomes", "problem_of", "seed_outcomes"]

N_INPUTS, N_PROCESSES = 10_000, 2
LONGEST = 1 << 20
SECONDS = 30
"""Wall-clock time: far more than any input should take, even on a busy machine."""

BYTES_OF_MEMORY = 4 << 30
EXIT_CODES = frozenset({0, 1, 2, 3})
FEW_BYTES = 1 << 12
PIECES = (
    *(b"\0", b"\n", b"\r", b'"', b"'", b",", b"\t", b"[", b"]", b"{", b"}", b"<", b">", b"\\"),
    *(b"=", b"  ", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3", "é‍。".encode(), b"\x1f\x8b", b"PAR1"),
    *(b"1e999", b"NaN", b"null", b"-0", b"\\ud800", b"[[", b"]]>", b"<!DOCTYPE a>", b"&a;"),
    b"9" * 400,
    *(word.encode() for words in WORDS.values() for word in words),
)
"""What means something to some reader."""


@dataclass(frozen=True)
class Reader:
    """What reads an input.

    Parameters
    ----------
    arguments : str
        Those of the command; ``{}`` is the input, ``{content}`` the input as an argument itself.
    name : str
        What the file is called.
    seeds : callable
        Returns inputs as they should be.
    """

    arguments: str
    name: str
    seeds: Callable[[], Sequence[bytes]]


def import_everything() -> None:
    """Import all modules, so that children need not."""
    for module in walk_packages(rouge_cli.__path__, "rouge_cli."):
        # Adapters need their frameworks, and no run of the program loads them.
        if not module.name.endswith("__main__") and ".integrations." not in module.name:
            import_module(module.name)
    for name in ("numpy", "scipy.stats", "pyarrow.parquet", "rich.console"):
        with suppress(ImportError):
            import_module(name)
    gc.freeze()


def of_sample(*names: str) -> Callable[[], Sequence[bytes]]:
    """Return the readers of files of the sample."""
    return lambda: [(SAMPLE / name).read_bytes() for name in names]


def made(name: str, *arguments: str) -> Callable[[], Sequence[bytes]]:
    """Return what a command on the sample writes to a file of that name."""

    def seeds() -> Sequence[bytes]:
        with tempfile.TemporaryDirectory() as top:
            folder = Path(top, "sample")
            shutil.copytree(SAMPLE, folder)
            outcome = in_child(["-n1", "-x", "-a", "config.xml", *arguments], folder)
            assert outcome.code == 0, outcome.said
            return [(folder / name).read_bytes()]

    return seeds


def table(delimiter: str) -> Callable[[], Sequence[bytes]]:
    """Return a table of records."""
    rows = ("id", "system", "prediction", "references"), ("1", "a", '"a ""b"" c"', "the cat")
    more = [(str(number), "a", f"the cat {number}", "a cat") for number in range(2, 200)]
    return lambda: ["".join(delimiter.join(row) + "\n" for row in (*rows, *more)).encode()]


def parquet(columns: Mapping[str, Sequence[object]]) -> Callable[[], Sequence[bytes]]:
    """Return a table as Parquet; nothing without pyarrow."""

    def seeds() -> Sequence[bytes]:
        try:
            pyarrow, writer = import_module("pyarrow"), import_module("pyarrow.parquet")
        except ImportError:
            return [b""]
        sink = pyarrow.BufferOutputStream()
        writer.write_table(pyarrow.table(dict(columns)), sink)
        content: bytes = sink.getvalue().to_pybytes()
        return [content]

    return seeds


OTHER_FILES = {
    "list": "peer models/ferry.A.txt\n",
    "elements": "peer model\n",
    "model": "head|mod|rel\n",
}
SYSTEMS = ("lead", "extract", "neural")
RECORDS = ("records.jsonl",)
SHORT = "-n1 -x -r9"
LINES = "--peer-lines {} --model-lines lines/A.txt"
PROTOCOL = b"""name = "ours"
version = "2"
like = "py-rouge"
[text]
limit = 0
[counts.metrics]
"R1" = "ROUGE-1"
"RL" = "ROUGE-L"
[scores]
alpha = 0.8
"""
TEXT = b'<html><body><a name="1">[1]</a> <a href="#1" id=1>a b c</a>\n</body></html>\n<S>a b</S>\n'
READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "configuration": Reader(f"{SHORT} -a {{}}", "c.xml", of_sample("config.xml")),
        "file list": Reader(f"{SHORT} -z SPL {{}}", "c.lst", of_sample("files.lst")),
        "JSONL": Reader(f"{SHORT} {{}}", "r.jsonl", of_sample(*RECORDS)),
        "JSON": Reader(
            f"{SHORT} {{}}",
            "r.json",
            lambda: [b"[%s]" % b",".join((SAMPLE / RECORDS[0]).read_bytes().splitlines())],
        ),
        "CSV": Reader(f"{SHORT} {{}}", "r.csv", table(",")),
        "TSV": Reader(f"{SHORT} {{}}", "r.tsv", table("\t")),
        "UTF-16": Reader(
            f"{SHORT} --encoding utf-16 {{}}",
            "r.csv",
            lambda: [text.decode().encode("utf-16") for text in table(",")()],
        ),
        "Parquet": Reader(
            f"{SHORT} {{}}",
            "r.parquet",
            parquet({"prediction": ["a b", "c"] * 50, "references": [["a", "c"], ["b"]] * 50}),
        ),
        "gzip": Reader(
            f"{SHORT} {{}}",
            "r.jsonl.gz",
            lambda: [gzip.compress((SAMPLE / RECORDS[0]).read_bytes(), mtime=0)],
        ),
        "lines": Reader(f"{SHORT} {LINES}", "p.txt", of_sample("lines/lead.txt")),
        "lines of sentences": Reader(
            f"-n1 -r9 {LINES} --sentence-separator <q>",
            "p.txt",
            lambda: [(SAMPLE / "lines" / "lead.txt").read_bytes().replace(b". ", b".<q>")],
        ),
        **{
            f"text, {form}": Reader(
                f"-n2 -2 4 -w 1.2 -m -r9 -z {form} list", "peer", lambda: [TEXT]
            )
            for form in ("SPL", "SEE", "ISI")
        },
        "Basic Elements": Reader(
            "-3 HMR -r9 -z SIMPLE elements", "peer", lambda: [b"head|mod|rel\na|b|-1\n" * 9]
        ),
        "other languages": Reader(
            f"{SHORT} {{}} --language de",
            "r.csv",
            lambda: [b"prediction,references\n" + "Die Häuser der Straße,ein Haus\n".encode() * 40],
        ),
        "pattern of peers": Reader(
            f"{SHORT} --peers {{content}} --models models/#ID#\\.[AB]\\.txt",
            "p",
            lambda: [rb"peers/(.*)\.lead\.txt", rb"peers/(?P<id>[^.]+)\.(?P<system>\w+)\.txt"],
        ),
        "pattern of models": Reader(
            f"{SHORT} --peers peers/(.*)\\.lead\\.txt --models {{content}}",
            "p",
            lambda: [rb"models/#ID#\.[AB]\.txt", rb"models/#ID#.(?:A|B)\.txt"],
        ),
        **{
            f"judgements, {suffix}": Reader(
                "correlate -n1 -r9 config.xml --judgements {}", f"j.{suffix}", seeds
            )
            for suffix, seeds in {
                "csv": of_sample("judgements.csv"),
                "tsv": lambda: [(SAMPLE / "judgements.csv").read_bytes().replace(b",", b"\t")],
                "jsonl": lambda: [
                    b"".join(
                        b'{"system": "%s", "x": [%d, 2.5]}\n' % (name.encode(), number)
                        for number, name in enumerate(SYSTEMS)
                    )
                ],
                "parquet": parquet({"system": SYSTEMS, "x": [1.0, 2.0, 1.5]}),
            }.items()
        },
        "scores": Reader(
            f"{SHORT} {RECORDS[0]} --add scores:{{}}",
            "s.csv",
            lambda: [
                b"system,eval,x\n"
                + b"".join(
                    b"%s,%d,0.5\n" % (name.encode(), number)
                    for name in SYSTEMS
                    for number in range(1, 5)
                )
            ],
        ),
        "saved scores": Reader("{}", "s.jsonl", made("s.jsonl", "--save", "s.jsonl")),
        "saved scores, Parquet": Reader(
            "{}", "s.parquet", made("s.parquet", "--save", "s.parquet")
        ),
        "report": Reader("{}", "s.json", made("s.json", "-d", "--report", "json=s.json")),
        "baseline": Reader(
            "-n1 -x -a config.xml --baseline {}",
            "b.json",
            made("b.json", "--report", "json=b.json"),
        ),
        "stopwords": Reader(
            f"{SHORT} {RECORDS[0]} -s --stopwords {{}}", "words", lambda: [b"a\nthe\nof\n# x\n" * 5]
        ),
        "protocol": Reader(f"--protocol {{}} {RECORDS[0]}", "p.toml", lambda: [PROTOCOL]),
        "word vectors": Reader(
            f"{SHORT} {RECORDS[0]} --soft {{}} --soft-threshold 0.5",
            "v.txt",
            lambda: [b"3 2\na 0.5 1\nferry 1 0\nboat 0.9 0.1\n"],
        ),
    }
)
"""Readers of files named by users, and of arguments with a syntax of their own."""


@dataclass(frozen=True)
class Outcome:
    """What became of a run; the code is None if it took too long."""

    code: int | None
    seconds: float
    megabytes: int
    said: str


def mutated(draw: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Change an input; one in ten grows to as much as a megabyte."""
    content = bytearray(draw.choice(seeds))
    longest = draw.randint(FEW_BYTES, LONGEST) if draw.random() < 1 / 10 else 2 * FEW_BYTES
    if len(content) < longest // 2:
        _repeat(draw, content, longest)
    for _ in range(draw.choice((1, 1, 2, 3, 8, 40))):
        draw.choice(MUTATIONS)(draw, content)
    return bytes(content[:LONGEST])


def _repeat(draw: random.Random, content: bytearray, longest: int) -> None:
    """Repeat some of it, or all, until it is long."""
    begin, end = _slice(draw, content) if draw.random() < 1 / 2 else (0, len(content))
    piece = bytes(content[begin:end]) or b"\n"
    content[end:end] = piece * max(0, (longest - len(content)) // len(piece))


def _repeat_piece(draw: random.Random, content: bytearray) -> None:
    """Put the same piece there, many times."""
    at = draw.randint(0, len(content))
    content[at:at] = draw.choice(PIECES) * draw.choice((1, 1, 1, 5, 300))


def _flip(draw: random.Random, content: bytearray) -> None:
    """Change a byte."""
    if content:
        content[draw.randrange(len(content))] = draw.randrange(256)


def _flip_bit(draw: random.Random, content: bytearray) -> None:
    """Change a bit."""
    if content:
        content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)


def _delete(draw: random.Random, content: bytearray) -> None:
    """Take something out."""
    begin, end = _slice(draw, content)
    del content[begin:end]


def _truncate(draw: random.Random, content: bytearray) -> None:
    """Cut it off."""
    del content[draw.randint(0, len(content)) :]


def _double(draw: random.Random, content: bytearray) -> None:
    """Put something elsewhere too."""
    begin, end = _slice(draw, content)
    at = draw.randint(0, len(content))
    content[at:at] = content[begin:end]


def _replace_line(draw: random.Random, content: bytearray) -> None:
    """Put a line in the place of another."""
    lines = content.split(b"\n")
    lines[draw.randrange(len(lines))] = draw.choice(lines)
    content[:] = b"\n".join(lines)


def _randomise(draw: random.Random, content: bytearray) -> None:
    """Put any bytes somewhere."""
    begin, end = _slice(draw, content)
    content[begin:end] = draw.randbytes(end - begin)


def _slice(draw: random.Random, content: bytearray) -> tuple[int, int]:
    """Choose a part, mostly a short one."""
    begin = draw.randint(0, len(content))
    most = len(content) - begin
    return begin, begin + draw.randint(0, draw.choice((min(8, most), min(80, most), most)))


MUTATIONS = (
    *(_flip, _flip, _flip_bit, _repeat_piece, _repeat_piece, _repeat_piece),
    *(_delete, _truncate, _double, _replace_line, _randomise),
)


def in_child(arguments: Sequence[str], folder: Path) -> Outcome:
    """Run a command in a forked child, in a folder."""
    said = folder / "stderr"
    begun = time.monotonic()
    child = os.fork()
    if not child:
        _run(arguments, folder, said)
    code = None
    while (seconds := time.monotonic() - begun) < SECONDS:
        pid, status, used = os.wait4(child, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            break
        time.sleep(0.001)
    else:
        os.kill(child, 9)
        _, _, used = os.wait4(child, 0)
    text = said.read_text("utf-8", "replace") if said.exists() else ""
    return Outcome(code, seconds, used.ru_maxrss >> 10, text)


def _run(arguments: Sequence[str], folder: Path, said: Path) -> None:
    """Be the command, in a child; does not return."""
    code: object = 70
    try:
        os.chdir(folder)
        resource.setrlimit(resource.RLIMIT_AS, (BYTES_OF_MEMORY, BYTES_OF_MEMORY))
        streams: tuple[tuple[str, int], ...] = (
            (os.devnull, os.O_RDONLY),
            (os.devnull, os.O_WRONLY),
            (str(said), os.O_CREAT | os.O_TRUNC | os.O_WRONLY),
        )
        for number, (path, flags) in enumerate(streams):
            os.dup2(os.open(path, flags, 0o600), number)
        sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", 1, errors="backslashreplace", closefd=False)
        sys.argv = ["rouge-cli", *arguments]
        run_command()
    except SystemExit as ended:
        code = ended.code
    finally:
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0)


def problem_of(outcome: Outcome) -> str | None:
    """Return what is wrong with a run; None if nothing is."""
    is_refused = outcome.code in {2, 3}
    wrong = {
        f"takes more than {SECONDS} s": outcome.code is None,
        "a traceback": "Traceback" in outcome.said or "Exception ignored" in outcome.said,
        f"exit code {outcome.code}": outcome.code not in EXIT_CODES,
        "fails without a word": is_refused and "Error: " not in outcome.said,
        "takes all memory": "not enough memory" in outcome.said,
    }
    return next((what for what, is_so in wrong.items() if is_so), None)


def outcomes(
    n_inputs: int, seed: int, share: int = 0, n_shares: int = 1
) -> Iterator[tuple[str, bytes, Outcome]]:
    """Run a share of the inputs, each reader in turn; yield its name, input and outcome."""
    seeds = {name: reader.seeds() for name, reader in READERS.items()}
    names = list(READERS)
    with _folder() as folder:
        for number in range(share, n_inputs, n_shares):
            name = names[number % len(names)]
            content = mutated(random.Random(f"{seed} {number}"), seeds[name])
            yield name, content, _outcome(READERS[name], content, folder)


def seed_outcomes() -> Iterator[tuple[str, Outcome]]:
    """Run all inputs as they are."""
    with _folder() as folder:
        for name, reader in READERS.items():
            for content in reader.seeds():
                yield name, _outcome(reader, content, folder)


@contextmanager
def _folder() -> Iterator[Path]:
    """Provide a copy of the sample, with some files more."""
    with tempfile.TemporaryDirectory(prefix="rouge-cli-mutated-") as top:
        folder = Path(top, "sample")
        shutil.copytree(SAMPLE, folder)
        for name, text in OTHER_FILES.items():
            (folder / name).write_text(text)
        yield folder


def _outcome(reader: Reader, content: bytes, folder: Path) -> Outcome:
    """Run what reads an input."""
    path = folder / reader.name
    path.write_bytes(content)
    outcome = in_child(_arguments(reader, content), folder)
    path.unlink()
    return outcome


def _arguments(reader: Reader, content: bytes) -> list[str]:
    """Return the arguments of a run; one of them may be the input itself, without zero bytes."""
    text = content.replace(b"\0", b"").decode("utf-8", "surrogateescape")
    return [word.format(reader.name, content=text) for word in reader.arguments.split()]


def _say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def run_share(
    n_inputs: int, seed: int, n_shares: int, share: int
) -> tuple[Counter[str], float, int]:
    """Run a share, and print what is wrong.

    Returns how often each outcome was, the most seconds and the most megabytes.
    """
    counter: Counter[str] = Counter()
    slowest = largest = Outcome(0, 0, 0, "")
    for name, content, outcome in outcomes(n_inputs, seed, share, n_shares):
        counter[f"exit code {outcome.code}"] += 1
        slowest = max(slowest, outcome, key=lambda one: one.seconds)
        largest = max(largest, outcome, key=lambda one: one.megabytes)
        if problem := problem_of(outcome):
            counter["WRONG"] += 1
            kept = ROOT / "fuzz" / ".work" / f"mutated-{seed}-{counter.total()}-{share}"
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(content)
            _say(f"{name}: {problem}: {kept}\n{outcome.said[-2000:]}")
    return counter, slowest.seconds, largest.megabytes


def main() -> None:
    """Run everything, print the figures, and fail if any run is wrong."""
    n_inputs = int(sys.argv[1]) if len(sys.argv) > 1 else N_INPUTS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() % 1_000_000  # noqa: PLR2004
    _say(f"seed {seed}")
    import_everything()
    for name, outcome in seed_outcomes():
        if outcome.code != 0:
            sys.exit(f"{name}: not read as it is: {outcome.said}")
    begun = time.monotonic()
    share = partial(run_share, n_inputs, seed, N_PROCESSES)
    with ProcessPoolExecutor(N_PROCESSES, get_context("fork")) as executor:
        shares = list(executor.map(share, range(N_PROCESSES)))
    counters, seconds, megabytes = zip(*shares, strict=True)
    counter = sum(counters, Counter[str]())
    n_wrong = counter.pop("WRONG", 0)
    figures = ", ".join(f"{number:,} with {what}" for what, number in counter.most_common())
    _say(f"{n_inputs:,} inputs of {len(READERS)} readers: {figures}; {n_wrong} wrong")
    _say(f"at most {max(seconds):.1f} s and {max(megabytes)} MB; {time.monotonic() - begun:.0f} s")
    sys.exit(n_wrong > 0)


if __name__ == "__main__":
    main()
