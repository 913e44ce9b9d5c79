"""The command ``jackknife``: the leave-one-out configuration, as the original's XML."""

from typing import Any

from rouge_cli.cli.arguments import (
    HELP_SETTINGS,
    GroupedCommand,
    checked_options,
    input_arguments,
    options_of,
)
from rouge_cli.cli.output import check_output, exit_codes, reads_commands, warn, write_output
from rouge_cli.escapes import IN_XML, escape_old_commands
from rouge_cli.options.inputs import LINES, READING, RECORDS, InputOptions
from rouge_cli.options.studies import JackknifeOptions

__all__ = ["command"]

NOT_TAKEN = frozenset(
    name
    for name, declared in InputOptions.options().items()
    if declared.heading in {LINES, RECORDS, READING}
)
"""The XML that is written names files, so only layouts of files can be read."""


def _jackknife(input_words: tuple[str, ...], **given: Any) -> None:
    """Write a configuration in which each EVAL stands once for each model, without that model.

    The EVALs are called ID-1, ID-2 and so on. Scored by rouge-cli or by the original, each system
    is measured against all models but one, for every choice of that one. score --jackknife does it
    at once, and averages over the sets of an EVAL.
    """
    with exit_codes():
        own = JackknifeOptions.of(given)
        options = checked_options(given, InputOptions)
        from rouge_cli.conversion.xml_config import leave_one_out_config
        from rouge_cli.inputs.layout import open_corpus
        from rouge_cli.inputs.source import Source

        source = Source.of(input_words)
        check_output(own.output, source.paths)
        options = options.changed(all=options.inputs.all or source.system_id is None)
        with open_corpus(source, options.inputs, options.metrics) as corpus:
            report = list(leave_one_out_config(corpus, with_humans=own.humans))
            warn((*corpus.warnings, *corpus.instances().absences))
    if reads_commands(own.output):
        report = [escape_old_commands(part, IN_XML) for part in report]
    write_output(report, own.output)


command = GroupedCommand(
    "jackknife",
    params=[
        *input_arguments(),
        *options_of(JackknifeOptions, InputOptions, without=NOT_TAKEN),
    ],
    callback=_jackknife,
    help=_jackknife.__doc__,
    context_settings=HELP_SETTINGS,
)
