"""``rouge-cli correlate``: from files to reports, and everything that can be wrong."""

import csv
import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

from rouge_cli.studies.coefficients import COEFFICIENTS, LEVELS
from rouge_cli.studies.correlate import MODEL_SETS, TEXTS, CorrelationOptions
from rouge_cli.studies.correlation import PAPER_METRICS
from rouge_cli.studies.draws import EXCHANGED, RESAMPLED
from rouge_cli.studies.judged_cells import UNMATCHED
from tests.cli.running import Finished, Run

USAGE_ERROR, INPUT_ERROR = 2, 3
SYSTEMS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
           "tenth"]  # fmt: skip
EVALS = [f"E{number:02}" for number in range(1, 13)]


@pytest.fixture
def sample(fixtures: Path) -> Path:
    """Folder with the generated sample."""
    return fixtures / "judgements"


@pytest.fixture
def judged(sample: Path) -> dict[tuple[str, str], float]:
    """Coverage by system and EVAL."""
    text = (sample / "judgements.csv").read_text("utf-8")
    return {
        (row["system"], row["eval"]): float(row["coverage"])
        for row in csv.DictReader(StringIO(text))
    }


def study(finished: Finished) -> dict[str, Any]:
    """Return the JSON that a run has printed."""
    assert finished.err == ""
    assert finished.code == 0
    found: dict[str, Any] = json.loads(finished.out)
    return found


def per_eval(finished: Finished, metric: str, measure: str) -> dict[str, list[float]]:
    """Return the scores of each system in `EVALS`, from a JSON report of ``score``."""
    found = {}
    for system in study(finished)["systems"]:
        scores = dict(
            zip(system["evals"], system["metrics"][metric][measure]["per_eval"], strict=True)
        )
        found[system["id"]] = [scores[one] for one in EVALS]
    return found


def test_values_are_those_of_scipy(
    run: Run, sample: Path, judged: dict[tuple[str, str], float]
) -> None:
    scored = run("-n2", "-m", "-a", "-d", "--report", "json", "records.jsonl", cwd=sample)
    by_system = per_eval(scored, "ROUGE-2", "recall")
    x = np.array([by_system[system] for system in SYSTEMS])
    z = np.array([[judged[system, one] for one in EVALS] for system in SYSTEMS])
    found = study(
        run(
            "correlate", "--judgements", "judgements.csv", "--judgement", "coverage", "-n2", "-m",
            "--measures", "R", "-r", "20", "--report", "json", "records.jsonl", cwd=sample,
        )
    )  # fmt: skip
    assert found["systems"] == sorted(SYSTEMS)
    assert found["evals"] == EVALS
    assert [column["level"] for column in found["columns"]] == [
        "system", "system", "system", "summary", "summary", "summary", "pooled", "pooled", "pooled",
    ]  # fmt: skip
    for column in found["columns"]:
        of_scipy = {
            "pearson": scipy.stats.pearsonr,
            "spearman": scipy.stats.spearmanr,
            "kendall": scipy.stats.kendalltau,
        }[column["coefficient"]]
        (value,) = [one["value"] for one in column["metrics"] if one["metric"] == "ROUGE-2"]
        expected = {
            "system": of_scipy(x.mean(axis=1), z.mean(axis=1)).statistic,
            "summary": np.mean([of_scipy(x[:, k], z[:, k]).statistic for k in range(len(EVALS))]),
            "pooled": of_scipy(x.ravel(), z.ravel()).statistic,
        }[column["level"]]
        assert value == pytest.approx(expected, abs=1e-9)
        assert all(one["measure"] == "recall" for one in column["metrics"])


def test_paper_table(run: Run, sample: Path) -> None:
    found = study(
        run(
            "correlate", "--judgements", "judgements.csv", "--paper-table", "-r", "20",
            "--report", "json", "records.jsonl", cwd=sample,
        )
    )  # fmt: skip
    assert [(one["texts"], one["models"]) for one in found["conditions"]] == [
        ("as-is", "one"), ("stem", "one"), ("stop", "one"),
        ("as-is", "all"), ("stem", "all"), ("stop", "all"),
    ]  # fmt: skip
    assert [one["judgement"] for one in found["columns"]] == ["coverage"] * 6 + ["fluency"] * 6
    for column in found["columns"]:
        assert (column["level"], column["coefficient"]) == ("system", "pearson")
        assert [one["metric"] for one in column["metrics"]] == list(PAPER_METRICS)
        assert {one["measure"] for one in column["metrics"]} == {"recall"}
        best = max(one["value"] for one in column["metrics"])
        for one in column["metrics"]:
            assert one["is_best"] == (one["value"] > best - 1e-12)
            p = one["p_against_best"]
            assert one["is_tied_with_best"] == (not one["is_best"] and p > 1 - 0.95)


