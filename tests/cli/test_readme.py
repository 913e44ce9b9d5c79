"""The documents say what is so: every command, example, table and test name in them is checked."""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from rouge_cli import __version__
from rouge_cli.cli.commands import COMMANDS, cli
from rouge_cli.cli.exits import EXIT_INTERRUPTED, EXIT_UNMET, EXIT_UNUSABLE
from rouge_cli.cli.score import command as score_command
from rouge_cli.inputs.file_list import parse_file_list
from rouge_cli.inputs.formats import FORMAT_NAMES, read_isi, read_see, read_simple, read_spl
from rouge_cli.inputs.xml_config import parse_config
from rouge_cli.options.declaration import Number
from rouge_cli.options.every import OPTIONS, Options
from rouge_cli.scoring.pipeline import INSTANCES_THAT_PAY

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "fixtures" / "sample"
README = (ROOT / "README.md").read_text("utf-8")
PARITY = (ROOT / "PARITY.md").read_text("utf-8")
SAMPLE_README = (SAMPLE / "README.md").read_text("utf-8")
NO_HOMES = {"ROUGE_EVAL_HOME": None, "RED_EVAL_HOME": None}
LONG_NAMES = {option.letter: option.long for option in OPTIONS.values() if option.letter}
SENTENCES = b"The ferry ran aground.\nNobody was hurt."


