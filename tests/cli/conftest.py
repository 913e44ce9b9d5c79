"""What the tests of the command line share."""

import pytest

from tests.cli.running import Run, as_original, runner


@pytest.fixture
def run(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> Run:
    """``rouge-cli`` in this process; in modules with `AS_ORIGINAL`, as `as_original` has it."""
    run = runner(monkeypatch, capsysbinary)
    choices = getattr(request.module, "AS_ORIGINAL", None)
    return run if choices is None else as_original(run, **choices)
