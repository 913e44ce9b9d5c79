"""Entry point of ``rouge-cli``; it imports next to nothing, so that Ctrl-C is soon handled."""

import os
import signal
import sys
from contextlib import suppress

EXIT_UNUSABLE = 3
"""That of `rouge_cli.cli.process`, which may be what cannot be loaded."""


def main() -> None:
    """Run the command line; Ctrl-C ends it without a word until its signals are handled."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from rouge_cli.cli.main import main as run

        run()
    except SystemExit as ended:
        # Whoever measures or debugs this run has more to do behind it.
        if sys.gettrace() is None and sys.getprofile() is None and not sys.flags.inspect:
            from rouge_cli.cli.process import end_at_once

            end_at_once(ended.code)
        raise
    except BaseException as error:
        # Without descriptors or memory not even a traceback can be made, and Python's code is 1.
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        with suppress(OSError):
            os.write(2, f"Error: rouge-cli cannot be loaded or ended: {reason}\n".encode())
        os._exit(EXIT_UNUSABLE)
