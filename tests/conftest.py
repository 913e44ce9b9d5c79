"""What several tests share."""

import signal
from pathlib import Path

import pytest

from tests.cores import core

__all__ = ["core", "fixtures"]

for _name in ("SIGINT", "SIGTERM", "SIGHUP"):
    # What is started with a signal ignored, by nohup or some continuous integration, hands that on
    # to all that it starts. This is as deaf to it, and hands on nothing.
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, lambda *_: None)


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """Directory of the inputs and expected outputs."""
    return Path(__file__).resolve().parent.parent / "fixtures"
