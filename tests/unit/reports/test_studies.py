"""Reports of comparisons and correlations: what the texts in written/ do not show."""

import csv
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.ci import FORMATS
from rouge_cli.reports import Screen
from rouge_cli.reports.writers.text import display_width
from rouge_cli.studies.compare.view import ComparisonView
from rouge_cli.studies.correlate.result import CorrelationStudy, JudgeAgreement
from tests.unit.reports.made import (
    ODD_IDS,
    STUDY,
    column,
    comparison,
    compile_latex,
    plan,
    ranked,
    report,
    with_pairs,
)

ODD_NAMES = [ODD_IDS[place : place + 3] for place in range(0, len(ODD_IDS), 3)]
LONG = ranked(12, "llama-3.1-8b-instruct-cnn_dailymail-lr2e-05-epoch{}-beam4-lenpen2.0", 5)
FOREIGN = ranked(12, "\u4e2d\u6587\u6a21\u578b-{}", 5)


@pytest.mark.parametrize("is_verbose", [False, True])
def test_more_resamples_than_usual(is_verbose: bool) -> None:
    compared = comparison()
    grown = replace(compared, plan=replace(compared.plan, may_grow=True))
    note = (
        "100000 resamples, and not 10000: as many as the correction over 3 comparisons asks for "
        "(-r)."
    )
    assert note in " ".join(report(grown, "table", is_verbose=is_verbose).split())
    # As many as were asked for.
    assert "and not" not in report(compared, "table", is_verbose=is_verbose)


@pytest.mark.parametrize(
    ("name", "kind", "start"),
    [
        # Neither a command of GitHub, nor an item of a list, nor a heading.
        ("::stop::", "table", "\\x3a:stop:: is best in "),
        ("- a", "markdown", "\\- a is best in "),
        ("1. a", "markdown", "1\\. a is best in "),
        ("    a", "markdown", "a is best in "),
        ("<b>", "notebook", "<p>&lt;b&gt; is best in "),
    ],
)
def test_a_verdict_begins_with_a_name(name: str, kind: str, start: str) -> None:
    screen = Screen(log=FORMATS["github"])
    assert report(comparison(("one", "two", name)), kind, screen).startswith(start)


@pytest.mark.parametrize("names", ODD_NAMES)
def test_names_are_data(names: Sequence[str]) -> None:
    compared = comparison(names)
    rows = csv.DictReader(report(compared, "csv").splitlines(keepends=True))
    assert [row["system_b"] for row in rows] == [names[1], names[2], names[2]]
    assert json.loads(report(compared, "json"))["systems"] == names


@pytest.mark.parametrize("evals", [9, 12345])
@pytest.mark.parametrize("names", ODD_NAMES)
def test_table_fits_and_loses_no_name(names: Sequence[str], evals: int) -> None:
    text = report(comparison(names, evals=evals), "table", is_verbose=True)
    # The sentence before them keeps long words whole.
    lines = text.partition("\n\n")[2].splitlines()
    assert max(map(display_width, lines)) <= 80
    assert all(line.isprintable() for line in lines)
    # Every sign of the best system's name stands somewhere in its rows.
    shown = names[2].encode("unicode_escape").decode() if not names[2].isprintable() else names[2]
    shown = shown.replace("\\udcff", "\\xff")
    start = next(k for k, line in enumerate(lines) if line.startswith("System"))
    assert lines[start + 2].startswith(shown[:40])


def test_narrow_names_leave_room_to_long_ones() -> None:
    text = report(comparison(["a", "b", "x" * 18]), "table")
    assert re.search(r"^a  x{18}\*  \N{MINUS SIGN}0\.2500 ", text, re.MULTILINE)


def test_latex_folds_long_lists() -> None:
    text = report(LONG, "latex")
    assert r"\begin{tabular}{lp{44pt}rp{150pt}}" in text
    # \raggedright in the last cell redefines \\.
    row = next(line for line in text.split("\n") if line.startswith("    ROUGE-5 F & "))
    assert row.endswith(r"-\allowbreak{}lenpen2.\allowbreak{}0 \tabularnewline")
    # The key of names is no caption.
    start = r"\caption{The best system in each measure: llama-3.1-8b-instruct-cnn\_dailymail-lr2e-"
    assert start in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_latex_compiles(tmp_path: Path) -> None:
    comparisons = [comparison(ODD_IDS[place : place + 3], evals=9) for place in (0, 6, 9)]
    tables = "".join(
        report(one, "latex", is_verbose=is_verbose)
        for one in (*comparisons, LONG, FOREIGN)
        for is_verbose in (False, True)
    )
    log = compile_latex(tables, r"\usepackage{booktabs}", tmp_path)
    assert "Overfull" not in log
    assert "too large" not in log


