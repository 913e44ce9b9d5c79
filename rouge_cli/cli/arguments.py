"""Click's arguments and options, made from the declared ones, and help that groups them."""

import os
import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from rouge_cli.cli.help import HELP_SETTINGS, write_definitions
from rouge_cli.cli.names import GIVEN_WORDS, PROGRAM, near_command
from rouge_cli.core.choice import check_choice
from rouge_cli.options.declaration import Option, OptionGroup
from rouge_cli.options.every import OPTIONS, Options

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = [
    "HELP_SETTINGS",
    "DeclaredOption",
    "GroupedCommand",
    "checked_options",
    "input_arguments",
    "options_of",
]

HELP = "Help"

LETTERS_OF_THE_ORIGINAL = frozenset(f"-{letter}" for letter in "23UbceflnprtuwzHadhmMsvx")
"""There the last of several values counts."""


class DeclaredOption(click.Option):
    """A Click option made from a declared one; its value stays as typed until the group reads it.

    Parameters
    ----------
    name : str
        The field of the group.
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
            # Click would keep the last value of several without a word.
            multiple=True,
            nargs=declared.n_values,
            required=declared.is_required,
            help=declared.help,
        )

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Return what was typed: of an option for one value that one.

        Raises UsageError for a second value. A letter of the original keeps its last one, as
        there, with a warning.
        """
        found = super().process_value(ctx, value)
        if self.is_flag or self.declared.is_many:
            return found
        if len(found or ()) > 1 and not ctx.resilient_parsing:
            self._refuse_or_warn(found)
        return found[-1] if found else None

    def _refuse_or_warn(self, found: Sequence[Any]) -> None:
        """Say that an option for one value has several."""
        spelling = self.declared.spelling
        values = " and ".join(repr(one if isinstance(one, str) else " ".join(one)) for one in found)
        if self.declared.letter in LETTERS_OF_THE_ORIGINAL:
            from rouge_cli.cli.output import warn

            warn([f"{spelling} is given {len(found)} times, {values}; the last one counts"])
            return
        raise click.UsageError(f"{spelling} takes one value; found {values}")

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
                write_definitions(formatter, records)


def input_arguments(*, takes_system: bool = True) -> list[click.Parameter]:
    """Return the argument that names the input: a configuration, or one file or several.

    Parameters
    ----------
    takes_system : bool
        Whether a SYSTEM_ID may stand behind CONFIG.
    """
    metavar = "CONFIG [SYSTEM_ID]" if takes_system else "CONFIG"
    return [
        click.Argument(
            ["input_words"],
            metavar=metavar,
            nargs=-1,
            required=False,
            callback=_refuse_late_command,
            shell_complete=_complete_words if takes_system else _complete_files,
        )
    ]


def _refuse_late_command(
    ctx: click.Context, parameter: click.Parameter, words: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the words that name the input.

    Raises UsageError if the first is no file but a command, or nearly, that stands behind options.
    """
    given = list(ctx.meta.get(GIVEN_WORDS, ()))
    if not (words and given) or ctx.resilient_parsing:
        return words
    top, word = ctx.find_root(), words[0]
    known = top.command.list_commands(top) if isinstance(top.command, click.Group) else []
    meant = word if word in known else near_command(word, known)
    if meant is None or os.path.lexists(word):
        return words
    given.remove(word)
    if meant == HELP.lower():
        given = [one for one in given if one in known]
    line = shlex.join([PROGRAM, meant, *given])
    if meant == word:
        raise click.UsageError(f"no file '{word}'; the command comes first: {line}")
    raise click.UsageError(f"no command and no file '{word}'; did you mean: {line}")


def _complete_words(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list["CompletionItem"]:
    """Return what may stand for CONFIG and, behind it, its systems or files."""
    from rouge_cli.cli.completion import files, first_words, given_words, systems

    if not given_words(ctx):
        return first_words(ctx, incomplete)
    return systems(ctx, incomplete) or files(incomplete)


def _complete_files(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list["CompletionItem"]:
    """Return what may stand for CONFIG, or let the shell complete names of more files."""
    from rouge_cli.cli.completion import files, first_words, given_words

    return files(incomplete) if given_words(ctx) else first_words(ctx, incomplete)


def options_of(*groups: type[OptionGroup], without: Collection[str] = ()) -> list[click.Parameter]:
    """Return the Click options of some groups; of two with the same name, the first.

    Parameters
    ----------
    without : collection of str
        Names of options that the command does not take.
    """
    declared: dict[str, Option] = {}
    for group in groups:
        declared |= {n: one for n, one in group.options().items() if n not in declared}
    return [DeclaredOption(name, one) for name, one in declared.items() if name not in without]


def checked_options(given: Mapping[str, Any], *groups: type[OptionGroup]) -> Options:
    """Check what was typed, and the environment; switches that turn something off come as True.

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
    check_choice()
    wanted = {name for group in groups for name in group.options()} if groups else set(OPTIONS)
    return Options.of(
        {
            name: (False if OPTIONS[name].off and value else value)
            for name, value in given.items()
            if name in wanted
        }
    )
