"""The compiled core: a second implementation of metrics, reading and resampling, in C.

The Python code is the reference: it defines the results and works without the core. This module
chooses between the two.
"""

import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rouge_cli.errors import OptionError

# Environment variable. 0: use Python alone. 1: fail without the core. Unset: use it if present.
VARIABLE = "ROUGE_CLI_CORE"
MODULE = "rouge_cli.core._core"


@cache
def _built_core() -> tuple[Any, str]:
    """Return (core, ""), or (None, reason why the core is missing)."""
    try:
        return import_module(MODULE), ""
    except ImportError as error:
        is_there = find_spec(MODULE) is not None
        return None, str(error) if is_there else "it was not compiled when rouge-cli was installed"


def compiled_core() -> Any:
    """Return the core, or None if Python does the work.

    Raises OptionError if the environment requires a core that is missing, or is neither 0 nor 1.
    """
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in {"", "0", "1"}:
        raise OptionError(f"{VARIABLE}: found {wanted!r}, expected 0 or 1")
    if wanted == "0":
        return None
    core, reason = _built_core()
    if wanted == "1" and core is None:
        raise OptionError(
            f"{VARIABLE}: the compiled core is missing: {reason}; install rouge-cli from a wheel, "
            "or where there is a C compiler and Python's header files; or unset the variable: "
            "Python prints the same digits"
        )
    return core


def check_choice() -> None:
    """Check the environment before work begins; raises OptionError."""
    # Loading the core takes time, so a run without the variable postpones it.
    if os.environ.get(VARIABLE):
        compiled_core()


def describe_core() -> str:
    """Describe the implementation in use and, if it is Python, the reason."""
    try:
        core = compiled_core()
    except OptionError as error:
        return str(error)
    if core is not None:
        return "compiled"
    if os.environ.get(VARIABLE) == "0":
        return f"none, Python counts: switched off by {VARIABLE}=0"
    return f"none, Python counts: {_built_core()[1]}"


def missing_core() -> str | None:
    """Return advice on how to get the core; None if it exists or is switched off."""
    if os.environ.get(VARIABLE) == "0" or compiled_core() is not None:
        return None
    return (
        f"the compiled core is missing: {_built_core()[1]}; with it this run would count some 20 "
        "times as fast, with the same digits; install rouge-cli from a wheel, or where there is a "
        "C compiler and Python's header files"
    )
