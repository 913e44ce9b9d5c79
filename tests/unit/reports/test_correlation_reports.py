"""The reports of a study that was made by hand."""
# ruff: noqa: RUF001

import csv
import json
import re
from dataclasses import replace
from io import StringIO
from math import isnan
from typing import Any

import pytest

from rouge_cli.options.scores import ScoreOptions
from rouge_cli.reports import write_report
from rouge_cli.studies.correlate import CorrelationOptions
from rouge_cli.studies.correlate.accuracies import SoftAccuracy, TiedAccuracy
from rouge_cli.studies.correlate.coefficients import PairOrders
from rouge_cli.studies.correlate.judged_cells import Condition
from rouge_cli.studies.correlate.result import (
    CorrelationColumn,
    CorrelationPlan,
    CorrelationStudy,
    JudgeAgreement,
    MetricCorrelation,
    MetricPermutation,
    MetricTest,
    WilliamsTest,
)
from rouge_cli.studies.correlate.view import CorrelationView
from rouge_cli.studies.score_columns import ScoreColumn

NAN = float("nan")


def plan(resamples: int = 1000, **options: Any) -> CorrelationPlan:
    return CorrelationPlan(CorrelationOptions(seed=7, **options), ScoreOptions(resamples=resamples))


PLAIN = Condition(None, "all", ("rouge-cli:x|stem:no",))
ROWS = (ScoreColumn("ROUGE-1", "F"), ScoreColumn("ROUGE-L", "F"), ScoreColumn("ROUGE-S*", "F"))


def correlation(value: float, mark: str = "", p: float | None = None) -> MetricCorrelation:
    """Return a correlation with an interval a tenth around it."""
    bounds = None if isnan(value) else (value - 0.1, value + 0.1)
    return MetricCorrelation(ROWS[0], value, 4, 1, bounds, 3, mark == "*", p, mark == "~")


def column(
    coefficient: str, *found: MetricCorrelation, condition: Condition = PLAIN
) -> CorrelationColumn:
    """Return a column at the summary level."""
    named = tuple(replace(one, row=row) for one, row in zip(found, ROWS, strict=False))
    return CorrelationColumn("a_b", "summary", coefficient, condition, named, ())


STUDY = CorrelationStudy(
    rows=ROWS,
    columns=(
        column("pearson", correlation(0.5, "*"), correlation(-0.25, p=0.01), correlation(NAN)),
        column("kendall", correlation(0.25, "~", 0.5), correlation(0.75, "*"), correlation(NAN)),
    ),
    systems=("a", "b", "c"),
    eval_ids=("1", "2", "3", "4", "5"),
    judgements=("a_b",),
    is_per_eval=True,
    conditions=(PLAIN,),
    is_by_condition=False,
    plan=plan(),
    warnings=("some",),
)


def written(study: CorrelationStudy, kind: str) -> str:
    return "".join(write_report(CorrelationView(study), kind))


def test_table() -> None:
    assert (
        written(STUDY, "table")
        == """\
a_b: summary level, F
Metric                  Pearson             Kendall
───────────────────────────────────────────────────
ROUGE-1    0.500^  0.400–0.600   0.250~ 0.150–0.350
ROUGE-L   −0.250  −0.350–−0.150  0.750^ 0.650–0.850
ROUGE-S*       -                     -

3 systems, 5 texts. With 95% intervals: bootstrap over systems and texts,
percentiles of 1000 resamples, seed 7.
^: the best of its column. ~: cannot be told apart from the best (one
permutation test of all metrics, cells exchanged, p > 0.05; all choices of few
systems, else 1000 resamples, seed 7).
Caution: at the summary level the tests are valid only if no metric favours some
systems. If metrics do, as is usual, an equally good one was called worse in up
to 25% of simulated studies of 2 metrics and 58% of those of 6, not in 5%: marks
and p there are about these systems alone.
The 2 columns are tested one by one, without a correction: of 18 columns, 33 to
48% of simulated reports called an equally good metric worse in one or more.
Choose one column beforehand, with --level and --coefficient.
Summary level: up to 1 text of 5 is left out of a mean, as scores or judgements
do not vary there (--report csv counts them).
Up to 3 resamples of 1000 without a correlation are left out of an interval
(--report csv counts them).
rouge-cli:x|stem:no
"""
    )


def test_markdown() -> None:
    tables, _, notes = written(STUDY, "markdown").partition("\n3 sys")
    assert (
        tables
        == r"""**a\_b: summary level, F**

| Metric | Pearson | Kendall |
| :-- | --: | --: |
| ROUGE-1 | **0.500** [0.400, 0.600] | _0.250_ [0.150, 0.350] |
| ROUGE-L | -0.250 [-0.350, -0.150] | **0.750** [0.650, 0.850] |
| ROUGE-S\* | - | - |
"""
    )
    assert "\nBold: the best of its column. Italic: cannot be told apart" in notes
    assert notes.endswith("\n`rouge-cli:x|stem:no`\n")


