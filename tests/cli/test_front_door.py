"""What meets somebody who is new: presets, hints, and what was probably meant."""

import errno
import importlib.util
import io
import json
import os
import re
import sys
from pathlib import Path

import pytest

from rouge_cli import __version__
from rouge_cli import core as choice
from rouge_cli.cli import output
from rouge_cli.cli.score import HINT
from rouge_cli.core import VARIABLE
from rouge_cli.options.options import PRESETS
from tests.cli.running import ROOT, SAMPLE, Run, others, write_files
from tests.cli.terminal import in_terminal


def at_terminal(*arguments: str) -> str:
    command = [sys.executable, "-m", "rouge_cli", *arguments]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    return in_terminal(command, SAMPLE, environment).decode().replace("\r\n", "\n")


# The whole command lines of the sources; docs/guide/which-rouge.md has their addresses.
OF_SOURCES = {
    "cnndm": "-c 95 -r 1000 -n 2 -m -a",
    "xsum": "-c 95 -r 1000 -n 2 -m -a",
    "duc2004": "-a -c 95 -b 665 -m -n 4 -w 1.2",
    "duc2004-headlines": "-m -b 75 -n 2 -w 1.2 -a",
    "duc2004-100-words": "-n 4 -m -a -l 100 -x -c 95 -r 1000 -f A -p 0.5 -t 0",
    "duc2005": "-n 2 -x -m -2 4 -u -c 95 -r 1000 -f A -p 0.5 -t 0 -a -m",
    "duc2006": "-n 2 -x -m -2 4 -u -c 95 -r 1000 -f A -p 0.5 -t 0 -a",
    "duc2007": "-n 2 -x -m -2 4 -u -c 95 -r 1000 -f A -p 0.5 -t 0 -a",
    "tac2008": "-n 4 -w 1.2 -m -2 4 -u -c 95 -r 1000 -f A -p 0.5 -t 0 -a -l 100",
    "tac2009": "-n 4 -w 1.2 -m -2 4 -u -c 95 -r 1000 -f A -p 0.5 -t 0 -a -l 100",
}


def test_every_benchmark_has_a_source() -> None:
    assert set(OF_SOURCES) == set(PRESETS) - {"paper"}
    assert all(PRESETS[name].source.startswith("http") for name in OF_SOURCES)


@pytest.mark.parametrize("preset", OF_SOURCES)
def test_preset_of_a_benchmark(preset: str, run: Run) -> None:
    spelled = run(*OF_SOURCES[preset].split(), "-d", "config.xml", cwd=SAMPLE)
    assert spelled.code == 0
    assert run("--preset", preset, "-d", "-a", "config.xml").out == spelled.out


def test_preset_is_told_of(run: Run) -> None:
    loud = run("-v", "--preset", "paper", "-a", "config.xml", cwd=SAMPLE)
    line = "preset paper: -n 2 -m --report table; other options win"
    assert line in loud.err.splitlines()
    loud = run("-v", "--preset", "duc2007", "-a", "config.xml")
    source = "https://www-nlpir.nist.gov/projects/duc/duc2007/tasks.html"
    line = f"preset duc2007: -n 2 -x -m -2 4 -u (source: {source}); other options win"
    assert line in loud.err.splitlines()


def test_presets_are_listed(run: Run) -> None:
    text = " ".join(run("--help-all").out.decode().partition("\nPresets:\n")[2].split())
    assert "paper: what most papers report: -n 2 -m --report table cnndm: " in text
    for name, preset in PRESETS.items():
        assert f"{name}: {preset.use}: " in text


