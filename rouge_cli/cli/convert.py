"""The command ``convert``: any layout to any other."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from shlex import quote
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from rouge_cli.atomic_files import new_file
from rouge_cli.atomic_folders import folder_problem
from rouge_cli.cli.arguments import (
    HELP_SETTINGS,
    GroupedCommand,
    checked_options,
    input_arguments,
    options_of,
)
from rouge_cli.cli.output import (
    STANDARD_OUTPUT,
    check_output,
    exit_codes,
    reads_commands,
    say_line,
    warn,
    write_output,
)
from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import IN_JSON, escape_old_commands
from rouge_cli.held_signals import signals_held
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.studies import RECORDS_KIND, ConversionOptions

if TYPE_CHECKING:
    from rouge_cli.conversion.written import Command, Written
    from rouge_cli.inputs.corpus import Corpus

__all__ = ["command"]

BATCH_BYTES = 1 << 20
DEFAULT_FORMAT = "SPL"

NOT_TAKEN = frozenset({"column"})
"""Numbers are no texts."""


def _convert(input_words: tuple[str, ...], **given: Any) -> None:
    """Write what CONFIG or the options name in another layout, which scores the same.

    All systems are written unless SYSTEM_ID names one; several files of records are several
    systems, called by their names or as NAME=FILE says. OUT is a new folder: for xml with
    config.xml and a file for each text, for list with a file list for each system, for lines with
    a file for each system and each model. For jsonl it is a file; - is standard output.
    """
    with exit_codes():
        own = ConversionOptions.of(given)
        options = checked_options(given, InputOptions)
        from rouge_cli.inputs.source import Source

        source = Source.of(input_words)
        _check(own, [*source.paths, *options.inputs.peer_lines, *options.inputs.model_lines])
        from rouge_cli.conversion.convert import open_convertible

        with open_convertible(source, options) as corpus:
            warn(corpus.warnings)
            written = _written(corpus, own)
            warn(corpus.instances().absences)
            _, system_id = source.files(options.inputs.records_format)
            if options.inputs.all and system_id is not None and options.inputs.list_format is None:
                warn([f"SYSTEM_ID {system_id!r} has no effect: -a asks for all"])
    _announce(written, own)


def _check(own: ConversionOptions, inputs: Iterable[str | None]) -> None:
    """Refuse an output that makes no sense or cannot be written, before anything is read."""
    if own.to == RECORDS_KIND:
        from rouge_cli.inputs.files import is_compressed

        if is_compressed(own.output):
            raise OptionError(
                f"-o/--output: {_word(own.output)}: records are not compressed; name it without .gz"
            )
        check_output(own.output, inputs)
        return
    if own.output == STANDARD_OUTPUT:
        raise OptionError(
            f"-o/--output: --to {own.to} writes a folder, not to standard output; name a new one"
        )
    if problem := folder_problem(own.output):
        raise InputError(f"-o/--output: {_word(own.output)}: {problem}")


def _written(corpus: "Corpus", own: ConversionOptions) -> "Written":
    """Write the corpus; raises InputError."""
    from rouge_cli.conversion.convert import convert_to_folder, convert_to_records

    if own.to != RECORDS_KIND:
        return convert_to_folder(corpus, own.to, own.output, own.text_format or DEFAULT_FORMAT)
    if own.output != STANDARD_OUTPUT:
        with new_file(own.output) as file:
            return convert_to_records(corpus, file, own.output)
    return _to_standard_output(corpus)


def _to_standard_output(corpus: "Corpus") -> "Written":
    """Print the records, once all of them are made."""
    from rouge_cli.conversion.convert import convert_to_records

    with _spool() as spool:
        written = convert_to_records(corpus, spool, STANDARD_OUTPUT)
        n_bytes = spool.tell()
        spool.seek(0)
        # Reading on at the end may fail too, when all is printed.
        while spool.tell() < n_bytes:
            text = b"".join(spool.readlines(BATCH_BYTES)).decode()
            write_output([escape_old_commands(text, IN_JSON) if reads_commands() else text])
    return written


@contextmanager
def _spool() -> Iterator[BinaryIO]:
    """Provide a file that is gone afterwards; raises InputError if there is no room for one."""
    from tempfile import TemporaryFile

    try:
        with signals_held():
            spool = TemporaryFile()  # noqa: SIM115 - closed below, where it may fail
        try:
            yield cast(BinaryIO, spool)
        finally:
            # Nothing in it matters any more.
            with suppress(OSError):
                spool.close()
    except OSError as error:
        raise InputError(
            f"the records cannot be kept in a temporary file: {error.strerror}; set TMPDIR to a "
            "folder with more room"
        ) from None


def _announce(written: "Written", own: ConversionOptions) -> None:
    """Say on standard error what was written, and how to score it."""
    warn(written.warnings)
    name = "standard output" if own.output == STANDARD_OUTPUT else _word(own.output)
    say_line(f"Written to {name}: {written.what}. To score:")
    change = "" if own.to == RECORDS_KIND else f"cd {_word(own.output)} && "
    for one in written.commands:
        say_line(f"  {change}{_line(one)}")


def _line(arguments: "Command") -> str:
    """Return a command as a shell takes it."""
    return " ".join(map(_word, arguments))


def _word(argument: str) -> str:
    """Quote an argument for a shell; one that does not print, byte by byte."""
    if argument.isprintable():
        return quote(argument)
    codes = argument.encode("utf-8", "surrogateescape")
    return "$'" + "".join(f"\\x{code:02x}" for code in codes) + "'"


command = GroupedCommand(
    "convert",
    params=[*input_arguments(), *options_of(ConversionOptions, InputOptions, without=NOT_TAKEN)],
    callback=_convert,
    help=_convert.__doc__,
    context_settings=HELP_SETTINGS,
)
