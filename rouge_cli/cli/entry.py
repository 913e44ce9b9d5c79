"""Entry point of ``rouge-cli``; it imports next to nothing, so that Ctrl-C is soon handled."""

import signal
import sys


def main() -> None:
    """Run the command line; Ctrl-C ends it without a word until its signals are handled."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from rouge_cli.cli.main import main as run

    try:
        run()
    except SystemExit as ended:
        # Whoever measures or debugs this run has more to do behind it.
        if sys.gettrace() is None and sys.getprofile() is None and not sys.flags.inspect:
            from rouge_cli.cli.process import end_at_once

            end_at_once(ended.code)
        raise
