"""Calls of `rouge_cli.bulk` that are refused, and their messages."""

from pathlib import Path

import numpy as np
import pytest

from rouge_cli import InputError, OptionError, bulk
from tests.tables import refused_calls

NAMES = {"bulk": bulk, "np": np, "InputError": InputError, "OptionError": OptionError}


@pytest.mark.parametrize(("call", "error", "message"), refused_calls(Path(__file__)))
def test_refused(call: str, error: str, message: str | None) -> None:
    with pytest.raises(eval(error, NAMES), match=message):
        eval(call, NAMES)
