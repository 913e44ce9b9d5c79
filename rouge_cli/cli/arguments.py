"""The options of a command, from `OPTIONS`; and the arguments that name the input."""

from collections.abc import Iterable, Mapping
from typing import Any

import click

from rouge_cli.cli.help import write_grouped_options
from rouge_cli.options import OPTIONS, Option, Options

__all__ = ["HELP_SETTINGS", "GroupedCommand", "checked_options", "input_arguments", "options_of"]

HELP_SETTINGS = {"help_option_names": ["-h", "--help"]}


class GroupedCommand(click.Command):
    """A command whose help shows the options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group."""
        write_grouped_options(self, ctx, formatter)


def input_arguments() -> list[click.Parameter]:
    """Return the arguments that name the input."""
    return [
        click.Argument(["config"], metavar="CONFIG", required=False),
        click.Argument(["system_id"], metavar="[SYSTEM_ID]", required=False),
    ]


def options_of(groups: Iterable[str]) -> list[click.Parameter]:
    """Return the Click options of some groups of `OPTIONS`."""
    wanted = set(groups)
    return [_click_option(name, item) for name, item in OPTIONS.items() if item.group in wanted]


def checked_options(given: Mapping[str, Any]) -> Options:
    """Check what was typed; switches that turn something off come here as True.

    Raises
    ------
    OptionError
    """
    values = {
        name: (False if OPTIONS[name].off and value else value)
        for name, value in given.items()
        if name in OPTIONS
    }
    return Options.of(values)


def _click_option(field_name: str, option: Option) -> click.Option:
    """Make the Click option of a field; values stay as typed until `Options.of` reads them."""
    names = [field_name, option.long] + ([option.letter] if option.letter else [])
    if option.metavar is None:
        return click.Option(names, is_flag=True, default=None, help=option.help)
    return click.Option(
        names,
        metavar=option.metavar,
        multiple=option.is_many,
        nargs=option.n_values,
        default=None,
        help=option.help,
    )
