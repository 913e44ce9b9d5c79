"""The adapters that import no framework, and what all of them share."""

from typing import Any

import pytest

from rouge_cli.errors import InputError, OptionError
from rouge_cli.integrations import checked_metric, framework_results, mean_scores
from rouge_cli.integrations.lm_eval import process_results, rouge
from rouge_cli.integrations.promptfoo import get_assert

REFERENCE = "police killed the gunman"
OUTPUT = "the gunman kill police"


def context(reference: Any, **config: Any) -> dict[str, Any]:
    return {"vars": {"reference": reference}, "config": config}


def test_defaults() -> None:
    # With stems all 4 words match, and of the bigrams "the gunman", 1 of 3. Of the longest common
    # subsequences each has 2 words of 4.
    expected = {"ROUGE-1": 1.0, "ROUGE-2": 0.33333, "ROUGE-L": 0.5}
    results = framework_results([OUTPUT], [REFERENCE], {})
    assert mean_scores(results) == expected
    assert "resamples:0" in results.signature
    # Without stems "killed" is another word.
    assert mean_scores(
        framework_results([OUTPUT], [REFERENCE], {"max_ngram": 1, "lcs": False})
    ) == {"ROUGE-1": 0.75}
    # The bootstrap alone is no reason for other metrics.
    assert mean_scores(framework_results([OUTPUT], [REFERENCE], {"resamples": 9})) == {
        f"{name}{bound}": score
        for name, score in expected.items()
        for bound in ("", " lower", " upper")
    }


def test_metrics_with_one_measure() -> None:
    # Both R and P of its ROUGE-L are 2 of 4 words, so that F is 1/2 whatever its weight.
    results = framework_results([OUTPUT], [REFERENCE], {"protocol": "pycocoevalcap"})
    assert list(mean_scores(results).values()) == [0.5]
    assert len(next(iter(results)).measures) == 1


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("ROUGE-9", {}, "metric: found 'ROUGE-9', expected a metric of this run (ROUGE-1, "),
        ("ROUGE-2:X", {}, "metric: found 'ROUGE-2:X'"),
        ("ROUGE-2", {"max_ngram": 0}, "max-ngram: found 0"),
        ("ROUGE-2", {"steam": True}, "steam"),
    ],
)
def test_options_are_checked(metric: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message.replace("(", r"\(")):
        checked_metric(options, metric)


def test_metrics_of_a_protocol() -> None:
    metric, letter = checked_metric({"protocol": "rouge-score"}, "rougeL:R")
    assert (metric.name, letter) == ("rougeL", "R")
    # 2 of 4 words in the same order, in percent.
    config = {"protocol": "longbench", "metric": "rouge-l", "threshold": 50}
    assert get_assert(OUTPUT, context("police gunman kill x", **config))["pass"]
    with pytest.raises(OptionError, match="threshold: found 101, expected a number from 0 to 100"):
        get_assert(OUTPUT, context(REFERENCE, **{**config, "threshold": 101}))


def test_lm_eval() -> None:
    assert rouge([REFERENCE], [OUTPUT], preset="paper")["ROUGE-2"] == 0.33333
    # The second reference has all 3 bigrams: R and P are 4 of 6.
    doc = {"references": [REFERENCE, OUTPUT]}
    assert process_results(doc, [OUTPUT])["ROUGE-2"] == 0.66667
    with pytest.raises(InputError):
        process_results({"references": []}, [OUTPUT])
    with pytest.raises(InputError, match="no field 'references'"):
        process_results({"reference": REFERENCE}, [OUTPUT])


def test_promptfoo() -> None:
    result = get_assert(OUTPUT, context(REFERENCE, threshold=0.5))
    assert (result["pass"], result["score"]) == (False, 0.33333)
    assert result["reason"].startswith("ROUGE-2 F 0.33333, required 0.5; rouge-cli:")
    assert result["namedScores"]["ROUGE-L R"] == 0.5
    several = context([REFERENCE, OUTPUT], metric="ROUGE-2:R", threshold=0.5, max_ngram=2)
    assert get_assert(OUTPUT, several)["pass"]
    assert get_assert(OUTPUT, {"vars": {"reference": REFERENCE}})["pass"]
    with pytest.raises(OptionError, match="metric: found 'ROUGE-3'"):
        get_assert(OUTPUT, context(REFERENCE, metric="ROUGE-3"))


def test_promptfoo_with_a_reference_of_the_assertion() -> None:
    config = {"metric": "ROUGE-1", "reference": "{{ answer }}", "threshold": 1.0}
    test = {"vars": {"answer": REFERENCE, "reference": "x"}, "config": config}
    assert get_assert(OUTPUT, test)["pass"]
    assert get_assert(OUTPUT, {"config": config | {"reference": ["y", REFERENCE]}})["score"] < 1
    assert get_assert(OUTPUT, {"config": config | {"reference": "{{x}} gunman"}})["score"] > 0
    with pytest.raises(InputError, match="vars: found no field 'answer'"):
        get_assert(OUTPUT, {"vars": {}, "config": config})


@pytest.mark.parametrize("reference", [None, float("nan"), [None], []])
def test_a_reference_that_is_missing(reference: Any) -> None:
    with pytest.raises(InputError, match="reference"):
        get_assert(OUTPUT, context(reference))


@pytest.mark.parametrize("test", [{}, {"vars": None}, {"vars": {}}, {"vars": {"Reference": "a"}}])
def test_a_test_without_a_reference(test: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="vars: found no field 'reference'"):
        get_assert(OUTPUT, test)


@pytest.mark.parametrize("threshold", ["0.5", None, True, float("nan"), 50, 1.5, -0.1, [0.5]])
def test_a_threshold_that_is_none(threshold: Any) -> None:
    message = f"threshold: found {threshold!r}, expected a number from 0 to 1"
    with pytest.raises(OptionError) as error:
        get_assert(OUTPUT, context(REFERENCE, threshold=threshold))
    assert str(error.value) == message


@pytest.mark.parametrize("config", ["ROUGE-2", ["metric"], 0.5, 0, False, ""])
def test_a_config_that_is_no_mapping(config: Any) -> None:
    with pytest.raises(OptionError, match=r"config: found .*, expected a mapping"):
        get_assert(OUTPUT, {"vars": {"reference": REFERENCE}, "config": config})
