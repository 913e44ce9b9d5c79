"""What may hold texts in Python, and what is said of anything else."""

import pickle
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rouge_cli

PREDICTIONS = ["police kill the gunman", "the gunman\nkill police", ""]
REFERENCES = ["police killed the gunman", "police killed\nthe gunman", "a b"]
OPTIONS: dict[str, Any] = {"max_ngram": 2, "resamples": 10}

HOLDERS: list[Callable[[list[str]], Any]] = [
    tuple,
    deque,
    iter,
    np.array,
    lambda texts: np.array(texts, object),
    pd.Series,
    lambda texts: pd.Series(texts, index=range(len(texts), 0, -1)),
    lambda texts: pd.DataFrame({"text": texts})["text"],
    pd.Index,
]


def scores(results: rouge_cli.Results) -> list[list[float]]:
    """Return everything that is known of the EVALs, in order."""
    return [measure.per_eval.tolist() for metric in results for measure in metric.measures.values()]


EXPECTED = scores(rouge_cli.evaluate(PREDICTIONS, REFERENCES, **OPTIONS))


def test_what_is_expected() -> None:
    # Of ROUGE-1: three words of four, the same, and no word at all.
    assert EXPECTED[0] == [0.75, 0.75, 0.0]


@pytest.mark.parametrize("holder", HOLDERS)
def test_holders_of_texts(holder: Callable[[list[str]], Any]) -> None:
    found = rouge_cli.evaluate(holder(PREDICTIONS), holder(REFERENCES), **OPTIONS)
    assert scores(found) == EXPECTED
    named = rouge_cli.evaluate({"a": holder(PREDICTIONS)}, holder(REFERENCES), **OPTIONS)
    assert scores(named) == EXPECTED


@pytest.mark.parametrize("holder", HOLDERS)
def test_holders_of_references(holder: Callable[[list[str]], Any]) -> None:
    two = [[text, "the gunman"] for text in REFERENCES]
    expected = scores(rouge_cli.evaluate(PREDICTIONS, two, **OPTIONS))
    assert expected != EXPECTED
    references = [holder(texts) for texts in two]
    assert scores(rouge_cli.evaluate(PREDICTIONS, references, **OPTIONS)) == expected
    assert scores(rouge_cli.evaluate(PREDICTIONS, iter(two), **OPTIONS)) == expected


@pytest.mark.parametrize("holder", HOLDERS)
def test_holders_of_sentences(holder: Callable[[list[str]], Any]) -> None:
    predictions = [holder(text.split("\n")) for text in PREDICTIONS]
    references = [[holder(text.split("\n"))] for text in REFERENCES]
    assert scores(rouge_cli.evaluate(predictions, references, **OPTIONS)) == EXPECTED


def test_rows_of_an_array() -> None:
    references = np.array([[text, "the gunman"] for text in REFERENCES])
    expected = rouge_cli.evaluate(PREDICTIONS, references.tolist(), **OPTIONS)
    found = rouge_cli.evaluate(PREDICTIONS, references, **OPTIONS)
    assert scores(found) == scores(expected)


def test_bytes_and_strings() -> None:
    predictions = [text.encode() for text in PREDICTIONS]
    assert scores(rouge_cli.evaluate(predictions, REFERENCES, **OPTIONS)) == EXPECTED


MIXED = [
    *("Caf\u00e9 police", "kill\nthe gunman", "\ud800 police", ""),
    "na\u00efve \U0001f600 police kill",
]
IN_BYTES = [text.encode("utf-8", "surrogatepass") for text in MIXED]


@pytest.mark.parametrize("choice", ["", "0"])
def test_strings_are_read_as_their_bytes(monkeypatch: pytest.MonkeyPatch, choice: str) -> None:
    monkeypatch.setenv("ROUGE_CLI_CORE", choice)
    expected = rouge_cli.evaluate(IN_BYTES, IN_BYTES[::-1], **OPTIONS)
    half: list[Any] = [*MIXED[:2], *IN_BYTES[2:]]
    for predictions in (MIXED, half):
        results = rouge_cli.evaluate(predictions, MIXED[::-1], **OPTIONS)
        assert scores(results) == scores(expected)
        assert results.warnings == expected.warnings
    # Of the four words na, ve, police and kill one is in the other text.
    assert expected["ROUGE-1"].recall.per_eval[0] == 0.25


def test_texts_may_be_changed_once_they_are_scored() -> None:
    predictions, references = list(PREDICTIONS), list(REFERENCES)
    results = rouge_cli.evaluate(predictions, references, **OPTIONS)
    predictions.clear()
    references.clear()
    assert scores(results) == EXPECTED


def test_evals_are_numbered() -> None:
    (system,) = rouge_cli.evaluate(PREDICTIONS, REFERENCES, **OPTIONS).systems.values()
    assert system.eval_ids == ("1", "2", "3")
    assert list(pickle.loads(pickle.dumps(system)).eval_ids) == ["1", "2", "3"]


def test_one_string_is_one_reference() -> None:
    one = rouge_cli.score("a b", "a b", max_ngram=1, lcs=False)
    assert one["ROUGE-1"].f_measure.mean == 1.0
    both = rouge_cli.score("a b", ["a b", "c d"], max_ngram=1, lcs=False)
    # Two words of four in the two references together.
    assert both["ROUGE-1"].recall.mean == 0.5
    sentences = rouge_cli.score(["a", "b"], [["a", "b"]], max_ngram=1, lcs=False)
    assert sentences["ROUGE-1"].recall.mean == 1.0


def test_an_empty_reference_beside_lists_of_sentences() -> None:
    results = rouge_cli.evaluate([["a b", "c"], "b"], ["", "b"], max_ngram=1, resamples=0)
    assert scores(results)[2] == [0.0, 1.0]
    assert results.warnings == ("reference 0 of prediction 0: no tokens",)
