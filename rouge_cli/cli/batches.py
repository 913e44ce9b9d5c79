"""Options as on the command line, for programs that score batches."""

from collections.abc import Sequence
from typing import Any

import click

from rouge_cli.cli.arguments import options_of
from rouge_cli.errors import OptionError
from rouge_cli.options.every import OPTIONS
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.presets import PresetOptions
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.texts import TextOptions

__all__ = ["batch_options"]


def batch_options(words: Sequence[str]) -> dict[str, Any]:
    """Read options as ``rouge-cli`` does, and return them by their names in Python.

    Parameters
    ----------
    words : sequence of str
        Options alone: ``["-n", "2", "-m"]``.

    Returns
    -------
    dict of str to object
        As `rouge_cli.batches.plan` takes them, which checks their values.

    Raises
    ------
    OptionError
        For an option that is unknown or lacks its value, and for what is no option.
    """
    groups = (PresetOptions, MetricOptions, TextOptions, ScoreOptions, InputOptions)
    command = click.Command("batches", params=options_of(*groups), add_help_option=False)
    try:
        found = command.make_context("batches", list(words)).params
    except click.UsageError as error:
        raise OptionError(error.format_message()) from None
    return {
        name: False if OPTIONS[name].off else value
        for name, value in found.items()
        if value not in {None, ()}
    }