def test_csv() -> None:
    rows = list(csv.DictReader(StringIO(written(STUDY, "csv"))))
    assert len(rows) == 6
    assert " ".join(f"{name}={value}" for name, value in rows[1].items() if value) == (
        "judgement=a_b level=summary coefficient=pearson models=all signature=rouge-cli:x|stem:no "
        "metric=ROUGE-L measure=f_measure value=-0.25 n_evals=4 dropped_evals=1 lower=-0.35 "
        "upper=-0.15 dropped_resamples=3 is_best=false p=0.01 is_tied=false resampled=both "
        "resamples=1000 seed=7 confidence=95.0 n_systems=3"
    )
    assert (rows[2]["value"], rows[2]["lower"], rows[2]["is_best"]) == ("", "", "false")


def test_json() -> None:
    found = json.loads(written(STUDY, "json"))
    assert (found["seed"], found["resampled"], found["warnings"]) == (7, "both", ["some"])
    assert found["evals"] == ["1", "2", "3", "4", "5"]
    assert found["conditions"] == [
        {"texts": None, "models": "all", "signatures": ["rouge-cli:x|stem:no"]}
    ]
    first, second, undefined = found["columns"][1]["metrics"]
    assert {name: value for name, value in first.items() if value is not None} == {
        "metric": "ROUGE-1", "measure": "f_measure", "value": 0.25, "interval": [0.15, 0.35],
        "p_against_best": 0.5, "is_best": False, "is_tied_with_best": True, "n_evals": 4,
        "n_dropped_evals": 1, "n_dropped_resamples": 3,
    }  # fmt: skip
    assert (second["is_best"], second["p_against_best"]) == (True, None)
    assert (undefined["value"], undefined["interval"]) == (None, None)


def with_pairs() -> CorrelationStudy:
    """Return the study at the system level, with tests between metrics."""
    tests = (
        MetricTest(
            ROWS[0],
            ROWS[1],
            MetricPermutation(0.75, 0.001, 2, p_holm=0.002),
            WilliamsTest(2.5, 1, 0.04, 0.02, 0.08),
        ),
        MetricTest(ROWS[0], ROWS[2], MetricPermutation(-0.0004, 0.9), None),
        MetricTest(ROWS[1], ROWS[2], MetricPermutation(None, None), None),
    )
    columns = tuple(replace(one, level="system", tests=tests) for one in STUDY.columns)
    return replace(STUDY, columns=columns, plan=plan(pairs=True))


def test_table_of_pairs() -> None:
    report = written(with_pairs(), "table")
    _, _, pairs = report.partition("\n\n")
    assert (
        pairs.partition("\n\n")[0]
        == """\
a_b: system level, F: differences
                                         Pearson
Metrics              diff.       p    Holm       t  p of t  Holm of t
─────────────────────────────────────────────────────────────────────
ROUGE-1 - ROUGE-L   +0.750  0.0010  0.0020  +2.500  0.0400     0.0800
ROUGE-1 - ROUGE-S*   0.000  0.9000       -       -       -          -
ROUGE-L - ROUGE-S*       -       -       -       -       -          -"""
    )
    assert (
        "Williams' test needs 4 systems. Holm: p corrected over all pairs of the column."
        in " ".join(report.split())
    )


def test_no_word_of_williams_test_without_a_column_of_it() -> None:
    columns = tuple(replace(one, coefficient="spa") for one in with_pairs().columns)
    report = written(replace(with_pairs(), columns=columns), "table")
    assert "diff.: correlation of the first" in report
    assert "Williams" not in report


def test_pairs_as_data() -> None:
    found = json.loads(written(with_pairs(), "json"))
    assert found["columns"][0]["pairs"][0] == {
        "first": {"metric": "ROUGE-1", "measure": "f_measure"},
        "second": {"metric": "ROUGE-L", "measure": "f_measure"},
        "difference": 0.75,
        "p": 0.001,
        "p_holm": 0.002,
        "is_exact": False,
        "n_dropped_resamples": 2,
        "williams": {
            "t": 2.5, "degrees_of_freedom": 1, "p": 0.04, "p_holm": 0.08, "p_one_sided": 0.02,
        },
    }  # fmt: skip
    lines = written(with_pairs(), "csv")
    row = list(csv.DictReader(StringIO(lines)))[3]
    assert (row["metric"], row["against"], row["value"], row["p"]) == (
        "ROUGE-1", "ROUGE-L", "0.75", "0.001",
    )  # fmt: skip
    assert (row["williams_t"], row["williams_p_one_sided"]) == ("2.5", "0.02")


