"""The page on rouge_score: its programs print what it shows, its tables are those of the tool."""

import contextlib
import io
import re

import pytest

from tools import compare_rouge_score

PAGE = compare_rouge_score.PAGE.read_text("utf-8")


@pytest.mark.filterwarnings("ignore:rouge_score was imported before")
def test_programs() -> None:
    # The pair of the page, and those on Google's package.
    part = PAGE.partition("## From evaluate")[0]
    programs = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", part, re.M | re.S)
    assert len(programs) == 5
    names: dict[str, object] = {}
    for program, output in programs:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(program, names)
        assert printed.getvalue() == output


def test_tables() -> None:
    assert compare_rouge_score.filled_in(PAGE) == PAGE
    assert PAGE.count("<!-- table: ") == len(compare_rouge_score.tables())
