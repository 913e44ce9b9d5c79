"""What new users see: presets, hints, and suggestions of what was probably meant."""

import errno
import importlib.util
import io
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
from tests.cli.running import ROOT, SAMPLE, Run, others
from tests.cli.terminal import in_terminal


def at_terminal(*arguments: str, program: tuple[str, ...] = ("-m", "rouge_cli")) -> str:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    shown = in_terminal([sys.executable, *program, *arguments], SAMPLE, environment)
    return shown.decode().replace("\r\n", "\n")


def test_every_preset_of_a_benchmark_has_a_source_and_is_tried() -> None:
    tried = (ROOT / "tests" / "cli" / "transcripts" / "front-door.txt").read_text("utf-8")
    for name in set(PRESETS) - {"paper"}:
        assert PRESETS[name].source.startswith("http")
        assert re.search(rf"^[$%] --preset {name} -d -a config.xml$", tried, re.MULTILINE)


@pytest.mark.parametrize("preset", ["paper", "duc2007"])
def test_preset_is_told_of(preset: str, run: Run) -> None:
    source = "https://www-nlpir.nist.gov/projects/duc/duc2007/tasks.html"
    options = {
        "paper": "-n 2 -m --report table",
        "duc2007": f"-n 2 -x -m -2 4 -u (source: {source})",
    }
    told = run("-v", "--preset", preset, "-a", "config.xml", cwd=SAMPLE).err.splitlines()
    assert f"preset {preset}: {options[preset]}; other options win" in told


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


@pytest.mark.parametrize(
    ("arguments", "patterns"),
    [
        ("-n1 -a config.xml", ["Scoring", "100%", r"\d a second"]),
        ("compare -n1 config.xml", ["Resampling"]),
        ("protocols --compare config.xml", ["Counting"]),
        (
            "plan -n1 --difference 0.05 --system-id lead --system-id neural config.xml",
            ["Simulating"],
        ),
    ],
)
def test_a_bar_on_a_terminal(run: Run, arguments: str, patterns: list[str]) -> None:
    shown = at_terminal(*arguments.split(), program=("-c", BAR))
    assert all(re.search(pattern, shown) for pattern in patterns)
    # Where nobody looks there is no bar.
    unseen = run(*arguments.split(), cwd=SAMPLE)
    assert unseen.code == 0
    assert patterns[0] not in unseen.err + unseen.out.decode()
    # The report follows when the bar is gone.
    if patterns[0] == "Scoring":
        assert shown.endswith(unseen.out.decode())


def test_a_bar_of_drawing(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    figure = tmp_path / "figure.svg"
    arguments = ("-n1", "-a", "config.xml", "--plot", str(figure))
    assert "Drawing" in at_terminal(*arguments, program=("-c", BAR))
    assert figure.exists()


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
