"""Texts in which the separator does not occur, and the warning about them."""

import pytest

from rouge_cli.inputs.sentences import are_sentences_read, unsplit_lines, unsplit_warnings
from rouge_cli.options.options import Options


def test_unsplit_lines() -> None:
    lines = [b"a<q>b", b"", b"c", b" \t", b"d", b"<q>"]
    texts = [b"a\nb", b"", b"c", b" \t", b"d", b"\n"]
    assert unsplit_lines(lines, texts) == [2, 4]
    assert unsplit_lines(lines[:2], texts[:2]) == []


def test_warnings() -> None:
    tail = "each counts as one sentence, which changes ROUGE-L and ROUGE-W"
    assert list(unsplit_warnings("f", 1000, 37, 4, "<t> </t>")) == [
        f"f: 37 of 1000 texts have no '<t> </t>', the first on line 4: {tail}"
    ]
    assert list(unsplit_warnings("h", 2, 1, None, "<t> </t>")) == [
        f"h: 1 of 2 texts has no '<t> </t>': {tail}"
    ]
    assert list(unsplit_warnings("g", 5, 0, None, "<t> </t>")) == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, True),
        ({"max_ngram": 1, "lcs": False}, False),
        ({"weight": "1.2", "lcs": False}, True),
        ({"basic_elements": "H"}, False),
        ({"basic_elements": "H", "weight": "2"}, True),
    ],
)
def test_where_sentences_matter(given: dict[str, object], expected: bool) -> None:
    assert are_sentences_read(Options.of(given).metrics) is expected
