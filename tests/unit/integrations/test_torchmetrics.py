"""The metric for torchmetrics, with stand-ins for what it asks of torch and torchmetrics.

`tests/frameworks` runs it with the packages themselves.
"""

import sys
from copy import deepcopy
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import rouge_cli
from rouge_cli.errors import InputError, OptionError
from rouge_cli.integrations import framework_options

PREDICTIONS = ("police kill the gunman", "the gunman kill police", "a dog barked", "it rained")
REFERENCES = (
    ["police killed the gunman", "the police killed him"],
    ["police killed the gunman", "x y"],
    ["the dog barked", "a dog"],
    ["rain fell", "it rained hard"],
)


class Tensor(np.ndarray):
    def cpu(self) -> "Tensor":
        return self

    def numpy(self) -> Any:
        return np.asarray(self)


class Metric:
    device = None

    def add_state(self, name: str, default: list[Any], dist_reduce_fx: str) -> None:
        """Make an empty state, whose rows are put together as they are here."""
        assert dist_reduce_fx == "cat"
        setattr(self, name, default)


def stand_in(name: str, **contents: Any) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(contents)
    return module


@pytest.fixture
def rouge(monkeypatch: pytest.MonkeyPatch) -> Any:
    modules = (
        stand_in(
            "torch",
            Tensor=Tensor,
            float64=np.float64,
            as_tensor=lambda rows, device: rows.view(Tensor),
            tensor=np.asarray,
        ),
        stand_in("torchmetrics", Metric=Metric),
        stand_in(
            "torchmetrics.utilities", dim_zero_cat=lambda rows: np.concatenate(rows).view(Tensor)
        ),
    )
    for module in modules:
        monkeypatch.setitem(sys.modules, module.__name__, module)
    name = "rouge_cli.integrations.torchmetrics"
    monkeypatch.delitem(sys.modules, name, raising=False)
    from rouge_cli.integrations.torchmetrics import Rouge

    monkeypatch.delitem(sys.modules, name)
    return Rouge


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"max_ngram": 2, "resamples": 20},
        {"max_ngram": 2, "counting": 1, "resamples": 20},
        {"max_ngram": 1, "resamples": None},
        {"jackknife": True, "max_ngram": 1},
        {"max_ngram": 2, "fuse": ["G=geomean(ROUGE-1:F,ROUGE-2:F)"], "resamples": 20},
        {"remove_stopwords": True, "empty": "skip"},  # x and y are stopwords
        {"remove_stopwords": True, "empty": "error"},
        # Means over files in percent, medians of resamples, and the original's with a bootstrap.
        {"protocol": "longbench"},
        {"protocol": "longbench", "resamples": None},
        {"protocol": "rouge-score"},
        {"protocol": "files2rouge", "resamples": None},
    ],
    ids=str,
)
def test_it_has_what_a_single_run_has(rouge: Any, options: dict[str, Any]) -> None:
    is_single = options.get("protocol") in {"longbench", "files2rouge"} or "error" in str(options)
    references = [models[:1] if is_single else models for models in REFERENCES]
    metric = rouge(options)
    for prediction, models in zip(PREDICTIONS, references, strict=True):
        metric.update([prediction], [models])
    together = rouge_cli.evaluate(PREDICTIONS, references, **framework_options(options))
    assert str(metric.results) == str(together)
    assert metric.results.signature == together.signature
    assert {*metric.compute()} >= {*together.metric_names}
    # torchmetrics copies metrics, and a process without texts gets the rows of others.
    elsewhere = deepcopy(rouge(options))
    elsewhere.rows = metric.rows
    assert str(elsewhere.results) == str(together)


def test_a_protocol_has_its_mean(rouge: Any) -> None:
    # Of the tokens 4 of 4 and 1 of 2 match, so that F is 1 and 1/2; in percent.
    metric = rouge({"protocol": "longbench"})
    metric.update(["the gunman kill police", "a b"], ["the gunman kill police", "a c"])
    assert metric.compute()["rouge-l"] == pytest.approx(75.0, abs=1e-4)


def test_an_update_of_which_nothing_is_left(rouge: Any) -> None:
    metric = rouge({"remove_stopwords": True, "empty": "skip", "lcs": False, "max_ngram": 1})
    metric.update(["the"], ["the dog"])
    with pytest.raises(InputError, match="nothing is left to score"):
        metric.compute()
    # Of the dog and the cat one word in two is there: R 1/2, P 1, F 2/3.
    metric.update(["the dog"], ["the dog and the cat"])
    assert metric.compute() == {"ROUGE-1": pytest.approx(2 / 3, abs=1e-5)}
    assert metric.results["ROUGE-1"].recall.per_eval.tolist() == [0.5]


def test_errors_are_about_texts_that_were_updated(rouge: Any) -> None:
    metric = rouge({"remove_stopwords": True, "empty": "error"})
    with pytest.raises(InputError, match=r"^prediction 0: no tokens$"):
        metric.update(["the"], ["the dog"])
    metric = rouge({"jackknife": True})
    with pytest.raises(InputError, match="one reference"):
        metric.update(["a dog"], ["the dog"])


@pytest.mark.parametrize("protocol", ["naive-set", "t5"])
def test_no_package_fails_at_once(rouge: Any, protocol: str) -> None:
    # Some raise an exception on texts of a single word.
    assert rouge({"protocol": protocol, "empty": "skip"})._last.metric_names


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"jackknife": True, "humans": True}, "humans: .* systems"),
        ({"scores": "scores.csv"}, "scores: .* all texts together"),
        ({"steam": True}, "steam"),
        ({"empty": "ignore"}, "empty: found 'ignore'"),
        ({"all": True}, "not for lists of texts"),
        ({"sort": "ROUGE-9"}, "found 'ROUGE-9'"),
    ],
)
def test_options_are_refused_at_once(rouge: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        rouge(options)