def blocks(heading: str) -> list[tuple[str, str]]:
    """Return language and content of each fenced block of a section of the README."""
    (section,) = re.findall(rf"^##+ {heading}\n(.*?)(?=^##+ |\Z)", README, re.MULTILINE | re.DOTALL)
    return re.findall(r"^```(\w+)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def format_example(name: str) -> str:
    """Return the block that follows the bold name, or the heading, of a format."""
    (example,) = re.findall(
        rf"^(?:\*\*{name}\*\*|### {name}\n).*?^```\w+\n(.*?)^```$",
        README,
        re.MULTILINE | re.DOTALL,
    )
    assert isinstance(example, str)
    return example


def run(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Result:
    """Run a command line of a document in `folder`."""
    program, *arguments = shlex.split(line)
    assert program == "rouge-cli"
    monkeypatch.chdir(folder)
    return CliRunner(env=NO_HOMES).invoke(cli, arguments, prog_name="rouge-cli")


def rows(text: str, columns: int) -> list[tuple[str, ...]]:
    """Return the rows of every table that has so many columns, without their heads."""
    found = []
    for table in re.findall(r"^\|.*\n\| -.*\n((?:\|.*\n)+)", text, re.MULTILINE):
        for row in table.splitlines():
            cells = re.split(r"(?<!\\)\|", row)[1:-1]
            if len(cells) == columns:
                found.append(tuple(cell.strip().replace("\\|", "|") for cell in cells))
    return found


def test_run(monkeypatch: pytest.MonkeyPatch) -> None:
    (_, line), (_, output) = blocks("A run")
    result = run(line, SAMPLE, monkeypatch)
    assert result.stdout == output
    assert result.exit_code == 0


def test_run_is_that_of_the_demo() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (_, line), _ = blocks("A run")
    assert f'In fixtures/sample: {line.strip()}"' in makefile
    assert f"/{line.strip()}\n".replace("rouge-cli", 'rouge-cli"') in makefile


def test_start_names_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    ((_, lines),) = blocks("Start")
    for line in lines.splitlines():
        program, target = line.split()
        assert program == "make"
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_only_the_name_of_the_program_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (_, before), (_, after) = blocks("Coming from ROUGE-1.5.5.pl")
    assert before.split()[1:] == after.split()[1:]
    folder = tmp_path / "sample"
    shutil.copytree(SAMPLE, folder)
    (folder / "data").mkdir()
    result = run(after, folder, monkeypatch)
    assert result.exit_code == 0
    # `-e data` may be left out.
    assert result.output == run(after.replace(" -e data", ""), folder, monkeypatch).output


def test_other_names_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = run("rouge-cli -n 1 -a config.xml", SAMPLE, monkeypatch)
    named = run("rouge-cli score -n 1 -a config.xml", SAMPLE, monkeypatch)
    assert named.output == expected.output
    module = subprocess.run(
        [sys.executable, "-m", "rouge_cli", "-n", "1", "-a", "config.xml"],
        cwd=SAMPLE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=True,
    )
    assert module.stdout == expected.stdout_bytes


def shown_default(name: str) -> str:
    """Return the default of an option as the table shows it."""
    value = Options().values()[name]
    if OPTIONS[name].metavar is None:
        return "off"
    if value is None or value == ():
        return "none"
    return value.text if isinstance(value, Number) else str(value)


def test_table_of_options() -> None:
    table = rows(README, 4)
    assert not [meaning for _, _, meaning, _ in table if "<" in re.sub("`.*?`", "", meaning)]
    expected = [
        (
            f"`{option.letter}`" if option.letter else "",
            f"`{' '.join(filter(None, (option.long, option.metavar)))}`",
            option.help,
            shown_default(name),
        )
        for name, option in OPTIONS.items()
    ]
    # In Markdown tags have to be code.
    found = [(*names, meaning.replace("`", ""), default) for *names, meaning, default in table]
    assert found == expected


def test_no_option_is_left_out() -> None:
    context = click.Context(score_command)
    for parameter in score_command.get_params(context):
        if isinstance(parameter, click.Option):
            for name in parameter.opts:
                assert f"`{name}" in README
    assert "`--version`" in README
    assert CliRunner().invoke(cli, ["--version"]).output == f"rouge-cli {__version__}\n"
    for name in COMMANDS:
        assert f"rouge-cli {name}" in README


def examples() -> list[tuple[str, str]]:
    """Return each command of the README whose output follows it, and that output."""
    fences = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [
        (command.strip(), output)
        for (language, command), (kind, output) in pairwise(fences)
        if (language, kind) == ("sh", "text") and "rouge-cli" in command
    ]


@pytest.mark.parametrize(("command", "output"), examples(), ids=lambda text: text[:60])
def test_every_example(command: str, output: str, tmp_path: Path) -> None:
    for name in ("sample", "judgements"):
        shutil.copytree(ROOT / "fixtures" / name, tmp_path / name)
    *moves, line = command.splitlines()
    program, *arguments = shlex.split(line)
    finished = subprocess.run(
        [sys.executable, "-m", "rouge_cli", *arguments],
        cwd=(tmp_path / "sample").joinpath(*(move.removeprefix("cd ") for move in moves)),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert program == "rouge-cli"
    assert finished.stdout.decode() == output
    assert finished.returncode == (1 if "--require" in command else 0)


def test_every_layout_has_an_example() -> None:
    commands = " ".join(command for command, _ in examples())
    for name in ("config.xml", "-z SPL", "--peers", "--duc", "--peer-lines", ".jsonl", "convert"):
        assert name in commands


def test_configuration_example() -> None:
    (evaluation,) = parse_config(format_example("XML configuration").encode(), "README.md")
    assert [model.name for model in evaluation.models] == [
        "models/ferry.A.txt",
        "models/ferry.B.txt",
    ]
    assert {system: peer.name for system, peer in evaluation.peers.items()} == {
        "lead": "peers/ferry.lead.txt",
        "neural": "peers/ferry.neural.txt",
    }
    for source in (*evaluation.models, *evaluation.peers.values()):
        assert (SAMPLE / source.name).is_file()


def test_file_list_example() -> None:
    evaluations = parse_file_list(
        format_example("File list").encode(), "README.md", format="SPL", system_id="X"
    )
    assert [evaluation.id for evaluation in evaluations] == ["1", "2"]
    for evaluation in evaluations:
        for source in (*evaluation.models, *evaluation.peers.values()):
            assert (SAMPLE / source.name).is_file()


def test_text_examples() -> None:
    assert read_spl(format_example("SPL").encode()).rstrip(b"\n") == SENTENCES
    assert read_see(format_example("SEE").encode()) == SENTENCES
    assert read_isi(format_example("ISI").encode()) == SENTENCES
    elements = read_simple(format_example("SIMPLE").encode(), "README.md")
    assert elements == ((b"ran", b"ferry", b"subj"), (b"nobody", b"nil", b"nil"))
    assert set(FORMAT_NAMES) == {"SPL", "SEE", "ISI", "SIMPLE"}


def test_line_files_example(monkeypatch: pytest.MonkeyPatch) -> None:
    (_, text), (_, command), (_, output) = blocks("Line files")
    assert text.encode() == (SAMPLE / "lines" / "neural.txt").read_bytes().splitlines(True)[3]
    result = run(command, SAMPLE, monkeypatch)
    assert (result.output, result.exit_code) == (output, 0)


def test_line_files_of_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    # The same texts, so the same scores as in the demo.
    systems, models = ("extract", "lead", "neural"), ("A", "B")
    for name, folder in [
        *((one, "peers") for one in systems),
        *((one, "models") for one in models),
    ]:
        lines = (SAMPLE / "lines" / f"{name}.txt").read_bytes().splitlines()
        texts = [
            (SAMPLE / folder / f"{topic}.{name}.txt").read_bytes()
            for topic in ("ferry", "bridge", "comet", "harvest")
        ]
        assert [line.split(b"<q>") for line in lines] == [text.splitlines() for text in texts]
    files = [f"--peer-lines {name}=lines/{name}.txt" for name in systems]
    files += [f"--model-lines lines/{name}.txt" for name in models]
    command = f"rouge-cli -n 2 -m {' '.join(files)} --sentence-separator '<q>'"
    (_, _), (_, output) = blocks("A run")
    assert run(command, SAMPLE, monkeypatch).output == output


def test_long_runs() -> None:
    assert f"Runs of {INSTANCES_THAT_PAY:,} peers or more" in README


def test_exit_codes() -> None:
    codes = [int(code) for code, _ in rows(README, 2) if code.isdecimal()]
    assert codes == [0, EXIT_UNMET, 2, EXIT_UNUSABLE, EXIT_INTERRUPTED, 128 + signal.SIGTERM]


def test_python_example() -> None:
    (_, program), (_, output) = blocks("Python")
    finished = subprocess.run(
        [sys.executable, "-c", program],
        cwd=SAMPLE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert finished.stderr.decode() == ""
    assert finished.stdout.decode() == output


def test_error_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((_, output),) = blocks("Exit codes, and what goes where")
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    (tmp_path / "lost.lst").write_text(
        "peers/lost.txt models/ferry.A.txt\npeers/bridge.lead.txt models/lost.txt\n", "utf-8"
    )
    result = run("rouge-cli -n 1 -z SPL lost.lst", tmp_path, monkeypatch)
    assert result.output == output
    assert result.exit_code == 3


def test_links_lead_somewhere() -> None:
    for document in (ROOT / "README.md", ROOT / "PARITY.md", SAMPLE / "README.md"):
        text = document.read_text("utf-8")
        for link in re.findall(r"\]\(([^)]*)\)", text):
            name, _, heading = link.partition("#")
            target = document.parent / name if name else document
            assert target.exists(), link
            if heading:
                headings = re.findall(r"^#+ (.*)", target.read_text("utf-8"), re.MULTILINE)
                assert heading in {one.lower().replace(" ", "-") for one in headings}


def test_folders_of_the_package() -> None:
    named = {name.strip("`") for name, _ in rows(README, 2) if name.startswith("`rouge_cli/")}
    for name in named:
        assert (ROOT / name).exists()
    folders = {path.parent for path in (ROOT / "rouge_cli").glob("*/__init__.py")}
    assert {folder.relative_to(ROOT).as_posix() for folder in folders} <= named


def test_commands_of_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = re.findall(r"^    (rouge-cli .*)", SAMPLE_README, re.MULTILINE)
    assert commands
    for line in commands:
        assert run(line, SAMPLE, monkeypatch).exit_code == 0


def test_score_worked_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    line, printed = re.findall(r"`(rouge-cli .*?)` prints.*?\n\n    (.*)", SAMPLE_README)[0]
    assert printed in run(line, SAMPLE, monkeypatch).stdout.splitlines()


@pytest.mark.parametrize(
    "options",
    [
        "-n 0",
        "-n two",
        "-n 1001",
        "-f C",
        "-t 3",
        "-p 2",
        "-c 101",
        "-w 0",
        "-l -1",
        "-3 X",
        "-z TXT",
        "-r 0",
        "-r 10000001",
    ],
)
def test_bad_values_are_usage_errors(options: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(f"rouge-cli {options} -a config.xml", SAMPLE, monkeypatch)
    assert result.exit_code == 2
    letter, value = options.split()
    assert f"{letter}/{LONG_NAMES[letter]}: found '{value}', expected " in result.output
    assert "Average" not in result.output


def test_everything_is_checked_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The file that is missing is one of the last.
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    (tmp_path / "peers" / "harvest.neural.txt").unlink()
    result = run("rouge-cli -n 1 -a config.xml", tmp_path, monkeypatch)
    assert result.exit_code == 3
    assert result.output == (
        "Error: config.xml, line 51, EVAL 4: peers/harvest.neural.txt: no such file\n"
    )
    assert run("rouge-cli -n 1", tmp_path, monkeypatch).exit_code == 2


def test_unknown_system(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run("rouge-cli -n 1 config.xml nobody", SAMPLE, monkeypatch)
    assert result.exit_code == 2
    assert result.output.endswith(
        "no system 'nobody' in CONFIG; known are: extract, lead, neural\n"
    )


def test_absent_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    config = tmp_path / "config.xml"
    text = config.read_text("utf-8").replace('<P ID="lead">bridge.lead.txt</P>', "")
    config.write_text(text, "utf-8")
    result = run("rouge-cli -n 2 -d config.xml lead", tmp_path, monkeypatch)
    assert result.exit_code == 0
    assert [line.split(".")[0] for line in scores(result)] == ["1", "3", "4"] * 3
    warnings = re.findall("^Warning: .*", result.output, re.MULTILINE)
    assert warnings == ["Warning: EVAL 2: system lead has no peer; the EVAL does not count for it"]


def test_file_names_are_never_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lost.lst").write_text("touch${IFS}ran| >ran\n", "utf-8")
    result = run("rouge-cli -n 1 -z SPL lost.lst", tmp_path, monkeypatch)
    assert result.exit_code == 3
    assert result.output == (
        "Error: lost.lst, line 1, EVAL 1: touch${IFS}ran|: no such file\n"
        "Error: lost.lst, line 1, EVAL 1: >ran: no such file\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["lost.lst"]


def scores(result: Result) -> list[str]:
    """Return the lines on single EVALs, without the system's name."""
    return re.findall(r"Eval (.*)", result.stdout)


def test_model_without_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # ROUGE-W of "a b" against itself: base 4, counts 16 and 4, hit 4; the roots of 4/16 and 4/4.
    # F = 0.5 / 0.75.
    (tmp_path / "p").write_text("a b\n", "utf-8")
    (tmp_path / "empty").write_text("- ?\n", "utf-8")
    (tmp_path / "files.lst").write_text("p empty\np p\n", "utf-8")
    result = run("rouge-cli -x -w 2 -d -z SPL files.lst", tmp_path, monkeypatch)
    assert result.exit_code == 0
    assert scores(result) == [
        "1.X R:0.00000 P:0.00000 F:0.00000",
        "2.X R:0.50000 P:1.00000 F:0.66667",
    ]
    assert "Warning: EVAL 1: empty: no tokens\n" in result.output


def test_equal_numbers_stand_in_byte_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    config = tmp_path / "config.xml"
    text = config.read_text("utf-8")
    for old, new in (("1", "7b"), ("2", "07"), ("3", "7a"), ("4", "6")):
        text = text.replace(f'EVAL ID="{old}"', f'EVAL ID="{new}"')
    config.write_text(text, "utf-8")
    result = run("rouge-cli -n 1 -x -d config.xml lead", tmp_path, monkeypatch)
    assert [line.split(".")[0] for line in scores(result)] == ["6", "07", "7a", "7b"]


def test_diagnostics_leave_the_scores_alone() -> None:
    command = [sys.executable, "-m", "rouge_cli", "-n", "1", "-a", "config.xml"]
    quiet, verbose = (
        subprocess.run(
            [*command, *more],
            cwd=SAMPLE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        )
        for more in ([], ["-v"])
    )
    assert verbose.stdout == quiet.stdout
    assert quiet.stderr == b""
    assert verbose.stderr != b""


def test_data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    expected = run("rouge-cli -n 1 -m -s -a config.xml", tmp_path, monkeypatch).output
    home = tmp_path / "data"
    home.mkdir()
    command = "rouge-cli -n 1 -m -s -a -e data config.xml"
    # Only the database: built-in lists, and a warning for each.
    (home / "WordNet-2.0.exc.db").write_bytes(b"\0" * 512)
    result = run(command, tmp_path, monkeypatch)
    assert result.output.endswith(expected)
    assert result.output.removesuffix(expected) == (
        "Warning: data/smart_common_words.txt: no such file; the built-in stopwords are used\n"
        "Warning: data/WordNet-2.0.exc.db: not read; the built-in exception table is used\n"
    )
    # Lists of its own take the place of the built-in ones.
    (home / "smart_common_words.txt").write_text("ferry\n", "utf-8")
    exceptions = home / "WordNet-2.0-Exceptions"
    exceptions.mkdir()
    for name in ("adj", "noun", "verb", "adv"):
        (exceptions / f"{name}.exc").write_text("small large\n", "utf-8")
    result = run(command, tmp_path, monkeypatch)
    assert result.exit_code == 0
    assert "Warning" not in result.output
    assert result.output != expected
    # -e goes before the environment.
    monkeypatch.chdir(tmp_path)
    for homes in (
        {"ROUGE_EVAL_HOME": "data", "RED_EVAL_HOME": "nowhere"},
        {"ROUGE_EVAL_HOME": None, "RED_EVAL_HOME": "data"},
    ):
        arguments = ["-n", "1", "-m", "-s", "-a", "config.xml"]
        assert CliRunner(env=homes).invoke(cli, arguments).output == result.output
    result = run(command.replace("data", "nowhere"), tmp_path, monkeypatch)
    assert result.exit_code == 3
    assert "-e/--data-dir: 'nowhere' is not a directory" in result.output


def test_golden_cases_of_parity_exist() -> None:
    named = set(re.findall(r"\b[0-9]{4}-[a-z-]+\b", PARITY))
    assert named
    for case in named:
        assert (ROOT / "fixtures" / "golden" / "expected" / f"{case}.out").is_file(), case


def test_tests_of_parity_exist() -> None:
    named = set(re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", PARITY))
    assert named
    for file, function in named:
        source = (ROOT / "tests" / file).read_text("utf-8")
        assert re.search(rf"^def {function}\(", source, re.MULTILINE) or not function, function


@pytest.mark.parametrize("name", ["README.md", "PARITY.md", "CHANGELOG.md"])
def test_documents_end_their_lines(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert text.endswith("\n")
    assert not [line for line in text.splitlines() if line != line.rstrip()]


def test_changelog_has_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## {re.escape(__version__)}\b", changelog, re.MULTILINE)