def test_the_17_measures_of_the_paper() -> None:
    assert PAPER_METRICS == (
        "ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4", "ROUGE-5", "ROUGE-6", "ROUGE-7", "ROUGE-8",
        "ROUGE-9", "ROUGE-L", "ROUGE-S*", "ROUGE-S4", "ROUGE-S9", "ROUGE-SU*", "ROUGE-SU4",
        "ROUGE-SU9", "ROUGE-W-1.2",
    )  # fmt: skip


CONDITIONS = [
    pytest.param(("as-is", []), id="as-is"),
    pytest.param(("stem", ["-m"]), id="stem"),
    pytest.param(("stop", ["-s"]), id="stop"),
    pytest.param(("stem+stop", ["-m", "-s"]), id="both"),
]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("model_set", ["one", "all"])
def test_conditions_are_runs_of_their_own(
    run: Run, sample: Path, tmp_path: Path, condition: tuple[str, list[str]], model_set: str
) -> None:
    texts, letters = condition
    records = [json.loads(line) for line in (sample / "records.jsonl").read_text().splitlines()]
    if model_set == "one":
        records = [{**one, "references": one["references"][:1]} for one in records]
    lines = "".join(json.dumps(one) + "\n" for one in records)
    (tmp_path / "records.jsonl").write_text(lines)
    (tmp_path / "judgements.csv").write_bytes((sample / "judgements.csv").read_bytes())
    common = ("correlate", "--judgements", "judgements.csv", "--judgement", "fluency", "-n1",
              "-2", "4", "--level", "summary", "-r", "9", "--report", "json")  # fmt: skip
    alone = study(run(*common, *letters, "records.jsonl", cwd=tmp_path))
    chosen = ("--conditions", texts, "--model-sets", model_set)
    found = study(run(*common, *chosen, "records.jsonl", cwd=sample))
    assert found["conditions"][0]["signatures"] == alone["conditions"][0]["signatures"]
    assert [one["metrics"] for one in found["columns"]] == [
        one["metrics"] for one in alone["columns"]
    ]


def test_first_model_of_line_files(run: Run, fixtures: Path, tmp_path: Path) -> None:
    lines = fixtures / "sample" / "lines"
    (tmp_path / "j.csv").write_text("system,grade\nlead,1\nextract,2\nneural,4\n")
    peers = [
        word
        for name in ("lead", "extract", "neural")
        for word in ("--peer-lines", f"{name}={lines / name}.txt")
    ]
    common = ("correlate", "--judgements", str(tmp_path / "j.csv"), *peers, "-r", "0",
              "--report", "json", "--sentence-separator", "<q>",
              "--model-lines", str(lines / "A.txt"))  # fmt: skip
    alone = study(run(*common))
    both = (*common, "--model-lines", str(lines / "B.txt"), "--conditions", "as-is")
    first = study(run(*both, "--model-sets", "one"))
    assert first["columns"][0]["metrics"] == alone["columns"][0]["metrics"]
    assert study(run(*both))["columns"][0]["metrics"] != alone["columns"][0]["metrics"]


def test_same_seed_same_bytes(run: Run, sample: Path) -> None:
    common = ("correlate", "--judgements", "judgements.csv", "--pairs", "-r", "50", "-n1")
    first, again = (run(*common, "records.jsonl", cwd=sample) for _ in range(2))
    other = run(*common, "--seed", "5", "records.jsonl", cwd=sample)
    assert first.code == other.code == 0
    assert first.out == again.out
    assert first.out != other.out
    assert b"seed 2004" in first.out
    assert b"seed 5" in other.out


