"""Conditions on scores, and an earlier run to compare with: what fails, and what is said of it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rouge_cli.errors import InputError, OptionError
from rouge_cli.metrics.counts import Counts
from rouge_cli.metrics.metric import scored_metrics
from rouge_cli.options.options import Options
from rouge_cli.options.scores import requirements
from rouge_cli.scores.results import Measure, MetricScores, Results, SystemScores
from rouge_cli.scores.saved_scores import save_scores
from rouge_cli.scores.signature import signature
from rouge_cli.studies.score.thresholds import Verdict, read_thresholds, required_checks
from tests.tables import rows_of
from tests.unit.score_tables import table_of, thresholds_of

Averages = Mapping[str, tuple[float, float, float]]
"""Average recall, precision and F by system; the same in every metric."""


def results_of(
    options: Options,
    averages: Averages,
    n_evals: int = 2,
    measure_of: Callable[[float], Measure] = lambda average: Measure(
        0.9999, average, (0.0, 1.0), np.zeros(2)
    ),
) -> Results:
    """Return results with these averages; the plain means are others."""
    names = [metric.name for metric in scored_metrics(options.metrics)]
    counts = Counts(*(np.zeros(n_evals, np.int64) for _ in range(3)))
    systems = {}
    for system, three in averages.items():
        recall, precision, f_measure = map(measure_of, three)
        metrics = {
            name: MetricScores(name, {"R": recall, "P": precision, "F": f_measure}, counts)
            for name in names
        }
        eval_ids = tuple(str(k) for k in range(n_evals))
        systems[system] = SystemScores(system, eval_ids, metrics)
    return Results(systems, table_of(systems), options)


def means_of(options: Options, means: Averages) -> Results:
    """Return results with these plain means; the averages of the bootstrap are others."""
    return results_of(
        options, means, measure_of=lambda mean: Measure(mean, 0.1, (0.0, 1.0), np.zeros(2))
    )


def report_of(options: Options, means: Averages, n_evals: int = 2) -> dict[str, Any]:
    """Return what ``--report json`` writes, as far as a baseline is read."""
    fields = ("recall", "precision", "f_measure")
    return {
        "signature": signature(options),
        "systems": [
            {
                "id": system,
                "n_evals": n_evals,
                "metrics": {
                    metric.name: {
                        field: {"mean": mean, "bootstrap_mean": 0.9999}
                        for field, mean in zip(fields, three, strict=True)
                    }
                    for metric in scored_metrics(options.metrics)
                },
            }
            for system, three in means.items()
        ],
    }


def write_report(folder: Path, report: Any) -> str:
    path = folder / "baseline.json"
    path.write_text(json.dumps(report), "utf-8")
    return str(path)


# Requirements.

AVERAGES = {"lead": (0.2, 0.3, 0.25), "neural": (0.4, 0.1, 0.174324)}


def check(*conditions: str, **options: object) -> Verdict:
    checked = Options.of({"max_ngram": 2, "lcs": False, "require": conditions, **options})
    return thresholds_of(checked)(results_of(checked, AVERAGES))


@pytest.mark.parametrize(
    ("condition", "failures"),
    [
        ("ROUGE-2:R>=0.2", []),
        ("ROUGE-2:R>0.2", ["lead ROUGE-2 R: 0.20000, required > 0.2"]),
        ("ROUGE-2:P<=0.3", []),
        ("ROUGE-2:P<0.3", ["lead ROUGE-2 P: 0.30000, required < 0.3"]),
        ("neural:ROUGE-2:F>=0.18", ["neural ROUGE-2 F: 0.17432, required >= 0.18"]),
        ("lead:ROUGE-2:F>=0.18", []),
        ("rouge-1:f >= .2", ["neural ROUGE-1 F: 0.17432, required >= .2"]),
        # As it is printed, not as it is.
        ("neural:ROUGE-1:F>=0.17432", []),
        ("neural:ROUGE-1:F<=0.17432", []),
        ("neural:ROUGE-1:F>0.17432", ["neural ROUGE-1 F: 0.17432, required > 0.17432"]),
        ("neural:ROUGE-1:F>=0.174321", ["neural ROUGE-1 F: 0.17432, required >= 0.174321"]),
    ],
)
def test_condition(condition: str, failures: list[str]) -> None:
    assert check(condition) == Verdict(tuple(failures))


def test_every_system_and_every_condition() -> None:
    assert check("ROUGE-1:F>=0.5", "lead:ROUGE-2:R>0.3", "ROUGE-2:R>0.1") == Verdict(
        (
            "lead ROUGE-1 F: 0.25000, required >= 0.5",
            "neural ROUGE-1 F: 0.17432, required >= 0.5",
            "lead ROUGE-2 R: 0.20000, required > 0.3",
        )
    )


def test_colons_in_a_system_id() -> None:
    options = Options.of({"max_ngram": 1, "require": "run:1:ROUGE-1:R>0.5"})
    verdict = thresholds_of(options)(results_of(options, {"run:1": (0.5, 0.5, 0.5)}))
    assert verdict.failures == ("run:1 ROUGE-1 R: 0.50000, required > 0.5",)


def test_an_id_that_would_break_the_line() -> None:
    options = Options.of({"max_ngram": 1, "lcs": False, "require": "ROUGE-1:R>0.5"})
    verdict = thresholds_of(options)(results_of(options, {"a\nb": (0.5, 0.5, 0.5)}))
    assert verdict.failures == (r"'a\nb' ROUGE-1 R: 0.50000, required > 0.5",)


@pytest.mark.parametrize("options", [{"counting": 2}, {"resamples": 0, "report": "json"}])
def test_the_plain_mean_where_there_is_no_bootstrap(options: dict[str, object]) -> None:
    checked = Options.of({"max_ngram": 1, "lcs": False, "require": "ROUGE-1:R>=0.9", **options})
    results = results_of(checked, {"a": (0.5, 0.5, 0.5)})
    for metric in results:
        for measure in metric.measures.values():
            object.__setattr__(measure, "bootstrap_mean", None)
    # The plain mean of these results is 0.9999.
    assert thresholds_of(checked)(results).failures == ()


def test_unknown_metric() -> None:
    message = (
        "--require: 'ROUGE-3:F>=0.1': no metric 'ROUGE-3' in this run; the metrics are: "
        "ROUGE-1, ROUGE-2"
    )
    with pytest.raises(OptionError) as caught:
        thresholds_of(Options.of({"max_ngram": 2, "lcs": False, "require": "ROUGE-3:F>=0.1"}))
    assert str(caught.value) == message


def human(condition: str) -> Verdict:
    """Hold a mean of 3.5 in a metric with one measure, beside ROUGE-1, against a condition."""
    options = Options.of({"max_ngram": 1, "lcs": False})
    results = results_of(options, {"a": (0.5, 0.5, 0.5)})
    per_eval = np.array([3.0, 4.0])
    scores = MetricScores("human", {"S": Measure(3.5, None, None, per_eval)}, None)
    system = replace(
        results.systems["a"], metrics={**results.systems["a"].metrics, "human": scores}
    )
    (requirement,) = requirements(condition)
    checks = required_checks([requirement], replace(results, systems={"a": system}))
    return Verdict(tuple(check.failure for check in checks if check.failure))


@pytest.mark.parametrize(
    ("condition", "failures"),
    [
        ("human:S>=3", ()),
        ("human:s>3.5", ("a human S: 3.50000, required > 3.5",)),
        ("a:human:S<-1", ("a human S: 3.50000, required < -1",)),
    ],
)
def test_a_single_measure_has_no_bounds(condition: str, failures: tuple[str, ...]) -> None:
    assert human(condition) == Verdict(failures)


@pytest.mark.parametrize(
    ("condition", "has"),
    [("human:F>=0.5", "human has no measure F; it has S"),
     ("ROUGE-1:S>=3", "ROUGE-1 has no measure S; it has R, P, F")],
)  # fmt: skip
def test_a_measure_that_the_metric_lacks(condition: str, has: str) -> None:
    with pytest.raises(OptionError) as caught:
        human(condition)
    assert str(caught.value) == f"--require: {condition!r}: {has}"


# An earlier run.

ONE = {"max_ngram": 2, "lcs": False, "measures": "F"}
ADVICE = "make a baseline with: rouge-cli ... --report json -o baseline.json"


def compare(
    folder: Path, before: Averages, now: Averages, *, n_before: int = 2, **options: Any
) -> Verdict:
    """Compare a run with an earlier one of the same options."""
    earlier = Options.of({"max_ngram": 1, "lcs": False})
    path = write_report(folder, report_of(earlier, before, n_before))
    checked = Options.of({"max_ngram": 1, "lcs": False, "baseline": path, **options})
    return thresholds_of(checked)(means_of(checked, now))


@pytest.mark.parametrize(
    ("now", "max_drop", "below"),
    [
        (0.44120, "0", None),
        (0.5, "0", None),
        # Below by less than what is printed.
        (0.441196, "0", None),
        (0.44119, "0", "mean 0.44119, 0.00001 below"),
        # In binary 0.4412 - 0.4312 is more than 0.01.
        (0.4312, "0.01", None),
        (0.43, "0.005", "mean 0.43000, 0.01120 below"),
    ],
)
def test_drop(now: float, max_drop: str, below: str | None, tmp_path: Path) -> None:
    before = {"neural": (0.1, 0.1, 0.4412)}
    verdict = compare(tmp_path, before, {"neural": (0.1, 0.1, now)}, max_drop=max_drop)
    line = f"neural ROUGE-1 F: {below} the baseline 0.44120 (at most {max_drop} allowed)"
    assert verdict == Verdict((line,) if below else ())


def test_measures_in_the_order_of_print(tmp_path: Path) -> None:
    before, now = {"a": (0.5, 0.5, 0.5)}, {"a": (0.4, 0.4, 0.4)}
    lines = [
        f"a ROUGE-1 {letter}: mean 0.40000, 0.10000 below the baseline 0.50000 (at most 0 allowed)"
        for letter in "RPF"
    ]
    assert compare(tmp_path, before, now, measures="FPR").failures == tuple(lines)
    assert compare(tmp_path, before, now, measures="P").failures == (lines[1],)
    assert compare(tmp_path, before, now).failures == (lines[2],)


def test_requirements_come_first(tmp_path: Path) -> None:
    before, now = {"a": (0.5, 0.5, 0.5)}, {"a": (0.4, 0.4, 0.4)}
    assert compare(tmp_path, before, now, require="ROUGE-1:R>0.9").failures == (
        "a ROUGE-1 R: 0.10000, required > 0.9",
        "a ROUGE-1 F: mean 0.40000, 0.10000 below the baseline 0.50000 (at most 0 allowed)",
    )


def test_one_system_under_another_name(tmp_path: Path) -> None:
    verdict = compare(tmp_path, {"old": (0.5, 0.5, 0.5)}, {"new": (0.5, 0.5, 0.4)})
    line = "new ROUGE-1 F: mean 0.40000, 0.10000 below the baseline 0.50000 (at most 0 allowed)"
    name = tmp_path / "baseline.json"
    word = f"{name}: system 'new' is compared with 'old', the only system of this baseline"
    assert verdict == Verdict((line,), (word,))


def test_systems_that_this_run_lacks(tmp_path: Path) -> None:
    before = dict.fromkeys(("a", "b", "c"), (0.5, 0.5, 0.5))
    with pytest.raises(InputError) as caught:
        compare(tmp_path, before, {"a": (0.5, 0.5, 0.5), "d": (0.5, 0.5, 0.5)})
    path = tmp_path / "baseline.json"
    assert caught.value.problems == tuple(
        f"{path}: system {system!r} is not in this run, whose systems are: a, d; score it too, or "
        "make a new baseline"
        for system in "bc"
    )


def test_new_systems_and_other_evals(tmp_path: Path) -> None:
    before = {"a": (0.5, 0.5, 0.5)}
    now = {"b": (0.1, 0.1, 0.1), "a": (0.5, 0.5, 0.5)}
    path = tmp_path / "baseline.json"
    assert compare(tmp_path, before, now, n_before=3) == Verdict(
        (),
        (
            f"{path}: no system 'b' in this baseline; it is not compared",
            f"{path}: 3 texts of a in this baseline, 2 in this run",
        ),
    )


def test_the_version_may_be_another(tmp_path: Path) -> None:
    options = Options.of({"max_ngram": 1})
    report = report_of(options, {"a": (0.5, 0.5, 0.5)})
    report["signature"] = "rouge-cli:99.0|" + report["signature"].partition("|")[2]
    checked = Options.of({"max_ngram": 1, "baseline": write_report(tmp_path, report)})
    assert thresholds_of(checked)(means_of(checked, {"a": (0.5, 0.5, 0.5)})) == Verdict(())


def test_other_options(tmp_path: Path) -> None:
    report = report_of(Options.of({"max_ngram": 1}), {"a": (0.5, 0.5, 0.5)})
    path = write_report(tmp_path, report)
    with pytest.raises(InputError) as caught:
        thresholds_of(Options.of({"max_ngram": 1, "formula": "B", "baseline": path}))
    first, earlier, now = caught.value.problems
    assert first == (
        f"{path}: made with other options than those of this run; give the same, or make a new "
        "baseline"
    )
    assert earlier == f"{path}: its signature is {report['signature']}"
    assert now == f"{path}: that of this run " + report["signature"].replace(
        "formula:A", "formula:B"
    )


@pytest.mark.parametrize(
    ("before", "now"),
    [({"weight": "1.2"}, {"weight": "1.20"}), ({"max_gap": "4"}, {"max_gap": "+4"})],
)
def test_numbers_typed_in_another_way(
    before: dict[str, str], now: dict[str, str], tmp_path: Path
) -> None:
    earlier = Options.of({"skip_and_unigram": "max_gap" in before, **before})
    path = write_report(tmp_path, report_of(earlier, {"a": (0.5, 0.5, 0.5)}))
    checked = Options.of({"skip_and_unigram": "max_gap" in now, **now, "baseline": path})
    verdict = thresholds_of(checked)(means_of(checked, {"a": (0.5, 0.5, 0.4)}))
    assert len(verdict.failures) == len(
        report_of(earlier, {"a": (0, 0, 0)})["systems"][0]["metrics"]
    )


def test_the_last_decimal_does_not_hang_on_the_order_of_addition(tmp_path: Path) -> None:
    # Sums of the same scores in other orders differ in their last bit; here the tie 0.300005.
    before, now = np.nextafter(0.300005, 1), np.nextafter(0.300005, 0)
    verdict = compare(tmp_path, {"a": (0, 0, before)}, {"a": (0, 0, now)})
    assert f"{before:.5f}" != f"{now:.5f}"
    assert verdict == Verdict(())


# Files that are no baseline.


def problems_of(path: str | Path) -> list[str]:
    """Return what is said of a file, less its path."""
    with pytest.raises(InputError) as caught:
        thresholds_of(Options.of({**ONE, "baseline": str(path)}))
    head = f"{path}: "
    assert all(problem.startswith(head) for problem in caught.value.problems)
    return [problem.removeprefix(head) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "no JSON: line 1, column 1: Expecting value"),
        (b'{"signature":\n  }', "no JSON: line 2, column 3: Expecting value"),
        (b"X ROUGE-1 Average_R: 0.5", "no JSON: line 1, column 1: Expecting value"),
        (b'{"signature": NaN}', "no JSON: found NaN, which JSON does not have"),
        (b"[" * 100_000, "no JSON: brackets nested too deeply"),
        (
            b'{"signature": "x",\n"signature": "y"}',
            "line 2: the key 'signature' more than once in an object; expected each key once: "
            "rename it, or take one out",
        ),
        (b"[1, 2]", "the document: found a list, expected an object"),
        (b"3", "the document: found 3, expected an object"),
        (b"{}", "signature: missing, expected a string"),
        (b'{"signature": 3}', "signature: found 3, expected a string"),
        (b'{"signature": "rouge"}', "systems: missing, expected a list"),
        (b'{"signature": "x", "systems": {}}', "systems: found an object, expected a list"),
    ],
)
def test_no_report(content: bytes, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(content)
    assert problems_of(path) == [problem, ADVICE]


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(b'{"signature": "\xff"}')
    found, advice = problems_of(path)
    assert found.startswith("no JSON: 'utf-8' codec can't decode byte 0xff in position 15")
    assert advice == ADVICE


def test_no_file(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    assert problems_of(path) == [
        f"no such file; expected the JSON report of an earlier run; {ADVICE}"
    ]


NO_NUMBER = {
    '"0.44"': '"0.44"', "None": "null", "False": "false", "-0.1": "-0.1", "[1]": "a list",
    "10**400": "1" + "0" * 36 + "...",
}  # fmt: skip
NOT_FITTING = """
systems[0] = "x"
  systems[0]: found "x", expected an object