@pytest.fixture(params=["", "0"], ids=["as-installed", "switched-off"])
def core_line(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what is said of the core, with a setting of the environment."""
    monkeypatch.setenv(VARIABLE, request.param)
    if not request.param and importlib.util.find_spec("rouge_cli.core._core") is None:
        return "core: none, Python counts: it was not compiled when rouge-cli was installed"
    off = "core: none, Python counts: switched off by ROUGE_CLI_CORE=0"
    return off if request.param else "core: compiled"


@pytest.mark.parametrize("option", ["-v", "--verbose"])
def test_version_of_all(run: Run, core_line: str, option: str) -> None:
    finished = run("--version", option)
    assert (finished.code, finished.err) == (0, "")
    assert finished.out.decode().splitlines() == [f"rouge-cli {__version__}", core_line]
    assert run("--version").out.decode().splitlines() == [f"rouge-cli {__version__}"]


def test_core_of_a_run(run: Run, core_line: str) -> None:
    assert core_line in run("-v", "-n", "1", "-a", "config.xml", cwd=SAMPLE).err.splitlines()


@pytest.mark.parametrize(
    "arguments",
    [
        ["config.xml"],
        ["missing.xml", "--dry-run"],
        ["explain", "config.xml", "lead", "--eval", "ferry"],
        ["compare", "config.xml"],
        ["selftest"],
    ],
    ids=" ".join,
)
def test_no_such_core(run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.setenv(VARIABLE, "yes")
    message = "ROUGE_CLI_CORE: found 'yes', expected 0 or 1"
    assert run(*arguments, cwd=SAMPLE).misuse == f"Error: {message}"
    # Who asks which core works is told why none does.
    assert run("--version", "-v").out.decode().splitlines()[1] == f"core: {message}"


def test_hint_on_the_bare_command() -> None:
    shown = at_terminal("config.xml", "lead")
    assert others(shown).startswith("-" * 45 + "\nlead ROUGE-L Average_R: ")
    assert shown.endswith(f"\n{HINT}\n")
    assert at_terminal("-a", "config.xml").count(HINT) == 1


@pytest.mark.parametrize("option", [["-n", "1"], ["-d"], ["--report", "csv"], ["--cite"]])
def test_no_hint_for_who_has_chosen(option: list[str]) -> None:
    shown = at_terminal(*option, "config.xml", "lead")
    assert "ROUGE-L" in shown
    assert "Hint" not in shown


BAR = """
import sys
from rouge_cli.cli import output
from rouge_cli.cli.main import main
output.SECONDS_WITHOUT_BAR = output.SECONDS_BETWEEN = 0
sys.argv = ["rouge-cli", *sys.argv[1:]]
main()
"""


def at_terminal_with_bar(*arguments: str) -> bytes:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    return in_terminal([sys.executable, "-c", BAR, *arguments], SAMPLE, environment)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ("compare -n1 config.xml", b"Resampling"),
        ("protocols --compare config.xml", b"Counting"),
        (
            "plan -n1 --difference 0.05 --system-id lead --system-id neural config.xml",
            b"Simulating",
        ),
    ],
)
def test_a_bar_of_a_study(run: Run, arguments: str, shown: bytes) -> None:
    screen = at_terminal_with_bar(*arguments.split())
    assert shown in screen
    # Nobody looks: there is no bar.
    if shown == b"Resampling":
        finished = run(*arguments.split(), cwd=SAMPLE)
        assert (finished.code, shown.decode() in finished.err, shown in finished.out) == (0, 0, 0)


def test_a_bar_of_drawing(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    figure = tmp_path / "figure.svg"
    assert b"Drawing" in at_terminal_with_bar("-n1", "-a", "config.xml", "--plot", str(figure))
    assert figure.exists()


def test_a_bar_on_a_terminal(run: Run) -> None:
    shown = at_terminal_with_bar("-n1", "-a", "config.xml")
    assert b"Scoring" in shown
    assert b"100%" in shown
    assert re.search(rb"\d a second", shown)
    # The report follows when the bar is gone.
    report = run("-n1", "-a", "config.xml", cwd=SAMPLE).out
    assert shown.replace(b"\r\n", b"\n").endswith(report)


class GoneTerminal(io.StringIO):
    n_writes = 0

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.n_writes += 1
        raise OSError(errno.EIO, "Input/output error")


def test_a_terminal_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = GoneTerminal()
    monkeypatch.setattr("sys.stderr", gone)
    monkeypatch.setattr(output, "SECONDS_WITHOUT_BAR", 0)
    with output.run_context() as context:
        assert context.progress is not None
        context.progress(1, 3)
        n_writes = gone.n_writes
        assert n_writes > 0
        context.progress(2, 3)
    assert gone.n_writes == n_writes


def test_a_long_run_without_the_core(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "missing_core", lambda: "there is no core; get one")
    quick = run("-n1", "-a", "config.xml", cwd=SAMPLE)
    monkeypatch.setattr(output, "SECONDS_OF_A_LONG_RUN", 0)
    slow = run("-n1", "-a", "config.xml", cwd=SAMPLE)
    assert (quick.err, slow.err) == ("", "Warning: there is no core; get one\n")
    assert slow.out == quick.out


def test_several_reports(run: Run, tmp_path: Path) -> None:
    scoring = ["-n", "1", "-x", "-a", "config.xml"]
    kinds = ("classic", "json", "csv", "markdown", "latex")
    alone = {kind: run(*scoring, "--report", kind, cwd=SAMPLE).out for kind in (*kinds, "table")}
    files = [f"--report={kind}={tmp_path / kind}" for kind in kinds]
    finished = run(*scoring, *files, "--report", "table")
    assert (finished.code, finished.err, finished.out) == (0, "", alone["table"])
    assert {kind: (tmp_path / kind).read_bytes() for kind in kinds} == {
        kind: alone[kind] for kind in kinds
    }
    # With a file for each, nothing is left to print; -o is for the one without.
    assert run(*scoring, *files).out == b""
    assert run(*scoring, files[1], "--report", "csv", "-o", str(tmp_path / "o")).out == b""
    assert (tmp_path / "o").read_bytes() == alone["csv"]


def test_tables_without_intervals(run: Run) -> None:
    arguments = ["--preset", "paper", "-a", "config.xml"]
    whole, bare = (run(*arguments, *more, cwd=SAMPLE) for more in ((), ("--no-intervals",)))
    text = bare.out.decode()
    assert "\N{EN DASH}" in whole.out.decode()
    assert "\N{EN DASH}" not in text
    assert "confidence intervals" not in text
    assert "Bootstrap means over 4 texts, from 1000 resamples." in text
    # In the README, the F of neural in ROUGE-2 is 0.44120.
    assert "0.4412^" in text


def letters(run: Run, folder: Path, kind: str, *more: str) -> str:
    """Return a table of 12 EVALs with letters: a has every word of the model, b and c have none."""
    for name, text in {"a": "cold rain", "b": "warm sun", "c": "dry wind"}.items():
        record = {"prediction": text, "references": ["cold rain"]}
        lines = "".join(json.dumps({"id": str(k), **record}) + "\n" for k in range(12))
        (folder / f"{name}.jsonl").write_text(lines)
    files = [str(folder / f"{name}.jsonl") for name in "abc"]
    finished = run("-n", "1", "-x", "--letters", "--report", kind, *more, *files)
    assert (finished.err, finished.code) == ("", 0)
    return finished.out.decode()


LETTERS = (
    "Systems that share a letter cannot be told apart: approximate randomisation with 10000 "
    "resamples, seed 2004, at 0.05 after Holm's correction over 3 comparisons."
)


# Of 2^12 ways to exchange a with b, or with c, two are as far apart as they are: p is 2/4096. b and
# c never differ. So a stands alone, and b and c share a letter.
def test_letters_in_tables(run: Run, tmp_path: Path) -> None:
    text = letters(run, tmp_path, "table").replace("\N{EN DASH}", "-")
    assert text.splitlines()[2:5] == [
        "a       1.0000^ a   1.0000-1.0000",
        "b       0.0000    b 0.0000-0.0000",
        "c       0.0000    b 0.0000-0.0000",
    ]
    assert LETTERS in " ".join(text.split())
    text = letters(run, tmp_path, "markdown", "--no-intervals")
    assert "| a | 12 | **1.0000**<sup>a</sup> |\n| b | 12 | 0.0000<sup>b</sup> |\n" in text
    assert LETTERS in text
    text = letters(run, tmp_path, "latex", "--no-intervals")
    assert r"\textbf{1.0000}\textsuperscript{a\phantom{b}} \\" in text
    assert r"0.0000\textsuperscript{\phantom{a}b} \\" in text
    assert LETTERS in text


def test_letters_beside_recall_and_precision(run: Run, tmp_path: Path) -> None:
    text = letters(run, tmp_path, "table", "--no-intervals", "--measures", "RP")
    assert text.splitlines()[2:4] == [
        "a       1.0000^ a    1.0000^ a",
        "b       0.0000    b  0.0000    b",
    ]
    assert "over 6 comparisons" in " ".join(text.split())


def test_letters_say_what_they_cannot_show(run: Run) -> None:
    finished = run("--preset", "paper", "--letters", "-a", "config.xml", cwd=SAMPLE)
    said = " ".join(finished.out.decode().split())
    assert "No difference could be significant: with 9 comparisons" in said
    finished = run("--preset", "paper", "--letters", "config.xml", "lead", cwd=SAMPLE)
    assert (finished.out, finished.code) == (b"", 2)
    refused = "Error: the input has one system, 'lead'; --letters needs two or more"
    assert finished.error_lines == [refused]


def test_caption_and_label_of_a_latex_table(run: Run) -> None:
    given = ["--report", "latex", "--caption", r"Scores, $\alpha = 0.5$.", "--label", "tab:ours"]
    text = run(*given, "-d", "-a", "config.xml", cwd=SAMPLE).out.decode()
    assert "  \\caption{Scores, $\\alpha = 0.5$.}\n  \\label{tab:ours}\n" in text
    assert "\\label{tab:ours-evals}" in text


def test_one_number(run: Run) -> None:
    arguments = ["-n", "2", "-m", "config.xml"]
    # In the README, the F of neural in ROUGE-2 is 0.44120.
    finished = run(*arguments, "neural", "--score-only", "rouge-2:f", cwd=SAMPLE)
    assert (finished.out, finished.err, finished.code) == (b"0.44120\n", "", 0)
    assert run(*arguments, "-a", "--score-only", "neural:ROUGE-2:F").out == b"0.44120\n"
    assert run(*arguments, "neural", "-r", "0", "--score-only", "ROUGE-2:F").out != b""
    assert run(*arguments[:-1], "--preset", "paper", "config.xml", "neural").code == 0
    assert run("--preset", "paper", *arguments[3:], "neural", "--score-only", "ROUGE-2:F").out == (
        b"0.44120\n"
    )


def test_one_number_of_saved_scores(run: Run, tmp_path: Path) -> None:
    saved = str(tmp_path / "scores.jsonl")
    first = run("-n", "1", "config.xml", "lead", "--save", saved, "--score-only", "ROUGE-1:F",
                cwd=SAMPLE)  # fmt: skip
    assert first.code == 0
    assert run(saved, "--score-only", "ROUGE-1:F").out == first.out
    assert run(saved, "--score-only", "ROUGE-2:F").error_lines == [
        "Error: --score-only: no metric 'ROUGE-2' in this run; the metrics are: ROUGE-1, ROUGE-L"
    ]


NOTE = (
    "config.xml has these texts as ROUGE-1.5.5 reads them; rouge-cli convert --to xml "
    "writes it, with the texts beside it"
)
LINES = ["--peer-lines", "peers/ferry.lead.txt", "--model-lines", "models/ferry.A.txt"]


@pytest.mark.parametrize(
    ("arguments", "command", "note"),
    [
        (["-a", "config.xml"], "ROUGE-1.5.5.pl -a config.xml", None),
        (["-z", "SPL", "files.lst"], "ROUGE-1.5.5.pl -z SPL files.lst", None),
        (["records.jsonl"], "ROUGE-1.5.5.pl -n 2 -m -a config.xml", NOTE),
        ([*LINES, "--lcs"], "ROUGE-1.5.5.pl -a config.xml", NOTE),
        (["records.jsonl", "--pairwise-lcs"], None, None),
    ],
    ids=["xml", "list", "records", "lines", "impossible"],
)
def test_command_of_the_original(
    arguments: list[str], command: str | None, note: str | None, run: Run, tmp_path: Path
) -> None:
    saved = str(tmp_path / "scores.jsonl")
    out = run(*arguments, "--report", "json", "--save", saved, cwd=SAMPLE).out
    report = json.loads(out)
    assert (report["command"], report["command_note"]) == (command, note)
    again = json.loads(run(saved, "--report", "json").out)
    assert (again["command"], again["command_note"]) == (
        command and command.replace("-z SPL files.lst", "-a config.xml"),
        note,
    )


def test_a_path_in_a_file_list_may_begin_like_anything(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"<p": "a b\n", "{}": "a b\n", "files.lst": "<p {}\n"})
    assert run("-z", "SPL", "-n", "1", "files.lst", cwd=tmp_path).code == 0
