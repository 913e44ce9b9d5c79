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

_EXAMPLES = """\
-
  predictions.jsonl
  predictions.txt references.txt
  -c 95 -2 -1 -U -r 1000 -n 4 -a config.xml
  compare predictions.jsonl
score
  predictions.jsonl --report html -o report.html
  -n 2 -m --predictions A=a.txt --predictions B=b.txt --references refs.txt
  predictions.csv --prediction output --references summary --language de
  -c 95 -2 -1 -U -r 1000 -n 4 -a config.xml
explain
  explain predictions.jsonl --eval 17
  explain predictions.jsonl --worst 5 --sort ROUGE-2
  explain predictions.jsonl --against A --best 3 --report html -o why.html
  explain --text 'A cat sat.' --reference 'The cat sat.'
compare
  compare predictions.jsonl
  compare A=a.jsonl B=b.jsonl --report latex
  compare predictions.jsonl --run seed
  compare predictions.jsonl --equivalence 0.01
plan
  plan pilot.jsonl --difference 0.01
  plan pilot.jsonl --difference 0.01 --power 0.9 --system-id A --system-id B
  plan pilot.jsonl --equivalence 0.01
  plan one-system.jsonl --difference 0.01 --spread 0.1
correlate
  correlate predictions.jsonl --judgements judgements.csv
  correlate predictions.jsonl --judgements judgements.csv --level system
  correlate predictions.jsonl --judgements judgements.csv --coefficient kendall
  correlate --add scores:metrics.csv --judgements judgements.csv
identify
  identify mine.jsonl --published 'ROUGE-1=44.16 ROUGE-2=21.28'
  identify all.jsonl --system-id bart --published 'ROUGE-L=40.90'
  identify mine.jsonl --published 'ROUGE-1:R=0.4416' --deep
  identify mine.txt references.txt --published 'ROUGE-1=44.16'
context
  context predictions.jsonl --sources article
  context predictions.jsonl --sources article --sentences en --take 3
  context predictions.jsonl --sources article --best
  context predictions.jsonl --sources article --labels labels.jsonl
verify
  verify certificate.json
  verify certificate.json moved/predictions.jsonl
  verify certificate.json --predictions a.txt --references refs.txt
  predictions.jsonl --certificate certificate.json
source
  source predictions.jsonl --sources article
  source predictions.jsonl --sources article --orders 1,2
  source predictions.jsonl --sources article --rule presumm
  source predictions.jsonl --sources article --save statistics.jsonl
dedup
  dedup instructions.jsonl --field instruction -o kept.jsonl
  dedup new.jsonl --field text --against old.jsonl --threshold 0.5
  dedup texts.jsonl --field text --dropped dropped.jsonl -o kept.jsonl
  dedup texts.jsonl --field text --check
jackknife
  jackknife config.xml -o jackknife.xml
  jackknife config.xml --humans -o jackknife.xml
  jackknife config.xml lead
  --jackknife -a config.xml
convert
  convert config.xml --to jsonl -o records.jsonl
  convert predictions.jsonl --to xml -o folder
  convert predictions.jsonl --to lines -o folder
  convert predictions references --to jsonl -o records.jsonl
protocols
  protocols
  protocols rouge-score > own.toml
  protocols --compare predictions.jsonl
  protocols --compare predictions.jsonl --plot packages.svg
"""
EXAMPLES = {
    name.strip("-"): tuple(f"rouge-cli {line}" for line in lines.strip().split("\n  "))
    for name, lines in re.findall(r"^(\S+)\n((?:  .*\n)+)", _EXAMPLES, re.MULTILINE)
}
"""Four examples for each command with options, and for the front page."""

MORE = (
    ("COMMAND --help", "Explain a command."),
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

CONFIG as a file list (-z FORMAT), the files of one text per line:
  peers/1.mine.txt models/1.A.txt models/1.B.txt

CONFIG as records, here JSON Lines (--prediction, --references, --id and --system set the fields):
  {"id": 1, "system": "mine", "prediction": "A text.", "references": ["One.", "Another."]}

Instead of CONFIG:
  line files, one text per line:
    --predictions mine.txt --references human.txt --sentence-separator '<q>'
  folders, paired by patterns of file names:
    --peers 'system/(\\d+)_decoded.txt' --models 'reference/#ID#_reference.txt'
  folders, paired by DUC or TAC file names (D061.M.100.J.26, D061.M.100.J.A):
    --duc peers models

More examples:
  rouge-cli -n 2 -x -d -z SPL files.lst mine
  rouge-cli -n 2 -m predictions.jsonl --report table --require 'ROUGE-2:F>=0.18'
  rouge-cli predictions.jsonl --report table --report json=scores.json

Other commands: OTHERS. For the options of one, run rouge-cli COMMAND --help-all.

Exit codes: 0 success; 1 a --require or the --baseline is not met; 2 wrong usage; 3 an input \
cannot be used or an output cannot be written; 130 interrupted; 143 terminated.""".replace(
    "OTHERS", ", ".join(name for name in COMMANDS if name not in {DEFAULT_COMMAND, "help"})
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
    text = f"{LONG_HELP}\n\nPresets:\n{_presets()}"
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
    write_examples(form, EXAMPLES[""])
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


def _show_help(name: str | None) -> None:
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
    command = COMMANDS[name].load()
    # Click caches the first help option of a command, so the settings must be complete.
    settings = command.context_settings
    click.echo(command.get_help(type(top)(command, info_name=name, parent=top, **settings)))


command = click.Command(
    "help",
    params=[
        click.Argument(
            ["name"],
            metavar="[COMMAND]",
            required=False,
            shell_complete=lambda ctx, parameter, word: [
                name for name in COMMANDS if name.startswith(word)
            ],
        )
    ],
    callback=_show_help,
    help=_show_help.__doc__,
    context_settings=HELP_SETTINGS,
)
