"""Metrics that fuse others: the means of systems, or the scores of each EVAL."""

import json
import shutil
from pathlib import Path
from statistics import geometric_mean, harmonic_mean
from typing import Any

import numpy as np
import pytest

from tests.cli.running import SAMPLE, Run, json_of, write_records
from tests.plain.scores import draws

TEXTS = ("-n", "2", "-a", "config.xml")
STUDY = ("-n", "2", "config.xml")
PARTS = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
FUSE = "G=geomean(ROUGE-1:F,ROUGE-2:F,ROUGE-L:F)"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(SAMPLE, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def rounded(report: Any) -> Any:
    """Return what a report holds with 9 decimals."""
    return json.loads(json.dumps(report), parse_float=lambda text: round(float(text), 9) + 0.0)


def by_system(run: Run, *arguments: str) -> dict[str, Any]:
    return {one["id"]: one["metrics"] for one in json_of(run, *TEXTS, *arguments)["systems"]}


def test_of_means(run: Run) -> None:
    found = by_system(run, "--fuse", FUSE, "-r", "40", "-d")
    for metrics in found.values():
        parts = [metrics[name]["f_measure"] for name in PARTS]
        fused = metrics["G (geomean of means)"]
        score = fused["score"]
        assert score["mean"] == pytest.approx(geometric_mean([p["mean"] or 1e-300 for p in parts]))
        rows = np.array([p["per_eval"] for p in parts])
        resampled = [rows[:, draws(k, 4)].mean(axis=1).prod() ** (1 / 3) for k in range(40)]
        assert score["bootstrap_mean"] == pytest.approx(np.mean(resampled))
        # The formula of the original for 40 resamples and 95%: the 2nd value, and near the last.
        ascending = [*sorted(resampled), 0.0, 0.0]
        delta = 40 * 2.5 / 100
        upper = int(40 - delta - 1)
        ratio = 40 - delta - 1 - upper
        assert score["interval"] == pytest.approx(
            [ascending[k] + (ascending[k + 1] - ascending[k]) * ratio for k in (int(delta), upper)]
        )
        assert score["per_eval"] == pytest.approx((rows.prod(axis=0) ** (1 / 3)).tolist())
        assert score["standard_error"] is None
        assert fused["scale"] == "0-1"


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        ("mean", lambda a, b: (3 * a + b) / 4),
        ("geomean", lambda a, b: (a**3 * b) ** 0.25),
        ("harmonic", lambda a, b: harmonic_mean([a, b], [3, 1])),
    ],
)
def test_kinds_and_weights(kind: str, function: Any, run: Run) -> None:
    fused = f"A={kind}(3*ROUGE-1:R,ROUGE-L:P)", f"B=eval-{kind}(3*rouge-1:r,1.0*ROUGE-L:P)"
    found = by_system(run, "--fuse", fused[0], "--fuse", fused[1], "-d", "-r", "9")
    for metrics in found.values():
        one, other = metrics["ROUGE-1"]["recall"], metrics["ROUGE-L"]["precision"]
        of_means = metrics[f"A ({kind} of means)"]["score"]
        by_eval = metrics[f"B (mean of eval-{kind})"]["score"]
        assert of_means["mean"] == pytest.approx(function(one["mean"], other["mean"]))
        expected = [*map(function, one["per_eval"], other["per_eval"])]
        assert by_eval["per_eval"] == of_means["per_eval"] == pytest.approx(expected)
        assert by_eval["mean"] == pytest.approx(np.mean(expected))
        assert by_eval["standard_error"] is not None


def test_the_mean_of_means_is_the_mean_of_evals(run: Run) -> None:
    # A mean is linear: the tests of systems must be those of the same scores, EVAL by EVAL.
    given = ("--fuse", "A=mean(ROUGE-1,3*ROUGE-2)", "--fuse", "B=eval-mean(ROUGE-1,3*ROUGE-2)")
    *_, one, other = json_of(run, "compare", *STUDY, *given, "--equivalence", "0.3")["metrics"]
    assert (one["metric"], other["metric"]) == ("A (mean of means)", "B (mean of eval-mean)")
    for pair, twin in zip(one["pairs"], other["pairs"], strict=True):
        assert rounded(pair) == rounded(twin)
    judgements = ("--judgements", "judgements.csv")
    for column in json_of(run, "correlate", *STUDY, *given, *judgements)["columns"]:
        *_, first, second = column["metrics"]
        assert {first.pop("metric"), second.pop("metric")} == {one["metric"], other["metric"]}
        assert rounded(first) == rounded(second)


