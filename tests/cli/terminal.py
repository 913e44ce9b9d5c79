"""Run a program in a terminal of its own."""

import os
import pty
import select
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

SECONDS = 120


def in_terminal(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    typed: Sequence[tuple[bytes, bytes]] = (),
) -> bytes:
    """Return all that a program writes to its terminal.

    Parameters
    ----------
    command : sequence of str
    folder : Path
        Where it runs.
    environment : mapping of str to str
    typed : sequence of two bytes
        What is typed, in order, and what has to appear before the next; then the program is ended.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execvpe(command[0], list(command), dict(environment))
    seen = b""
    try:
        for keys, awaited in typed:
            os.write(terminal, keys)
            seen += _until(terminal, awaited)
        if not typed:
            seen = _until(terminal, None)
    finally:
        os.close(terminal)
        os.waitpid(child, 0)
    return seen


def _until(terminal: int, awaited: bytes | None) -> bytes:
    seen, last = b"", time.monotonic() + SECONDS
    while awaited is None or awaited not in seen:
        if not select.select([terminal], [], [], max(0.0, last - time.monotonic()))[0]:
            raise AssertionError(f"waited for {awaited!r}, saw {seen!r}")
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:
            # Linux says so at the end.
            part = b""
        if not part:
            if awaited is None:
                return seen
            raise AssertionError(f"waited for {awaited!r}, saw {seen!r} and the end")
        seen += part
    return seen
