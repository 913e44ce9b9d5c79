"""Clients of the original, each installed into a virtual environment of its own and kept there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = 600
"""Some frameworks take minutes, with libraries of a gigabyte."""
INSTALL = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--ignore-installed")
PATIENCE = ("--retries", "1", "--timeout", "10")
BIN = "Scripts" if os.name == "nt" else "bin"


def client_environment(requirement: str, cache: Path, *others: str) -> Path:
    """Return the folder of the programs of an environment that holds a client, and others.

    The test that asks is skipped, with the reason, if the client cannot be installed.
    """
    version = ".".join(map(str, sys.version_info[:2]))
    environment = cache / f"{requirement.replace('==', '-')}-python{version}"
    whole = environment / "installed"
    if not whole.exists():
        shutil.rmtree(environment, ignore_errors=True)
        # A pip in each would take longer than all the rest, so the one at hand installs.
        _ask_for(requirement, "-m", "venv", "--without-pip", str(environment))
        prefix = ("--prefix", str(environment))
        _ask_for(requirement, *INSTALL, *PATIENCE, *prefix, requirement, *others)
        whole.touch()
    return environment / BIN


def _ask_for(requirement: str, *arguments: str) -> None:
    """Run a step of an installation with this Python, or skip the test."""
    command = (sys.executable, *arguments)
    try:
        finished = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"{requirement} could not be installed within {SECONDS} seconds")
    if finished.returncode:
        said = (finished.stderr or finished.stdout).strip().splitlines() or ["no reason given"]
        pytest.skip(f"{requirement} cannot be installed: {said[-1]}")


def client(program: Path, *arguments: str, cwd: Path) -> str:
    """Run a program of an environment and return what it prints; it must not fail.

    A script is run as an argument of the environment's Python, as its first line names another.
    What it writes for itself goes to the working directory.
    """
    variables = os.environ | dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR"), str(cwd))
    finished = subprocess.run(
        [program, *arguments], cwd=cwd, capture_output=True, text=True, check=False, env=variables
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout
