"""Click's arguments and options, made from the declared ones, and help that groups them."""

import os
import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from rouge_cli.cli.commands import COMMAND_WORDS, COMMANDS, PROGRAM, TYPED_WORDS, near_command
from rouge_cli.cli.help import write_definitions
from rouge_cli.core import check_choice
from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import Option, OptionGroup
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.presets import PresetOptions
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.texts import TextOptions
from rouge_cli.run.processors import asked_jobs

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


HELP = "Help"


class DeclaredOption(click.Option):
    """A Click option made from a declared one; its value stays as typed until the group reads it.

    `name` is the field of the group.
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
        """Return what was typed: a value, or a tuple for an option that may be repeated.

        A second value raises UsageError. Options of the original take the last value, as there,
        with a warning.
        """
        typed = super().process_value(ctx, value)
        if self.is_flag or self.declared.is_many:
            return typed
        if len(typed or ()) > 1 and not ctx.resilient_parsing:
            self._refuse_or_warn(typed)
        return typed[-1] if typed else None

    def _refuse_or_warn(self, typed: Sequence[Any]) -> None:
        """Report several values of an option that takes one."""
        spelling = self.declared.spelling
        values = " and ".join(repr(v if isinstance(v, str) else " ".join(v)) for v in typed)
        if self.declared.is_of_original:
            from rouge_cli.cli.output import warn

            warn([f"{spelling} is given {len(typed)} times, {values}; the last one counts"])
            return
        raise click.UsageError(f"{spelling} takes one value; found {values}")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        """Return completions of a value."""
        from rouge_cli.cli.completion import value_completions

        return value_completions(self.declared, ctx, incomplete)


MEANT = {"--metrics": "--max-ngram", "--metric": "--max-ngram", "--rouge-types": "--max-ngram"}
"""Options of other programs, unlike in spelling, and what does the same here."""


class GroupedCommand(click.Command):
    """A command whose help shows the options under their headings."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words of the command line, and read them."""
        ctx.meta[COMMAND_WORDS] = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            likely = MEANT.get(error.option_name, "")
            if not any(likely in parameter.opts for parameter in self.get_params(ctx)):
                raise
            # Click suggests similar spellings only.
            raise click.UsageError(
                f"No such option '{error.option_name}'. (Did you mean '{likely}'?)", ctx
            ) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, heading by heading, in the order in which the command takes them."""
        by_heading: dict[str, list[tuple[str, str]]] = {}
        others = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            # Some versions of Click return an empty record for each argument.
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

    If `takes_system`, a SYSTEM_ID may stand behind CONFIG.
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

    Raises UsageError if the first is not a file but a command, or nearly, behind options.
    """
    typed = list(ctx.meta.get(TYPED_WORDS, ()))
    if not (words and typed) or ctx.resilient_parsing:
        return words
    word = words[0]
    command = word if word in COMMANDS else near_command(word)
    if command is None or os.path.lexists(word):
        return words
    typed.remove(word)
    if command == HELP.lower():
        typed = [name for name in typed if name in COMMANDS]
    line = shlex.join([PROGRAM, command, *typed])
    if command == word:
        raise click.UsageError(f"no file '{word}'; the command comes first: {line}")
    raise click.UsageError(f"no command and no file '{word}'; did you mean: {line}")


def letters_behind_input(ctx: click.Context) -> list[str]:
    """Return the letters of options that stand behind the first word that is none.

    ROUGE-1.5.5 stops reading options there.
    """
    words = ctx.meta[COMMAND_WORDS]
    parser = ctx.command.make_parser(ctx)
    parser.allow_interspersed_args = False
    parsed, _, _ = parser.parse_args(list(words))
    # Without words, Click has an object of its own there.
    typed = parsed["input_words"]
    behind = list(typed) if isinstance(typed, list | tuple) else []
    # Behind two dashes nothing is an option, here as there.
    if "--" in words[: len(words) - len(behind)]:
        return []
    _, _, order = ctx.command.make_parser(ctx).parse_args(behind)
    declared = [item.declared for item in order if isinstance(item, DeclaredOption)]
    return [option.letter for option in declared if option.letter and option.is_of_original]


def _complete_words(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list["CompletionItem"]:
    """Complete CONFIG and, behind it, its systems or files."""
    from rouge_cli.cli.completion import files, first_words, given_words, systems

    if not given_words(ctx):
        return first_words(ctx, incomplete)
    return systems(ctx, incomplete) or files(incomplete)


def _complete_files(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list["CompletionItem"]:
    """Complete CONFIG, or let the shell complete names of more files."""
    from rouge_cli.cli.completion import files, first_words, given_words

    return files(incomplete) if given_words(ctx) else first_words(ctx, incomplete)


def options_of(*groups: type[OptionGroup], without: Collection[str] = ()) -> list[click.Parameter]:
    """Return the Click options of some groups; of two with the same name, the first.

    `without` names options that the command does not take.
    """
    declared: dict[str, Option] = {}
    for group in groups:
        for name, option in group.options().items():
            declared.setdefault(name, option)
    return [
        DeclaredOption(name, option) for name, option in declared.items() if name not in without
    ]


def checked_options(
    typed: Mapping[str, Any],
    *groups: type[OptionGroup],
    environment: Mapping[str, str] = os.environ,
) -> Options:
    """Check what was typed, and the environment; raises OptionError.

    `groups` are those that the command takes;
    without any, all of `Options`.
    """
    check_choice()
    asked_jobs()
    taken = {name for group in groups for name in group.options()} if groups else set(OPTIONS)
    options = Options.of({name: v for name, v in switched_off(typed).items() if name in taken})
    if options.metrics.protocol is not None:
        from rouge_cli.protocols.metric import looked_up

        options = looked_up(options, OPTIONS["protocol"].spelling)
    is_joined = options.joined.scores or options.inputs.column
    is_judged = typed.get("judgements") or typed.get("judgement")
    is_matched = is_joined or is_judged or options.thresholds.not_worse_than is not None
    if typed.get("unmatched") and not is_matched:
        raise OptionError(
            "--unmatched is for scores that join others (--scores, --column), a baseline with "
            "--not-worse-than, and judgements; nothing here is matched"
        )
    from rouge_cli.text.word_lists import with_data_dir

    return with_data_dir(options, environment)


def switched_off(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was typed, with False for each switch that turns something off."""
    return {
        name: False if value and name in OPTIONS and OPTIONS[name].off else value
        for name, value in typed.items()
    }


def batch_options(words: Sequence[str]) -> dict[str, Any]:
    """Read options as ``rouge-cli`` does, and return them by their names in Python.

    `words` are options alone: ``["-n", "2", "-m"]``. `rouge_cli.batches.plan` takes the result and
    checks the values. Raises OptionError for an option that is unknown or lacks its value, and for
    words that are not options.
    """
    groups = (PresetOptions, MetricOptions, TextOptions, ScoreOptions, InputOptions)
    command = click.Command("batches", params=options_of(*groups), add_help_option=False)
    try:
        params = command.make_context("batches", list(words)).params
    except click.UsageError as error:
        raise OptionError(error.format_message()) from None
    return {
        name: False if OPTIONS[name].off else value
        for name, value in params.items()
        if value not in {None, ()}
    }
