"""Notes in Markdown become HTML that runs nothing and fetches nothing."""

import re

import pytest

import rouge_cli
from rouge_cli.reports.writers.html import notes_html
from tests.pages import read_page


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a *b* **c** `d` ~~e~~", "<p>a <em>b</em> <strong>c</strong> <code>d</code> <s>e</s></p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("![a cat](http://x/y.png)", "<p>a cat</p>"),
        ("![a cat][1]\n\n[1]: y.png", "<p>a cat</p>"),
        ("[a](HTTPS://x.org/?b=1&c=\"d)",
         '<p><a href="HTTPS://x.org/?b=1&amp;c=%22d" rel="noopener noreferrer">a</a></p>'),
        ("<a@b.org>", '<p><a href="mailto:a@b.org" rel="noopener noreferrer">a@b.org</a></p>'),
        ("[a](javascript:alert(1)) [b](b.html) [c](#d) [e](data:text/html,x)", "<p>a b c e</p>"),
        ("[![a](x.png)](vbscript:x)", "<p>a</p>"),
        ('[a](https://b "onclick=")', '<p><a href="https://b" rel="noopener noreferrer">a</a></p>'),
        ("a\u202eb\x1b", "<p>a\\u202eb\\x1b</p>"),
        ("x\u00a0y \u200d", "<p>x\u00a0y \u200d</p>"),
        (" \n\t\n", ""),
    ],
)  # fmt: skip
def test_markdown(text: str, html: str) -> None:
    assert notes_html(text).rstrip("\n") == html


@pytest.mark.parametrize(
    ("levels", "expected"),
    [((1, 2, 3), (2, 3, 4)), ((3, 3), (2, 2)), ((2, 4, 1), (2, 3, 2)), ((1, 6, 6), (2, 3, 4))],
)
def test_headings_leave_out_no_level(levels: tuple[int, ...], expected: tuple[int, ...]) -> None:
    html = notes_html("\n\n".join(f"{'#' * level} a" for level in levels))
    assert tuple(map(int, re.findall("<h([2-6])>", html))) == expected


def test_cells_have_classes_for_styles() -> None:
    html = notes_html("| a | b | c | d |\n|:--|:-:|--:|---|\n| 1 | 2 | 3 | 4 |")
    assert "style" not in html
    assert re.findall("<td(.*)>.</td>", html) == [' class="l"', ' class="c"', ' class="r"', ""]


def test_no_element_but_those_of_markdown() -> None:
    hostile = "".join(map(chr, range(32, 127)))
    texts = (hostile, f"[{hostile}]({hostile})", f"```{hostile}\n{hostile}\n```", f"<{hostile}>")
    for text in texts:
        reader = read_page(notes_html(text))
        assert {tag for tag, _ in reader.tags} <= {"p", "pre", "code"}
        assert all(tag == "code" for tag, attributes in reader.tags if attributes)
        assert reader.attributes <= {"class"}


def test_in_python() -> None:
    page = rouge_cli.evaluate(["a b"], [["a b"]]).to_html(title="T", notes="*N*")
    assert '<div class="notes" role="note" aria-label="Notes">\n<p><em>N</em></p>' in page
    assert 'class="notes"' not in rouge_cli.evaluate(["a b"], [["a b"]]).to_html(notes=" \n")
