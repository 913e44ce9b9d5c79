"""Modules next to a user's data: none of them is ever run.

A folder of traps has a module of the name of each of those that Python and its packages import;
each of them leaves a mark when it is run.
"""

import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

from rouge_cli import __main__
from rouge_cli.run import workers
from rouge_cli.shim import install_home, perl_script
from tests.cli.running import ROOT, SAMPLE, others

ACTION = (ROOT / "action.yml").read_text("utf-8")
RUN = ["-n1", "-r1", "-a", "config.xml"]

LIBRARIES = (
    *("click", "defusedxml", "jinja2", "markdown_it", "nltk", "numpy", "regex", "rich"),
    *("orjson", "pandas", "pyarrow", "sacrebleu", "scipy", "vl_convert"),
    *("pip", "pluggy", "pytest", "rouge_cli", "setuptools", "sitecustomize", "usercustomize"),
)
MODULES = sorted({*sys.stdlib_module_names, *LIBRARIES} - {*sys.builtin_module_names, "__main__"})
EARLY = ("json", "base64", "socket", "multiprocessing", *LIBRARIES)
"""What is imported only after the first line of `rouge_cli.__main__`, and customizations."""

TRAP = "with open({mark!r}, 'a') as file:\n    file.write(__name__ + '\\n')\n"
# A plug-in that is found where the folder is in the path: of pytest, and of this package.
ENTRY_POINTS = "[pytest11]\ntrap = trap\n[rouge_cli.tokenizers]\ntrap = trap\n"

# As the program that pip writes: what comes first in the path is the folder of the script.
SCRIPT = """\
import sys

if __name__ == "__main__":
    {call}
"""
ENTRY = "from rouge_cli.__main__ import main; main()"
SPREAD = """\
from rouge_cli.run import workers
    workers.START_METHOD = {method!r}
    print(*workers.ordered_map(len, ["a", "bc", "def"], 2))
"""

PAGE = ["--report", "html=page.html"] if find_spec("vl_convert") else []
needs_figures = pytest.mark.skipif(find_spec("vl_convert") is None, reason="nothing draws here")
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


