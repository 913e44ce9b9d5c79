"""Help: the front page, the long usage of ``score``, and the command ``help``."""

import re
from collections.abc import Iterator, Sequence

import click

from rouge_cli.cli.commands import COMMANDS, DEFAULT_COMMAND, PROGRAM
from rouge_cli.errors import close_to

HELP_SETTINGS = {"help_option_names": ["-h", "--help"]}

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


def write_front_page(ctx: click.Context, form: click.HelpFormatter) -> None:
    """Write the front page: the commands, the common options, and examples."""
    form.write_usage(PROGRAM, "[COMMAND] [OPTIONS] INPUT...")
    form.write_paragraph()
    with form.indentation():
        form.write_text(INTRODUCTION)
    with form.section("Commands"):
        write_definitions(form, [(name, command.summary) for name, command in COMMANDS.items()])
    with form.section("Common options"):
        write_definitions(form, list(_common_options(ctx)))
    write_examples(form, examples_of(""))
    with form.section("More help"):
        write_definitions(form, MORE)


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
def command(name: str | None) -> None:
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
