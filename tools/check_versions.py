"""Compare output with the oldest and the newest version of every dependency, byte for byte.

    python tools/check_versions.py                     # on each Python at hand
    python tools/check_versions.py --oldest --whole PYTHON

Without names it uses ``python3.11`` to ``python3.14``, if present. Everything runs on a copy of
the project in a temporary folder. For each Python it makes two virtual environments, one with the
oldest versions that pyproject.toml accepts and one with the newest, extras included, and runs
``rouge-cli selftest`` and tests there: the most relevant ones or, with ``--whole``, all of them.
A JSON report, which contains every digit, and a table must have the same bytes everywhere. It ends
with 1 if any check fails.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = [f"python3.{minor}" for minor in range(11, 15)]
TESTS = (
    "tests/golden tests/unit/core tests/unit/run tests/unit/scores tests/unit/metrics "
    "tests/unit/text tests/unit/reports tests/unit/inputs tests/unit/studies "
    "tests/cli/test_reports.py "
    "tests/cli/test_records.py tests/cli/test_compare.py tests/cli/test_correlate.py "
    "tests/cli/test_invalid_runs.py tests/cli/test_help.py tests/unit/compat "
    "tests/unit/test_calls.py"
)
REPORTS = ("-n 4 -w 1.2 -2 -1 -U -m -d -a --report json", "-n 2 -m -a --report table")
REPORTS_IN = Path("fixtures", "golden", "corpora", "duc-see")
LEFT_OUT = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "*.so")
NEEDED_BY_TESTS = ["pytest", "pytest-xdist", "hypothesis", "jsonschema", "rouge-score"]

# The first version with wheels for a Python; all others use the oldest supported version.
FIRST_FOR = {
    "3.13": {"numpy": "2.1.0", "scipy": "1.14.1", "pandas": "2.2.3", "pyarrow": "18.0.0"},
    "3.14": {"numpy": "2.3.2", "scipy": "1.16.1", "pandas": "2.3.3", "pyarrow": "22.0.0"},
}
OLDEST, NEWEST = "oldest", "newest"
VERSIONS = "import numpy, sys; print('Python', sys.version.split()[0], 'NumPy', numpy.__version__)"


def lower_bounds(python_version: str) -> list[str]:
    """Return each dependency at its oldest version, those of the extras for users too."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    declared = text[text.index("\ndependencies = [") : text.index("\ndev = [")]
    first = FIRST_FOR.get(python_version, {})
    bounds = []
    for name, version in re.findall(r'"([\w.-]+)>=([\w.]+)"', declared):
        bounds.append(f"{name}=={first.get(name, version)}")
    if not bounds:
        sys.exit("pyproject.toml: found no dependency with a lower bound")
    return bounds


def version_of(python: str) -> str:
    """Return the version of a Python, such as 3.12."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.check_output([python, "-c", code], text=True).strip()


def make_environment(python: str, age: str, project: Path, folder: Path) -> Path:
    """Make a virtual environment with the project and its dependencies; return its Python."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    inside = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    bounds = lower_bounds(version_of(python))
    wanted = bounds if age == OLDEST else [bound.partition("==")[0] for bound in bounds]
    pip: list[str | Path] = [inside, "-m", "pip", "-qq", "--disable-pip-version-check", "install"]
    binary = ["--only-binary", "numpy,scipy,pandas,pyarrow"]
    subprocess.run([*pip, *binary, *wanted, *NEEDED_BY_TESTS, "--editable", project], check=True)
    return inside


def run(command: list[str | Path], folder: Path) -> tuple[bool, list[str]]:
    """Run a command; return whether it succeeded, and the lines that it printed."""
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    lines = (finished.stderr + finished.stdout).splitlines()
    return finished.returncode == 0, [line for line in lines if line.strip()]


def checksum_of_reports(inside: Path, project: Path) -> tuple[bool, list[str]]:
    """Return the checksum of the reports, as `run` returns what is printed."""
    found, is_well = hashlib.sha256(), True
    for options in REPORTS:
        command: list[str | Path] = [inside, "-m", "rouge_cli", *options.split(), "config.xml"]
        report = subprocess.run(command, cwd=project / REPORTS_IN, capture_output=True, check=False)
        found.update(report.stdout)
        is_well &= report.returncode == 0
    return is_well, [f"SHA-256 {found.hexdigest()}"]


def check(
    python: str, age: str, project: Path, tests: list[str]
) -> Iterator[tuple[bool, str, list[str]]]:
    """Yield for each check whether it passed, its name, and a remark."""
    with tempfile.TemporaryDirectory(prefix="rouge-cli-versions-") as name:
        folder = Path(name)
        try:
            inside = make_environment(python, age, project, folder / "venv")
        except subprocess.CalledProcessError as error:
            yield False, f"{python}, {age}: environment", [str(error)]
            return
        _, label = run([inside, "-c", VERSIONS], folder)
        for what, (is_well, lines) in (
            ("selftest", run([inside, "-m", "rouge_cli", "selftest"], folder)),
            ("reports", checksum_of_reports(inside, project)),
            ("tests", run([inside, "-m", "pytest", "-q", "-n", "2", *tests], project)),
        ):
            yield is_well, f"{age}, {label[0]}: {what}", lines[-1:] if is_well else lines[-40:]


def main() -> int:
    """Check all combinations; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("python", nargs="*", help="by default each that is at hand")
    parser.add_argument("--oldest", action="store_true", help="the oldest versions alone")
    parser.add_argument("--whole", action="store_true", help="all tests")
    asked = parser.parse_args()
    pythons = asked.python or [path for name in NAMES if (path := shutil.which(name))]
    if not pythons:
        parser.error("no Python found; name some")
    tests = (
        ["--dist", "loadfile", "--ignore", "tests/browser", "tests"]
        if asked.whole
        else TESTS.split()
    )
    n_bad = 0
    reports: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="rouge-cli-project-") as name:
        # A copy: the project's own folder stays clean, and may change meanwhile.
        project = Path(shutil.copytree(ROOT, Path(name) / "project", ignore=LEFT_OUT))
        for python in pythons:
            for age in (OLDEST,) if asked.oldest else (OLDEST, NEWEST):
                for is_well, what, lines in check(python, age, project, tests):
                    n_bad += not is_well
                    said = " / ".join(lines) if is_well else "\n".join(["", *lines])
                    print(f"{'ok ' if is_well else 'BAD'} {what}: {said}", flush=True)
                    reports |= {*lines} if what.endswith("reports") else set()
    if len(reports) > 1:
        print("BAD: reports differ.")
    return 0 if n_bad == 0 and len(reports) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