class Traps:
    """A folder of traps, and the modules that were run."""

    def __init__(self, folder: Path, names: "tuple[str, ...] | list[str]") -> None:
        self.folder = folder / "data"
        self._mark = folder / "mark"
        shutil.copytree(SAMPLE, self.folder)
        trap = TRAP.format(mark=str(self._mark))
        for name in (*names, "trap"):
            (self.folder / f"{name}.py").write_text(trap)
        for package in {"rouge_cli", "pip"} & {*names}:
            (self.folder / package).mkdir()
            (self.folder / package / "__init__.py").write_text(trap)
        plug_in = self.folder / "trap-1.0.dist-info"
        plug_in.mkdir()
        (plug_in / "METADATA").write_text("Metadata-Version: 2.1\nName: trap\nVersion: 1.0\n")
        (plug_in / "entry_points.txt").write_text(ENTRY_POINTS)

    @property
    def sprung(self) -> set[str]:
        return set(self._mark.read_text().split()) if self._mark.exists() else set()

    def run(self, *command: str | Path, **variables: str) -> "subprocess.CompletedProcess[str]":
        kept = {
            name: value
            for name, value in os.environ.items()
            if name not in {"PYTHONPATH", "PYTHONSAFEPATH", "PYTHONHOME"}
        }
        return subprocess.run(
            command,
            cwd=self.folder,
            env={**kept, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    def check(self, *command: str | Path, **variables: str) -> None:
        """Hold that a command goes well, says nothing, and springs no trap."""
        finished = self.run(*command, **variables)
        assert (finished.returncode, others(finished.stderr)) == (0, "")
        assert self.sprung == set()


@pytest.fixture
def traps(tmp_path: Path) -> Traps:
    return Traps(tmp_path, MODULES)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """The program as it is installed, in a folder of its own."""
    return script(tmp_path)


def script(folder: Path, call: str = ENTRY) -> Path:
    path = folder / "bin" / "program"
    path.parent.mkdir()
    path.write_text(SCRIPT.format(call=call))
    return path


def step(name: str) -> str:
    (line,) = re.findall(rf"- name: {name}\n(?:      .*\n| *id: .*\n)*?      run: (.+)\n", ACTION)
    return str(line)


def runner(traps: Traps, folder: Path) -> Mapping[str, str]:
    (folder / "runner").mkdir()
    (folder / "path").mkdir()
    (folder / "path" / "python").symlink_to(sys.executable)
    python = Path(sys.executable).parent
    return {
        "GITHUB_ACTIONS": "true",
        "PATH": os.pathsep.join([str(python), os.environ["PATH"]]),
        "RUNNER_TEMP": str(folder / "runner"),
        "GITHUB_OUTPUT": str(folder / "runner" / "output"),
    }


def test_traps_are_sprung(traps: Traps) -> None:
    traps.run(sys.executable, "-c", "import json, numpy")
    assert {"json", "numpy"} <= traps.sprung
    assert {"rouge_cli", "trap", "pip"} <= {path.stem for path in traps.folder.iterdir()}


@needs_figures
@pytest.mark.parametrize(
    "outputs", [["--report", "html=page.html"], ["--plot", "figure.svg"]], ids=["page", "figure"]
)
def test_the_program_that_draws(traps: Traps, program: Path, outputs: list[str]) -> None:
    traps.check(sys.executable, program, *RUN, *outputs)


@pytest.mark.parametrize("flags", [[], ["-E", "-P"]], ids=["installed", "shim"])
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_workers(traps: Traps, tmp_path: Path, method: str, flags: list[str]) -> None:
    program = script(tmp_path, SPREAD.format(method=method))
    finished = traps.run(sys.executable, *flags, program)
    assert (finished.stdout, finished.stderr) == ("1 2 3\n", "")
    assert traps.sprung == set()


def test_the_environment_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other programs that a caller starts may need the folder of their script."""
    monkeypatch.setattr(workers, "START_METHOD", "spawn")
    for before in (None, "", "1"):
        if before is None:
            monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
        else:
            monkeypatch.setenv("PYTHONSAFEPATH", before)
        assert list(workers.ordered_map(abs, [-1, -2], 2)) == [1, 2]
        assert os.environ.get("PYTHONSAFEPATH") == before


@needs_bash
def test_the_action_installs(traps: Traps, tmp_path: Path) -> None:
    # A package that is built without the network: pip and setuptools do their whole work.
    package = tmp_path / "package"
    package.mkdir()
    (package / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "setuptools.build_meta"\n'
        '[project]\nname = "package"\nversion = "1"\n[project.optional-dependencies]\nreport = []\n'
    )
    (package / "package.py").write_text("")
    traps.check(
        *("bash", "-c", step("Install")),
        **runner(traps, tmp_path),
        GITHUB_ACTION_PATH=str(package),
        PIP_NO_BUILD_ISOLATION="0",
        PIP_NO_INDEX="1",
        PIP_TARGET=str(tmp_path / "target"),
        PIP_DISABLE_PIP_VERSION_CHECK="1",
    )
    assert (tmp_path / "target" / "package.py").exists()


@needs_bash
def test_the_action_scores(traps: Traps, tmp_path: Path) -> None:
    variables = runner(traps, tmp_path)
    arguments = f"-n1 -a config.xml{'' if find_spec('vl_convert') else ' --no-figures'}"
    traps.check("bash", "-c", step("Score"), **variables, ROUGE_ARGUMENTS=arguments)
    assert len(list((tmp_path / "runner").glob("*/rouge.html"))) == 1


def test_the_plug_in_of_pytest(traps: Traps, tmp_path: Path) -> None:
    program = script(tmp_path, "import pytest; sys.exit(pytest.main(sys.argv[1:]))")
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "pytest.ini").write_text("[pytest]\n")
    (tests / "test_scores.py").write_text(
        "def test_scores(rouge):\n"
        "    results = rouge.check(['a b', 'c d'], ['a b', 'c e'], require='ROUGE-L:F>=0.5')\n"
        "    assert str(results)\n"
    )
    finished = traps.run(sys.executable, program, "-q", "-p", "no:cacheprovider", str(tests))
    assert finished.returncode == 0, finished.stdout
    assert traps.sprung == set()


@pytest.mark.skipif(os.name == "nt", reason="Windows runs no script by its name")
@pytest.mark.parametrize("interpreter", ["sh", "perl"])
def test_the_script_for_programs_that_call_the_original(
    interpreter: str, traps: Traps, tmp_path: Path
) -> None:
    if interpreter == "perl" and shutil.which("perl") is None:
        pytest.skip("perl is not installed")
    install_home(str(tmp_path / "home"), sys.executable)
    path = tmp_path / "home" / "ROUGE-1.5.5.pl"
    if interpreter == "perl":
        path.write_bytes(perl_script(sys.executable))
    command = ["perl", path] if interpreter == "perl" else [path]
    # What the calling program has set for itself has no effect on the program that draws, either.
    traps.check(*command, *RUN, *PAGE, PYTHONPATH=str(traps.folder))


def test_python_m(tmp_path: Path) -> None:
    """What Python and `rouge_cli` itself import before its first line cannot be helped."""
    names = [name for name in EARLY if name not in {"rouge_cli", "sitecustomize", "usercustomize"}]
    traps = Traps(tmp_path, names)
    traps.check(sys.executable, "-m", "rouge_cli", *RUN, *PAGE)


def test_python_p_m(traps: Traps) -> None:
    traps.check(sys.executable, "-P", "-m", "rouge_cli", *RUN)


@pytest.mark.skipif(sys.flags.safe_path, reason="the working folder is never in the path")
@pytest.mark.parametrize("place", ["here", "elsewhere"])
def test_a_copy_of_the_project_stays_in_the_path(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = str(tmp_path)
    monkeypatch.chdir(here)
    monkeypatch.setattr(sys, "path", [here, "library"])
    monkeypatch.setattr(__main__, "PLACE", here if place == "here" else "library")
    __main__.leave_working_folder()
    # A worker that begins anew has to find the package.
    assert sys.path == ([here, "library"] if place == "here" else ["library"])
    monkeypatch.setattr(sys, "path", ["", here])
    __main__.leave_working_folder()
    assert sys.path == ["", here]
