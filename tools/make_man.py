"""Write docs/rouge-cli.1, the manual page, from the declarations that help uses.

With ``--check`` nothing is written; the exit code tells whether the file is up to date.
"""

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from rouge_cli.cli.arguments import DeclaredOption
from rouge_cli.cli.group import COMMANDS, DEFAULT_COMMAND, INTRODUCTION, cli, examples_of
from rouge_cli.options.declaration import Option
from rouge_cli.version import RELEASE_DATE, __version__

TARGET = Path(__file__).parents[1] / "docs" / "rouge-cli.1"

HEAD = rf""".\" Written by tools/make_man.py from the declarations of the options.
.TH ROUGE-CLI 1 "{RELEASE_DATE}" "rouge-cli {__version__}" "User Commands"
.SH NAME
rouge-cli \- score summaries as ROUGE-1.5.5 does, to the byte
"""
EXIT_CODES = (
    ("0", "Done."),
    ("1", "A --require, the --baseline or a certificate is not met."),
    ("2", "Wrong usage."),
    ("3", "An input cannot be used, or an output cannot be written."),
    ("70", "A fault of rouge-cli."),
    ("130, 143", "Interrupted or terminated; nothing is printed."),
)
ENVIRONMENT = (
    ("ROUGE_EVAL_HOME", "A data directory of the original, whose word lists are used without -e."),
    (
        "ROUGE_CLI_CORE",
        "0: compute without the compiled core. 1: it is an error if the core is not there.",
    ),
    ("ROUGE_CLI_JOBS", "The number of threads or processes of a run without --jobs."),
    ("NO_COLOR", "If it is set, tables on a terminal have no bold type."),
    ("COLUMNS", "How wide help and tables are, on a terminal and in a pipe; files have 80."),
)
MORE = "https://rouge-cli.github.io/rouge-cli/ has a guide, examples and the reference."


def manual() -> str:
    """Return the page."""
    return "\n".join([HEAD.rstrip("\n"), *_body()]) + "\n"


def _body() -> Iterator[str]:
    """Yield the lines below the name."""
    top = click.Context(cli, info_name="rouge-cli")
    commands = {name: entry.load() for name, entry in COMMANDS.items()}
    yield ".SH SYNOPSIS"
    for name, command in commands.items():
        yield from [".br"][: name != DEFAULT_COMMAND]
        yield from _usage(name, command, top)
    yield ".SH DESCRIPTION"
    yield _text(INTRODUCTION)
    yield ".SH COMMANDS"
    yield from _items((entry.name, entry.summary) for entry in COMMANDS.values())
    for name, command in commands.items():
        yield f".SH {_escaped(name.upper())}"
        yield from _paragraphs(command.help or "")
        yield from _options(command, top)
    yield ".SH EXIT STATUS"
    yield from _items(EXIT_CODES)
    yield ".SH ENVIRONMENT"
    yield from _items(ENVIRONMENT)
    yield ".SH EXAMPLES"
    for line in examples_of(""):
        yield from (
            ".PP",
            ".RS 4",
            ".EX",
            _escaped(line),
            ".EE",
            ".RE",
        )
    yield from (".SH SEE ALSO", _text(MORE))


def _usage(name: str, command: click.Command, top: click.Context) -> Iterator[str]:
    """Yield how a command is called."""
    pieces = command.collect_usage_pieces(
        click.Context(command, info_name=name, parent=top, **command.context_settings)
    )
    shown = f"[{name}]" if name == DEFAULT_COMMAND else name
    yield from (rf".B rouge\-cli {_escaped(shown)}", f".I {_escaped(' '.join(pieces))}")


def _options(command: click.Command, top: click.Context) -> Iterator[str]:
    """Yield the options of a command below their headings; those that score has too, by name."""
    of_score = {id(one) for one in _declared(COMMANDS[DEFAULT_COMMAND].load().params).values()}
    is_score = command.name == DEFAULT_COMMAND
    groups: dict[str, list[tuple[str, str]]] = {}
    others: dict[str, list[tuple[str, str]]] = {"Help": []}
    shared = []
    context = click.Context(command, parent=top, **command.context_settings)
    declared = _declared(command.get_params(context))
    for parameter in command.get_params(context):
        if isinstance(parameter, click.Argument):
            continue
        record = parameter.get_help_record(context)
        option = declared.get(parameter.name or "")
        if record is None:
            continue
        if option is None:
            others["Help"].append(record)
        elif is_score or id(option) not in of_score:
            groups.setdefault(option.heading, []).append(record)
        else:
            shared.append(option.long)
    for heading, records in {**groups, **others}.items():
        yield f".SS {_escaped(heading)}"
        yield from _items(records)
    if shared:
        yield from (".SS Options as of score", *_text(f"{', '.join(shared)}.").splitlines())


def _declared(parameters: Iterable[click.Parameter]) -> dict[str, Option]:
    """Return the declarations of parameters by their names."""
    return {one.name or "": one.declared for one in parameters if isinstance(one, DeclaredOption)}


def _items(items: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a list of terms, each with what it means."""
    for term, meaning in items:
        yield from (".TP", f".B {_escaped(term)}", _text(meaning))


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a docstring; one that begins with a bell keeps its lines."""
    for number, part in enumerate(re.split(r"\n\s*\n", text.strip())):
        lines = [line.strip() for line in part.splitlines()]
        yield from [".PP"][:number]
        if lines[0] == "\b":
            yield from (".EX", *map(_escaped, lines[1:]), ".EE")
        else:
            yield _text(" ".join(lines))


def _text(text: str) -> str:
    """Write text in short lines, without troff commands and with dashes that can be copied."""
    lines = textwrap.wrap(_escaped(text), 78, break_long_words=False, break_on_hyphens=False)
    return "\n".join(rf"\&{line}" if line.startswith(".") else line for line in lines)


def _escaped(text: str) -> str:
    """Escape characters that have a meaning for troff."""
    return text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")


def main() -> None:
    """Write the page, or check it."""
    if sys.argv[1:] == ["--check"]:
        sys.exit(TARGET.read_text("utf-8") != manual())
    TARGET.write_text(manual(), "utf-8")
    print(f"Written: {TARGET}")


if __name__ == "__main__":
    main()
