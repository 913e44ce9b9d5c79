r"""Transcripts of the command line: commands, exit codes, messages and output.

Each file in ``transcripts/`` has a topic. The first character of a line shows its kind:

- ``@ NAMES CONTENT``: files in the folder in which the commands below run. Names are separated by
  commas. Names and content are written with the escapes of a bytes literal (``\x20`` is a blank in
  a name). A name that ends in a slash is a folder, and has no content. ``NAME*9`` appends the
  content nine times, with ``{k}`` replaced by the numbers from 0 on. ``NAME -> PLACE`` is a link,
  ``NAME |`` a FIFO, and ``NAME EVAL ID SYSTEM=FILE : MODEL=FILE`` a configuration, with blanks
  between systems, models and EVALs. The first such line after a command starts an empty folder.
- ``@ sample``, ``@ judgements``: that folder of fixtures, or a copy of it if more files or commands
  with ``&`` follow.
- ``& ARGUMENTS``: a command that succeeds, run before each of the commands below.
- ``$ ARGUMENTS``: a command, as typed into a shell after ``rouge-cli``. Environment variables may
  precede it, as in ``$ COLUMNS=60 a.xml``, and ``< NAME`` at the end makes a file standard input.
  Each command runs in a new folder.
- ``% ARGUMENTS``: another command with the same expectations as the one above.
- ``? MODULES``: the command is skipped if any of these modules, separated by blanks, is missing.
- ``< CONTENT``: the content of standard input.
- ``2 MESSAGE``: the exit code, and the first line on standard error; ``+ MESSAGE``: a further line.
  ``...`` at the end of a line stands for any text; a last ``+ ...`` stands for any further lines.
  Without such a line, the exit code is 0 and standard error is empty.
- ``> TEXT``: after the lines expected so far, some line of the output begins with the text.
  ``| TEXT``: the rest of the output consists of the lines with this sign.
- ``* TEXT``: the output contains the text; ``! TEXT``: it does not.
- ``. PATH VALUE``: the output is JSON with this value at a path such as ``systems/0/id``; a path
  that ends in ``/#`` stands for the number of items or keys. ``~ PATH VALUE``: a number that
  differs from this one by at most half a unit of its last decimal.
- ``= ARGUMENTS``: the output equals that of this command; ``=`` alone: there is no output.
- ``: NAME CONTENT``: the command leaves a file with this content, or with any if none is written;
  ``: NAME = ARGUMENTS``: a file with the output of that command.
- ``#``: a remark.
- Two blanks continue the line above, after a blank; a tilde and two blanks continue it without one.

In arguments and messages ``{here}`` is the folder. Expected counts and scores are worked by hand.
"""

import codecs
import io
import json
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Finished, Run, eval_xml

FIXTURES = (Path(__file__).parents[2] / "fixtures").resolve()
SHARED = {"sample", "judgements"}


@dataclass
class Case:
    """A command, its folder, and its expected results, as pairs of a sign and a text."""

    topic: str
    command: str
    files: dict[str, str]
    first: list[str]
    expected: list[tuple[str, str]] = field(default_factory=list)

    def of(self, *signs: str) -> list[str]:
        return [text for sign, text in self.expected if sign in signs]

    def folder(self, empty: Path) -> Path:
        """Return the folder in which the command runs, with its files."""
        shared = [FIXTURES / name for name in self.files if name in SHARED]
        if shared and len(self.files) == 1 and not self.first and not self.of(":"):
            return shared[0]
        for folder in shared:
            shutil.copytree(folder, empty, dirs_exist_ok=True)
        for name, content in self.files.items():
            path = empty / codecs.decode(name, "unicode_escape")
            path.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith("/"):
                path.mkdir(exist_ok=True)
            elif content.startswith("-> "):
                path.symlink_to(content.removeprefix("-> "))
            elif content == "|":
                if not hasattr(os, "mkfifo"):
                    pytest.skip("no FIFOs here")
                os.mkfifo(path)
            elif name not in SHARED:
                path.write_bytes(unescaped(content))
        return empty


def configuration(evals: str) -> str:
    def named(files: str) -> dict[str, str]:
        return dict(word.split("=") for word in files.split())

    parts = re.findall(r"EVAL (\S+) (.*?) : (.*?)(?= EVAL |$)", evals)
    return f"<R>{''.join(eval_xml(key, named(p), named(m)) for key, p, m in parts)}</R>"


def unescaped(content: str) -> bytes:
    if content.startswith("EVAL "):
        content = configuration(content)
    return codecs.escape_decode(content.encode())[0]


def joined_lines(transcript: str) -> Iterator[str]:
    lines: list[str] = []
    for line in transcript.strip().splitlines():
        if line.startswith(("  ", "~  ")):
            lines[-1] += line[1:] if line[0] == " " else line[3:]
        elif not line.startswith("# "):
            lines.append(line)
    yield from lines


