"""What the tests of the command line share."""

import pytest

from tests.cli.running import Run, runner


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """``rouge-cli`` in this process."""
    return runner(monkeypatch, capsysbinary)
