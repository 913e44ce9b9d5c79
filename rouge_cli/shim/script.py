"""The script that stands in for the original: it starts the rouge-cli that wrote it."""

import os
import subprocess
from shlex import quote

from rouge_cli.errors import InputError
from rouge_cli.version import __version__

__all__ = ["MARK", "check_script", "perl_script", "shell_script"]

MARK = b"# Written by rouge-cli install-shim"
"""What the second line of each script begins with."""

PLACE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""Where this package was found. The interpreter looks there last.

Without that, one installed for a user would be found only while HOME is that user's.
"""

START = (
    # Whatever Python variables the calling program has set for itself have no effect.
    "-E",
    "-c",
    # Nor has a module in the working directory, which is the first place that -c looks in.
    "import sys; del sys.path[0]; sys.path.append(sys.argv.pop(1)); "
    "from rouge_cli.cli.main import main; main()",
    PLACE,
    # The original has no other commands: a configuration may be called convert.
    "score",
)
"""What the interpreter is called with, before the arguments of the original.

No double quote in it: Perl on Windows does not pass them on.
"""

# perl runs the interpreter of a first line without "perl" in it. So the line is the same on every
# machine, and holds no path: that could have blanks, be too long, or have "perl" in it.
SHELL = """\
#!/bin/sh
{mark} {version}: runs rouge-cli in place of the original.
python={python}
if [ ! -x "$python" ]; then
  printf 'Error: %s is gone; run rouge-cli install-shim again\\n' "$python" >&2
  exit 3
fi
exec "$python" {start} "$@"
"""

PERL = """\
#!perl
{mark} {version}: runs rouge-cli in place of the original.
use strict;
use warnings;
no warnings 'exec';
my @start = ({start});
my $status = system {{ $start[0] }} @start, @ARGV;
if ($status == -1) {{
    print STDERR "Error: $start[0] cannot be run: $!; run rouge-cli install-shim again\\n";
    exit 3;
}}
exit($status & 127 ? 128 + ($status & 127) : $status >> 8);
"""


def shell_script(python: str) -> bytes:
    """Return the script where a first line names the interpreter; perl honours that line too.

    Parameters
    ----------
    python : str
        Path of the Python whose rouge-cli is run.
    """
    return _filled(SHELL, python=quote(python), start=" ".join(map(quote, START)))


def perl_script(python: str) -> bytes:
    """Return the script for Windows: Perl, as programs there call it through perl.

    Parameters
    ----------
    python : str
        Path of the Python whose rouge-cli is run.
    """
    return _filled(PERL, start=", ".join(map(_perl_string, (python, *START))))


def check_script(path: str, python: str) -> None:
    """Refuse a script that does not start.

    Parameters
    ----------
    path : str
        The script, written.
    python : str
        What it was written for.

    Raises
    ------
    InputError
        In a few words, without the name of the folder.
    """
    # Windows runs no script by its name, and perl may come later.
    command = [python, *START] if os.name == "nt" else [path]
    try:
        finished = subprocess.run([*command, "-h"], capture_output=True, check=False)
    except OSError as error:
        raise InputError(
            f"programs cannot run there: {error.strerror}; name a folder they can run from"
        ) from None
    if finished.returncode:
        said = finished.stderr.decode("utf-8", "replace").strip() or "it says nothing"
        raise InputError(
            f"ROUGE-1.5.5.pl would not start: {said.splitlines()[-1]}; install rouge-cli with pip "
            "into an environment, and call it from there"
        )


def _filled(script: str, **parts: str) -> bytes:
    """Fill in a script; a path that is not UTF-8 stays what it is."""
    text = script.format(mark=MARK.decode(), version=__version__, **parts)
    return text.encode("utf-8", "surrogateescape")


def _perl_string(text: str) -> str:
    """Quote a string for Perl."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
