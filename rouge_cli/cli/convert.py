"""The command ``convert``: any layout to any other."""

from collections.abc import Iterable
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from rouge_cli.cli.arguments import (
    HELP_SETTINGS,
    checked_options,
    input_arguments,
    options_of,
)
from rouge_cli.cli.output import STANDARD_OUTPUT, check_output, exit_codes, warn, write_output
from rouge_cli.cli.own_options import OwnOption, OwnOptionsCommand
from rouge_cli.errors import InputError, OptionError
from rouge_cli.options import FOLDERS, INPUT, LINES, READING, RECORDS

if TYPE_CHECKING:
    from rouge_cli.conversion.written import Command, Written
    from rouge_cli.scoring.inputs.corpus import Corpus

__all__ = ["command"]

RECORDS_KIND = "jsonl"
KINDS = ("xml", "list", "lines", RECORDS_KIND)
KINDS_WITH_FILES = ("xml", "list")
TEXT_FORMATS = ("SPL", "SEE", "ISI")
COMPRESSED = ".gz"
BATCH_BYTES = 1 << 20

NOT_READ = frozenset({"data_dir"})
"""Options of the input that matter to scores only."""


def _convert(
    config: str | None,
    system_id: str | None,
    to: str,
    output: str,
    text_format: str | None,
    **given: Any,
) -> None:
    """Write what CONFIG or the options name in another layout, which scores the same.

    All systems are written unless SYSTEM_ID names one. OUT is a new folder: for xml with
    config.xml and a file for each text, for list with a file list for each system, for lines with
    a file for each system and each model. For jsonl it is a file; - is standard output.
    """
    with exit_codes():
        options = checked_options(given)
        _check(to, output, text_format, [config, *options.peer_lines, *options.model_lines])
        from rouge_cli.conversion.convert import open_convertible

        with open_convertible(config, system_id, options) as corpus:
            warn(corpus.warnings)
            written = _written(corpus, to, output, text_format or TEXT_FORMATS[0])
            warn(corpus.instances().absences)
            if options.all and system_id is not None and options.list_format is None:
                warn([f"SYSTEM_ID {system_id!r} has no effect: -a asks for all"])
    _announce(written, to, output)


def _check(kind: str, path: str, text_format: str | None, inputs: Iterable[str | None]) -> None:
    """Refuse an output that makes no sense or cannot be written, before anything is read."""
    if text_format is not None and kind not in KINDS_WITH_FILES:
        raise OptionError(f"--text-format is for --to {' and '.join(KINDS_WITH_FILES)}")
    if kind != RECORDS_KIND:
        if path == STANDARD_OUTPUT:
            raise OptionError(
                f"-o/--output: --to {kind} writes a folder, not to standard output; name a new one"
            )
        from rouge_cli.conversion.tree import folder_problem

        if problem := folder_problem(path):
            raise InputError(f"-o/--output: {_word(path)}: {problem}")
        return
    if path.lower().endswith(COMPRESSED):
        raise OptionError(
            f"-o/--output: {_word(path)}: records are not compressed; name it without {COMPRESSED}"
        )
    check_output(path, inputs)


def _written(corpus: "Corpus", kind: str, path: str, text_format: str) -> "Written":
    """Write the corpus; raises InputError."""
    from rouge_cli.conversion.convert import convert_to_folder, convert_to_records
    from rouge_cli.conversion.tree import new_file

    if kind != RECORDS_KIND:
        return convert_to_folder(corpus, kind, path, text_format)
    if path != STANDARD_OUTPUT:
        with new_file(path) as file:
            return convert_to_records(corpus, file, path)
    return _to_standard_output(corpus)


def _to_standard_output(corpus: "Corpus") -> "Written":
    """Print the records, once all of them are made."""
    from tempfile import TemporaryFile

    from rouge_cli.conversion.convert import convert_to_records

    with TemporaryFile() as spool:
        written = convert_to_records(corpus, spool, STANDARD_OUTPUT)
        spool.seek(0)
        while lines := spool.readlines(BATCH_BYTES):
            write_output([b"".join(lines).decode()])
    return written


def _announce(written: "Written", kind: str, path: str) -> None:
    """Say on standard error what was written, and how to score it."""
    warn(written.warnings)
    name = "standard output" if path == STANDARD_OUTPUT else _word(path)
    click.echo(f"Written to {name}: {written.what}. To score:", err=True)
    change = "" if kind == RECORDS_KIND else f"cd {_word(path)} && "
    for one in written.commands:
        click.echo(f"  {change}{_line(one)}", err=True)


def _line(arguments: "Command") -> str:
    """Return a command as a shell takes it."""
    return " ".join(map(_word, arguments))


def _word(argument: str) -> str:
    """Quote an argument for a shell; one that does not print, byte by byte."""
    if argument.isprintable():
        return quote(argument)
    codes = argument.encode("utf-8", "surrogateescape")
    return "$'" + "".join(f"\\x{code:02x}" for code in codes) + "'"


command = OwnOptionsCommand(
    "convert",
    params=[
        *input_arguments(),
        OwnOption(
            ["--to"],
            type=click.Choice(KINDS, case_sensitive=False),
            required=True,
            help="What to write.",
        ),
        OwnOption(["-o", "--output"], metavar="OUT", required=True, help="The new folder or file."),
        OwnOption(
            ["--text-format"],
            type=click.Choice(TEXT_FORMATS, case_sensitive=False),
            help="How --to xml and list write the texts; SPL.",
        ),
        *[
            option
            for option in options_of((INPUT, FOLDERS, LINES, RECORDS, READING))
            if option.name not in NOT_READ
        ],
    ],
    callback=_convert,
    help=_convert.__doc__,
    context_settings=HELP_SETTINGS,
)
