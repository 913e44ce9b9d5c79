"""What stands in the tables of scores, whatever they are written in."""

from typing import Any

import pytest

import rouge_cli
from rouge_cli.errors import OptionError
from rouge_cli.options.options import Options
from rouge_cli.reports.document import Table
from rouge_cli.scores.columns import run_metrics
from rouge_cli.scores.results import Results
from rouge_cli.studies.score.view import ScoreView
from tests.unit.reports.made import judged, made, odd

TWO = {"a": [0.2, 0.4], "b": [0.3, 0.3]}


def tables(results: Results) -> list[Table]:
    return [table for section in ScoreView(results).document().sections for table in section.tables]


def captions(results: Results) -> list[str]:
    return [section.caption for section in ScoreView(results).document().sections]


def systems(table: Table) -> list[str]:
    return [row[0].text for row in table.rows]


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        (None, ["b", "a"]),
        ("ROUGE-1", ["b", "a"]),
        ("ROUGE-2", ["a", "b"]),
        ("rouge-2:f", ["a", "b"]),
        ("ROUGE-2:R", ["a", "b"]),
        (" ROUGE-1:P ", ["b", "a"]),
    ],
)
def test_sort(sort: str | None, order: list[str]) -> None:
    (table,) = tables(made(TWO, max_ngram=2, report="table", sort=sort))
    assert systems(table) == order


@pytest.mark.parametrize("sort", ["ROUGE-3", "ROUGE-1:X", "ROUGE-1:", "ROUGE-1:RP", ":F", "F"])
def test_sort_by_what_is_not_there(sort: str) -> None:
    message = (
        f"--sort: found {sort!r}, expected a metric of this run (ROUGE-1, ROUGE-2, ROUGE-L), "
        "alone or with :R, :P or :F"
    )
    options = Options.of({"max_ngram": 2, "report": "table", "sort": sort})
    with pytest.raises(OptionError) as caught:
        run_metrics(options)
    assert str(caught.value) == message


@pytest.mark.parametrize("sort", ["human mark", "HUMAN MARK:S"])
def test_sort_by_a_single_score(sort: str) -> None:
    assert systems(tables(judged(report="table", sort=sort))[0]) == ["a", "b"]


def test_sort_by_a_measure_that_a_single_score_has_not() -> None:
    with pytest.raises(OptionError, match=r"\(ROUGE-1, human mark\), .*:F or :S"):
        tables(judged(report="table", sort="human mark:F"))


BOOTSTRAP = "with 95% confidence intervals from 1000 resamples."


@pytest.mark.parametrize(
    ("given", "evals", "caption"),
    [
        ({}, {}, f"Bootstrap means over 2 texts, {BOOTSTRAP}"),
        ({}, {"a": ["1"], "b": ["1"]}, f"Bootstrap means over 1 text, {BOOTSTRAP}"),
        ({}, {"a": "123"}, f"Bootstrap means over 2 to 3 texts, {BOOTSTRAP}"),
        (
            {"confidence": "90.50", "resamples": 5},
            {},
            "Bootstrap means over 2 texts, with 90.50% confidence intervals from 5 resamples.",
        ),
        (
            {"counting": 1},
            {},
            f"Bootstrap means of scores of counts pooled over 2 texts, {BOOTSTRAP}",
        ),
        ({"counting": 1, "resamples": 0}, {}, "Scores of counts pooled over 2 texts."),
        ({"counting": 2, "resamples": 0}, {}, "Scores of counts pooled over 2 texts."),
    ],
)
def test_captions(given: dict[str, Any], evals: dict[str, Any], caption: str) -> None:
    assert captions(made({"a": [0.2], "b": [0.3]}, evals, **given)) == [caption]


def test_labels_can_be_seen() -> None:
    labels = systems(tables(odd())[0])
    assert r"two\nlines\t\x1b[31m" in labels
    assert r"raw\xff" in labels
    assert all(label.isprintable() for label in labels)


def test_lengths() -> None:
    def said(systems: dict[str, list[str]]) -> str:
        results = rouge_cli.evaluate(systems, ["a b c d"], max_ngram=1, lcs=False)
        return " ".join(str(results).split()).partition("Prediction length / reference length: ")[2]

    # Four, three, two and no words of four; in 1.25 times the length a warning begins.
    assert said({"s": ["a b c d"], "t": ["a b c"]}).startswith(
        "s 1.00, t 0.75. Longer predictions have"
    )
    assert said({"s": ["a b c d e"], "t": ["a b c d"]}).startswith("s 1.25, t 1.00. rouge-cli")
    assert said({"s": [""]}).startswith("s 0.00. rouge-cli")
    # Names that would take a second line are only those of the ends, if the lengths differ.
    names = [name * 15 for name in "xyz"]
    mixed = dict(zip(names, [["a b c d"], ["a b c"], ["a b"]], strict=True))
    assert said(mixed).startswith(f"{names[2]} 0.50 to {names[0]} 1.00. Longer")
    assert said({key: ["a b c"] for key in names}).startswith("0.75. rouge-cli")
    alike = {**{key: ["a b c d"] for key in names}, names[0]: ["a b c d e"]}
    assert said(alike).startswith("1.00 to 1.25. rouge-cli")
