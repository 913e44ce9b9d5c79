"""Whether the compiled core works, or NumPy."""

import os
from functools import cache
from importlib import import_module
from typing import Any

from rouge_cli.errors import OptionError

__all__ = ["VARIABLE", "check_choice", "compiled_core", "describe_core"]

VARIABLE = "ROUGE_CLI_CORE"
"""0: NumPy does all. 1: an error where the core is not built. Without it: the core, if built."""


@cache
def _built_core() -> Any:
    """Return the module in C, None where it was not built."""
    try:
        return import_module("rouge_cli.core._core")
    except ImportError:
        return None


def compiled_core() -> Any:
    """Return the module in C, None where NumPy is to work.

    Raises
    ------
    OptionError
        If the environment asks for a core that is not built, or for neither 0 nor 1.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in {"", "0", "1"}:
        raise OptionError(f"{VARIABLE}: found {wanted!r}, expected 0 or 1")
    core = None if wanted == "0" else _built_core()
    if wanted == "1" and core is None:
        raise OptionError(
            f"{VARIABLE}: the compiled core is not built in this installation; install rouge-cli "
            "where there is a C compiler, or leave the variable out: the digits are the same"
        )
    return core


def check_choice() -> None:
    """Refuse an environment that asks for what cannot be, before work begins; raises OptionError.

    Where it asks for nothing, nothing is loaded.
    """
    if os.environ.get(VARIABLE):
        compiled_core()


def describe_core() -> str:
    """Say which of the two works, or why none can."""
    try:
        core = compiled_core()
    except OptionError as error:
        return str(error)
    if core is not None:
        return "compiled"
    return f"NumPy ({VARIABLE}=0)" if _built_core() is not None else "NumPy; none is compiled"
