"""The command ``jackknife``: the leave-one-out configuration, as the original's XML."""

from dataclasses import replace
from typing import Any

from rouge_cli.cli.arguments import HELP_SETTINGS, checked_options, input_arguments, options_of
from rouge_cli.cli.output import check_output, exit_codes, warn, write_output
from rouge_cli.cli.own_options import OwnOption, OwnOptionsCommand
from rouge_cli.options import FOLDERS, INPUT

__all__ = ["command"]

NOT_READ = frozenset({"data_dir"})
"""Options of the input that matter to scores only."""


def _jackknife(
    config: str | None, system_id: str | None, output: str | None, humans: bool, **given: Any
) -> None:
    """Write a configuration in which each EVAL stands once for each model, without that model.

    The EVALs are called ID-1, ID-2 and so on. Scored by rouge-cli or by the original, each system
    is measured against all models but one, for every choice of that one. score --jackknife does it
    at once, and averages over the sets of an EVAL.
    """
    with exit_codes():
        options = checked_options(given)
        check_output(output, [config])
        from rouge_cli.conversion.leave_one_out import leave_one_out_config
        from rouge_cli.scoring.inputs.opening import open_corpus

        options = replace(options, all=options.all or system_id is None)
        with open_corpus(config, system_id, options) as corpus:
            report = list(leave_one_out_config(corpus, with_humans=humans))
            warn((*corpus.warnings, *corpus.instances().absences))
    write_output(report, output)


command = OwnOptionsCommand(
    "jackknife",
    params=[
        *input_arguments(),
        OwnOption(
            ["-o", "--output"], metavar="FILE", help="Write it to FILE, whole or not at all."
        ),
        OwnOption(
            ["--humans"], is_flag=True, help="In each set, the model that is left out is a peer."
        ),
        *[one for one in options_of((INPUT, FOLDERS)) if one.name not in NOT_READ],
    ],
    callback=_jackknife,
    help=_jackknife.__doc__,
    context_settings=HELP_SETTINGS,
)
