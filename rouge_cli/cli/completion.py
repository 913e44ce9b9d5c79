"""Completion of commands, options and values in a shell, and the command ``completion``."""

import os
from collections.abc import Iterable, Iterator

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    ShellComplete,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

from rouge_cli.cli.group import (
    COMMANDS,
    COMPLETION_VARIABLE,
    FIRST_WORD,
    HELP_SETTINGS,
    PROGRAM,
)
from rouge_cli.errors import RougeError
from rouge_cli.options import readers
from rouge_cli.options.declaration import Option
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions

SHELLS = ("bash", "zsh", "fish", "powershell")


def value_completions(option: Option, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return completions of a partly typed value of an option."""
    read = option.parse
    # Only the last of several words with commas between them is completed.
    if isinstance(read, readers.Choices):
        *before, last = incomplete.split(",")
        others = [word for word in read.values if word not in before]
        return _plain(_starting(others, last), "".join(f"{word}," for word in before))
    name, equals, file = incomplete.partition("=")
    if isinstance(read, readers.Choice | readers.Files) and read.values and not equals:
        return _plain(_starting(read.values, incomplete))
    if read is readers.path or isinstance(read, readers.Files):
        if equals:
            return _plain(_entries(file), f"{name}=")
        # Options with two values name two folders.
        return (
            [CompletionItem(incomplete, type="dir")] if option.n_values > 1 else files(incomplete)
        )
    return systems(ctx, incomplete) if read in (readers.system_id, readers.system_ids) else []


@add_completion_class
class JoinedBashComplete(BashComplete):
    """Completion for bash, which splits ``--report=j`` and ``A=file`` into three words each."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the complete words, and the word to complete."""
        args, incomplete = super().get_completion_args()
        return [word for word in args if word != "="], "" if incomplete == "=" else incomplete


@add_completion_class
class PowerShellComplete(ShellComplete):
    """Completion for PowerShell, which completes file names if no completions are printed."""

    name = "powershell"

    def source(self) -> str:
        """Return the script that a user's profile loads."""
        from rouge_cli.data import read_list

        return read_list("help/completion.ps1").decode() % self.source_vars()

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the complete words, and the word to complete."""
        words = split_arg_string(os.environ["COMP_WORDS"])[1:]
        incomplete = os.environ["COMP_CWORD"]
        return (words[:-1] if incomplete and words else words), incomplete

    def complete(self) -> str:
        """Return the completions, one per line."""
        items = self.get_completions(*self.get_completion_args())
        return "\n".join(self.format_completion(item) for item in items if item.type == "plain")

    def format_completion(self, item: CompletionItem) -> str:
        """Return the line of a completion."""
        return str(item.value)


def first_words(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Complete CONFIG with files and, as the first word of the line, with commands."""
    commands = _starting(COMMANDS, incomplete) if ctx.meta.get(FIRST_WORD) else []
    # Bash completes names of files only if there are no other completions.
    return _plain([*commands, *_entries(incomplete)]) if commands else files(incomplete)


def given_words(ctx: click.Context) -> tuple[str, ...]:
    """Return the typed words that are not options."""
    # While the last option lacks its value, Click leaves the words in `args`.
    return tuple(ctx.params.get("input_words") or ctx.args)


def files(incomplete: str) -> list[CompletionItem]:
    """Ask the shell to complete the name of a file."""
    return [CompletionItem(incomplete, type="file")]


def systems(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Complete the ID of a system of the input; nothing if the input cannot be read."""
    from rouge_cli.inputs.layout import open_input
    from rouge_cli.inputs.source import Source

    typed = {name: ctx.params.get(name) for name in InputOptions.options()}
    try:
        inputs = InputOptions.of({**typed, "all": True})
        opened = open_input(Source.of(given_words(ctx)[:1]), inputs, MetricOptions())
        # Only some layouts know their systems before all is read.
        systems = opened.index.order or opened.complete().order
        return _plain(_starting(systems, incomplete))
    except RougeError:
        return []


def _starting(words: Iterable[str], incomplete: str) -> list[str]:
    return [word for word in words if word.lower().startswith(incomplete.lower())]


def _plain(words: Iterable[str], before: str = "") -> list[CompletionItem]:
    return [CompletionItem(before + word) for word in words]


def _entries(incomplete: str) -> Iterator[str]:
    folder, name = os.path.split(incomplete)
    try:
        entries = sorted(os.scandir(folder or os.curdir), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(name) and (name or not entry.name.startswith(".")):
            yield os.path.join(folder, entry.name) + (os.sep if entry.is_dir() else "")


@click.command("completion", context_settings=HELP_SETTINGS)
@click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the script that completes commands, options, values, files and systems in a shell.

    SHELL is bash (4.4 or later), zsh, fish or powershell. Load the script where the shell starts:

    \b
    bash, in ~/.bashrc:
      eval "$(rouge-cli completion bash)"
    zsh, in ~/.zshrc:
      eval "$(rouge-cli completion zsh)"
    fish, in ~/.config/fish/config.fish:
      rouge-cli completion fish | source
    PowerShell, in $PROFILE:
      rouge-cli completion powershell |
        Out-String | Invoke-Expression

    In zsh, call compinit before. The systems of CONFIG are completed as its SYSTEM_ID.
    """  # noqa: D301 - Click keeps the lines below a backspace
    of_shell = get_completion_class(shell)
    assert of_shell is not None, "the argument takes only known shells"
    top = click.get_current_context().find_root().command
    click.echo(of_shell(top, {}, PROGRAM, COMPLETION_VARIABLE).source())
