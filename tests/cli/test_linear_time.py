"""No reader takes more than linear time, whatever characters its input has in a row."""

import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import Run

LENGTH = 400_000
LENGTH_OF_PATTERNS = 50_000
"""Python takes several seconds to compile longer ones, if in linear time."""

SECONDS = 5
"""Of processor time; a second is usual at most. Even a loop that only copies what is left at each
character takes more, a regular expression that goes back at each one takes minutes."""

NOTES_LENGTH = 50_000
"""The reader of Markdown takes linear time, but a second for 30,000 brackets."""

if sys.gettrace() is not None:
    # Coverage looks at each line.
    SECONDS *= 4

RUNS = (
    "0", "1.", ".txt", "-", " ", "\t", "\r", "\n", "\n ", "a.", "A ", "<", "<a name=", "[", "]",
    "{", '"', '""', '"a":', ",", ",[", "\\", "\\u", "'", "&", "|", "=", ":", "::", "##[", "é",
    "\u200d", "。",
)  # fmt: skip
"""What is repeated: what stands in regular expressions, or opens something that never closes."""

RUNS_OF_PATTERNS = ("0", ".txt", "-", " ", "[", "]", "{", "\\", "|", "=", "##[", "a.", "é", "/")
"""A letter, and what regular expressions and names of files do not take for one."""

RUNS_OF = {
    "notes": ("1.", "-", " ", "\n", "<", "[", "]", '"', "\\", "&", "|", "="),
    "keys more than once": (
        "0", " ", "\n", "[", "]", "{", '"', '""', '"a":', ",", "\\", "\\u", ":",
    ),
}  # fmt: skip
"""What opens or closes something in Markdown, and in JSON; all else there is a letter."""

Write = Callable[[Path, str], list[str]]
"""Writes an input that holds some characters, and returns the arguments of a run."""

PLAIN = ["-n1", "-x"]


def jsonl(folder: Path, name: str, *lines: str) -> str:
    path = folder / name
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="")
    return str(path)


def raw(name: str, *options: str) -> Write:
    return lambda folder, text: [jsonl(folder, name, text), *PLAIN, *options]


def in_json(text: str) -> str:
    return json.dumps(text)


RECORD = '{{"id": {id}, "prediction": {text}, "references": "the cat"}}'


def record_text(folder: Path, text: str) -> list[str]:
    line = RECORD.format(id=1, text=in_json(text))
    return [jsonl(folder, "r.jsonl", line), *PLAIN]


def keys_more_than_once(folder: Path, text: str) -> list[str]:
    keys = "".join(f'"{number % 20_000}": {{}}, ' for number in range(40_000))
    line = f'{{{keys}"text": {in_json(text)}}}'
    return [jsonl(folder, "r.jsonl", line), *PLAIN]


def record_id(folder: Path, text: str) -> list[str]:
    ids = (in_json(f"{text.strip() or 'a'}{end}".replace("\n", " ")) for end in "ab")
    lines = (RECORD.format(id=id_, text='"a cat"') for id_ in ids)
    return [jsonl(folder, "r.jsonl", *lines), *PLAIN]


def table_cell(folder: Path, text: str) -> list[str]:
    cell = text.replace('"', '""')
    return [jsonl(folder, "r.csv", "prediction,references", f'"{cell}","the cat"'), *PLAIN]


def numbers(option: str, cell: str, eval_id: str) -> Write:
    """Return what puts them, for ``#``, into a number or an EVAL ID of a file of numbers."""

    def write(folder: Path, text: str) -> list[str]:
        records = (RECORD.format(id=f'"e{number}"', text='"a cat"') for number in range(3))
        # A number in a string is text in JSON, unless its column has numbers too.
        value = in_json(cell.replace("#", text)) if "#" in cell else cell
        key = in_json(eval_id.replace("#", text))
        row = f'{{"system": "X", "eval": {key}, "human": [1, {value}]}}'
        command = ["correlate"] if option == "--judgements" else []
        names = [jsonl(folder, "r.jsonl", *records), option, jsonl(folder, "n.jsonl", row)]
        return [*command, *names, "-n1"]

    return write


