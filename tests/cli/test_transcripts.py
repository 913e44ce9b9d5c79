r"""Transcripts of the command line: commands as they are typed, and what they must print and write.

A transcript in ``transcripts/`` has a topic. The first word of a line says what the line is.

Files of the folder in which the commands below run. A file after a command starts a new set.

- ``@ NAMES CONTENT``: files of equal content. Names are separated by commas. Names and content have
  the escapes of a bytes literal, such as ``\x20`` for a blank in a name.
- ``@ NAME*9 CONTENT``: append the content nine times, with the numbers from 0 on for ``{k}``.
- ``@ NAME EVAL ID SYSTEM=FILE : MODEL=FILE``: a configuration. Blanks separate systems, models and
  EVALs.
- ``@ NAME/``: a folder. ``@ NAME -> TARGET``: a link.
- ``@ sample``, ``@ judgements``: that folder of fixtures, or a copy of it if other files or ``&``
  follow.

Commands, each of which runs in a new folder.

- ``$ ARGUMENTS``: a command as typed into a shell after ``rouge-cli``. It may begin with variables,
  as in ``$ COLUMNS=60 a.xml``, and end with ``< NAME``, the file that is standard input.
- ``% ARGUMENTS``: another command, of which the same is expected as of the one above.
- ``& ARGUMENTS``: a command that succeeds and runs before each of the commands below.
- ``? MODULES``: skip the command above unless all these modules are installed.

What is expected of a command. Without any of these lines it ends with 0 and prints no messages.

- ``2 MESSAGE``: the exit code and the first line on standard error. ``+ MESSAGE``: the next line.
- ``> TEXT``: the beginning of a line of output that comes after those of the ``>`` above.
- ``| TEXT``: a whole line of output, all of whose lines (after those of ``>``) are in the table.
- ``* TEXT``: text somewhere in the output. ``! TEXT``: text that is not in the output.
- ``. PATH VALUE``: the value at a path of JSON output, such as ``systems/0/id``. A path that ends
  with ``/#`` is the number of items. ``~ PATH VALUE``: a number, rounded to the decimals of VALUE.
- ``= ARGUMENTS``: the output is that of this command. ``=`` alone: there is no output.
- ``: NAME CONTENT``: a file that the command leaves.

``# `` begins a remark. A line that begins with two blanks continues the line above after a blank,
and one that begins with a tilde and two blanks continues it without one.

In messages and files that are left, ``...`` is any text of a line; alone on a line, it is any
lines. ``{here}`` is the folder, and ``{version}`` the version of this package. Expected counts and
scores are worked by hand.
"""

import codecs
import io
import json
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
from tests.tables import check_text, read_table

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
            assert sign.isdigit() or sign in {*"+>|*!.~=:?"}, line
            case.expected.append((sign, rest))
    if case is not None:
        yield case


CASES = [
    case
    for path in sorted((Path(__file__).parent / "transcripts").iterdir())
    for case in cases_of(path.stem, read_table(path))
]


def value_at(report: Any, path: str) -> Any:
    for key in path.split("/"):
        report = (
            len(report) if key == "#" else report[int(key) if isinstance(report, list) else key]
        )
    return report


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
    finished = run_words(case.command)
    (code,) = [sign for sign, _ in case.expected if sign.isdigit()] or "0"
    assert finished.code == int(code), finished.err
    expected = [text.replace("{here}", str(folder)) for text in case.of(code, "+") if text]
    check_text("\n".join(finished.error_lines), "\n".join(expected))
    check_output(case, finished)
    for command in case.of("="):
        assert finished.out == (run_words(command).out if command else b"")
    for name, _, content in (text.partition(" ") for text in case.of(":")):
        check_text((folder / name).read_bytes().decode(), unescaped(content).decode())
    # After an error nothing is printed or written, and no command writes into the fixtures.
    if finished.code >= 2:
        assert finished.out == b""
    if finished.code >= 2 or folder != tmp_path:
        assert contents(folder) == before