def cases_of(topic: str, transcript: str) -> Iterator[Case]:
    files: dict[str, str] = {}
    first: list[str] = []
    case: Case | None = None
    for line in joined_lines(transcript):
        sign, _, rest = line.partition(" ")
        if sign == "@":
            if case is not None:
                yield case
                case, files, first = None, {}, []
            names, _, content = rest.partition(" ")
            if "*" in names:
                names, _, n_times = names.partition("*")
                parts = (content.replace("{k}", str(k)) for k in range(int(n_times)))
                content = files.get(names, "") + "".join(parts)
            files |= dict.fromkeys(names.split(","), content)
        elif sign == "&":
            if case is not None:
                yield case
                case = None
            first.append(rest)
        elif sign in {"$", "%"}:
            shared = case.expected if case is not None and sign == "%" else []
            if case is not None:
                yield case
            case = Case(topic, rest, files, [*first], shared)
        else:
            assert case is not None, line
            assert sign.isdigit() or sign in {*"+>|*!.~=:<?"}, line
            case.expected.append((sign, rest))
    if case is not None:
        yield case


CASES = [
    case
    for path in sorted((Path(__file__).parent / "transcripts").iterdir())
    for case in cases_of(path.stem, path.read_text("utf-8"))
]


def value_at(report: Any, path: str) -> Any:
    for key in path.split("/"):
        report = (
            len(report) if key == "#" else report[int(key) if isinstance(report, list) else key]
        )
    return report


def cut(lines: list[str], expected: list[str]) -> list[str]:
    """Return the lines, with an ellipsis for all text that the expected lines leave open."""
    if expected[-1:] == ["..."]:
        return [*cut(lines[: len(expected) - 1], expected[:-1]), "..."]
    ends = [len(text) - 3 if text.endswith("...") else None for text in expected]
    cut_lines = [
        line if end is None else f"{line[:end]}..." for line, end in zip(lines, ends, strict=False)
    ]
    return cut_lines + lines[len(ends) :]


def check_output(case: Case, finished: Finished) -> None:
    printed = finished.out.decode()
    lines = printed.splitlines()
    for beginning in case.of(">"):
        place = [line.startswith(beginning) for line in lines].index(True)
        del lines[: place + 1]
    if case.of("|"):
        assert lines == case.of("|")
    for text in case.of("*"):
        assert text in printed
    for text in case.of("!"):
        assert text not in printed
    for path, _, value in (text.partition(" ") for text in case.of(".")):
        assert (path, value_at(json.loads(printed), path)) == (path, json.loads(value))
    for path, _, value in (text.partition(" ") for text in case.of("~")):
        tolerance = Decimal((0, (5,), Decimal(value).as_tuple().exponent - 1))  # type: ignore[operator]
        found = value_at(json.loads(printed), path)
        assert found == pytest.approx(float(value), abs=float(tolerance)), path


def contents(folder: Path) -> dict[Path, bytes | None]:
    """Return the content of each file in a folder; None for folders in it."""
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize(
    "case", CASES, ids=[f"{case.topic}: {case.command}"[:80] for case in CASES]
)
def test_transcript(case: Case, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for modules in case.of("?"):
        for module in modules.split():
            pytest.importorskip(module)
    folder = case.folder(tmp_path)

    def run_words(command: str) -> Finished:
        words = [word.replace("{here}", str(folder)) for word in shlex.split(command)]
        with monkeypatch.context() as environment:
            while words and re.match("[A-Z_]+=", words[0]):
                environment.setenv(*words.pop(0).split("=", 1))
            if words[-2:-1] == ["<"]:
                content = (folder / words.pop()).read_bytes()
                words.pop()
                environment.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
            return run(*words, cwd=folder)

    for command in case.first:
        assert run_words(command).code == 0
    before = contents(folder)
    for content in case.of("<"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(unescaped(content))))
    finished = run_words(case.command)
    (code,) = [sign for sign, _ in case.expected if sign.isdigit()] or "0"
    expected = [text.replace("{here}", str(folder)) for text in case.of(code, "+") if text]
    assert (finished.code, cut(finished.error_lines, expected)) == (int(code), expected)
    check_output(case, finished)
    for command in case.of("="):
        assert finished.out == (run_words(command).out if command else b"")
    for name, _, content in (text.partition(" ") for text in case.of(":")):
        assert (folder / name).is_file(), name
        is_output = content.startswith("= ")
        left = run_words(content[2:]).out if is_output else unescaped(content)
        assert not content or (folder / name).read_bytes() == left
    # After an error nothing is printed or written, and no command writes into the fixtures.
    if finished.code >= 2:
        assert finished.out == b""
    if finished.code >= 2 or folder != tmp_path:
        assert contents(folder) == before
