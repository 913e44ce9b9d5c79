"""What several tests share."""

import gc
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

# NumPy reads it when it is loaded, here before the command sets it. Threads of the linear algebra
# that are idle wait in a loop: the tests of `plan` took 21 s of processor time in place of 7.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from tests.cores import core

__all__ = ["core", "fixtures"]

# Ten thousand tests stay until the end: the collector need not look at them again and again.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


for _name in ("SIGINT", "SIGTERM", "SIGHUP"):
    # What is started with a signal ignored, by nohup or some continuous integration, hands that on
    # to all that it starts. This is as deaf to it, and hands on nothing.
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, lambda *_: None)


def _stop_tracing() -> None:
    """End the measurement of coverage in this process.

    A forked process would wait for ever for the lock of coverage.py if another thread held it at
    the fork. What such a process runs is not measured anyway: it ends without saving anything.
    """
    sys.settrace(None)
    threading.settrace(None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_stop_tracing)


@pytest.fixture(scope="session")
def fixtures() -> Path:
    return Path(__file__).resolve().parent.parent / "fixtures"