def test_order_of_the_input_does_not_matter(run: Run, sample: Path, tmp_path: Path) -> None:
    for name in ("records.jsonl", "judgements.csv"):
        head, *lines = (sample / name).read_text().splitlines()
        lines = [head, *lines[::-1]] if name.endswith("csv") else [*lines[::-1], head]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    common = ("correlate", "--judgements", "judgements.csv", "--pairs", "-r", "30", "-n1")
    before, after = (run(*common, "records.jsonl", cwd=folder) for folder in (sample, tmp_path))
    assert before.out == after.out
    assert before.out


@pytest.mark.parametrize("kind", ["table", "json", "csv", "markdown", "latex"])
def test_reports_are_written(run: Run, sample: Path, tmp_path: Path, kind: str) -> None:
    common = ("correlate", "--judgements", "judgements.csv", "-r", "9", "--report", kind)
    printed = run(*common, "records.jsonl", cwd=sample)
    written = run(*common, "-o", str(tmp_path / "out"), "records.jsonl", cwd=sample)
    assert (written.code, written.out) == (0, b"")
    assert (tmp_path / "out").read_bytes() == printed.out
    assert b"ROUGE-L" in printed.out


def test_tables_of_pairs_name_their_condition(run: Run, sample: Path) -> None:
    finished = run(
        "correlate", "--judgements", "judgements.csv", "--judgement", "coverage", "-n1",
        "--conditions", "as-is,stem", "--level", "system", "--coefficient", "pearson", "--pairs",
        "-r", "20", "records.jsonl", cwd=sample,
    )  # fmt: skip
    titles = [line for line in finished.out.decode().splitlines() if line.endswith("differences")]
    assert titles == [
        f"coverage: system level, F, {condition}, all models: differences"
        for condition in ("CASE", "STEM")
    ]


def test_saved_scores_are_correlated_as_texts_are(run: Run, sample: Path, tmp_path: Path) -> None:
    saved = str(tmp_path / "saved.jsonl")
    run("-n2", "-a", "-r", "0", "--report", "csv", "--save", saved, "records.jsonl", cwd=sample)
    common = ("correlate", "--judgements", "judgements.csv", "-r", "20", "--report", "json")
    assert study(run(*common, saved)) == study(run(*common, "-n2", "records.jsonl"))
    for more in (["--paper-table"], ["--conditions", "stem"]):
        refused = run(*common, *more, saved)
        assert refused.error_lines == [
            "Error: --conditions and --paper-table score texts in several ways, and the input "
            "holds saved scores"
        ]
        assert (refused.code, refused.out) == (USAGE_ERROR, b"")


def test_table_fits_the_screen(run: Run, sample: Path) -> None:
    common = ("correlate", "--judgements", "judgements.csv", "-r", "20", "--pairs", "-w", "1.2")
    finished = run(*common, "-n", "4", "-2", "-1", "-U", "records.jsonl", cwd=sample)
    assert finished.code == 0
    assert max(map(len, finished.out.decode().splitlines())) <= 80


def test_one_judgement_a_system(run: Run, sample: Path, tmp_path: Path) -> None:
    rows = "".join(f"{system},{10 - k}\n" for k, system in enumerate(SYSTEMS))
    (tmp_path / "j.csv").write_text("system,grade\n" + rows)
    common = ("correlate", "--judgements", str(tmp_path / "j.csv"), "-r", "20", "records.jsonl")
    found = study(run(*common, "--report", "json", cwd=sample))
    assert {column["level"] for column in found["columns"]} == {"system"}
    assert found["is_judged_per_eval"] is False
    refused = run(*common, "--level", "pooled", cwd=sample)
    assert (refused.code, refused.out) == (INPUT_ERROR, b"")
    assert refused.error_lines == [
        "Error: --level pooled: there is one judgement a system, which has the system level only; "
        "expected a column 'eval' and a judgement for each system and EVAL"
    ]


@pytest.mark.parametrize("factor", ["1e307", "1e-307"])
def test_judgements_of_any_size(run: Run, sample: Path, tmp_path: Path, factor: str) -> None:
    common = ("-r", "20", "--level", "system", "--report", "csv", "records.jsonl")
    values = []
    for k, scale in enumerate(("1", factor)):
        rows = "".join(
            f"{name},{place * float(scale)!r}\n" for place, name in enumerate(SYSTEMS, 1)
        )
        (tmp_path / f"{k}.csv").write_text("system,grade\n" + rows)
        finished = run("correlate", "--judgements", str(tmp_path / f"{k}.csv"), *common, cwd=sample)
        assert (finished.code, finished.err) == (0, "")
        rows_of_run = csv.DictReader(StringIO(finished.out.decode()))
        values.append([float(row[name]) for row in rows_of_run for name in ("value", "lower")])
    assert values[0] == pytest.approx(values[1], abs=1e-9)


