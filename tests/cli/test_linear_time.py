"""No reader takes more than linear time, whatever characters its input repeats."""

import json
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import Run, write_files

LENGTH = 300_000
SHORTER = 50_000
"""For patterns, longer ones of which Python compiles for seconds, and for Markdown, whose reader
takes a second for 30,000 brackets: both are linear."""

SECONDS = 3
"""Of processor time; a second is usual at most. Even a loop that only copies what is left at each
character takes more, a regular expression that goes back at each one takes minutes."""

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

RECORD = '{"id": 1, "prediction": "a cat", "references": "the cat"}'
RECORDS = {"r.jsonl": "\n".join(RECORD.replace("1", f'"e{k}"') for k in range(3))}
SAME_KEYS = "".join(f'"{number % 20_000}": {{}}, ' for number in range(40_000))
NUMBERS = '{"system": "X", "eval": "e1", "human": [1, 1]}'
"""A number in a string is text in JSON, unless its column has numbers too."""

READERS: dict[str, tuple[str, dict[str, str]]] = {
    "configuration": ("c.xml", {"c.xml": "@text@"}),
    "attribute": ("c.xml", {"c.xml": '<ROUGE-EVAL><EVAL ID="@text@"></EVAL></ROUGE-EVAL>'}),
    "file list": ("-z SPL c", {"c": "@text@"}),
    "JSONL": ("r.jsonl", {"r.jsonl": "@text@"}),
    "JSON": ("r.json", {"r.json": "@text@"}),
    "CSV": ("r.csv", {"r.csv": "@text@"}),
    "TSV": ("r.tsv", {"r.tsv": "@text@"}),
    "text of a record": ("r.jsonl", {"r.jsonl": RECORD.replace("a cat", "@json@")}),
    "field of a table": ("r.csv", {"r.csv": 'prediction,references\n"@csv@","the cat"'}),
    "ID": (
        "r.jsonl",
        {"r.jsonl": "\n".join(RECORD.replace("1", f'"@id@{end}"') for end in "ab")},
    ),
    "keys more than once": ("r.jsonl", {"r.jsonl": f'{{{SAME_KEYS}"text": "@json@"}}'}),
    "line": ("--peer-lines p --model-lines m", {"p": "@line@", "m": "the cat"}),
    **{
        form: (f"-z {form} list", {"list": "peer model", "peer": "@text@", "model": "the|cat|nil"})
        for form in ("SEE", "SPL", "ISI")
    },
    **{
        f"{what} of {kind}": (f"{command}n.jsonl", RECORDS | {"n.jsonl": NUMBERS.replace(*change)})
        for kind, command in (
            ("judgements", "correlate r.jsonl --judgements "),
            ("scores", "r.jsonl --add scores:"),
        )
        for what, change in (("number", (", 1]", ', "@json@a"]')), ("ID", ("e1", "@json@a0")))
    },
    "pattern of peers": ("--peers @text@(a) --models #ID#", {"a.txt": "a cat"}),
    "pattern of models": ("--peers (a).txt --models #ID#@text@", {"a.txt": "a cat"}),
    "folders of a pattern": ("--peers @text@/(a) --models @text@/#ID#", {"a.txt": "a cat"}),
    "baseline": ("r.jsonl --baseline b.json", RECORDS | {"b.json": "@text@"}),
    "stopwords": ("r.jsonl --stopwords words", RECORDS | {"words": "@text@"}),
    "notes": (
        "r.jsonl --report html --no-figures --notes n.md",
        RECORDS | {"n.md": "@text@"},
    ),
    "protocol": ("r.jsonl --protocol p.toml", RECORDS | {"p.toml": "@text@"}),
    "saved scores": (
        "s.jsonl",
        {"s.jsonl": '{"program": "rouge-cli", "version": "@json@"}\n@text@'},
    ),
}
"""A command and its files; names between ``@`` are the text in some form."""


def filled_in(template: str, text: str) -> str:
    one_line = text.replace("\n", " ")
    forms = {
        "text": text,
        "json": json.dumps(text)[1:-1],
        "csv": text.replace('"', '""'),
        "line": one_line,
        "id": json.dumps(one_line.strip() or "a")[1:-1],
    }
    return re.sub("@(.*?)@", lambda found: forms[found[1]], template)


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
    length = SHORTER if "pattern" in reader or reader == "notes" else LENGTH
    command, files = READERS[reader]
    options = [] if reader == "saved scores" else ["-n1", "-x"]
    for characters in RUNS_OF.get(reader, runs):
        text = characters * (length // len(characters))
        write_files(tmp_path, {name: filled_in(files[name], text) for name in files})
        words = [filled_in(word, text) for word in command.split()]
        with processor_time(SECONDS):
            finished = run(*words, *options, cwd=tmp_path)
        # 2: no pattern, and no protocol.
        assert finished.code in {0, 2, 3}, (characters, finished.err[:500])
