"""Click arguments and options, made from the declarations, and commands with grouped help."""

import os
import shlex
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from rouge_cli.cli.group import (
    COMMAND_WORDS,
    COMMANDS,
    HELP_SETTINGS,
    PROGRAM,
    TYPED_WORDS,
    WHOLE_HELP,
    examples_of,
    help_all_option,
    near_command,
    write_definitions,
    write_examples,
)
from rouge_cli.core import check_choice
from rouge_cli.data import read_list
from rouge_cli.errors import InputError, OptionError, edits
from rouge_cli.escapes import escaped
from rouge_cli.options.declaration import Option, OptionGroup
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import (
    ADD,
    KINDS,
    OPTIONS,
    Options,
    PresetOptions,
    jobs_of_environment,
    with_added,
)
from rouge_cli.options.reports import REPORTS
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.texts import TextOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.shell_completion import CompletionItem

    from rouge_cli.inputs.source import Source


COMMON, HELP = "Common options", "Help"


class DeclaredOption(click.Option):
    """A Click option made from a declaration.

    `name` is the field of its group of options, which parses the value.
    """

    def __init__(self, name: str, declared: Option) -> None:
        self.declared = declared
        names = [name, *filter(None, (declared.letter, declared.long, declared.alias))]
        if declared.metavar is None:
            names[-1] = declared.switch_names
            super().__init__(names, is_flag=True, default=None, help=declared.help)
            return
        super().__init__(
            names,
            metavar=declared.metavar,
            # Otherwise Click silently keeps the last of several values.
            multiple=True,
            nargs=declared.n_values,
            required=declared.is_required,
            help=declared.help,
        )

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return names and help; of two long names, the alias is shown, since it reads better."""
        declared = self.declared
        names = ", ".join(filter(None, (declared.letter, declared.alias or declared.long)))
        return f"{names} {declared.metavar or ''}".rstrip(), declared.help

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Return the value of the option, or a tuple of values if the option may be repeated.

        A repeated option of the original takes its last value, as it does there, and a warning says
        so. Others raise UsageError.
        """
        typed = super().process_value(ctx, value)
        if self.declared.off and typed is not None:
            return not typed
        if self.is_flag or self.declared.is_many:
            return typed
        if len(typed or ()) > 1 and not ctx.resilient_parsing:
            self._refuse_or_warn(typed)
        return typed[-1] if typed else None

    def _refuse_or_warn(self, typed: Sequence[Any]) -> None:
        spelling = self.declared.spelling
        values = " and ".join(repr(v if isinstance(v, str) else " ".join(v)) for v in typed)
        if self.declared.is_original:
            from rouge_cli.cli.output import warn

            warn([f"{spelling} is given {len(typed)} times, {values}; the last one counts"])
            return
        raise click.UsageError(f"{spelling} takes one value; found {values}")

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        """Return completions of a partly typed value."""
        from rouge_cli.cli.completion import value_completions

        return value_completions(self.declared, ctx, incomplete)


class AddOption(DeclaredOption):
    """The option ``--add``, limited to the kinds that a command takes."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        super().__init__("add", ADD)
        self.kinds = kinds


def _guesses() -> dict[str, str]:
    """Return options of other programs, and likely guesses, with their equivalents here.

    Click itself suggests similar spellings only.
    """
    meant: dict[str, str] = {}
    for line in read_list("help/guesses.txt").decode().splitlines():
        option, _, guesses = line.rpartition(": ")
        if option == "--report KIND":
            meant |= {f"--{kind}": f"--report {kind}" for kind in REPORTS}
        meant |= dict.fromkeys(guesses.split(), option)
    return meant


class GroupedCommand(click.Command):
    """A command whose help groups options by heading.

    `help` is by default the docstring of `callback`.
    """

    def __init__(
        self,
        name: str,
        callback: "Callable[..., None]",
        params: list[click.Parameter],
        help: str | None = None,
    ) -> None:
        super().__init__(
            name,
            callback=callback,
            params=[*params, help_all_option()],
            help=help or callback.__doc__,
            context_settings=HELP_SETTINGS,
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of the command line, and keep them in the context."""
        ctx.meta[COMMAND_WORDS] = list(args)
        try:
            left = super().parse_args(ctx, args)
            kinds = next((item.kinds for item in self.params if isinstance(item, AddOption)), ())
            ctx.params = {KINDS[kind]: None for kind in kinds} | with_added(ctx.params, kinds)
            return left
        except OptionError as error:
            raise click.UsageError(str(error), ctx) from None
        except click.NoSuchOption as error:
            # Click suggests spellings that are barely similar: --strip for --metrik.
            likely = self._likely(error.option_name, ctx)
            hint = f" (Did you mean '{likely}'?)" if likely else ""
            raise click.UsageError(f"No such option '{error.option_name}'.{hint}", ctx) from None

    def _likely(self, name: str, ctx: click.Context) -> str:
        """Return the option that was probably meant by an unknown one; empty if none is similar."""
        known = {x for item in self.get_params(ctx) for x in (*item.opts, *item.secondary_opts)}
        meant = {
            guess: option
            for guess, option in _guesses().items()
            if option.partition(" ")[0].rpartition("/")[2] in known
        }
        spellings = {option: option for option in sorted(known) if option.startswith("--")} | meant
        closest = min(spellings, key=lambda spelling: edits(name, spelling))
        if 3 * edits(name, closest) <= len(name) - len("--"):
            return spellings[closest]
        # The unknown option may be one word of a name, such as --ngram.
        whole = (option for option in spellings if name.lstrip("-") in option.split("-"))
        return spellings.get(next(whole, ""), "")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the common options, or all of them by heading, in the order of the command."""
        by_heading: dict[str, list[tuple[str, str]]] = {}
        others = []
        is_full = ctx.meta.get(WHOLE_HELP, False)
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            # Some versions of Click return an empty record for each argument.
            if record is None or isinstance(parameter, click.Argument):
                continue
            if not isinstance(parameter, DeclaredOption):
                others.append(record)
            elif is_full:
                by_heading.setdefault(parameter.declared.heading, []).append(record)
            elif parameter.declared.is_common or parameter.declared.is_required:
                by_heading.setdefault(COMMON, []).append(record)
        for heading, records in {**by_heading, HELP: others}.items():
            with formatter.section(heading):
                write_definitions(formatter, records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write examples."""
        write_examples(formatter, examples_of(self.name or ""))