system["id"] = 7
  systems[0].id: found 7, expected a string
system["n_evals"] = 2.5
  systems[0].n_evals: found 2.5, expected a whole number from 0 on
system["n_evals"] = True
  systems[0].n_evals: found true, expected a whole number from 0 on
del system["n_evals"]
  systems[0].n_evals: missing, expected a whole number from 0 on
system["metrics"] = []
  systems[0].metrics: found a list, expected an object
del system["metrics"]["ROUGE-1"]
  systems[0].metrics.ROUGE-1: missing, expected an object
system["metrics"]["ROUGE-2"]["f_measure"] = None
  systems[0].metrics.ROUGE-2.f_measure: found null, expected an object
del system["metrics"]["ROUGE-1"]; system["metrics"]["ROUGE-2"]["f_measure"] = 0.5
  systems[0].metrics.ROUGE-1: missing, expected an object
  systems[0].metrics.ROUGE-2.f_measure: found 0.5, expected an object
systems *= 2
  systems: 2 times the ID 'a'
del systems[0]
  systems: empty, expected at least one system
""" + "".join(
    f"""system["metrics"]["ROUGE-1"]["f_measure"]["mean"] = {value}
  systems[0].metrics.ROUGE-1.f_measure.mean: found {shown}, expected a number from 0 on
