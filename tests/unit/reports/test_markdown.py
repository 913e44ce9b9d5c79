"""The table in GitHub's Markdown."""

import re

import pytest

from tests.unit.reports.made import SIGNATURE, made, odd, report

TABLE = f"""\
| System | N | ROUGE-1 F |
| :-- | --: | --: |
| b | 2 | **0.3000** [0.2000, 0.4000] |
| a | 2 | 0.2000 [0.1000, 0.3000] |

Bootstrap means over 2 texts, with 95% confidence intervals from 1000 resamples.

Intervals of 2 texts are too narrow: take 50 or more.

Prediction length / reference length: a 1.50, b 1.50.

`{SIGNATURE}`
"""

EVALS = """\
| Text | System | ROUGE-1 R |
| :-- | :-- | --: |
| 1 | a | 10.000 |
| 2 | a | 20.000 |

Scores of each text, times 100.

"""


def test_table() -> None:
    assert report(made({"a": [0.2], "b": [0.3]}), "markdown") == TABLE


def test_evals() -> None:
    results = made({"a": [0.2]}, report="markdown", per_eval=True, percent=True, measures="R")
    assert EVALS in report(results, "markdown")


@pytest.mark.parametrize(
    ("system", "shown"),
    [
        ("a|b", r"a\|b"),
        ("[red]x[/red]", r"\[red\]x\[/red\]"),
        ("*a* _b_ `c` ~d~", r"\*a\* \_b\_ \`c\` \~d\~"),
        ("<b>&amp; #1 \\", r"\<b\>\&amp; \#1 \\"),
        ("one\ntwo", r"one\\ntwo"),
        ("$a$ @user a@b.c", r"\$a\$ @<!-- -->user a@<!-- -->b.c"),
        ("https://a.b WWW.c.d", r"https\://a.b WWW\.c.d"),
    ],
)
def test_escapes(system: str, shown: str) -> None:
    assert f"\n| {shown} | 2 |" in report(made({system: [0.2]}), "markdown")


def test_every_row_has_as_many_cells() -> None:
    lines = report(odd(max_gap=-1, max_ngram=None), "markdown").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 14
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows} == {4}
    assert rows[0] == r"| System | N | ROUGE-S\* F |"
