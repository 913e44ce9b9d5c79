"""Texts whose sentences were not told apart: counts that add up, and what is said of them."""

import pytest

from rouge_cli.inputs.sentences import Tally, are_sentences_read, tally, unsplit_warnings
from rouge_cli.options.options import Options


def test_tally() -> None:
    lines = [b"a<q>b", b"", b"c", b" \t", b"d", b"<q>"]
    texts = [b"a\nb", b"", b"c", b" \t", b"d", b"\n"]
    assert tally("f", lines, texts, range(10, 16)) == Tally("f", 6, 2, 12)
    assert tally("f", lines[:2], texts[:2], [1, 2]) == Tally("f", 2)


def test_sum() -> None:
    parts = [Tally("f", 2), Tally("f", 3, 2, 4), Tally("f", 1, 1, 6)]
    assert parts[0] + parts[1] + parts[2] == Tally("f", 6, 3, 4)
    assert parts[0] + (parts[1] + parts[2]) == Tally("f", 6, 3, 4)


def test_warnings() -> None:
    tallies = [Tally("f", 1000, 37, 4), Tally("g", 5), Tally("h", 2, 1)]
    tail = "each counts as one sentence, which changes ROUGE-L and ROUGE-W"
    assert list(unsplit_warnings(tallies, "<t> </t>")) == [
        f"f: 37 of 1000 texts have no '<t> </t>', the first on line 4: {tail}",
        f"h: 1 of 2 texts has no '<t> </t>': {tail}",
    ]
    assert list(unsplit_warnings((), None)) == []


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