"""
    for value, shown in NO_NUMBER.items()
)


@pytest.mark.parametrize(("change", "problems"), rows_of(NOT_FITTING))
def test_what_does_not_fit(change: str, problems: list[str], tmp_path: Path) -> None:
    report = report_of(Options.of({"max_ngram": 2, "lcs": False}), {"a": (0.5, 0.5, 0.5)})
    exec(change, {"systems": report["systems"], "system": report["systems"][0]})
    assert problems_of(write_report(tmp_path, report)) == [*problems, ADVICE]


def test_what_is_not_compared_need_not_fit(tmp_path: Path) -> None:
    options = Options.of({"max_ngram": 2, "lcs": False})
    report = report_of(options, {"a": (0.5, 0.5, 0.5)})
    report["systems"][0]["metrics"]["ROUGE-1"]["recall"] = None
    path = write_report(tmp_path, report)
    gate = thresholds_of(Options.of({**ONE, "baseline": path}))
    assert gate(means_of(options, {"a": (0.1, 0.1, 0.5)})).failures == ()


def test_a_byte_order_mark_is_no_matter(tmp_path: Path) -> None:
    options = Options.of({"max_ngram": 1})
    path = tmp_path / "baseline.json"
    text = json.dumps(report_of(options, {"a": (0.5, 0.5, 0.5)}))
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    judge = thresholds_of(Options.of({"max_ngram": 1, "baseline": str(path)}))
    assert judge(means_of(options, {"a": (0.5, 0.5, 0.5)})).failures == ()


# Lower bounds of differences.


def evals_of(options: Options, scores: Mapping[str, Mapping[str, float]]) -> Results:
    """Return results with these scores by system and EVAL, the same in each measure."""
    systems = {}
    for system, by_eval in scores.items():
        per_eval = np.array(list(by_eval.values()))
        measure = Measure(float(per_eval.mean()), None, None, per_eval)
        counts = Counts(*(np.zeros(len(per_eval), np.int64) for _ in range(3)))
        metric = MetricScores("ROUGE-1", dict.fromkeys("RPF", measure), counts)
        systems[system] = SystemScores(system, tuple(by_eval), {"ROUGE-1": metric})
    return Results(systems, table_of(systems), options)


def bounds_of(
    folder: Path,
    now: Mapping[str, Mapping[str, float]],
    before: Mapping[str, Mapping[str, float]],
    **options: Any,
) -> Verdict:
    """Compare a run with the saved scores of an earlier one."""
    plain = Options.of({"max_ngram": 1, "lcs": False})
    path = folder / "baseline.jsonl"
    save_scores(evals_of(plain, before), str(path))
    checked = Options.of(
        {"max_ngram": 1, "lcs": False, "baseline": path, "not_worse_than": "0.01", **options}
    )
    results = evals_of(checked, now)
    return read_thresholds(checked, results.table.metrics)(results)


EVALS = {f"{number:03}": 0.5 for number in range(400)}


def test_lower_bounds(tmp_path: Path) -> None:
    lower = {eval_id: score - 0.02 for eval_id, score in EVALS.items()}
    verdict = bounds_of(tmp_path, {"a": EVALS, "b": lower}, {"a": EVALS, "b": EVALS})
    # 3 in 400 of 0.5 might be lost unseen.
    assert verdict.failures == (
        "b ROUGE-1 F: 0.02000 worse than the baseline in 400 texts, lower bound -0.02375 at 95% "
        "(0.00375 of it for failures that are unseen), required above -0.01",
    )
    assert [(bound.system, bound.is_met) for bound in verdict.bounds] == [("a", True), ("b", False)]
    assert verdict.warnings == ()
    measures = bounds_of(tmp_path, {"a": EVALS}, {"a": EVALS}, measures="RP").bounds
    assert [bound.column.letter for bound in measures] == ["R", "P"]


def test_too_few_evals_to_tell(tmp_path: Path) -> None:
    apart = {name: 0.5 + 0.1 * (-1) ** int(name) for name in list(EVALS)[:30]}
    before = dict.fromkeys(apart, 0.5)
    (line,) = bounds_of(tmp_path, {"a": apart}, {"a": before}).failures
    assert line.startswith("a ROUGE-1 F: as good as the baseline in 30 texts, lower bound -0.0")
    assert "required above -0.01; too few texts to tell: a system that is as good passes" in line


def test_a_doubt_is_said_once_for_all_systems(tmp_path: Path) -> None:
    # In 12 EVALs of 0.8 nothing fails: 3 in 12 would cost 0.2.
    before = {f"{number:02}": 0.8 for number in range(12)}
    now = {eval_id: 0.8 + 0.01 * (int(eval_id) % 2) for eval_id in before}
    systems = {"a": now, "b": now}, {"a": before, "b": before}
    verdict = bounds_of(tmp_path, *systems, not_worse_than="0.25")
    assert [bound.is_met for bound in verdict.bounds] == [True, True]
    assert [line for line in verdict.warnings if "too high" in line] == [
        "'a' and 'a (baseline)' differ in only 6 of 12 texts in ROUGE-1 F: with fewer than 20 the "
        "lower bound comes out too high"
    ]
    few = bounds_of(tmp_path, *systems, not_worse_than="0.15")
    assert [bound.is_met for bound in few.bounds] == [False, False]


def test_unmatched_evals(tmp_path: Path) -> None:
    names = list(EVALS)
    now, before = dict.fromkeys(names[1:], 0.5), dict.fromkeys(names[:-3], 0.5)
    path = tmp_path / "baseline.jsonl"
    lines = [
        f"{path}: 1 of 397 texts of a in this baseline ('000') not in this run",
        f"{path}: 3 of 399 texts of a in this run ('397', '398', ...) not in this baseline",
    ]
    with pytest.raises(InputError) as caught:
        bounds_of(tmp_path, {"a": now}, {"a": before})
    advice = (
        "compare the same texts, or leave these out with --unmatched skip (in Python, "
        'evaluate(..., unmatched="skip"))'
    )
    assert caught.value.problems == (*lines, advice)
    skipped = bounds_of(tmp_path, {"a": now}, {"a": before}, unmatched="skip")
    assert skipped.warnings == tuple(f"{line}; left out" for line in lines)
    assert [bound.n_evals for bound in skipped.bounds] == [396]


@pytest.mark.parametrize("unmatched", ["error", "skip"])
def test_no_eval_in_common(unmatched: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        bounds_of(tmp_path, {"a": {"1": 0.5}}, {"a": {"01": 0.5}}, unmatched=unmatched)
    assert str(caught.value) == (
        f"{tmp_path / 'baseline.jsonl'}: none of the 1 texts of a in this baseline ('01') is in "
        "this run ('1')"
    )


OF_BOUNDS = """
not_worse_than="0.01"
  --not-worse-than needs --baseline