def text_file(form: str) -> Write:
    def write(folder: Path, text: str) -> list[str]:
        files = [jsonl(folder, "peer", text), jsonl(folder, "model", "the|cat|nil")]
        return [*PLAIN, "-z", form, jsonl(folder, "list", " ".join(Path(f).name for f in files))]

    return write


def line_file(folder: Path, text: str) -> list[str]:
    line = text.replace("\n", " ")
    peers, models = jsonl(folder, "p", line), jsonl(folder, "m", "the cat")
    return [*PLAIN, "--peer-lines", peers, "--model-lines", models]


def attribute(folder: Path, text: str) -> list[str]:
    return [jsonl(folder, "c.xml", f'<ROUGE-EVAL><EVAL ID="{text}"></EVAL></ROUGE-EVAL>'), *PLAIN]


def patterns(peers: str, models: str) -> Write:
    """Return what puts them, for ``@``, into patterns of names."""

    def write(folder: Path, text: str) -> list[str]:
        jsonl(folder, "a.txt", "a cat")
        text = text[:LENGTH_OF_PATTERNS]
        given = [pattern.replace("@", text) for pattern in (peers, models)]
        return [*PLAIN, "--peers", given[0], "--models", given[1]]

    return write


def beside_records(option: str, name: str) -> Write:
    """Return what puts them into another file than that of the records."""

    def write(folder: Path, text: str) -> list[str]:
        records = jsonl(folder, "r.jsonl", RECORD.format(id=1, text='"a cat"'))
        return [records, *PLAIN, option, jsonl(folder, name, text)]

    return write


READERS: dict[str, Write] = {
    "configuration": raw("c.xml"),
    "attribute": attribute,
    "file list": raw("c", "-z", "SPL"),
    "JSONL": raw("r.jsonl"),
    "JSON": raw("r.json"),
    "CSV": raw("r.csv"),
    "TSV": raw("r.tsv"),
    "text of a record": record_text,
    "field of a table": table_cell,
    "ID": record_id,
    "keys more than once": keys_more_than_once,
    "line": line_file,
    **{form: text_file(form) for form in ("SEE", "SPL", "ISI")},
    "judgement": numbers("--judgements", "#a", "e1"),
    "score": numbers("--add", "scores:#a", "e1"),
    "ID of a judgement": numbers("--judgements", "1", "#a0"),
    "ID of a score": numbers("--add", "scores:1", "#a0"),
    "pattern of peers": patterns("@(a)", "#ID#"),
    "pattern of models": patterns("(a).txt", "#ID#@"),
    "folders of a pattern": patterns("@/(a)", "@/#ID#"),
    "baseline": beside_records("--baseline", "b.json"),
    "stopwords": beside_records("--stopwords", "words"),
    "notes": lambda folder, text: [
        *beside_records("--notes", "n.md")(folder, text[:NOTES_LENGTH]),
        *("--report", "html", "--no-figures"),
    ],
    "protocol": beside_records("--protocol", "p.toml"),
    "saved scores": lambda folder, text: [
        jsonl(folder, "s.jsonl", f'{{"program": "rouge-cli", "version": {in_json(text)}}}', text)
    ],
}


@contextmanager
def processor_time(seconds: float) -> Iterator[None]:
    """Stop what takes more processor time than that, and fail."""
    is_over = False

    def stop(*_: object) -> None:
        nonlocal is_over
        is_over = True
        raise SystemExit

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert not is_over, f"more than {seconds} s of processor time"


@pytest.mark.skipif(not hasattr(signal, "SIGVTALRM"), reason="the system has no such timer")
@pytest.mark.parametrize("reader", READERS)
def test_long_runs_of_characters_are_read_in_linear_time(
    reader: str, tmp_path: Path, run: Run
) -> None:
    runs = RUNS_OF_PATTERNS if "pattern" in reader else RUNS
    for characters in RUNS_OF.get(reader, runs):
        text = characters * (LENGTH // len(characters))
        arguments = READERS[reader](tmp_path, text)
        with processor_time(SECONDS):
            finished = run(*arguments, cwd=tmp_path)
        # 2: no pattern, and no protocol.
        assert finished.code in {0, 2, 3}, (characters, finished.err[:500])
