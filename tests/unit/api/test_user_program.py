"""A user's program runs; that its types hold is checked with those of the tests."""

from pathlib import Path

import numpy as np
import pandas as pd

import rouge_cli
from tests.unit.api import user_program


def test_user_program() -> None:
    mean, interval, _, per_eval, names, frame, *texts, version = user_program.everything()
    assert mean == 0.5
    assert interval == (0.5, 0.5)
    assert isinstance(per_eval, np.ndarray)
    assert names == ["ROUGE-L"]
    assert isinstance(frame, pd.DataFrame)
    assert list(map(type, texts)) == [str, dict]
    assert isinstance(version, str)
    assert user_program.problems() == ("none.xml: no such file; expected the configuration",)


def test_the_package_says_that_it_is_typed() -> None:
    assert Path(rouge_cli.__file__).with_name("py.typed").exists()