baseline="b", not_worse_than="0"
  --not-worse-than: found '0', expected a number above 0
baseline="b", not_worse_than="0.1", max_drop="0.1"
  --max-drop compares means, and --not-worse-than texts; give one of the two
baseline="b", not_worse_than="0.1", confidence="50"
  -c/--confidence: found '50', expected a number above 50 and below 100 for the lower bound of
    --not-worse-than
baseline="b", not_worse_than="0.1", confidence="100"
  -c/--confidence: found '100', expected a number above 50 and below 100 for the lower bound of
    --not-worse-than
baseline="b", not_worse_than="0.1", counting=1
  --not-worse-than compares the scores of texts: it excludes -t 1, which pools counts
"""


@pytest.mark.parametrize(("given", "messages"), rows_of(OF_BOUNDS))
def test_options_of_lower_bounds(given: str, messages: list[str]) -> None:
    with pytest.raises(OptionError) as caught:
        Options.of(eval(f"dict({given})"))
    assert [str(caught.value)] == messages


def test_averages_may_have_been_made_in_another_way(tmp_path: Path) -> None:
    # Only the scores of EVALs are compared.
    other = {"confidence": "99", "resamples": 0, "report": "json"}
    assert bounds_of(tmp_path, {"a": EVALS}, {"a": EVALS}, **other).failures == ()
    with pytest.raises(InputError, match="made with other options"):
        bounds_of(tmp_path, {"a": EVALS}, {"a": EVALS}, alpha="0.4")


def test_lists_of_sentences_are_known_only_once_they_are_read(tmp_path: Path) -> None:
    earlier = Options.of({"max_ngram": 1}).with_input_facts(has_lists=True)
    path = write_report(tmp_path, report_of(earlier, {"a": (0.5, 0.5, 0.5)}))
    checked = Options.of({"max_ngram": 1, "baseline": path})
    thresholds = thresholds_of(checked)
    now = {"a": (0.5, 0.5, 0.5)}
    assert thresholds(means_of(checked.with_input_facts(has_lists=True), now)).failures == ()
    with pytest.raises(InputError, match="sent:newline"):
        thresholds(means_of(checked, now))
