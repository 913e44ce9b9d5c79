"""The table for the terminal, and how wide text is on it."""
# ruff: noqa: RUF001

import re

import pytest

from rouge_cli.reports import Screen
from rouge_cli.reports.writers.text import display_width
from rouge_cli.scores.results import Results
from tests.unit.reports.made import judged, made, odd, report

TWO = {"one": [0.2, 0.4], "other": [0.3, 0.3]}


def table(results: Results, width: int = 80, *, is_coloured: bool = False) -> str:
    return report(results, "table", Screen(width, is_coloured))


@pytest.mark.parametrize("n_metrics", [1, 3, 8])
@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_no_line_is_too_wide(width: int, n_metrics: int) -> None:
    names = ["a", "b" * 60, "\u4e2d" * 40]
    results = made({name: [0.5] * n_metrics for name in names}, max_ngram=n_metrics, per_eval=True)
    found = table(results, width)
    assert max(map(display_width, found.splitlines())) <= width
    # Long IDs are folded: no letter is lost, in any of the tables.
    n_rows = found.count("\na ") + len(re.findall(r"^[12] +a ", found, re.MULTILINE))
    assert n_rows >= 3
    assert found.count("\u4e2d") == 40 * n_rows


def test_a_screen_that_is_too_narrow_for_a_score() -> None:
    found = table(made({"a" * 20: [0.5]}), 10)
    # The score is whole, though wider than the screen.
    assert "0.5000 0.4000–0.6000" in found
    # The name is folded after 6 columns.
    assert found.partition("Prediction")[0].count("a" * 6) == 3


def test_three_metrics_with_intervals_fit_a_terminal() -> None:
    found = table(made({"a-system": [0.2] * 3, "b": [0.3] * 3}, max_ngram=3))
    assert found.count("System") == 1
    assert "means over 2 texts" in found


def test_bold_and_dim() -> None:
    found = table(made(TWO, max_ngram=2), is_coloured=True)
    assert "\x1b[1m0.3000\x1b[0m\x1b[2m 0.2000–0.4000\x1b[0m" in found
    assert "\x1b[1m0.2000" not in found
    assert "*" not in found
    assert "\x1b" not in table(made(TWO, max_ngram=2))
    single = table(judged(), is_coloured=True)
    assert "\x1b[1m2.8760\x1b[0m\x1b[2m 1.0000–4.0000\x1b[0m" in single


def test_odd_ids() -> None:
    found = table(odd(), 200)
    for shown in ("[red]x[/red] ", "a|b ", r"two\nlines\t\x1b[31m ", r"raw\xff ", "*star* "):
        assert f"\n{shown}" in found
    assert "\x1b" not in found


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("plain", 5),
        ("\u00e9\u0142", 2),
        ("\u4e2d\u6587", 4),
        # A letter and its accent; a syllable of Hangul in three letters; a vowel sign of Hindi.
        ("e\u0301", 1),
        ("\u1112\u1161\u11ab", 2),
        ("\u0915\u0941", 1),
        ("\uff21\uff9d", 3),
        ("\U0001f600", 2),
    ],
)
def test_display_width(text: str, width: int) -> None:
    assert display_width(text) == width
