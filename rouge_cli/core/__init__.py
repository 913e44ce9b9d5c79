"""The compiled core: the metrics, the reading of texts and the draws once more, in C.

The reference in Python says what they return, and works where there is no core. This module decides
which of the two counts.
"""

import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rouge_cli.errors import OptionError

VARIABLE = "ROUGE_CLI_CORE"
"""0: Python does all. 1: an error where there is no core. Without it: the core, if there is one."""

MODULE = "rouge_cli.core._core"


@cache
def _built_core() -> tuple[Any, str]:
    """Return the module in C or None, and why there is none."""
    try:
        return import_module(MODULE), ""
    except ImportError as error:
        is_there = find_spec(MODULE) is not None
        return None, str(error) if is_there else "it was not compiled when rouge-cli was installed"


def compiled_core() -> Any:
    """Return the module in C, None where Python is to count.

    Raises OptionError if the environment asks for a core that is missing, or for neither 0 nor 1.
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
            "or where there is a C compiler and Python's header files; or leave the variable out: "
            "the digits are the same"
        )
    return core


def check_choice() -> None:
    """Refuse an environment that asks for the impossible, before work begins; raises OptionError.

    Where it asks for nothing, nothing is loaded.
    """
    if os.environ.get(VARIABLE):
        compiled_core()


def describe_core() -> str:
    """Say whether the core or Python counts, and why if Python does."""
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
    """Return how to get a core; None if there is a core, or if it is switched off."""
    if os.environ.get(VARIABLE) == "0" or compiled_core() is not None:
        return None
    return (
        f"the compiled core is missing: {_built_core()[1]}; with it this run would count some 20 "
        "times as fast, with the same digits; install rouge-cli from a wheel, or where there is a "
        "C compiler and Python's header files"
    )
