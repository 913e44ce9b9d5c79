"""The formats of CI systems, compared with readers that follow their documentation."""

import re
from pathlib import Path

import pytest

from rouge_cli.ci import FORMATS, CIFormat, ci_format
from rouge_cli.escapes import IN_JSON, IN_XML

HOSTILE = "50%; a]b\r\n::error::c %0A%25%AZP25 ##vso[task.complete]d ##[group]e"


def command_on_azure(line: str) -> tuple[str, dict[str, str], str] | None:
    """Return the action, the properties and the text of a command, as the agent reads them."""
    matched = re.search(r"##vso\[([^\] ]*) ?([^\]]*)\](.*)", line, re.DOTALL)
    if matched is None:
        return None

    def decoded(text: str) -> str:
        for code, sign in ("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%AZP25", "%"):
            text = text.replace(code, sign)
        return text

    pairs = (pair.partition("=") for pair in matched[2].split(";") if pair)
    return matched[1], {name: decoded(value) for name, _, value in pairs}, decoded(matched[3])


def test_the_system_is_that_of_its_variable() -> None:
    assert type(ci_format({})) is CIFormat
    assert type(ci_format({"GITHUB_ACTIONS": "false", "CI": "true"})) is CIFormat
    for ci in FORMATS.values():
        variable, value = ci.variable
        assert ci_format({variable: value}) is ci


def test_an_annotation_on_github_is_one_command() -> None:
    line = FORMATS["github"].annotation(HOSTILE)
    start, _, text = line.partition("title=rouge-cli::")
    assert (start, line.splitlines()) == ("::error ", [line])
    for code, sign in ("%0D", "\r"), ("%0A", "\n"), ("%25", "%"):
        text = text.replace(code, sign)
    assert text == HOSTILE


def test_an_annotation_on_azure_is_one_command() -> None:
    line = FORMATS["azure"].annotation(HOSTILE)
    assert line.splitlines() == [line]
    assert command_on_azure(line) == ("task.logissue", {"type": "error"}, f"rouge-cli: {HOSTILE}")


def test_a_failure_on_gitlab_is_a_line_without_commands() -> None:
    failure = "section_start:1:a\r\x1b[0K lower"
    expected = "Failed: \\x73ection_start:1:a\r\x1b[0K lower"
    assert FORMATS["gitlab"].annotation(failure) == expected


@pytest.mark.parametrize(
    ("ci", "text", "expected"),
    [
        (CIFormat(), "::a ##[b]", "::a ##[b]"),
        (FORMATS["github"], " ::a ::b\n\t::c", " \\x3a:a ::b\n\t\\x3a:c"),
        (FORMATS["github"], "###[a] ##vso[b]", "#\\x23#[a] ##vso[b]"),
        (FORMATS["azure"], "::a ##[b] ##vso[c] ##d", "::a \\x23#[b] \\x23#vso[c] ##d"),
        (FORMATS["gitlab"], "section_end:1:a section", "\\x73ection_end:1:a section"),
    ],
)
def test_only_commands_are_escaped(ci: CIFormat, text: str, expected: str) -> None:
    assert ci.escape(text) == expected
    assert ci.escape(expected) == expected


def test_other_languages_have_escapes_of_their_own() -> None:
    assert FORMATS["github"].escape("::a ##[b]", IN_JSON) == r"\u003a:a \u0023#[b]"
    assert FORMATS["gitlab"].escape("section_end:", IN_XML) == "&#115;ection_end:"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table whose only row has a name that several systems would read."""
    path = tmp_path / "rouge.md"
    path.write_text("::a ##vso[b]c section_end:1:d\n", "utf-8")
    return path


def test_a_table_without_a_system_is_printed(table: Path) -> None:
    assert CIFormat().publish(table, {"scores": table}) == table.read_text("utf-8")


def test_a_table_on_azure_is_a_summary(table: Path) -> None:
    log, *lines = FORMATS["azure"].publish(table, {"scores": Path("a;b]c%3B.json")}).splitlines()
    assert log == "::a \\x23#vso[b]c section_end:1:d"
    assert [command_on_azure(line) for line in lines] == [
        ("task.uploadsummary", {}, str(table)),
        ("task.setvariable", {"variable": "scores", "isOutput": "true"}, "a;b]c%3B.json"),
    ]


def test_a_table_on_gitlab_is_a_section(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 1560896352.7)
    assert FORMATS["gitlab"].publish(table, {}) == (
        "\x1b[0Ksection_start:1560896353:rouge\r\x1b[0KROUGE\n"
        "::a ##vso[b]c \\x73ection_end:1:d\n"
        "\x1b[0Ksection_end:1560896353:rouge\r\x1b[0K\n"
    )
