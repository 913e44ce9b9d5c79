"""Names of line files."""

import pytest

from rouge_cli.errors import OptionError
from rouge_cli.inputs.line_files import named_files


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["file"], {"X": "file"}),
        (["a=file"], {"a": "file"}),
        (["a=file=b"], {"a": "file=b"}),
        (["b=1", "a=1"], {"b": "1", "a": "1"}),
        (["a b= c "], {"a b": " c "}),
    ],
)
def test_names(values: list[str], expected: dict[str, str]) -> None:
    found = named_files(values)
    assert list(found.items()) == list(expected.items())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["one", "two"], "NAME=FILE for each of several files, found 'one'"),
        (["a=one", "two"], "NAME=FILE for each of several files, found 'two'"),
        (["=one"], "NAME=FILE for each of several files, found '=one'"),
        (["a="], "NAME=FILE for each of several files, found 'a='"),
        (["a=1", "b=2", "a=3"], "a name for each file of its own, found 'a' twice"),
    ],
)
def test_names_that_are_none(values: list[str], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        named_files(values)
    assert str(caught.value) == f"--predictions: expected {message}"
