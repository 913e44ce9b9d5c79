"""The program ``rouge-cli`` as a Click group, its commands (by default ``score``), and help.

Nothing here imports a command or a study, so that ``--version`` and misspelt commands stay cheap.
"""

import io
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

import click

from rouge_cli import __version__
from rouge_cli.cli.process import EXIT_USAGE, say
from rouge_cli.errors import close_to
from rouge_cli.studies.study import STUDIES

PROGRAM = "rouge-cli"

COMPLETION_VARIABLE = "_ROUGE_CLI_COMPLETE"
"""Variable that shells set to request completions. Click derives its name from `PROGRAM`."""

HELP_SETTINGS = {"help_option_names": ["-h", "--help"]}

# Keys in the `meta` of a Click context.

FIRST_WORD = "rouge_cli.first_word"
"""Whether the next word may be a command."""

TYPED_WORDS = "rouge_cli.typed_words"
"""The words of the command line, if it names no command."""

COMMAND_WORDS = "rouge_cli.command_words"
"""The words of the command line after the name of the command."""


class Command(NamedTuple):
    """An entry of the list.

    - `module`, `attribute`: where to find the Click command, or a function that returns it by name.
    - `summary`: its line on the front page and in the manual page.
    """

    name: str
    module: str
    summary: str
    attribute: str = "command"

    def load(self) -> click.Command:
        """Import the command."""
        # Imported late, since these modules import this one.
        loaded = getattr(import_module(f"rouge_cli.cli.{self.module}"), self.attribute)
        command: click.Command = loaded if isinstance(loaded, click.Command) else loaded(self.name)
        return command


def _other(name: str, summary: str) -> Command:
    return Command(name, "other_commands", summary, name.replace("-", "_"))


COMMANDS = {
    command.name: command
    for command in (
        Command("score", "score", STUDIES["score"].summary),
        _other("explain", "Show why a score is what it is, word by word."),
        *(
            Command(study.name, "studies", study.summary, "study_command")
            for study in STUDIES.values()
            if study.name != "score"
        ),
        Command("verify", "score", "Score again what a certificate is about.", "verify"),
        Command("source", "score", "Measure what summaries take from their sources.", "source"),
        Command("dedup", "dedup", "Drop records that resemble earlier ones."),
        _other("jackknife", "Write the leave-one-out configuration."),
        _other("convert", "Write an input in another layout."),
        _other("protocols", "List other packages, or compare their numbers."),
        _other("selftest", "Reproduce stored results of the original on this machine."),
        _other("install-shim", "Set up a ROUGE-1.5.5 home for programs that call the Perl script."),
        Command("completion", "completion", "Print the script that completes words in your shell."),
        Command("help", "group", "Explain a command.", "help_command"),
    )
}
"""All commands by name, in the order of the help. Those of studies come from `STUDIES`."""

DEFAULT_COMMAND = "score"

LEAST_ALIKE = 0.7
"""Similarity from which a word is taken for a misspelt command. Stricter than usual, since the word
may be a file: "texts" is not "context"."""


def near_command(word: str) -> str | None:
    """Return the command that a word resembles, if any; None for options and paths with folders."""
    is_word = not word.startswith("-") and os.path.basename(word) == word
    return close_to(word, COMMANDS, LEAST_ALIKE) if is_word else None


# The group.

OWN_OPTIONS = ("-h", "--help", "--version")  # as the first word, these belong to no command
VERBOSE = {"-v", "--verbose"}

# Commands that users may expect, with what to use instead.
ELSEWHERE = {
    "mbr": "in Python, rouge_cli.bulk.mbr() chooses by minimum Bayes risk",
    "oracle": "in Python, rouge_cli.bulk.oracle_labels() finds the sentences to extract",
    "merge": "files of saved scores are put together by any command: rouge-cli A.jsonl B.jsonl",
}


