"""SIMPLE: Basic Elements. Expected values are read off the specification."""

import pytest

from rouge_cli.errors import InputError
from rouge_cli.inputs.sentences import read_simple

EXPECTED = 'expected three, HEAD|MODIFIER|RELATION, with "nil" for one that is absent'


@pytest.mark.parametrize(
    ("raw", "elements"),
    [
        pytest.param(b"", [], id="empty"),
        pytest.param(b"a|b|c\n", [(b"a", b"b", b"c")], id="one"),
        pytest.param(b"a|b|c\nd|e|f", [(b"a", b"b", b"c"), (b"d", b"e", b"f")], id="no-newline"),
        pytest.param(b"US|NIL|Obj\n", [(b"us", b"nil", b"obj")], id="lower-case"),
        pytest.param(b"CAF\xc9|\xc3\x89|X\n", [(b"caf\xc9", b"\xc3\x89", b"x")], id="only-a-to-z"),
        pytest.param(b"of|nonvoting of| obj \n", [(b"of", b"nonvoting of", b" obj ")], id="blanks"),
        pytest.param(b"a|b|c||\n", [(b"a", b"b", b"c")], id="empty-at-the-end"),
        pytest.param(b"|b|c\n", [(b"", b"b", b"c")], id="empty-head"),
        pytest.param(b"a||c\n", [(b"a", b"", b"c")], id="empty-modifier"),
        pytest.param(b"a|b|c\r\n", [(b"a", b"b", b"c\r")], id="only-newline-goes"),
        pytest.param(b"a|b|c\na|b|c\n", [(b"a", b"b", b"c")] * 2, id="twice"),
    ],
)
def test_elements(raw: bytes, elements: list[tuple[bytes, bytes, bytes]]) -> None:
    assert read_simple(raw, "x.be") == tuple(elements)


@pytest.mark.parametrize(
    ("raw", "problems"),
    [
        pytest.param(b"a|b\n", [f"x.be, line 1: 2 fields; {EXPECTED}"], id="two"),
        pytest.param(b"a|b|\n", [f"x.be, line 1: 2 fields; {EXPECTED}"], id="empty-third"),
        pytest.param(b"text", [f"x.be, line 1: 1 field; {EXPECTED}"], id="other-format"),
        pytest.param(
            b"a|b|c\n\nd|e|f|g\n",
            [
                f"x.be, line 2: no fields; {EXPECTED}, or no line at all",
                f"x.be, line 3: 4 fields; {EXPECTED}",
            ],
            id="every-bad-line",
        ),
        pytest.param(b"||\n", [f"x.be, line 1: no fields; {EXPECTED}, or no line at all"], id="||"),
    ],
)
def test_bad_lines(raw: bytes, problems: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        read_simple(raw, "x.be")
    assert list(caught.value.problems) == problems
