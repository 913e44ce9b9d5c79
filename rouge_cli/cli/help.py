"""Help: the front page, the long usage of ``score``, and the command ``help``."""

from collections.abc import Iterable, Iterator

import click

__all__ = ["HELP_SETTINGS", "LONG_HELP", "close_to", "command", "write_front_page"]

HELP_SETTINGS = {"help_option_names": ["-h", "--help"]}

COMMON_OPTIONS = (
    "preset",
    "max_ngram",
    "stem",
    "all",
    "peer_lines",
    "model_lines",
    "sentence_separator",
    "per_eval",
    "report",
    "output",
)
"""The options of ``score`` that most runs need, in the order of the front page."""

SUMMARIES = {
    "score": "Score summaries against reference summaries (the default).",
    "compare": "Test which of several systems is better.",
    "plan": "Say how many EVALs a comparison needs.",
    "correlate": "Correlate scores with human judgements.",
    "jackknife": "Write the leave-one-out configuration.",
    "convert": "Write an input in another layout.",
    "selftest": "Reproduce stored results of the original on this machine.",
    "install-shim": "Set up a ROUGE-1.5.5 home for programs that call the Perl script.",
    "completion": "Print the script that completes words in your shell.",
    "help": "Explain a command.",
}
"""Every command in a few words."""

INTRODUCTION = (
    "Score summaries as ROUGE-1.5.5 does, to the byte. The command is score unless another one is "
    "named, so the options of the original work as they are."
)
EXAMPLES = (
    ("The usual scores of a file of records:", "rouge-cli --preset paper predictions.jsonl"),
    (
        "Two systems, one summary per line:",
        "rouge-cli -n 2 -m --peer-lines A=a.txt --peer-lines B=b.txt --model-lines refs.txt",
    ),
    ("The command line of the original:", "rouge-cli -c 95 -2 -1 -U -r 1000 -n 4 -a config.xml"),
    ("Is one system better than another?", "rouge-cli compare -n 2 -m predictions.jsonl"),
)
MORE = (
    ("help COMMAND", "Explain a command and all its options."),
    ("--help-all", "Show all options of score, the formats of texts and inputs, the exit codes."),
    ("--version", "Show the version."),
    ("--help", "Show this page."),
)

LONG_HELP = """Text formats:
  SPL     one sentence per line
  SEE     <a name="1">[1]</a> <a href="#1" id=1>A sentence.</a>
  ISI     <S SNTNO="1">A sentence.</S>
  SIMPLE  HEAD|MODIFIER|RELATION, for -3 only

CONFIG as XML:
  <ROUGE-EVAL version="1.55">
    <EVAL ID="1">
      <PEER-ROOT>peers</PEER-ROOT>
      <MODEL-ROOT>models</MODEL-ROOT>
      <INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT>
      <PEERS><P ID="mine">1.mine.txt</P></PEERS>
      <MODELS><M ID="A">1.A.txt</M><M ID="B">1.B.txt</M></MODELS>
    </EVAL>
  </ROUGE-EVAL>

CONFIG as a file list (-z FORMAT), one EVAL per line:
  peers/1.mine.txt models/1.A.txt models/1.B.txt

CONFIG as records, here JSON Lines (--prediction, --references, --id and --system set the fields):
  {"id": 1, "system": "mine", "prediction": "A text.", "references": ["One.", "Another."]}

Instead of CONFIG:
  line files, one text per line:
    --peer-lines mine.txt --model-lines human.txt --sentence-separator '<q>'
  folders, paired by patterns of file names:
    --peers 'system/(\\d+)_decoded.txt' --models 'reference/#ID#_reference.txt'
  folders, paired by DUC or TAC file names (D061.M.100.J.26, D061.M.100.J.A):
    --duc peers models

Examples:
  rouge-cli -n 2 -m config.xml mine
  rouge-cli -c 95 -2 -1 -U -r 1000 -n 4 -w 1.2 -a config.xml
  rouge-cli -n 2 -x -d -z SPL files.lst mine
  rouge-cli -n 2 --peer-lines A=a.txt --peer-lines B=b.txt --model-lines human.txt
  rouge-cli -n 2 -m predictions.jsonl --report table --require 'ROUGE-2:F>=0.18'
  rouge-cli --preset paper predictions.jsonl --report table --report json=scores.json
  rouge-cli convert config.xml --to jsonl -o records.jsonl

Other commands: compare, plan, correlate, jackknife, convert, selftest, install-shim, completion.
For the options of one, run rouge-cli help COMMAND.

Exit codes: 0 success; 1 a --require or the --baseline is not met; 2 wrong usage; 3 an input cannot
be used or an output cannot be written; 130 interrupted; 143 terminated."""


def close_to(word: str, known: Iterable[str]) -> str | None:
    """Return the name that a misspelt word is most like; None if it is like none."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word.lower(), list(known), n=1)), None)


def write_front_page(group: click.Group, ctx: click.Context, form: click.HelpFormatter) -> None:
    """Write the commands, the options that most runs need, and examples."""
    form.write_usage("rouge-cli", "[COMMAND] [OPTIONS] INPUT...")
    form.write_paragraph()
    with form.indentation():
        form.write_text(INTRODUCTION)
    with form.section("Commands"):
        form.write_dl([(name, SUMMARIES[name]) for name in group.list_commands(ctx)])
    with form.section("Common options"):
        form.write_dl(list(_common_options(group, ctx)))
    with form.section("Examples"):
        for what, line in EXAMPLES:
            form.write(f"  {what}\n    {line}\n")
    with form.section("More help"):
        form.write_dl(list(MORE))


def _common_options(group: click.Group, ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the spelling and the help of each common option."""
    score = group.get_command(ctx, "score")
    if score is None:
        # For the type checker: the group has it.
        raise KeyError("score")
    parameters = {one.name: one for one in score.params}
    for name in COMMON_OPTIONS:
        record = parameters[name].get_help_record(ctx)
        if record is not None:
            yield record


def _show_help(name: str | None) -> None:
    """Explain a command, or list the commands.

    Without COMMAND, show the commands and the options that most runs need.
    """
    ctx = click.get_current_context()
    top, group = ctx.find_root(), _group(ctx)
    one = group if name is None else group.get_command(top, name)
    if one is None:
        known = group.list_commands(top)
        close = close_to(name or "", known)
        advice = f"did you mean '{close}'?" if close else f"known are: {', '.join(known)}"
        raise click.UsageError(f"no command '{name}'; {advice}")
    if name is None:
        click.echo(one.get_help(top))
        return
    # Click remembers how help was asked for first, so it has to know all the ways.
    context = click.Context(one, info_name=name, parent=top, **one.context_settings)
    click.echo(one.get_help(context))


def _complete_command(ctx: click.Context, parameter: click.Parameter, word: str) -> list[str]:
    """Return the commands that begin with what is typed."""
    return [name for name in _group(ctx).list_commands(ctx.find_root()) if name.startswith(word)]


def _group(ctx: click.Context) -> click.Group:
    """Return the group that all commands belong to."""
    group = ctx.find_root().command
    if not isinstance(group, click.Group):
        # For the type checker: the root is the group.
        raise LookupError("help belongs to a group of commands")
    return group


command = click.Command(
    "help",
    params=[
        click.Argument(
            ["name"], metavar="[COMMAND]", required=False, shell_complete=_complete_command
        )
    ],
    callback=_show_help,
    help=_show_help.__doc__,
    context_settings=HELP_SETTINGS,
)