class _PastClick(Exception):  # noqa: N818
    """Carries an exception past Click, which would exit with 1, the code of an unmet threshold."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


@contextmanager
def _past_click() -> Iterator[None]:
    try:
        yield
    except (KeyboardInterrupt, EOFError, OSError) as error:
        raise _PastClick(error) from error


class _Context(click.Context):
    def make_formatter(self) -> click.HelpFormatter:
        """Return a formatter as wide as the terminal."""
        return self.formatter_class(width=help_width())


class CommandGroup(click.Group):
    """A group with a default command: the first word need not name a command."""

    context_class = _Context

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """Parse the arguments of the group, and return its context."""
        with _past_click():
            return super().make_context(*arguments, **settings)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        command = COMMANDS[cmd_name].load()
        command.context_class = self.context_class
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Prepend the default command unless the first word is a command."""
        # Click's option --version would end the program before it reads -v.
        if args[:1] == ["--version"] and VERBOSE & {*args[1:]} and not ctx.resilient_parsing:
            from rouge_cli.core import describe_core

            click.echo(f"rouge-cli {__version__}\ncore: {describe_core()}")
            ctx.exit()
        if not (args or ctx.resilient_parsing):
            click.echo(self.get_help(ctx))
            ctx.exit(EXIT_USAGE)
        if not args or args[0] not in {*COMMANDS, *OWN_OPTIONS}:
            close = near_command(args[0]) if args and not ctx.resilient_parsing else None
            # An existing file takes precedence over a command with a similar name.
            if close is not None and not os.path.lexists(args[0]):
                raise click.UsageError(
                    f"no command and no file '{args[0]}'; did you mean '{close}'?"
                )
            if args and args[0] in ELSEWHERE and not os.path.lexists(args[0]):
                raise click.UsageError(f"no command '{args[0]}'; {ELSEWHERE[args[0]]}")
            # Completion offers commands only for the first word.
            ctx.meta[FIRST_WORD] = not args
            ctx.meta[TYPED_WORDS] = args
            args = [DEFAULT_COMMAND, *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the front page: the commands, the common options, and examples."""
        formatter.write_usage(PROGRAM, "[COMMAND] [OPTIONS] INPUT...")
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(INTRODUCTION)
        with formatter.section("Commands"):
            rows = [(name, command.summary) for name, command in COMMANDS.items()]
            write_definitions(formatter, rows)
        with formatter.section("Common options"):
            write_definitions(formatter, list(_common_options(ctx)))
        write_examples(formatter, examples_of(""))
        with formatter.section("More help"):
            write_definitions(formatter, MORE)

    def invoke(self, ctx: click.Context) -> Any:
        """Import and run the command."""
        with _past_click():
            return super().invoke(ctx)


@click.group(
    cls=CommandGroup,
    context_settings=HELP_SETTINGS,
    options_metavar="[COMMAND] [OPTIONS]",
    subcommand_metavar="INPUT...",
)
@click.version_option(__version__, message="rouge-cli %(version)s")
def cli() -> None:
    """Score summaries as ROUGE-1.5.5 does, to the byte."""


def run() -> int:
    """Run the command line, and return its exit code.

    Wrong usage is reported here; OSError, KeyboardInterrupt and SystemExit are raised.
    """
    try:
        code = cli.main(prog_name=PROGRAM, standalone_mode=False)
    except click.ClickException as error:
        message = io.StringIO()
        error.show(message)
        say(message.getvalue().rstrip("\n"))
        return error.exit_code
    except _PastClick as past:
        raise past.error from None
    except click.Abort:
        # Click raises this for an interrupt in its own code.
        raise KeyboardInterrupt from None
    return code if isinstance(code, int) else 0


# Help: the front page, the long usage of ``score``, and the command ``help``.

INTRODUCTION = (
    "Score summaries as ROUGE-1.5.5 does, to the byte. The command is score unless another one is "
    "named, so the options of the original work as they are."
)
WHOLE_HELP = "rouge_cli.whole_help"
"""Key in the `meta` of a Click context: whether help shows all options."""

MORE = (
    ("COMMAND --help", "Explain a command."),
    ("--help-all", "Show all options of score, the formats of texts and inputs, the exit codes."),
    ("--version", "Show the version."),
    ("--help", "Show this page."),
)

MARGIN = 2
"""Free columns on the right, as in Click."""

LEAST_WIDTH = 20

LONGEST_TERM = 30
"""Largest width of the column with the names of options, which is also limited to two fifths of the
page."""

INDENT = "    "
CONTINUED = " \\"


def help_width() -> int:
    """Return the width of a page in this terminal; unlike in Click, it may be below 50 columns."""
    import shutil  # here, since most runs show no help

    return max(shutil.get_terminal_size().columns - MARGIN, LEAST_WIDTH)


def write_definitions(form: click.HelpFormatter, rows: Sequence[tuple[str, str]]) -> None:
    """Write a list of terms and explanations."""
    form.write_dl(rows, col_max=min(LONGEST_TERM, form.width * 2 // 5))


def write_examples(form: click.HelpFormatter, lines: Sequence[str]) -> None:
    """Write a section of commands, folded so that they can be pasted into a shell."""
    with form.section("Examples"):
        for line in lines:
            form.write("\n".join([*_fitted(f"  {line}", form.width), ""]))


def help_all_option() -> click.Option:
    """Return the option that shows all options of a command and, for ``score``, the formats."""
    return click.Option(
        ["-H", "--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_all,
        help="Show all options; switches have negations, such as --no-stem.",
    )


def _show_all(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[WHOLE_HELP] = True
        text = ctx.get_help()
        is_score = ctx.command.name == DEFAULT_COMMAND
        click.echo(f"{text}\n\n{long_help(help_width())}" if is_score else text)
        ctx.exit()


def long_help(width: int) -> str:
    """Return the text below the options of ``score``, folded to this width."""
    from rouge_cli.data import read_list

    others = ", ".join(name for name in COMMANDS if name not in {DEFAULT_COMMAND, "help"})
    formats = read_list("help/formats.txt").decode().replace("OTHERS", others)
    text = f"{formats}\nPresets:\n{_presets()}"
    return "\n".join(piece for line in text.splitlines() for piece in _fitted(line, width))


def _presets() -> str:
    # Imported here, since other pages do not need it.
    from rouge_cli.options.options import OPTIONS, PRESETS

    return "\n".join(
        f"  {name}: {preset.use}: {' '.join(preset.words(OPTIONS))}"
        + (f"; see {preset.source}" if preset.source else "")
        for name, preset in PRESETS.items()
    )


def _fitted(line: str, width: int) -> list[str]:
    import textwrap

    if len(line) <= width:
        return [line]
    text = line.lstrip()
    indent = line[: -len(text)]
    later = indent + INDENT * bool(indent)
    if text.startswith(("rouge-cli", "--")):
        return _continued(text, width, indent, later)
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=later, break_on_hyphens=False
    )


def _continued(command: str, width: int, indent: str, later: str) -> list[str]:
    """Fold a command line with backslashes, keeping each option with its value."""
    lines = [indent]
    room = width - len(later) - len(CONTINUED)
    # Separate an option from its value only if the two do not fit in one line.
    pairs = re.findall(r"-\S*(?: (?!-)(?:'[^']*'|\S)+)?|\S+", command)
    for part in (
        part for pair in pairs for part in ([pair] if len(pair) <= room else pair.split(maxsplit=1))
    ):
        if lines[-1].strip() and len(lines[-1]) + len(part) + len(CONTINUED) >= width:
            lines[-1] += CONTINUED
            lines.append(later)
        lines[-1] += f" {part}" if lines[-1].strip() else part
    return lines


def examples_of(command: str) -> list[str]:
    """Return four examples of a command with options or, if it is empty, of the front page."""
    from rouge_cli.data import read_list

    text = read_list("help/examples.txt").decode()
    section = re.search(rf"^{command or '-'}\n((?:  .*\n)+)", text, re.MULTILINE)
    return [f"rouge-cli {line}" for line in section[1].strip().split("\n  ")] if section else []


def _common_options(ctx: click.Context) -> Iterator[tuple[str, str]]:
    # Imported here, since other pages do not need it.
    from rouge_cli.options.options import OPTIONS

    parameters = {
        parameter.name: parameter for parameter in COMMANDS[DEFAULT_COMMAND].load().params
    }
    for name in (name for name, declared in OPTIONS.items() if declared.is_common):
        record = parameters[name].get_help_record(ctx)
        if record is not None:
            yield record


def _command_names(ctx: click.Context, parameter: click.Parameter, word: str) -> list[str]:
    return [name for name in COMMANDS if name.startswith(word)]


@click.command("help", context_settings=HELP_SETTINGS)
@click.argument("name", metavar="[COMMAND]", required=False, shell_complete=_command_names)
def help_command(name: str | None) -> None:
    """Explain a command, or list the commands.

    Without COMMAND, show the commands and the options that most runs need.
    """
    top = click.get_current_context().find_root()
    if name is None:
        click.echo(top.get_help())
        return
    if name not in COMMANDS:
        close = close_to(name, COMMANDS)
        advice = f"did you mean '{close}'?" if close else f"known are: {', '.join(COMMANDS)}"
        raise click.UsageError(f"no command '{name}'; {advice}")
    explained = COMMANDS[name].load()
    # Click caches the first help option of a command, so the settings must be complete.
    settings = explained.context_settings
    click.echo(explained.get_help(type(top)(explained, info_name=name, parent=top, **settings)))