def test_names_of_the_choices() -> None:
    every = {
        "level": LEVELS,
        "coefficient": COEFFICIENTS,
        "conditions": TEXTS,
        "model_sets": MODEL_SETS,
    }
    for name, known in every.items():
        given = {"judgements": "j.csv", "paper_table": True, name: ",".join(known)}
        assert CorrelationOptions.of(given).values()[name] == tuple(known)
    single = {"resample": RESAMPLED, "exchange": EXCHANGED, "unmatched": UNMATCHED}
    for name, known in single.items():
        for one in known:
            found = CorrelationOptions.of({"judgements": "j.csv", name: one})
            assert found.values()[name] == one


def test_what_does_not_match(run: Run, sample: Path, tmp_path: Path) -> None:
    text = (sample / "judgements.csv").read_text()
    rows = [line for line in text.splitlines() if not line.startswith(("tenth", "ninth,E03"))]
    (tmp_path / "j.csv").write_text("\n".join([*rows, "zeroth,E01,1,1"]) + "\n")
    common = ("correlate", "--judgements", str(tmp_path / "j.csv"), "-r", "5", "records.jsonl")
    refused = run(*common, cwd=sample)
    assert (refused.code, refused.out) == (INPUT_ERROR, b"")
    name = tmp_path / "j.csv"
    problems = [
        f"{name}: no judgement of system 'tenth', which is scored",
        f"{name}: system 'zeroth' is judged, but not scored",
        f"{name}: no judgement of system 'ninth' in EVAL 'E03'",
    ]
    assert refused.error_lines == [
        *(f"Error: {problem}" for problem in problems),
        "Error: give what is missing, or leave it out with --unmatched skip or skip-cells",
    ]
    skipped = run(*common, "--unmatched", "skip", cwd=sample)
    assert skipped.code == 0
    assert skipped.err.splitlines() == [f"Warning: {problem}; left out" for problem in problems]
    assert b"9 systems, 11 EVALs." in skipped.out


def test_metric_without_variation(run: Run, fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "j.csv").write_text("system,grade\nlead,1\nextract,2\nneural,4\n")
    common = ("correlate", "--judgements", str(tmp_path / "j.csv"), "-x", "-n", "30", "-r", "5")
    finished = run(*common, "--report", "csv", "config.xml", cwd=fixtures / "sample")
    assert finished.code == 0
    assert finished.err.splitlines()[-1] == (
        "Warning: ROUGE-30 F: no correlation in 3 of 3 columns, where its scores or the judgements "
        "do not vary"
    )


USAGE = [
    pytest.param(["--paper-table", "-n", "2"],
                 "-n/--max-ngram: --paper-table computes its own 17 metrics; leave it out",
                 id="paper-and-metric"),
    pytest.param(["--paper-table", "-x"],
                 "-x/--no-lcs: --paper-table computes its own 17 metrics; leave it out",
                 id="paper-and-no-lcs"),
    pytest.param(["--conditions", "stem", "-m"],
                 "-m/--stem: the conditions say what is stemmed and removed; leave it out",
                 id="conditions-and-stem"),
    pytest.param(["--conditions", "stem,case"],
                 "--conditions: found 'stem,case', expected one or more of as-is, stem, stop, "
                 "stem+stop, with commas between", id="unknown-condition"),
    pytest.param(["--paper-table", "--model-sets", "two"],
                 "--model-sets: found 'two', expected one or more of one, all, with commas between",
                 id="unknown-model-set"),
    pytest.param(["--model-sets", "one"],
                 "--model-sets is for --conditions and --paper-table", id="model-sets-alone"),
    pytest.param(["-t", "1"],
                 "-t/--counting: found '1', expected 0; the tests are on means over EVALs, and "
                 "counts that are pooled over EVALs have no scores to draw from",
                 id="pooled-counts"),
    pytest.param(["--measures", "Q"],
                 "--measures: found 'Q', expected some of the letters R, P and F, such as F or RPF",
                 id="measures"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "problem"), USAGE)
