"""Click's arguments and options, made from the declared ones, and help that groups them."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import click

from rouge_cli.cli.help import HELP_SETTINGS
from rouge_cli.options.declaration import Option, OptionGroup
from rouge_cli.options.every import OPTIONS, Options

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = [
    "HELP_SETTINGS",
    "DeclaredOption",
    "GroupedCommand",
    "checked_options",
    "config_argument",
    "input_arguments",
    "options_of",
]

HELP = "Help"


class DeclaredOption(click.Option):
    """A Click option made from a declared one; its value stays as typed until the group reads it.

    Parameters
    ----------
    name : str
        The field of the group.
    declared : Option
    """

    def __init__(self, name: str, declared: Option) -> None:
        self.declared = declared
        names = [name, *filter(None, (declared.letter, declared.long))]
        if declared.metavar is None:
            super().__init__(names, is_flag=True, default=None, help=declared.help)
            return
        super().__init__(
            names,
            metavar=declared.metavar,
            multiple=declared.is_many,
            nargs=declared.n_values,
            required=declared.is_required,
            help=declared.help,
        )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        """Return how a value may go on."""
        from rouge_cli.cli.completion import value_completions

        return value_completions(self.declared, ctx, incomplete)


class GroupedCommand(click.Command):
    """A command whose help shows the options under their headings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, heading by heading, in the order in which the command takes them."""
        by_heading: dict[str, list[tuple[str, str]]] = {}
        others = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            # Some versions of Click have a record, an empty one, of each argument too.
            if record is None or isinstance(parameter, click.Argument):
                continue
            if isinstance(parameter, DeclaredOption):
                by_heading.setdefault(parameter.declared.heading, []).append(record)
            else:
                others.append(record)
        for heading, records in {**by_heading, HELP: others}.items():
            with formatter.section(heading):
                formatter.write_dl(records)


def input_arguments() -> list[click.Parameter]:
    """Return the arguments that name the input."""
    return [
        config_argument(),
        click.Argument(
            ["system_id"],
            metavar="[SYSTEM_ID]",
            required=False,
            shell_complete=_complete_system_or_file,
        ),
    ]


def config_argument() -> click.Parameter:
    """Return the argument that names the input, which has files completed."""
    return click.Argument(["config"], metavar="CONFIG", required=False, shell_complete=_first_words)


def _first_words(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list["CompletionItem"]:
    """Return what may stand for CONFIG."""
    from rouge_cli.cli.completion import first_words

    return first_words(ctx, incomplete)


def _complete_system_or_file(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list["CompletionItem"]:
    """Return the systems of CONFIG, or let the shell complete names of files."""
    from rouge_cli.cli.completion import files, systems

    return systems(ctx, incomplete) or files(incomplete)


def options_of(*groups: type[OptionGroup], without: Collection[str] = ()) -> list[click.Parameter]:
    """Return the Click options of some groups; of two with the same name, the first.

    Parameters
    ----------
    *groups : subclasses of OptionGroup
    without : collection of str
        Names of options that the command does not take.
    """
    declared: dict[str, Option] = {}
    for group in groups:
        declared |= {n: one for n, one in group.options().items() if n not in declared}
    return [DeclaredOption(name, one) for name, one in declared.items() if name not in without]


def checked_options(given: Mapping[str, Any], *groups: type[OptionGroup]) -> Options:
    """Check what was typed; switches that turn something off come here as True.

    Parameters
    ----------
    given : mapping of str to object
        As Click gives it.
    *groups : subclasses of OptionGroup
        The groups that the command takes; without any, all of `Options`.

    Raises
    ------
    OptionError
    """
    wanted = {name for group in groups for name in group.options()} if groups else set(OPTIONS)
    return Options.of(
        {
            name: (False if OPTIONS[name].off and value else value)
            for name, value in given.items()
            if name in wanted
        }
    )