def by_condition() -> CorrelationStudy:
    """Return a study of three conditions, as in the paper."""
    conditions = (Condition("as-is", "one", ("s1",)), Condition("stop", "one", ("s2",)),
                  Condition("as-is", "all", ("s3",)))  # fmt: skip
    found = correlation(0.5, "*"), correlation(0.4, "~", 0.2), correlation(0.3, p=0.01)
    columns = tuple(column("pearson", *found, condition=one) for one in conditions)
    return replace(STUDY, columns=columns, conditions=conditions, is_by_condition=True)


def test_table_of_conditions() -> None:
    table = written(by_condition(), "table")
    assert table.startswith(
        """\
a_b: summary level, F, Pearson
           1 reference    all references
Metric      CASE    STOP            CASE
────────────────────────────────────────
ROUGE-1   0.500^  0.500^          0.500^
ROUGE-L   0.400~  0.400~          0.400~
ROUGE-S*  0.300   0.300           0.300

3 systems, 5 texts.
"""
    )
    assert (
        "CASE: texts as they are. STOP: without stopwords. 1 reference: only the first one of each "
        "text."
    ) in " ".join(table.split())


def test_groups_of_conditions_in_other_reports() -> None:
    markdown = written(by_condition(), "markdown")
    assert "| Metric | 1 reference, CASE | 1 reference, STOP | all references, CASE |\n" in markdown
    latex = written(by_condition(), "latex")
    assert (
        r" & \multicolumn{2}{c}{1 reference} & \multicolumn{1}{c}{all references} \\ "
        r"\cmidrule(lr){2-3} \cmidrule(lr){4-4}"
    ) in latex


def test_wide_tables_go_below_each_other() -> None:
    columns = tuple(
        column(name, *STUDY.columns[0].correlations) for name in ("pearson", "spearman", "kendall")
    )
    report = written(replace(STUDY, columns=columns), "table")
    assert max(map(len, report.splitlines())) <= 80
    heads = [line.split() for line in report.splitlines() if line.startswith("Metric")]
    assert heads == [["Metric", "Pearson", "Spearman", "Kendall"]]
    six = [replace(one, level=level) for one in columns for level in ("summary", "system")]
    report = written(replace(STUDY, columns=tuple(six)), "table")
    assert max(map(len, report.splitlines())) <= 80


@pytest.mark.parametrize("resamples", [0, 1000])
def test_without_resamples(resamples: int) -> None:
    study = replace(STUDY, plan=plan(resamples), is_per_eval=False)
    report = " ".join(written(study, "table").split())
    without = "^: the best of its column. No intervals and no permutation tests: -r 0."
    assert (without in report) == (resamples == 0)
    assert "One judgement per system: there is no summary level, and nothing to pool." in report


def test_control_characters_are_escaped() -> None:
    columns = tuple(replace(one, judgement="a\nb") for one in STUDY.columns)
    report = written(replace(STUDY, columns=columns), "table")
    assert report.startswith("a\\nb: summary level, F\n")


def test_too_few_systems_to_tell() -> None:
    few, enough = STUDY.columns[1], STUDY.columns[0]
    few = replace(few, level="system", has_too_few_systems=True)
    study = replace(STUDY, columns=(enough, few))
    text = " ".join("".join(write_report(CorrelationView(study), "table")).split())
    words = "Too few systems to tell at the system level (a_b, Kendall): not even a metric without"
    assert words in text
    assert "Too few" not in "".join(write_report(CorrelationView(STUDY), "table"))
    # Nothing is marked that would need the reason.
    alone = replace(few, correlations=(few.correlations[1],) * 3)
    study = replace(STUDY, columns=(enough, alone))
    assert "Too few" not in "".join(write_report(CorrelationView(study), "table"))
    columns = json.loads("".join(write_report(CorrelationView(study), "json")))["columns"]
    assert [column["has_too_few_systems"] for column in columns] == [False, True]


def test_judges() -> None:
    agreements = JudgeAgreement("a_b", 3, 3, 0.8491, (0.7, 0.9)), JudgeAgreement("c", 1, 2, None)
    study = replace(STUDY, agreements=agreements)
    text = " ".join(written(study, "table").split())
    assert (
        "a_b: means of 3 judges; Krippendorff's alpha 0.849 [0.700, 0.900] (interval data)." in text
    )
    assert "c: means of 1 to 2 judges; Krippendorff's alpha - (interval data)." in text
    assert [list(one.values()) for one in json.loads(written(study, "json"))["agreements"]] == [
        ["a_b", 3, 3, 0.8491, [0.7, 0.9]],
        ["c", 1, 2, None, None],
    ]


