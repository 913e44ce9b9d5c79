"""Entry point of ``rouge-cli``, and of ``python -m rouge_cli``.

It imports almost nothing, so that Ctrl-C is handled early.
"""

import os
import signal
import sys
from contextlib import suppress

EXIT_UNUSABLE = 3  # repeated from `rouge_cli.cli.process`, which may fail to load
PLACE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder in which this package was found: in a copy of the project, the working folder."""


def main() -> None:
    """Run the command line. Until signals are handled, Ctrl-C ends it silently."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from rouge_cli.cli.main import main as run

        run()
    except SystemExit as ended:
        # A debugger or profiler may still have work to do.
        if sys.gettrace() is None and sys.getprofile() is None and not sys.flags.inspect:
            from rouge_cli.cli.process import end_at_once

            end_at_once(ended.code)
        raise
    except BaseException as error:
        # Without descriptors or memory, Python may fail to print a traceback, and would exit with
        # 1, the code of an unmet threshold.
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        with suppress(OSError):
            os.write(2, f"Error: rouge-cli cannot be loaded or ended: {reason}\n".encode())
        os._exit(EXIT_UNUSABLE)


def leave_working_folder() -> None:
    """Remove the working folder from the path, where Python's option -m puts it first.

    Modules that were imported before this call may have come from there; only ``python -P`` avoids
    that.
    """
    try:
        here = os.getcwd()
    except OSError:
        # The working folder was removed, so it is not in the path.
        return
    if not sys.flags.safe_path and sys.path[:1] == [here] and here != PLACE:
        del sys.path[0]


if __name__ == "__main__":
    leave_working_folder()
    main()
