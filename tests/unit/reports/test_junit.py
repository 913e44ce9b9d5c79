"""The report junit: valid for Jenkins and GitLab, whatever systems are called."""

from pathlib import Path

import pytest
from lxml import etree

from rouge_cli.ci import FORMATS
from rouge_cli.reports import Screen
from tests.unit.reports.made import ODD_IDS, checked, report

SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).with_name("junit.xsd")))


@pytest.mark.parametrize("per_eval", [False, True])
def test_totals_and_schema(per_eval: bool) -> None:
    view = checked(["a", "b"], "ROUGE-1:F>=0.25", "b:ROUGE-1:F<0.9", per_eval=per_eval)
    root = etree.fromstring(report(view, "junit").encode())
    SCHEMA.assertValid(root)
    (only,) = root
    for name in ("name", "tests", "failures", "errors"):
        assert only.get(name) == root.get(name)


HOSTILE = [*ODD_IDS, "\0", "\x1b]0;t\x07", "\ufffe", "\ud800", "a]]>b", "&amp;", "\u202e", ""]
"""XML 1.0 has neither most control characters nor U+FFFE nor lone surrogates."""


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_hostile_names(name: str) -> None:
    root = etree.fromstring(report(checked([name, "other"], "ROUGE-1:F>=0.25"), "junit").encode())
    SCHEMA.assertValid(root)
    (failure,) = root.iter("failure")
    shown = name if name.isprintable() and name else ascii(name)
    assert failure.text == f"{shown} ROUGE-1 F: 0.20000, required >= 0.25"
    assert [case.get("name") for case in root.iter("testcase")] == [
        f"{shown} ROUGE-1 F >= 0.25",
        "other ROUGE-1 F >= 0.25",
    ]


def test_what_github_would_take_for_a_command() -> None:
    screen = Screen(log=FORMATS["github"])
    text = report(checked(["##[stop]"], "ROUGE-1:F>=0.25"), "junit", screen)
    assert "##[" not in text
    (case,) = etree.fromstring(text.encode()).iter("testcase")
    assert case.get("name") == "##[stop] ROUGE-1 F >= 0.25"


def test_what_the_schema_refuses() -> None:
    suite_of = "<testsuites {0}><testsuite {0}>{1}</testsuite></testsuites>"
    totals = 'name="x" tests="1" failures="0" errors="0"'
    case = '<testcase classname="c" name="n"/>'
    for inside, fits in [(case, True), (case * 2, False), ('<testcase name="n"/>', False)]:
        assert SCHEMA.validate(etree.fromstring(suite_of.format(totals, inside))) is fits