@pytest.mark.parametrize("n_evals", [6, 40])
def test_randomisation_of_a_geometric_mean(n_evals: int, run: Run) -> None:
    random = np.random.default_rng(7)
    scores = {name: random.integers(1, 9, (n_evals, 2)) for name in ("p", "q")}
    rows = [
        f"{name},{k:02},{a},{b}\n"
        for name, values in scores.items()
        for k, (a, b) in enumerate(values)
    ]
    Path("s.csv").write_text("system,eval,a,b\n" + "".join(rows))
    given = ("--add", "scores:s.csv", "--scale", "a=0-9", "--scale", "b=0-9", "-r", "4000")
    *_, found = json_of(run, "compare", *given, "--fuse", "G=geomean(a,b)")["metrics"]
    (pair,) = found["pairs"]
    p, q = scores["p"].astype(float), scores["q"].astype(float)

    def difference(one: Any, other: Any) -> Any:
        return np.sqrt(one.mean(axis=-2).prod(axis=-1)) - np.sqrt(other.mean(axis=-2).prod(axis=-1))

    observed = difference(p, q)
    assert pair["difference"] == pytest.approx(observed)
    if n_evals == 6:
        swaps = (np.arange(64)[:, None] >> np.arange(6)) & 1
    else:
        swaps = random.integers(0, 2, (50_000, n_evals))
    is_swapped = swaps[:, :, None] == 1
    swapped = difference(np.where(is_swapped, q, p), np.where(is_swapped, p, q))
    expected = (np.abs(swapped) >= abs(observed) - 1e-9).mean()
    assert pair["randomisation"]["is_exact"] is (n_evals == 6)
    if n_evals == 6:
        assert pair["randomisation"]["p"] == expected
    else:
        assert pair["randomisation"]["p"] == pytest.approx(expected, abs=0.03)
        places = random.integers(0, n_evals, (50_000, n_evals))
        resampled = difference(p[places], q[places])
        shifted = (np.abs(resampled - observed) >= abs(observed)).mean()
        assert pair["bootstrap"]["p"] == pytest.approx(shifted, abs=0.03)
        bounds = np.quantile(resampled, [0.025, 0.975])
        assert pair["interval"] == pytest.approx(bounds, abs=0.1)


def test_clusters_are_drawn_as_one(run: Run) -> None:
    rows = [
        {"id": f"{k}", "doc": f"{k // 2}", "prediction": "a b", "reference": "a b c"[: 1 + k]}
        for k in range(5)
    ]
    write_records(Path("r.jsonl"), rows)
    given = ("-n", "2", "r.jsonl", "--cluster", "doc", "-r", "50")
    fused = ("--fuse", "A=mean(ROUGE-1,ROUGE-2)", "--fuse", "B=eval-mean(ROUGE-1,ROUGE-2)")
    (system,) = json_of(run, *given, *fused)["systems"]
    one, other = (
        system["metrics"][name]["score"] for name in ("A (mean of means)", "B (mean of eval-mean)")
    )
    for key in ("mean", "bootstrap_mean", "interval"):
        assert one[key] == pytest.approx(other[key])
    assert one["interval"][0] < one["interval"][1]


def test_everywhere(run: Run) -> None:
    fused = ("--fuse", FUSE, "--fuse", "E=eval-harmonic(ROUGE-1,ROUGE-2)")
    scoring = (*TEXTS, *fused)
    direct = run(*scoring, "-d", "--save", "s.jsonl", "--report", "json")
    run(*scoring, "--save", "s.parquet", "--report", "json=base.json")
    for path in ("s.jsonl", "s.parquet"):
        assert run(path, "-d", "--report", "json") == direct
    for report in ("classic", "table", "csv", "markdown", "latex"):
        one, other = (run(*words, "--report", report) for words in (scoring, ("s.jsonl",)))
        assert (other.out, other.code) == (one.out, 0)
        assert b"geomean of means" in one.out
    assert run(*scoring, "--require", "G:S>=0.9").code == 1
    assert run("s.jsonl", "--require", "neural:g (geomean of means):S>=0.5").code == 0
    score = by_system(run, *fused)["neural"]["G (geomean of means)"]["score"]["bootstrap_mean"]
    assert run(*scoring, "--score-only", "neural:G:S").out.decode() == f"{score:.5f}\n"
    table = run(*scoring, "--report", "table", "--sort", "E").out.decode()
    assert table.splitlines()[2].startswith("neural")
    assert run(*scoring, "--baseline", "base.json").code == 0
    joined = run("s.jsonl", "--fuse", "N=mean(ROUGE-1,E)", "--report", "json")
    assert b"N (mean of means)" in joined.out


def test_studies(run: Run) -> None:
    fused = ("--fuse", FUSE, "--fuse", "E=eval-harmonic(ROUGE-1,ROUGE-2)")
    assert run(*TEXTS, *fused, "--save", "s.jsonl").code == 0
    compared = json_of(run, "compare", "s.jsonl")["metrics"]
    names = [metric["metric"] for metric in compared]
    assert names[-2:] == ["G (geomean of means)", "E (mean of eval-harmonic)"]
    assert json_of(run, "compare", *STUDY, *fused)["metrics"] == compared
    judgements = ("--judgements", "judgements.csv")
    of_texts = json_of(run, "correlate", *STUDY, *fused, *judgements)["columns"]
    assert json_of(run, "correlate", "s.jsonl", *judgements)["columns"] == of_texts
    plan = run("plan", "s.jsonl", "--system-id", "lead", "--system-id", "neural")
    assert plan.code == 0
    assert "Warning: G (geomean of means) is left out: it is not a mean over texts" in plan.err


def test_scores_below_nothing(run: Run) -> None:
    # A metric that breaks its promise of a scale from 0 on, as one of a plug-in may.
    Path("s.csv").write_text("system,eval,a,b\ns,1,0.75,2\ns,2,1,2\n")
    scales = ("--scale", "a=0-5", "--scale", "b=0-5")
    assert run("--add", "scores:s.csv", *scales, "--save", "s.jsonl").code == 0
    saved = Path("s.jsonl")
    saved.write_text(saved.read_text().replace("0.75", "-1"))
    refused = run("s.jsonl", "--fuse", "G=geomean(a,b)")
    problem = "a of system 's' in text '1' is -1; expected no score below 0 for geomean"
    assert problem in refused.refusal
    assert run("s.jsonl", "--fuse", "G=mean(a,b)").code == 0
