"""The commands other than ``score`` and the studies.

``explain`` shows why a score is what it is, and ``protocols`` lists other packages.
``convert``, ``jackknife`` and ``install-shim`` write files for a later run; ``selftest`` compares
the output of this machine with that of the original.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click

from rouge_cli.atomic_files import folder_problem, new_file, signals_held
from rouge_cli.cli.arguments import (
    GroupedCommand,
    checked_options,
    input_arguments,
    options_of,
    source_and_options,
)
from rouge_cli.cli.group import HELP_SETTINGS
from rouge_cli.cli.output import (
    check_outputs,
    exit_codes,
    log_of,
    named_inputs,
    run_context,
    say_line,
    screen_of,
    user_notes,
    warn,
    write_output,
)
from rouge_cli.cli.process import EXIT_FAULT, EXIT_UNUSABLE
from rouge_cli.cli.studies import command_of, run_study
from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import IN_JSON, IN_XML
from rouge_cli.inputs.files import is_compressed
from rouge_cli.inputs.source import Source
from rouge_cli.options.inputs import LINES, READING, RECORDS, InputOptions
from rouge_cli.options.options import SCORING, Options, left_out
from rouge_cli.options.reports import OUTPUT_OPTION, STANDARD_OUTPUT
from rouge_cli.options.studies import (
    RECORDS_KIND,
    ConversionOptions,
    ExplanationOptions,
    JackknifeOptions,
)
from rouge_cli.studies.protocols import STUDY as PROTOCOLS_STUDY

if TYPE_CHECKING:
    from rouge_cli.conversion import Written
    from rouge_cli.explanations import ExplainedRun
    from rouge_cli.inputs.index import Input

BATCH_BYTES = 1 << 20
DEFAULT_FORMAT = "SPL"

# ``jackknife`` lacks these options, because it writes XML, which names a file for each text.
NOT_IN_XML = frozenset(
    name
    for name, declared in InputOptions.options().items()
    if declared.heading in {LINES, RECORDS, READING}
)


def _explain(input_words: tuple[str, ...], **typed: Any) -> None:
    """Show why a score is what it is, word by word.

    CONFIG or the options name the texts, and the other options say how they are scored, as for
    score. For each metric: hit, reference count and prediction count, how the scores come of them,
    which words match, and which of these count. The texts are named with --eval, or chosen by their
    scores with --worst and --best. All systems are explained unless SYSTEM_ID or --system-id names
    some.
    """
    with exit_codes():
        asked = ExplanationOptions.of(typed)
        source, spelled, checked = source_and_options(input_words, typed)
        options = checked(spelled, *SCORING).changed(all=True)
        source, system_ids = _systems(source, options)
        paths = named_inputs(source, options, asked.page_notes)
        replaced = check_outputs([(asked.output, OUTPUT_OPTION)], paths)
        source = replace(source, outputs=replaced)
        notes = user_notes(asked.page_notes)
        asked = replace(asked, system_ids=(*asked.system_ids, *system_ids))
        run = _explained(source, options, asked)
        warn(run.warnings)
        from rouge_cli.explanations.view import ExplanationView
        from rouge_cli.reports import Restyled, write_report

        view = ExplanationView(run, with_texts=asked.texts)
        page = Restyled(view, title=asked.page_title, notes=notes)
        report = list(write_report(page, asked.report, screen_of(asked.output)))
    write_output(report, asked.output)


def _systems(source: Source, options: Options) -> tuple[Source, tuple[str, ...]]:
    """Separate SYSTEM_ID from the input; return the input, and a tuple with this ID or without."""
    from rouge_cli.inputs.layout import LAYOUTS

    if options.inputs.list_format is not None:
        # SYSTEM_ID names the system of a file list.
        return source, ()
    # If options name the texts, the only word cannot be a configuration, but is SYSTEM_ID.
    in_place_of_config = {layout.selector for layout in LAYOUTS if not layout.takes_config}
    if in_place_of_config & {*options.inputs.given()} and source.config is not None:
        return Source(), (source.config, *source.others)
    _, system_id = source.files(options.inputs.records_format)
    if system_id is None:
        return source, ()
    others = tuple(word for word in source.others if word != system_id)
    return replace(source, others=others), (system_id,)


def _explained(source: Source, options: Options, asked: ExplanationOptions) -> "ExplainedRun":
    from rouge_cli.explanations import Question
    from rouge_cli.explanations import explain as answer
    from rouge_cli.inputs.layout import open_input
    from rouge_cli.scores.saved_scores import saved_inputs

    question = Question.from_options(options, asked)
    if saved_inputs(source) is not None:
        raise OptionError(
            f"{source.name} holds saved scores, which have no texts; name the texts that they were "
            "made from"
        )
    with run_context() as context:
        opened = open_input(source, options.inputs, options.metrics)
        return answer(opened, question, options, context)


explain = GroupedCommand(
    "explain",
    _explain,
    [*input_arguments(), *options_of(ExplanationOptions, *SCORING, without=left_out("explain"))],
)


def _convert(input_words: tuple[str, ...], **typed: Any) -> None:
    """Write what CONFIG or the options name in another layout, which scores the same.

    All systems are written unless SYSTEM_ID names one; several files of records are several
    systems, called by their names or as NAME=FILE says. OUT is a new folder: for xml with
    config.xml and a file for each text, for list with a file list for each system, for lines with
    a file for each system and each reference. For jsonl it is a file; - is standard output.
    """
    with exit_codes():
        asked = ConversionOptions.of(typed)
        source, spelled, checked = source_and_options(input_words, typed)
        options = checked(spelled, InputOptions)
        source = replace(source, outputs=_check(asked, named_inputs(source, options)))
        from rouge_cli.conversion import open_convertible

        opened = open_convertible(source, options)
        warn(opened.index.warnings)
        # Collected before anything is written, since memory may run out.
        absences = opened.index.absences()
        written = _written(opened, asked)
        warn(absences)
        _, system_id = source.files(options.inputs.records_format)
        if options.inputs.all and system_id is not None and options.inputs.list_format is None:
            warn([f"SYSTEM_ID {system_id!r} has no effect: -a asks for all"])
    _announce(written, asked)


def _check(asked: ConversionOptions, inputs: Iterable[str | None]) -> tuple[str, ...]:
    """Check the output before anything is read; return outputs that exist, as `check_outputs`."""
    if asked.to == RECORDS_KIND:
        if is_compressed(asked.output):
            raise OptionError(
                f"-o/--output: {_word(asked.output)}: records are not compressed; name it without "
                ".gz"
            )
        return check_outputs([(asked.output, OUTPUT_OPTION)], inputs)
    if asked.output == STANDARD_OUTPUT:
        raise OptionError(
            f"-o/--output: --to {asked.to} writes a folder; name a new one, not standard output"
        )
    if problem := folder_problem(asked.output):
        raise InputError(f"-o/--output: {_word(asked.output)}: {problem}")
    return ()


def _written(source: "Input", asked: ConversionOptions) -> "Written":
    from rouge_cli.conversion import convert_to_folder, convert_to_records

    if asked.to != RECORDS_KIND:
        return convert_to_folder(
            source, asked.to, asked.output, asked.text_format or DEFAULT_FORMAT
        )
    if asked.output != STANDARD_OUTPUT:
        with new_file(asked.output) as file:
            return convert_to_records(source, file, asked.output)
    return _to_standard_output(source)


def _to_standard_output(source: "Input") -> "Written":
    """Print the records once all have been converted, so that none are printed if one fails."""
    from rouge_cli.conversion import convert_to_records

    with _spool() as spool:
        written = convert_to_records(source, spool, STANDARD_OUTPUT)
        n_bytes = spool.tell()
        spool.seek(0)
        # Do not read past the end: that could fail after everything has been printed.
        while spool.tell() < n_bytes:
            text = b"".join(spool.readlines(BATCH_BYTES)).decode()
            write_output([log_of().escape(text, IN_JSON)])
    return written


@contextmanager
def _spool() -> Iterator[BinaryIO]:
    from tempfile import TemporaryFile

    try:
        with signals_held():
            spool = TemporaryFile()  # noqa: SIM115 - closed below, where it may fail
        try:
            yield cast(BinaryIO, spool)
        finally:
            # The content is no longer needed, so a failure does not matter.
            with suppress(OSError):
                spool.close()
    except OSError as error:
        raise InputError(
            f"the records cannot be kept in a temporary file: {error.strerror}; set TMPDIR to a "
            "folder with more room"
        ) from None


def _announce(written: "Written", asked: ConversionOptions) -> None:
    warn(written.warnings)
    name = "standard output" if asked.output == STANDARD_OUTPUT else _word(asked.output)
    say_line(f"Written to {name}: {written.what}. To score:")
    change = "" if asked.to == RECORDS_KIND else f"cd {_word(asked.output)} && "
    for command in written.commands:
        say_line(f"  {change}{' '.join(map(_word, command))}")


def _word(argument: str) -> str:
    """Quote an argument for a shell, in hexadecimal if it is not printable."""
    if argument.isprintable():
        return quote(argument)
    codes = argument.encode("utf-8", "surrogateescape")
    return "$'" + "".join(f"\\x{code:02x}" for code in codes) + "'"


convert = GroupedCommand(
    "convert",
    _convert,
    [*input_arguments(), *options_of(ConversionOptions, InputOptions, without=left_out("convert"))],
)


def _jackknife(input_words: tuple[str, ...], **typed: Any) -> None:
    """Write a configuration in which each text appears once per reference, without that reference.

    The texts are called ID-1, ID-2 and so on. Scoring the configuration, with rouge-cli or the
    original, measures each system against all references but one, leaving out each in turn. score
    --jackknife does the same in one run, and averages over the sets of references of a text.
    """
    with exit_codes():
        asked = JackknifeOptions.of(typed)
        source, spelled, checked = source_and_options(input_words, typed)
        options = checked(spelled, InputOptions)
        from rouge_cli.conversion import leave_one_out_config
        from rouge_cli.inputs.layout import open_input

        replaced = check_outputs([(asked.output, OUTPUT_OPTION)], source.paths)
        source = replace(source, outputs=replaced)
        options = options.changed(all=options.inputs.all or source.system_id is None)
        opened = open_input(source, options.inputs, options.metrics)
        index = opened.complete()
        report = list(leave_one_out_config(opened, with_humans=asked.humans))
        warn((*index.warnings, *index.absences()))
    log = log_of(asked.output)
    write_output([log.escape(part, IN_XML) for part in report], asked.output)


jackknife = GroupedCommand(
    "jackknife",
    _jackknife,
    [*input_arguments(), *options_of(JackknifeOptions, InputOptions, without=NOT_IN_XML)],
)


def _protocols(input_words: tuple[str, ...], compare: bool | None, **typed: Any) -> None:
    if compare:
        run_study(PROTOCOLS_STUDY, input_words, compare=compare, **typed)
        return
    with exit_codes():
        options = [name for name, value in typed.items() if value not in (None, (), False)]
        if options:
            raise OptionError(f"--{options[0].replace('_', '-')} is for --compare")
        if len(input_words) > 1:
            raise OptionError(f"one protocol at a time; found {' '.join(input_words)}")
        lines = list(_spelled_out(*input_words) if input_words else _folded(_listed()))
    write_output(f"{line}\n" for line in lines)
    sys.exit(0)


protocols = command_of(PROTOCOLS_STUDY, "protocols", _protocols)


def _listed() -> Iterator[str]:
    from rouge_cli.protocols.catalogue import PROTOCOLS
    from rouge_cli.protocols.protocol import known_options

    for protocol in PROTOCOLS.values():
        yield f"{protocol.full_name}: {protocol.stands_for}"
        if known := known_options(protocol):
            yield f"    options: {', '.join(known)}"
        yield from (f"    - {defect}" for defect in protocol.defects)


def _folded(lines: Iterable[str]) -> Iterator[str]:
    from textwrap import wrap

    width = screen_of(None).width
    for line in lines:
        inner = " " * (6 if line.startswith(" ") else 4)
        yield from wrap(line, width, subsequent_indent=inner, break_on_hyphens=False)


def _spelled_out(name: str) -> Iterator[str]:
    from rouge_cli.options.metrics import MetricOptions
    from rouge_cli.protocols.catalogue import as_toml
    from rouge_cli.protocols.metric import with_metric

    asked = MetricOptions.of({"protocol": name}).protocol
    if asked is not None:
        yield from as_toml(with_metric(asked).metric.protocol)


@click.command("install-shim", context_settings=HELP_SETTINGS)
@click.argument("directory", metavar="DIR")
def install_shim(directory: str) -> None:
    """Write a folder that passes for a ROUGE-1.5.5 home.

    Programs that call the Perl script, such as pyrouge, are told that this folder is where
    ROUGE-1.5.5 lives, and then run on rouge-cli unchanged. DIR is new or empty; an earlier folder
    of this command is rewritten.

    The script in it runs this rouge-cli, the one of this Python environment, wherever it is called
    from. Write it anew after the environment has moved.
    """
    with exit_codes():
        from rouge_cli.shim import install_home

        home = install_home(directory, sys.executable)
        say_line("Written. Where a program asks for the home of ROUGE-1.5.5, name:")
        say_line(f"  {home}")


@click.command("selftest", context_settings=HELP_SETTINGS)
@click.option(
    "-v", "--verbose", is_flag=True, help="Add versions, platform, encodings and checksums."
)
def selftest(verbose: bool) -> None:
    """Run again what ROUGE-1.5.5 ran once, and compare what is printed.

    The stored runs have every metric, every option that changes what is printed, and every format.
    Their inputs are written to a temporary folder. Stems, word lists and random draws are compared
    too. Exit code 0: everything is the same to the byte; 70: something differs; 3: the stored runs
    cannot be used. Please begin a report of a fault with the output of selftest --verbose.
    """
    from rouge_cli import selftest as stored
    from rouge_cli.core import check_choice
    from rouge_cli.threads import usable_processors

    with exit_codes():
        # A core that cannot be used is refused before anything runs.
        check_choice()
        try:
            processors = usable_processors()
            lines, is_same = stored.selftest(_printed, os.environ, processors, verbose=verbose)
        except stored.StoredRunsError as error:
            say_line(f"Error: {error}")
            sys.exit(EXIT_UNUSABLE)
    write_output(f"{line}\n" for line in lines)
    if not is_same:
        sys.exit(EXIT_FAULT)


def _printed(arguments: Sequence[str]) -> bytes:
    """Return the output of ``rouge-cli`` with the built-in word lists."""
    from rouge_cli.cli.score import command as score
    from rouge_cli.reports import write_report
    from rouge_cli.run.pipeline import RunContext, resolved_run
    from rouge_cli.studies.score.view import ScoreView

    with score.make_context("rouge-cli", list(arguments)) as context:
        typed = context.params
    options = checked_options(typed, environment={})
    results = resolved_run(Source.of(typed["input_words"]), options).results(RunContext())
    return "".join(write_report(ScoreView(results), "classic")).encode("utf-8", "surrogateescape")