def input_arguments(
    *, takes_system: bool = True, metavar: str | None = None
) -> list[click.Parameter]:
    """Return the argument for the input: a configuration, or one or more files.

    With `takes_system`, SYSTEM_ID may follow CONFIG.
    """
    metavar = metavar or ("CONFIG [SYSTEM_ID]" if takes_system else "CONFIG")

    def complete(
        ctx: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list["CompletionItem"]:
        from rouge_cli.cli.completion import files, first_words, given_words, systems

        if not given_words(ctx):
            return first_words(ctx, incomplete)
        return (takes_system and systems(ctx, incomplete)) or files(incomplete)

    return [
        click.Argument(
            ["input_words"],
            metavar=metavar,
            nargs=-1,
            required=False,
            callback=_refuse_late_command,
            shell_complete=complete,
        )
    ]


def _refuse_late_command(
    ctx: click.Context, parameter: click.Parameter, words: tuple[str, ...]
) -> tuple[str, ...]:
    """Raise UsageError if the first word after some options is, or resembles, a command."""
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


def letters_behind_input() -> list[str]:
    """Return the letters of the original's options that follow the input of the current command."""
    # ROUGE-1.5.5 stops reading options at the first word that is not an option. So does this
    # parser; what is left is parsed once more to find the options in it.
    ctx = click.get_current_context()
    words = ctx.meta[COMMAND_WORDS]
    parser = ctx.command.make_parser(ctx)
    parser.allow_interspersed_args = False
    parsed, _, _ = parser.parse_args(list(words))
    # Without words Click stores a sentinel instead of a list.
    typed = parsed["input_words"]
    behind = list(typed) if isinstance(typed, list | tuple) else []
    # After two dashes neither program reads options.
    if "--" in words[: len(words) - len(behind)]:
        return []
    _, _, order = ctx.command.make_parser(ctx).parse_args(behind)
    declared = [item.declared for item in order if isinstance(item, DeclaredOption)]
    return [option.letter for option in declared if option.letter and option.is_original]


def options_of(*groups: type[OptionGroup], without: Collection[str] = ()) -> list[click.Parameter]:
    """Return the Click options of some groups, except those in `without`.

    The first of two options with the same name wins.
    """
    declared: dict[str, Option] = {}
    for group in groups:
        for name, option in group.options().items():
            declared.setdefault(name, option)
    taken = {name: option for name, option in declared.items() if name not in without}
    kinds = tuple(option.kind for option in taken.values() if option.kind is not None)
    options: list[click.Parameter] = [
        DeclaredOption(name, option) for name, option in taken.items() if option.kind is None
    ]
    if kinds:
        metrics = [n for n, name in enumerate(taken) if taken[name].heading == ADD.heading]
        options.insert(metrics[0] if metrics else 0, AddOption(kinds))
    return options


def source_and_options(
    words: Sequence[str], typed: Mapping[str, Any], *, takes_system: bool = True
) -> tuple["Source", Mapping[str, Any], "Callable[..., Options]"]:
    """Return the input that words name, the options by name, and the function that checks these.

    If the words are two files or two folders, a note on standard error says how they are
    understood, and the options include those that would state it explicitly.
    """
    from rouge_cli.cli.output import say_line
    from rouge_cli.inputs.source import Source
    from rouge_cli.run.pipeline import default_preset

    words, typed, note = _explicit(words, typed)
    if note:
        say_line(note)
    source = Source.of(words, takes_system=takes_system)
    if typed.get("system_ids"):
        # The option selects among all systems of the input.
        typed = {**typed, "all": True}
    if "preset" not in typed:
        return source, typed, checked_options
    if _is_single_text(typed) and typed.get("resamples") is None:
        typed = {**typed, "resamples": 0}
    preset = default_preset(source, typed)
    return source, typed, partial(checked_options, default_preset=preset)


def _explicit(
    words: Sequence[str], typed: Mapping[str, Any]
) -> tuple[Sequence[str], Mapping[str, Any], str]:
    """Replace two folders or two files of text by the option that a user could have typed.

    Returns the remaining words, the options by name, and a note on how the words were understood;
    other inputs are returned unchanged, with an empty note. Command lines of the original never
    change: a configuration begins with ``<``, and a file list needs ``-z``. Raises InputError for
    an empty file.
    """
    from rouge_cli.inputs.layout import LAYOUTS
    from rouge_cli.inputs.source import are_line_files, is_text_file, named_file

    selectors = filter(None, (layout.selector for layout in LAYOUTS))
    if len(words) != len(("predictions", "references")) or any(map(typed.get, selectors)):
        return words, typed, ""
    first, second = named_file(words[0])[1], words[1]
    names = f"{escaped(first)} and {escaped(second)}"
    if os.path.isdir(first) and os.path.isdir(second):
        from rouge_cli.scores.saved_scores import is_saved  # imports json and numpy

        if is_saved(first) or is_saved(second):
            return words, typed, ""
        note = f"{names}: taken for folders of texts, paired by name; --dry-run shows the pairs"
        return (), {**typed, "pair": (first, second)}, note
    others = [path for path in (first, second) if not is_text_file(path)]
    if len(others) == 1 and os.path.isfile(others[0]) and not os.path.getsize(others[0]):
        raise InputError(f"{escaped(others[0])}: an empty file; expected texts")
    if others:
        return words, typed, ""
    if are_line_files(first, second):
        of_lines = {"peer_lines": (words[0],), "model_lines": (second,)}
        note = f"{names}: taken for files with one text per line; --pair reads each as one text"
        return (), {**typed, **of_lines}, note
    note = (
        f"{names}: taken for two texts with one sentence per line; for one text per line, give "
        "--predictions and --references"
    )
    return (), {**typed, "pair": (first, second)}, note


def _is_single_text(typed: Mapping[str, Any]) -> bool:
    """Return whether the options name a single text, for which a table shows no interval.

    The classic report always prints intervals.
    """
    is_classic = any(str(kind).startswith("classic") for kind in typed.get("report") or ())
    names_one = typed.get("text") or not any(map(os.path.isdir, typed.get("pair") or "."))
    return bool(names_one) and not is_classic


def checked_options(
    typed: Mapping[str, Any],
    *groups: type[OptionGroup],
    environment: Mapping[str, str] = os.environ,
    default_preset: str | None = None,
) -> Options:
    """Check typed options and the environment, and return the options; raises OptionError.

    `groups` are the groups that the command takes, by default all of `Options`. `default_preset` is
    as in `Options.of`.
    """
    check_choice()
    jobs_of_environment()
    taken = {name for group in groups for name in group.options()} if groups else set(OPTIONS)
    values = {name: v for name, v in typed.items() if name in taken}
    options = Options.of(values, default_preset)
    if options.metrics.protocol is not None:
        from rouge_cli.protocols.metric import looked_up

        options = looked_up(options, OPTIONS["protocol"].spelling)
    is_joined = options.joined.scores or options.inputs.column
    is_judged = typed.get("judgements") or typed.get("judgement")
    is_matched = is_joined or is_judged or options.thresholds.not_worse_than is not None
    if typed.get("unmatched") and not is_matched:
        raise OptionError(
            "--unmatched is for scores that join others (--add scores, --add column), a baseline "
            "with --not-worse-than, and judgements; nothing here is matched"
        )
    from rouge_cli.text.word_lists import with_data_dir

    return with_data_dir(options, environment)


def batch_options(words: Sequence[str]) -> dict[str, Any]:
    """Parse options as ``rouge-cli`` does, and return them by their names in Python.

    `words` are options only, such as ``["-n", "2", "-m"]``. Values are checked by
    `rouge_cli.batches.plan`, which takes the result. Raises OptionError for an unknown option, a
    missing value, and a word that is not an option.
    """
    groups = (PresetOptions, MetricOptions, TextOptions, ScoreOptions, InputOptions)
    command = click.Command("batches", params=options_of(*groups), add_help_option=False)
    try:
        params = command.make_context("batches", list(words)).params
    except click.UsageError as error:
        raise OptionError(error.format_message()) from None
    return {name: v for name, v in with_added(params).items() if v not in (None, ())}
