"""The table for the terminal, how wide text is on it, and how names are folded."""
# ruff: noqa: RUF001

import re

import pytest

from rouge_cli.reports import Screen
from rouge_cli.reports.writers.text import _folded, _shared_room, display_width
from rouge_cli.scores.results import Results
from tests.unit.reports.made import made, odd, report

TWO = {"one": [0.2, 0.4], "other": [0.3, 0.3]}

TABLE = """\
System              ROUGE-1 F              ROUGE-2 F
────────────────────────────────────────────────────
other   0.3000^ 0.2000–0.4000  0.3000  0.2000–0.4000
one     0.2000  0.1000–0.3000  0.4000^ 0.3000–0.5000

Bootstrap means over 2 texts, with 95% confidence intervals from 1000 resamples.
^ best in its column

Intervals of 2 texts are too narrow: take 50 or more.
Prediction length / reference length: one 1.50, other 1.50.
rouge-cli:0.1.0|like:1.5.5|n:2|stem:no|stop:no|limit:no|formula:A|alpha:0.5|
count:eval|resamples:1000|confidence:95
"""

EVALS = """\
System  ROUGE-1 F
─────────────────
one        0.2000

Means over 2 texts.

Text  System  ROUGE-1 F
───────────────────────
1     one       0.10000
2     one       0.20000

Scores of each text.

"""

STACKED = """\
System              ROUGE-1 F
─────────────────────────────
other   0.3000^ 0.2000–0.4000
one     0.2000  0.1000–0.3000

System              ROUGE-2 F
─────────────────────────────
other   0.3000  0.2000–0.4000
one     0.4000^ 0.3000–0.5000

Bootstrap means over 2 texts, with 95%
"""


def table(results: Results, width: int = 80, *, is_coloured: bool = False) -> str:
    return report(results, "table", Screen(width, is_coloured))


def test_table() -> None:
    assert table(made(TWO, max_ngram=2)) == TABLE


def test_numbers_stand_below_each_other() -> None:
    found = table(made({"a": [0.09], "b": [1.0]}, report="table", percent=True))
    lines = found.splitlines()[2:4]
    assert lines[0] == "b       100.00^ 90.00–110.00"
    assert lines[1] == "a         9.00  \u22121.00–19.00"


def test_numbers_without_intervals_stand_below_each_other() -> None:
    found = table(made({"a": [0.2], "b": [0.3]}, report="table", resamples=0))
    assert found.splitlines()[:4] == [
        "System  ROUGE-1 F",
        "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * 17,
        "b         0.3000^",
        "a         0.2000",
    ]


def test_long_labels_go_on_in_further_lines() -> None:
    found = table(made({"a-long-name-of-a-system": [0.2]}, per_eval=True, resamples=0), 24)
    lines = found.splitlines()
    first = "1     a-long-    0.10000"
    assert lines[lines.index(first) :][:5] == [
        first,
        "      name-of",
        "      -a-syst",
        "      em",
        "2     a-long-    0.20000",
    ]


def test_evals() -> None:
    assert table(made({"one": [0.2]}, resamples=0, per_eval=True)).startswith(EVALS)


def test_tables_below_each_other() -> None:
    assert table(made(TWO, max_ngram=2), 40).startswith(STACKED)


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
    # Systems with other EVALs have a column for their number.
    unequal = table(made({"a": [0.2], "b": [0.3]}, {"a": ["1"], "b": ["1", "2"]}))
    assert unequal.startswith("System  N  ")


def test_bold_and_dim() -> None:
    found = table(made(TWO, max_ngram=2), is_coloured=True)
    assert "\x1b[1m0.3000\x1b[0m\x1b[2m 0.2000–0.4000\x1b[0m" in found
    assert "\x1b[1m0.2000" not in found
    assert "*" not in found
    assert "\x1b" not in table(made(TWO, max_ngram=2))


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


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("my long name", 12, ["my long name"]),
        ("my long name", 8, ["my long", "name"]),
        ("my name-without-blanks", 8, ["my", "name-wit", "hout-bla", "nks"]),
        ("\u4e2d\u6587\u6a21\u578b x", 5, ["\u4e2d\u6587", "\u6a21\u578b", "x"]),
        ("abe\u0301", 2, ["ab", "e\u0301"]),
    ],
)
def test_names_are_folded_at_blanks(text: str, width: int, lines: list[str]) -> None:
    assert list(_folded(text, width)) == lines


def test_names_share_the_room() -> None:
    assert _shared_room([30, 4], 60, 80) == [16, 4]
    assert _shared_room([30, 40], 60, 80) == [10, 10]
    # However narrow the screen is.
    assert _shared_room([30, 40], 79, 80) == [6, 6]


def test_names_are_whole_where_the_table_is_split_anyway() -> None:
    lines = table(made({"system-01": [0.2, 0.4], "system-02": [0.3, 0.3]}, max_ngram=2), 36).split(
        "\n"
    )
    # 9 characters, 2 between columns, and 21 of a score with its sign and its interval.
    assert [len(line) for line in lines[2:4]] == [32, 32]
    assert [line[:9] for line in lines[2:4]] == ["system-02", "system-01"]


def test_names_that_would_be_folded_leave_out_what_they_share() -> None:
    results = made({"a-long-name-of-system-one": [0.2], "a-long-name-of-system-two": [0.3]})
    whole, narrow = table(results, 80), table(results, 45)
    assert "\na-long-name-of-system-one  0.2000" in whole
    assert "\n\u2026one    0.2000" in narrow
    key = "\u2026 at the start of a name: a-long-name-of-system-."
    assert (key in whole.replace("\n", " "), key in narrow.replace("\n", " ")) == (False, True)
