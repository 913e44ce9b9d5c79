"""Hold the same bytes with the oldest and the newest NumPy, on each Python at hand.

Run as ``python tools/check_numpy_versions.py [PYTHON ...]``; without arguments it takes what is
called ``python3.10`` to ``python3.14``. All works on a copy of the project in a temporary folder.
For each Python and NumPy it makes a virtual environment, installs rouge-cli there, and runs
``rouge-cli selftest``, the golden tests and those of the engine; and a report in JSON, which has
all digits of all numbers, has to have the same bytes everywhere. It ends with 1 if any fails.
"""

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
NAMES = [f"python3.{minor}" for minor in range(10, 15)]
TESTS = "tests/golden tests/unit/scoring tests/unit/metrics tests/unit/text"
FULL_REPORT = "-n 4 -w 1.2 -2 -1 -U -m -d -a --report json config.xml"
FULL_REPORT_IN = Path("fixtures", "golden", "corpora", "duc-see")
LEFT_OUT = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")
NEEDED_BY_TESTS = ["pytest", "hypothesis"]

# The first NumPy with wheels for a Python; for all others it is the oldest that is supported.
FIRST_FOR = {"3.13": "2.1.0", "3.14": "2.3.2"}
NEWEST = "newest"
VERSIONS = "import numpy, sys; print('Python', sys.version.split()[0], 'NumPy', numpy.__version__)"


def oldest_supported() -> str:
    """Return the oldest NumPy that the package accepts."""
    match = re.search(r'"numpy>=([0-9.]+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    if match is None:
        sys.exit("pyproject.toml: found no numpy>=VERSION")
    return match[1]


def version_of(python: str) -> str:
    """Return the version of a Python, such as 3.12."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.check_output([python, "-c", code], text=True).strip()


def make_environment(python: str, numpy: str, project: Path, folder: Path) -> Path:
    """Make a virtual environment with a NumPy and the project; return its Python."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    inside = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted = "numpy" if numpy == NEWEST else f"numpy=={numpy}"
    pip: list[str | Path] = [inside, "-m", "pip", "-qq", "--disable-pip-version-check", "install"]
    subprocess.run([*pip, "--only-binary", "numpy", wanted, *NEEDED_BY_TESTS, project], check=True)
    return inside


def run(command: list[str | Path], folder: Path) -> tuple[bool, list[str]]:
    """Run a command; return whether it ended well, and the lines that it printed."""
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    lines = (finished.stderr + finished.stdout).splitlines()
    return finished.returncode == 0, [line for line in lines if line.strip()]


def checksum_of_report(inside: Path, project: Path) -> tuple[bool, list[str]]:
    """Return the checksum of a report, as `run` returns what is printed."""
    command: list[str | Path] = [inside, "-m", "rouge_cli", *FULL_REPORT.split()]
    report = subprocess.run(command, cwd=project / FULL_REPORT_IN, capture_output=True, check=False)
    return report.returncode == 0, [f"SHA-256 {hashlib.sha256(report.stdout).hexdigest()}"]


def check(python: str, numpy: str, project: Path) -> Iterator[tuple[bool, str, list[str]]]:
    """Yield for each check whether all is well, what was checked, and what is to be said of it."""
    with tempfile.TemporaryDirectory(prefix="rouge-cli-numpy-") as name:
        folder = Path(name)
        try:
            inside = make_environment(python, numpy, project, folder / "venv")
        except subprocess.CalledProcessError as error:
            yield False, f"{python}, NumPy {numpy}: environment", [str(error)]
            return
        _, label = run([inside, "-c", VERSIONS], folder)
        for what, (is_well, lines) in (
            ("selftest", run([inside, "-m", "rouge_cli", "selftest"], folder)),
            ("report", checksum_of_report(inside, project)),
            ("tests", run([inside, "-m", "pytest", "-q", *TESTS.split()], project)),
        ):
            yield is_well, f"{label[0]}: {what}", lines[-1:] if is_well else lines[-12:]


def main(arguments: list[str]) -> int:
    """Check all combinations; return the exit code."""
    pythons = arguments or [path for name in NAMES if (path := shutil.which(name))]
    if not pythons:
        print("no Python found; name some: check_numpy_versions.py PYTHON ...", file=sys.stderr)
        return 2
    n_bad = 0
    reports: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="rouge-cli-project-") as name:
        # The folder of the project itself stays clean, and may change meanwhile.
        project = Path(shutil.copytree(ROOT, Path(name) / "project", ignore=LEFT_OUT))
        for python in pythons:
            oldest = FIRST_FOR.get(version_of(python), oldest_supported())
            for numpy in (oldest, NEWEST):
                for is_well, what, lines in check(python, numpy, project):
                    n_bad += not is_well
                    print(f"{'ok ' if is_well else 'BAD'} {what}: {' / '.join(lines)}", flush=True)
                    reports |= {*lines} if what.endswith("report") else set()
    print("The report is the same everywhere." if len(reports) == 1 else "BAD: reports differ.")
    return 0 if n_bad == 0 and len(reports) == 1 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
