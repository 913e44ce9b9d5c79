"""The environment of a trial: the peers, and rouge-cli as a user would install it."""

import os
import platform
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["SINGLE_THREADED", "install", "machine"]

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "benchmarks" / ".work"
PEERS = ("rouge-score", "rouge-score-rs==0.2.*", "numpy", "pyarrow")
SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "docs/rouge-cli.1", "rouge_cli")

SINGLE_THREADED = {
    "RAYON_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
"""Environment variables by which libraries keep to one thread."""


def install() -> Path:
    """Install the peers, if they are not there, and rouge-cli as it is now.

    Returns
    -------
    Path
        The environment's Python.
    """
    python = WORK / "peers" / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", WORK / "peers"], check=True)
    # A copy, so that no build results are left in the sources.
    source = WORK / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        (source / name).parent.mkdir(exist_ok=True)
        copy(ROOT / name, source / name)
    pip: list[str | Path] = [python, "-m", "pip", "-qq", "--disable-pip-version-check", "install"]
    subprocess.run([*pip, *PEERS, source], check=True)
    return python


def machine(python: Path) -> str:
    """Describe the machine and the versions in one line."""
    versions = (
        "import importlib.metadata as m, platform as p; "
        "from rouge_cli.core import describe_core; "
        "print('Python', p.python_version() + ',', 'NumPy', m.version('numpy') + ',', "
        "'rouge-score', m.version('rouge-score') + ',', "
        "'rouge-score-rs', m.version('rouge-score-rs') + ',', "
        "'core:', describe_core())"
    )
    command: list[str | Path] = [python, "-c", versions]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    software = run.stdout.strip()
    today = datetime.now(UTC).date()
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; {software}; {today}"


def _processor() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
