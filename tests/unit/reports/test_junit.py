"""The report junit: valid for Jenkins and GitLab, whatever systems are called."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from rouge_cli.ci import FORMATS
from rouge_cli.options.options import Options
from rouge_cli.reports import Screen, write_report
from rouge_cli.studies.score.view import ScoreView
from tests.unit.reports.made import ODD_IDS, SIGNATURE, made
from tests.unit.score_tables import thresholds_of

SCHEMA = etree.XMLSchema(etree.parse(Path(__file__).with_name("junit.xsd")))


def written(systems: Sequence[str], *required: str, screen: Screen | None = None) -> bytes:
    """Return the report of systems with an F of 0.2, 0.3, 0.4, ..."""
    results = made({system: [0.2 + place / 10] for place, system in enumerate(systems)})
    thresholds = thresholds_of(Options.of({"max_ngram": 1, "lcs": False, "require": required}))
    view = ScoreView(results, checks=thresholds(results).checks)
    return "".join(write_report(view, "junit", screen)).encode("utf-8")


def suite(systems: Sequence[str], *required: str) -> Any:
    """Return the suite of their report, which fits the schema."""
    root = etree.fromstring(written(systems, *required))
    SCHEMA.assertValid(root)
    (only,) = root
    for name in ("name", "tests", "failures", "errors"):
        assert only.get(name) == root.get(name)
    return only


def test_a_case_for_each_requirement_and_system() -> None:
    found = suite(["a", "b"], "ROUGE-1:F>=0.25", "b:ROUGE-1:F<0.9")
    assert (found.get("tests"), found.get("failures")) == ("3", "1")
    assert [(case.get("name"), len(case)) for case in found.iter("testcase")] == [
        ("a ROUGE-1 F >= 0.25", 1),
        ("b ROUGE-1 F >= 0.25", 0),
        ("b ROUGE-1 F < 0.9", 0),
    ]
    (failure,) = found.iter("failure")
    sentence = "a ROUGE-1 F: 0.20000, required >= 0.25"
    assert (failure.get("message"), failure.text) == (sentence, sentence)
    (signature,) = found.iter("property")
    assert (signature.get("name"), signature.get("value")) == ("signature", SIGNATURE)


def test_a_requirement_that_is_given_twice_is_one_case() -> None:
    found = suite(["a", "b"], "ROUGE-1:F>=0.25", "a:ROUGE-1:F>=0.25")
    assert [found.get("tests"), found.get("failures")] == ["2", "1"]


def test_a_case_for_each_eval_if_asked_for() -> None:
    # Of these results EVAL 1 has 0.1 and EVAL 2 has 0.2, whatever the mean.
    results = made({"a": [0.1], "b": [0.2]})
    results = replace(results, options=results.options.changed(per_eval=True))
    asked = {"max_ngram": 1, "lcs": False, "require": ["ROUGE-1:F>=0.15"]}
    checks = thresholds_of(Options.of(asked))(results).checks
    report = "".join(write_report(ScoreView(results, checks=checks), "junit"))
    root = etree.fromstring(report.encode())
    SCHEMA.assertValid(root)
    assert (root.get("tests"), root.get("failures")) == ("6", "2")
    # What is required of "b" is met, so that none of its EVALs fails.
    assert {case.get("name"): case.findtext("failure") for case in root.iter("testcase")} == {
        "a ROUGE-1 F >= 0.15": "a ROUGE-1 F: 0.10000, required >= 0.15",
        "a ROUGE-1 F >= 0.15, text 1": "a ROUGE-1 F: 0.10000 in text 1, required >= 0.15 on the "
        "whole",
        "a ROUGE-1 F >= 0.15, text 2": None,
        "b ROUGE-1 F >= 0.15": None,
        "b ROUGE-1 F >= 0.15, text 1": None,
        "b ROUGE-1 F >= 0.15, text 2": None,
    }


HOSTILE = [*ODD_IDS, "\0", "\x1b]0;t\x07", "\ufffe", "\ud800", "a]]>b", "&amp;", "\u202e", ""]
"""XML 1.0 has neither most control characters nor U+FFFE nor lone surrogates."""


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_hostile_names(name: str) -> None:
    found = suite([name, "other"], "ROUGE-1:F>=0.25")
    (failure,) = found.iter("failure")
    shown = name if name.isprintable() and name else ascii(name)
    assert failure.text == f"{shown} ROUGE-1 F: 0.20000, required >= 0.25"
    assert [case.get("name") for case in found.iter("testcase")] == [
        f"{shown} ROUGE-1 F >= 0.25",
        "other ROUGE-1 F >= 0.25",
    ]


def test_what_github_would_take_for_a_command() -> None:
    report = written(["##[stop]"], "ROUGE-1:F>=0.25", screen=Screen(log=FORMATS["github"]))
    assert b"##[" not in report
    (case,) = etree.fromstring(report).iter("testcase")
    assert case.get("name") == "##[stop] ROUGE-1 F >= 0.25"


def test_what_the_schema_refuses() -> None:
    suite_of = "<testsuites {0}><testsuite {0}>{1}</testsuite></testsuites>"
    totals = 'name="x" tests="1" failures="0" errors="0"'
    case = '<testcase classname="c" name="n"/>'
    for inside, fits in [(case, True), (case * 2, False), ('<testcase name="n"/>', False)]:
        assert SCHEMA.validate(etree.fromstring(suite_of.format(totals, inside))) is fits
