"""The command ``install-shim``: a folder that passes for a ROUGE-1.5.5 home."""

import sys

import click

from rouge_cli.cli.arguments import HELP_SETTINGS
from rouge_cli.cli.output import exit_codes, say_line

__all__ = ["command"]


def _install_shim(directory: str) -> None:
    """Write a folder that passes for a ROUGE-1.5.5 home.

    Programs that call the Perl script, such as pyrouge, are told that this folder is where
    ROUGE-1.5.5 lives, and then run on rouge-cli unchanged. DIR is new or empty; an earlier folder
    of this command is written anew.

    The script in it runs this rouge-cli, the one of this Python environment, wherever it is called
    from. Write it anew after the environment has moved.
    """
    with exit_codes():
        from rouge_cli.shim.home import install_home

        home = install_home(directory, sys.executable)
        say_line("Written. Where a program asks for the home of ROUGE-1.5.5, name:")
        say_line(f"  {home}")


command = click.Command(
    "install-shim",
    params=[click.Argument(["directory"], metavar="DIR")],
    callback=_install_shim,
    help=_install_shim.__doc__,
    context_settings=HELP_SETTINGS,
)