def test_what_is_exchanged_is_said() -> None:
    for levels, exchange, words in (
        ("system system", "systems", "systems exchanged, p"),
        ("system summary", "systems", "systems exchanged, or cells, p"),
        ("system pooled", "cells", "cells exchanged, p"),
    ):
        both = zip(STUDY.columns, levels.split(), strict=True)
        columns = tuple(replace(one, level=level) for one, level in both)
        study = replace(STUDY, columns=columns, plan=plan(exchange=exchange))
        assert words in " ".join(written(study, "table").split())


def with_accuracies() -> CorrelationStudy:
    """Return a study of the accuracies over pairs, of which one is undefined."""
    ties = TiedAccuracy(0.5, 0.75, 0.0125, 4, 2, 0.025)
    nothing = TiedAccuracy(NAN, NAN, NAN, 0, 0, NAN)
    found: dict[str, tuple[Any, Any]] = {
        "pa": (PairOrders(3, 2, 1, 0, 0, 3), PairOrders(0, 0, 4, 0, 2, 1)),
        "acc-eq": (ties, nothing),
        "spa": (SoftAccuracy(0.75, is_exact=False), SoftAccuracy(NAN, is_exact=False)),
    }
    columns = tuple(
        replace(
            column(
                name,
                replace(correlation(0.75, "*"), detail=first),
                replace(correlation(NAN), detail=second),
            ),
            level="summary" if name == "acc-eq" else "system",
        )
        for name, (first, second) in found.items()
    )
    return replace(STUDY, rows=STUDY.rows[:2], columns=columns)


def test_accuracies() -> None:
    report = written(with_accuracies(), "table")
    assert report.startswith(
        """\
a_b: system level, F
Metric                   PA                 SPA
───────────────────────────────────────────────
ROUGE-1  0.750^ 0.650–0.850  0.750^ 0.650–0.850
ROUGE-L      -                   -

a_b: summary level, F
Metric               acc-eq
───────────────────────────
ROUGE-1  0.750^ 0.650–0.850
ROUGE-L      -
"""
    )
    notes = " ".join(report.split())
    assert "(one permutation test of all metrics, systems exchanged, or texts, p > 0.05;" in notes
    assert (
        "PA: the share of pairs of systems that metric and judgements put in the same order, or "
        "both tie. acc-eq: the same of the pairs in each text, and the mean over texts. Scores are "
        "tied if they differ by no more than what makes it highest here: ROUGE-1 0.0125. SPA: 1 "
        "minus the mean difference of the p-values that judgements and metric give each pair of "
        "systems (one-sided, that the first is better; paired over texts, 10000 random signs, seed "
        "7)."
    ) in notes


def test_accuracies_in_json() -> None:
    accuracy, tied, soft = json.loads(written(with_accuracies(), "json"))["columns"]
    first, second = accuracy["metrics"]
    assert first["pairs"] == {
        "concordant": 3,
        "discordant": 2,
        "tied_in_judgements": 1,
        "tied_in_scores": 0,
        "tied_in_both": 0,
        # Three of the five pairs that people do not tie.
        "accuracy_human_untied": 0.6,
        # Six pairs are of four systems: 2 (3 - 2) 3 / (16 * 2).
        "tau_c": 0.1875,
    }
    assert second["pairs"]["accuracy_human_untied"] is None
    assert second["pairs"]["tau_c"] is None
    assert tied["metrics"][0]["calibration"] == {
        "epsilon": 0.0125,
        "at_0": 0.5,
        "maximisers": 2,
        "largest_maximiser": 0.025,
    }
    assert tied["metrics"][1]["calibration"]["epsilon"] is None
    assert [one["is_exact"] for one in soft["metrics"]] == [False, False]
    rows = list(csv.DictReader(StringIO(written(with_accuracies(), "csv"))))
    assert [row["epsilon"] for row in rows] == ["", "", "0.0125", "", "", ""]


def test_what_the_tests_do_not_hold_for() -> None:
    one = replace(STUDY, columns=STUDY.columns[:1])
    assert "one by one" not in written(one, "table")
    at_system = replace(one, columns=(replace(one.columns[0], level="system"),))
    assert "Caution" not in written(at_system, "table")
    cells = replace(at_system, plan=plan(exchange="cells"))
    assert "Caution: at the system level" in written(cells, "table")
    # Nothing is tested without resamples, or with one metric.
    for study in (
        replace(STUDY, plan=plan(0)),
        replace(
            STUDY,
            rows=STUDY.rows[:1],
            columns=tuple(replace(x, correlations=x.correlations[:1]) for x in STUDY.columns),
        ),
    ):
        assert not re.search("Caution|one by one", written(study, "table"))