def test_wrong_usage(run: Run, sample: Path, words: list[str], problem: str) -> None:
    finished = run(
        "correlate", "--judgements", "judgements.csv", *words, "records.jsonl", cwd=sample
    )
    assert (finished.code, finished.out) == (USAGE_ERROR, b"")
    assert finished.error_lines == [f"Error: {problem}"]


def test_no_judgements(run: Run, sample: Path) -> None:
    finished = run("correlate", "records.jsonl", cwd=sample)
    assert finished.code == USAGE_ERROR
    assert finished.error_lines == [
        "Error: no judgements: give --judgements FILE, or --judgement FIELD if they stand in the "
        "records"
    ]


def test_too_few_systems(run: Run, fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "j.csv").write_text("system,grade\nneural,1\n")
    finished = run("correlate", "--judgements", str(tmp_path / "j.csv"), "-z", "SPL", "files.lst",
                   cwd=fixtures / "sample")  # fmt: skip
    assert (finished.code, finished.out) == (INPUT_ERROR, b"")
    assert finished.error_lines[0] == (
        f"Error: {tmp_path / 'j.csv'}: no system is both scored and judged: the scores have 'X', "
        "the judgements 'neural'"
    )


def test_the_report_never_takes_the_place_of_an_input(run: Run, sample: Path) -> None:
    finished = run("correlate", "--judgements", "judgements.csv", "-o", "judgements.csv",
                   "records.jsonl", cwd=sample)  # fmt: skip
    assert finished.code == USAGE_ERROR
    assert finished.error_lines == [
        "Error: -o/--output: judgements.csv is an input of this run; name another file"
    ]


def test_without_scipy(run: Run, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    finished = run("correlate", "--judgements", "judgements.csv", "records.jsonl", cwd=sample)
    assert (finished.code, finished.out) == (INPUT_ERROR, b"")
    assert finished.error_lines == [
        "Error: correlate needs scipy, which is not installed: python -m pip install scipy"
    ]


def test_sample_is_as_generated(sample: Path, tmp_path: Path) -> None:
    code = (sample / "generate.py").read_text("utf-8")
    script = tmp_path / "generate.py"
    script.write_text(code, "utf-8")
    exec(compile(code, str(script), "exec"), {"__name__": "__main__", "__file__": str(script)})
    for name in ("records.jsonl", "judgements.csv"):
        assert (tmp_path / name).read_bytes() == (sample / name).read_bytes()


def test_paper_table_of_single_models(run: Run, sample: Path, tmp_path: Path) -> None:
    records = [json.loads(line) for line in (sample / "records.jsonl").read_text().splitlines()]
    lines = [json.dumps({**one, "references": one["references"][:1]}) + "\n" for one in records]
    (tmp_path / "records.jsonl").write_text("".join(lines))
    finished = run(
        "correlate", "--judgements", str(sample / "judgements.csv"), "--paper-table", "-r", "9",
        "--report", "json", "records.jsonl", cwd=tmp_path,
    )  # fmt: skip
    assert [one["models"] for one in study(finished)["conditions"]] == ["all"] * 3


def test_without_resamples(run: Run, sample: Path) -> None:
    common = ("correlate", "--judgements", "judgements.csv", "--pairs", "-n1", "-r", "0")
    found = study(run(*common, "--report", "json", "records.jsonl", cwd=sample))
    for column in found["columns"]:
        assert all(one["interval"] is None for one in column["metrics"])
        assert [one["p"] for one in column["pairs"]] == [None]
        has_williams = (column["level"], column["coefficient"]) == ("system", "pearson")
        assert (column["pairs"][0]["williams"] is not None) == has_williams


def test_the_signature_says_that_texts_came_as_lists(
    run: Run, fixtures: Path, tmp_path: Path
) -> None:
    files = ["--judgements", "judgements.csv", "--judgement", "coverage", "records.jsonl"]
    options = ["correlate", "-n", "2", "--level", "system", "-r", "0", "--report", "json"]
    found = study(run(*options, *files, cwd=fixtures / "sample"))
    (signature,) = found["conditions"][0]["signatures"]
    assert "|sent:list|" in signature
