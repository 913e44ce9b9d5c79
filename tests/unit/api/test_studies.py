"""Comparison and correlation in Python: what the command line prints, from results at hand."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rouge_cli
from rouge_cli.scores.results import Results
from tests.cli.running import runner

SAMPLE = Path(__file__).parents[3] / "fixtures" / "sample"
ROWS: Any = pd.read_csv(SAMPLE / "judgements.csv", dtype={"eval": str}).to_dict("records")


@pytest.fixture(scope="module")
def results() -> Results:
    """The sample, scored."""
    config = str(SAMPLE / "config.xml")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(SAMPLE)
        return rouge_cli.evaluate_files(config, all=True, max_ngram=2, stem=True, resamples=0)


def printed(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], *arguments: str
) -> str:
    """Return what the command line prints for the sample."""
    run = runner(monkeypatch, capsysbinary)
    finished = run(*arguments, "-n", "2", "-m", "config.xml", cwd=SAMPLE)
    assert finished.code == 0
    return finished.out.decode()


KINDS = ("json", "csv", "markdown", "latex", "table")


def shown(study: Any, kind: str) -> str:
    """Return a report of a study, as the command line ends it."""
    if kind == "table":
        return f"{study}\n"
    if kind == "json":
        return json.dumps(study.to_dict(), indent=1)
    return str(getattr(study, f"to_{kind}")())


@pytest.mark.parametrize("kind", KINDS)
def test_a_comparison_is_that_of_the_command_line(
    kind: str,
    results: Results,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    out = printed(
        monkeypatch, capsysbinary, "compare", "-r", "200", "--measures", "RF", "--report", kind
    )
    study = rouge_cli.compare(results, resamples=200, measures="RF")
    assert shown(study, kind) == (out if kind != "json" else json.dumps(json.loads(out), indent=1))
    assert len(study.pairs) == 3 * 3 * 2
    assert [one.id for one in study.rankings[0].systems] == ["neural", "extract", "lead"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_correlation_is_that_of_the_command_line(
    kind: str,
    results: Results,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    pytest.importorskip("scipy")
    given = ["correlate", "--judgements", "judgements.csv", "-r", "50", "-c", "90", "--pairs"]
    out = printed(monkeypatch, capsysbinary, *given, "--report", kind)
    study = rouge_cli.correlate(
        results, SAMPLE / "judgements.csv", resamples=50, confidence=90, pairs=True
    )
    found = shown(study, kind)
    expected = out if kind != "json" else json.dumps(json.loads(out), indent=1)
    assert found == expected
    assert study.metrics == ("ROUGE-1 F", "ROUGE-2 F", "ROUGE-L F")


def test_judgements_at_hand(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")
    monkeypatch.chdir(SAMPLE)
    options: Any = {"level": ["system"], "resamples": 20, "coefficient": "pearson"}
    expected = str(rouge_cli.correlate(results, "judgements.csv", **options))
    assert str(rouge_cli.correlate(results, ROWS, **options)) == expected
    assert str(rouge_cli.correlate(results, iter(ROWS), **options)) == expected
    frame: Any = pd.DataFrame(ROWS)
    assert str(rouge_cli.correlate(results, frame, **options)) == expected


def test_confidence_is_that_of_the_results() -> None:
    texts = {"a": ["a b"] * 6, "b": ["a c"] * 6}
    results = rouge_cli.evaluate(texts, ["a b"] * 6, resamples=0, confidence=90)
    assert rouge_cli.compare(results, resamples=9).to_dict()["confidence"] == 90
    assert rouge_cli.compare(results, resamples=9, confidence=99).to_dict()["confidence"] == 99


def test_ways_to_show(results: Results) -> None:
    study = rouge_cli.compare(results, resamples=9, system_ids=["lead", "neural"])
    assert repr(study) == "<Comparison: 2 systems, 3 pairs>"
    frame = study.to_dataframe()
    assert frame["system_a"].tolist() == ["lead"] * 3
    html = study._repr_html_()
    assert html is not None
    assert html.startswith(
        "<p>neural has the highest ROUGE-1 F (0.7376), but cannot be told apart "
    )
    assert "Groups" not in str(study)
    verbose = rouge_cli.compare(results, resamples=9, system_ids=["lead", "neural"], verbose=True)
    assert "\nSystem  N    Mean  Groups\n" in str(verbose)
    assert verbose.to_dict() == study.to_dict()
    assert json.loads(study.to_json()) == study.to_dict()
    assert any("texts in common" in warning for warning in study.warnings)


def test_correlation_shows_itself(results: Results) -> None:
    pytest.importorskip("scipy")
    study = rouge_cli.correlate(results, ROWS, resamples=0)
    assert repr(study) == "<Correlation: 3 metrics, 3 systems, coverage, quality>"
    assert {column.level for column in study.columns} == {"system", "summary", "pooled"}
    assert isinstance(study.warnings, tuple)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"report": "json"}, "report is for the command line; in Python results have methods"),
        ({"output": "x"}, "output is for the command line; in Python results have methods"),
        ({"reporrt": 1}, "unknown option 'reporrt'; known are: measures, resamples, seed"),
        ({"system_ids": ["lead"]}, "system_ids leaves one system, 'lead'"),
        ({"system_ids": ["x", "lead"]}, "system_ids: no system 'x'; known are: extract"),
        ({"resamples": 0}, "resamples: found 0, expected a whole number from 1 to"),
        ({"confidence": 101}, "confidence: found 101, expected a number from 0 to 100"),
    ],
)
def test_comparisons_that_make_no_sense(
    given: dict[str, Any], message: str, results: Results
) -> None:
    with pytest.raises(rouge_cli.OptionError) as caught:
        rouge_cli.compare(results, **given)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", ["paper_table", "conditions", "model_sets", "report", "output"])
def test_correlations_for_the_command_line(name: str, results: Results) -> None:
    given: Any = {name: True}
    with pytest.raises(rouge_cli.OptionError, match=f"^{name} is for the command line; in Python "):
        rouge_cli.correlate(results, ROWS, **given)


def test_levels_that_are_no_words(results: Results) -> None:
    level: Any = 5
    with pytest.raises(
        rouge_cli.OptionError,
        match=r"^level: found 5, expected one or more of system, summary, pooled, with commas",
    ):
        rouge_cli.correlate(results, ROWS, level=level)


def test_what_are_no_results() -> None:
    nothing: Any = [0.5]
    with pytest.raises(rouge_cli.OptionError, match=r"^results: found list, expected what evalu"):
        rouge_cli.compare(nothing)
    pooled = rouge_cli.evaluate({"a": ["a"], "b": ["b"]}, ["a"], counting=1)
    with pytest.raises(rouge_cli.OptionError, match=r"^results: scored with counting=1, expected"):
        rouge_cli.compare(pooled)


@pytest.mark.parametrize(
    ("judgements", "message"),
    [
        (3, "judgements: found int, expected the path of a file, a data frame, or mappings"),
        ({"system": "a"}, "judgements: found dict, expected the path of a file"),
        ([{"system": "a", "x": 1}, 3], "judgements: row 1: found int, expected a mapping"),
        ([{"x": 1}], "judgements: no column 'system'; found: x"),
        ([], "judgements: no judgements; expected a row for each system"),
    ],
)
def test_what_are_no_judgements(judgements: Any, message: str, results: Results) -> None:
    pytest.importorskip("scipy")
    with pytest.raises(rouge_cli.InputError) as caught:
        rouge_cli.correlate(results, judgements)
    assert str(caught.value).startswith(message)


def test_several_data_sets() -> None:
    frame = pd.DataFrame(
        {
            "set": ["x"] * 3 + ["y"] * 3,
            "a": ["a b c", "a b", "a b c d", "a", "a b", "a b c"],
            "b": ["a b", "a b", "a b", "a b", "a", "a b"],
            "references": ["a b c d"] * 6,
        }
    )
    options: dict[str, Any] = {"prediction": ["a", "b"], "max_ngram": 1, "lcs": False}
    scored = rouge_cli.evaluate(frame, "references", cluster="set", resamples=0, **options)
    study = rouge_cli.compare(scored, dataset="set", measures="R")
    (pair,) = study.pairs
    across = pair.across
    assert across is not None
    # R in quarters: 3 2 4 1 2 3 of a, 2 2 2 2 1 2 of b.
    assert [one.difference for one in across.sets] == pytest.approx([0.25, 1 / 12])
    assert across.effect is not None
    plain = rouge_cli.evaluate(frame, "references", resamples=0, **options)
    with pytest.raises(rouge_cli.OptionError, match="score with cluster set"):
        rouge_cli.compare(plain, dataset="set")


def test_several_runs() -> None:
    rows = [
        {"id": number, "seed": seed, "system": system, "prediction": text, "references": "a b c d"}
        for system, texts in (("p", ("a b c", "a b c d")), ("q", ("a", "a b")))
        for seed, text in enumerate(texts)
        for number in range(6)
    ]
    options: dict[str, Any] = {"max_ngram": 1, "lcs": False, "resamples": 0}
    scored = rouge_cli.evaluate(pd.DataFrame(rows), run="seed", **options)
    assert [*scored.systems] == ["p seed=0", "p seed=1", "q seed=0", "q seed=1"]
    study = rouge_cli.compare(scored, run="seed", measures="R")
    runs = [system.runs for system in study.rankings[0].systems]
    assert [of.run_means for of in runs if of is not None] == [(0.75, 1.0), (0.25, 0.5)]
    assert study.pairs[0].difference == pytest.approx(0.5)
    assert (
        "(0.8750), but with other runs and texts it cannot be told apart from q" in study.to_html()
    )
    # Runs may have such names in any input.
    texts = {"p seed=1": ["a"] * 6, "p seed=2": ["a b"] * 6, "q": ["b"] * 6}
    given = rouge_cli.evaluate(texts, ["a b"] * 6, **options)
    assert rouge_cli.compare(given, run="seed").result.systems == ("p", "q")
