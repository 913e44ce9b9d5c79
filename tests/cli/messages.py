r"""Tables of runs: commands, their exit code, all that they say on standard error, what they print.

Each line of a table begins with what it is:

- ``@ NAMES CONTENT``: files of the folder in which the commands below run, with commas between
  the names, and both in the escapes of a string of bytes (``\x20`` is a blank in a name); with
  a slash at its end, and no content, a folder; ``NAME*9`` adds the content nine times, with the
  number from 0 on for each ``{k}``, to what NAME has already. The first one after a command begins
  anew; ``@ sample`` or ``@ judgements`` alone is that folder of fixtures.
- ``$ ARGUMENTS``: a command, as typed into a shell after ``rouge-cli``.
- ``2 MESSAGE``: its exit code and the first line of what it says; ``+ MESSAGE``: one more line.
- ``> TEXT``: behind the lines above, a line of its output begins so; ``| TEXT``: its output has
  this line, and others only if they stand in the table like that.
- ``#``: a remark.
- Two blanks: the line above goes on, behind a blank; a tilde and a blank: it goes on.

In arguments and messages ``{here}`` is the folder.
"""

import codecs
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Case:
    """A command, where it runs, and what is expected of it."""

    files: dict[str, str]
    arguments: list[str]
    code: int = -1
    messages: list[str] = field(default_factory=list)
    beginnings: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def write_files(self, folder: Path) -> None:
        for name, content in self.files.items():
            path = folder / codecs.decode(name, "unicode_escape")
            path.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith("/"):
                path.mkdir(exist_ok=True)
            else:
                path.write_bytes(codecs.escape_decode(content.encode())[0])


def joined_lines(table: str) -> Iterator[str]:
    lines: list[str] = []
    for line in table.strip().splitlines():
        if line.startswith(("  ", "~ ")):
            lines[-1] += line[1:].removeprefix(" ") if line[0] == "~" else line[1:]
        elif not line.startswith("# "):
            lines.append(line)
    yield from lines


def cases_of(table: str) -> Iterator[Case]:
    files: dict[str, str] = {}
    case: Case | None = None
    for line in joined_lines(table):
        kind, _, rest = line.partition(" ")
        if kind == "@":
            if case is not None:
                yield case
                case, files = None, {}
            names, _, content = rest.partition(" ")
            if "*" in names:
                names, _, n_times = names.partition("*")
                parts = (content.replace("{k}", str(k)) for k in range(int(n_times)))
                content = files.get(names, "") + "".join(parts)
            files |= dict.fromkeys(names.split(","), content)
        elif kind == "$":
            if case is not None:
                yield case
            case = Case(files, shlex.split(rest))
        else:
            assert case is not None, line
            if kind in {">", "|"}:
                (case.beginnings if kind == ">" else case.lines).append(rest)
                continue
            if kind != "+":
                case.code = int(kind)
            case.messages += [rest] if rest else []
    if case is not None:
        yield case
