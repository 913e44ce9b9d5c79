"""What the tests with real clients share."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import Run, runner


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """``rouge-cli`` in this process."""
    return runner(monkeypatch, capsysbinary)


@pytest.fixture(scope="session")
def environments(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for virtual environments, which the next run of the tests finds again."""
    cache = getattr(pytestconfig, "cache", None)
    if cache is None:
        return tmp_path_factory.mktemp("clients")
    folder: Path = cache.mkdir("clients")
    return folder


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that ``install-shim`` has written; its path has a blank."""
    path = tmp_path_factory.mktemp("homes") / "rouge home"
    subprocess.run([sys.executable, "-m", "rouge_cli", "install-shim", path], check=True)
    return path
