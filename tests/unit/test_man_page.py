"""The manual page: it agrees with the declarations, and man accepts it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from rouge_cli.cli.group import COMMANDS
from rouge_cli.options.options import OPTIONS
from rouge_cli.version import RELEASE_DATE, __version__
from tools import make_man

PAGE = Path(__file__).parents[2] / "docs" / "rouge-cli.1"


def test_page_is_as_declared() -> None:
    assert PAGE.read_text("utf-8") == make_man.manual(), "run make generated"


def test_page_has_everything() -> None:
    text = PAGE.read_text("utf-8").replace("\\-", "-")
    for option in OPTIONS.values():
        assert option.long in text
    for name in COMMANDS:
        assert f"\n.SH {name.upper()}\n" in text


def test_page_has_the_date_of_the_version() -> None:
    cited = (PAGE.parents[1] / "CITATION.cff").read_text("utf-8")
    assert f'\nversion: {__version__}\ndate-released: "{RELEASE_DATE}"\n' in cited
    head = f'.TH ROUGE-CLI 1 "{RELEASE_DATE}" "rouge-cli {__version__}" "User Commands"\n'
    assert head in PAGE.read_text("utf-8")


def test_page_has_no_faults() -> None:
    if shutil.which("mandoc") is None:
        pytest.skip("no mandoc here")
    finished = subprocess.run(
        ["mandoc", "-Tlint", str(PAGE)], capture_output=True, text=True, check=False
    )
    assert finished.stdout == ""


def test_page_is_shown() -> None:
    if shutil.which("man") is None:
        pytest.skip("no man here")
    finished = subprocess.run(
        ["man", "-l", str(PAGE)],
        env={"PATH": "/usr/bin:/bin", "MANWIDTH": "200", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "ROUGE-1 to ROUGE-N; no ROUGE-N unless given." in finished.stdout
    assert "rouge-cli -c 95 -2 -1 -U -r 1000 -n 4 -a config.xml" in finished.stdout


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (".x", r"\&.x"),
        ("it's -n", r"it\(aqs \-n"),
        (r"a\d", r"a\ed"),
        ("a " * 60, "\n".join(["a " * 38 + "a", "a " * 20 + "a"])),
    ],
)
def test_text_is_escaped(text: str, written: str) -> None:
    assert make_man._text(text) == written
