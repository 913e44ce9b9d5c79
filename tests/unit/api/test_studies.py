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
    # The best system comes second: the difference is still that of the best from the other one.
    others = [{**row, "system": "a" if row["system"] == "q" else "p"} for row in rows]
    for named in (rows, others):
        scored = rouge_cli.evaluate(pd.DataFrame(named), run="seed", **options)
        shown = " ".join(str(rouge_cli.compare(scored, run="seed", measures="R")).split())
        assert "cannot be told apart from" in shown
        assert ": the difference is 0.5000 [" in shown
    # Runs may have such names in any input.
    texts = {"p seed=1": ["a"] * 6, "p seed=2": ["a b"] * 6, "q": ["b"] * 6}
    given = rouge_cli.evaluate(texts, ["a b"] * 6, **options)
    assert rouge_cli.compare(given, run="seed").result.systems == ("p", "q")
