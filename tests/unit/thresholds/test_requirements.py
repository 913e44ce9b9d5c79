"""Conditions on scores: what is compared, and what is said of those that are not met."""

from dataclasses import replace

import numpy as np
import pytest

from rouge_cli.errors import OptionError
from rouge_cli.options.every import Options
from rouge_cli.options.requirements import requirements
from rouge_cli.scoring.results import Measure, MetricScores
from rouge_cli.thresholds.requirements import unmet_requirements
from rouge_cli.thresholds.thresholds import Verdict, read_thresholds
from tests.unit.thresholds.runs import results_of

AVERAGES = {"lead": (0.2, 0.3, 0.25), "neural": (0.4, 0.1, 0.174324)}


def check(*conditions: str, **options: object) -> Verdict:
    checked = Options.of({"max_ngram": 2, "lcs": False, "require": conditions, **options})
    return read_thresholds(checked).check(results_of(checked, AVERAGES))


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
        (
            "neural:ROUGE-1:F>=0.174321",
            ["neural ROUGE-1 F: 0.17432, required >= 0.174321"],
        ),
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
    verdict = read_thresholds(options).check(results_of(options, {"run:1": (0.5, 0.5, 0.5)}))
    assert verdict.failures == ("run:1 ROUGE-1 R: 0.50000, required > 0.5",)


def test_an_id_that_would_break_the_line() -> None:
    options = Options.of({"max_ngram": 1, "lcs": False, "require": "ROUGE-1:R>0.5"})
    verdict = read_thresholds(options).check(results_of(options, {"a\nb": (0.5, 0.5, 0.5)}))
    assert verdict.failures == (r"'a\nb' ROUGE-1 R: 0.50000, required > 0.5",)


@pytest.mark.parametrize("options", [{"counting": 2}, {"resamples": 0, "report": "json"}])
def test_the_plain_mean_where_there_is_no_bootstrap(options: dict[str, object]) -> None:
    checked = Options.of({"max_ngram": 1, "lcs": False, "require": "ROUGE-1:R>=0.9", **options})
    results = results_of(checked, {"a": (0.5, 0.5, 0.5)})
    for metric in results:
        for measure in metric.measures.values():
            object.__setattr__(measure, "bootstrap_mean", None)
    # The plain mean of these results is 0.9999.
    assert read_thresholds(checked).check(results).failures == ()


def test_unknown_metric() -> None:
    message = (
        "--require: 'ROUGE-3:F>=0.1': no metric 'ROUGE-3' in this run; the metrics are: "
        "ROUGE-1, ROUGE-2"
    )
    with pytest.raises(OptionError) as caught:
        read_thresholds(Options.of({"max_ngram": 2, "lcs": False, "require": "ROUGE-3:F>=0.1"}))
    assert str(caught.value) == message


def test_unknown_system() -> None:
    message = (
        "--require: 'best:ROUGE-2:F>=0.1': no system 'best' in this run; the systems are: "
        "lead, neural"
    )
    with pytest.raises(OptionError) as caught:
        check("ROUGE-2:F>=0.9", "best:ROUGE-2:F>=0.1")
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
    failures = unmet_requirements([requirement], replace(results, systems={"a": system}))
    return Verdict(failures)


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