@pytest.mark.parametrize(
    ("n_systems", "n_rows", "sentence"),
    [
        (6, 15, ""),
        (21, 20, "20 of 210 pairs are shown, those of the best system with the others; p is "),
        (203, 40, "40 of 20503 pairs are shown, those of the best system with the next 40; p is "),
    ],
)
def test_a_page_has_room_for_some_pairs(n_systems: int, n_rows: int, sentence: str) -> None:
    view = ComparisonView(ranked(n_systems))
    (part,) = view.page().parts
    rows = part.sections[0].tables[0].rows
    assert len(rows) == n_rows
    if sentence:
        assert {row[1].text for row in rows} == {"s000"}
        # The best ones first.
        assert [row[2].text for row in rows] == [f"s{k:03}" for k in range(1, n_rows + 1)]
        assert part.notes[0].text({}).startswith(sentence)
    n_pairs = n_systems * (n_systems - 1) // 2
    # Other reports, and what p is corrected over, have all pairs.
    assert len(view.document().sections[0].tables[0].rows) == n_pairs
    assert f"correction over the {n_pairs} comparisons" in str(view.page().headline)


def with_columns(study: CorrelationStudy = STUDY, **changes: Any) -> CorrelationStudy:
    return replace(study, columns=tuple(replace(one, **changes) for one in study.columns))


def at_levels(first: str, second: str, exchange: str) -> CorrelationStudy:
    both = zip(STUDY.columns, (first, second), strict=True)
    columns = tuple(replace(one, level=level) for one, level in both)
    return replace(STUDY, columns=columns, plan=plan(exchange=exchange))


ENOUGH, FEW = STUDY.columns[0], replace(STUDY.columns[1], level="system", has_too_few_systems=True)
TOO_FEW = replace(STUDY, columns=(ENOUGH, FEW))
NOTHING_MARKED = replace(FEW, correlations=(FEW.correlations[1],) * 3)
ONE_COLUMN = replace(STUDY, columns=(ENOUGH,))
AT_SYSTEM_LEVEL = with_columns(ONE_COLUMN, level="system")
ONE_METRIC = replace(with_columns(correlations=ENOUGH.correlations[:1]), rows=STUDY.rows[:1])
JUDGED = replace(
    STUDY,
    agreements=(JudgeAgreement("a_b", 3, 3, 0.8491, (0.7, 0.9)), JudgeAgreement("c", 1, 2, None)),
)
NO_RESAMPLES = "^: the best of its column. No intervals and no permutation tests: -r 0."


@pytest.mark.parametrize(
    ("study", "words", "is_there"),
    [
        (with_columns(with_pairs(), coefficient="spa"), "diff.: correlation of the first", True),
        (with_columns(with_pairs(), coefficient="spa"), "Williams", False),
        (replace(STUDY, plan=plan(0)), NO_RESAMPLES, True),
        (STUDY, NO_RESAMPLES, False),
        (
            replace(STUDY, is_per_eval=False),
            "One judgement per system: there is no summary level, and nothing to pool.",
            True,
        ),
        (with_columns(judgement="a\nb"), "a\\nb: summary level, F", True),
        (
            TOO_FEW,
            "Too few systems to tell at the system level (a_b, Kendall): not even a metric without",
            True,
        ),
        (STUDY, "Too few", False),
        # Nothing is marked that would need the reason.
        (replace(STUDY, columns=(ENOUGH, NOTHING_MARKED)), "Too few", False),
        (
            JUDGED,
            "a_b: means of 3 judges; Krippendorff's alpha 0.849 [0.700, 0.900] (interval data). "
            "c: means of 1 to 2 judges; Krippendorff's alpha - (interval data).",
            True,
        ),
        (at_levels("system", "system", "systems"), "systems exchanged, p", True),
        (at_levels("system", "summary", "systems"), "systems exchanged, or cells, p", True),
        (at_levels("system", "pooled", "cells"), "cells exchanged, p", True),
        (ONE_COLUMN, "one by one", False),
        (AT_SYSTEM_LEVEL, "Caution", False),
        (
            replace(AT_SYSTEM_LEVEL, plan=plan(exchange="cells")),
            "Caution: at the system level",
            True,
        ),
        # Nothing is tested without resamples, or with one metric.
        (replace(STUDY, plan=plan(0)), "Caution", False),
        (replace(STUDY, plan=plan(0)), "one by one", False),
        (ONE_METRIC, "Caution", False),
        (ONE_METRIC, "one by one", False),
    ],
)
def test_notes_of_correlations(study: CorrelationStudy, words: str, is_there: bool) -> None:
    assert (words in " ".join(report(study, "table").split())) == is_there


def test_few_systems_and_judges_as_data() -> None:
    found = json.loads(report(TOO_FEW, "json"))["columns"]
    assert [one["has_too_few_systems"] for one in found] == [False, True]
    assert [list(one.values()) for one in json.loads(report(JUDGED, "json"))["agreements"]] == [
        ["a_b", 3, 3, 0.8491, [0.7, 0.9]],
        ["c", 1, 2, None, None],
    ]


def test_wide_tables_go_below_each_other() -> None:
    columns = tuple(
        column(name, *ENOUGH.correlations) for name in ("pearson", "spearman", "kendall")
    )
    lines = report(replace(STUDY, columns=columns), "table").splitlines()
    assert max(map(len, lines)) <= 80
    heads = [line.split() for line in lines if line.startswith("Metric")]
    assert heads == [["Metric", "Pearson", "Spearman", "Kendall"]]
    six = [replace(one, level=level) for one in columns for level in ("summary", "system")]
    text = report(replace(STUDY, columns=tuple(six)), "table")
    assert max(map(len, text.splitlines())) <= 80
