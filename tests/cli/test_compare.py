"""The command ``compare``: choices, reports, warnings and errors."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.options.options import OPTIONS
from rouge_cli.options.reports import OUTPUT
from rouge_cli.options.scores import THRESHOLDS
from tests.cli.running import SAMPLE, Run, records_of, write_records
from tests.cli.test_startup import loaded_by

USAGE_ERROR = 2
FEW = (
    "Warning: only 4 texts in common: with fewer than 20 the p of the bootstrap comes out too "
    "small and the interval may be too narrow; go by the randomisation"
)
# 3 comparisons of at least 2 / 2^4 each.
NONE = (
    "Warning: no difference could be significant: with 3 comparisons and no more than 4 texts that "
    "differ, every p of the randomisation is at least 0.375 after Holm's correction; so all "
    "systems share a letter, which says nothing about them. Take more texts, or fewer systems, "
    "metrics or measures"
)


def found_by(run: Run, *arguments: str, cwd: Path | None = None) -> dict[str, Any]:
    finished = run("compare", "--report", "json", *arguments, cwd=cwd)
    assert finished.code == 0, finished.err
    report: dict[str, Any] = json.loads(finished.out)
    return report


def test_table_of_the_sample(run: Run) -> None:
    given = ("compare", "-n", "1", "-x", "-m", "config.xml")
    finished = run(*given, "-v", cwd=SAMPLE)
    assert (finished.code, finished.err) == (0, f"{FEW}\n{NONE}\n")
    verdict, _, rest = finished.out.decode().partition("\n\n")
    assert verdict.startswith(
        "neural has the highest ROUGE-1 F (0.7376), but cannot be told apart from extract\n"
        "and lead: the difference from extract is 0.3416 ["
    )
    brief = run(*given)
    shorter = brief.out.decode()
    assert (brief.err, shorter.partition("\n\n")[0]) == (finished.err, verdict)
    # The rule below the heads of its one table, and three pairs.
    assert len(re.findall(r"^\u2500+$", shorter, re.MULTILINE)) == 1
    assert len(re.findall(r"^(?:extract|lead) .* 0\.1250  0\.3750$", shorter, re.MULTILINE)) == 3
    lines = rest.splitlines()
    assert lines[0] == "ROUGE-1 F, 4 texts"
    # The means of .43200 .39063 .28572 .47541 and .26771 .14285 .13115 .23077 are .39594, .19312;
    # of 16 choices of swaps two are as far from 0, for p and three times p.
    assert re.fullmatch(
        r"extract  lead     0\.2028    0\.\d{4}.0\.\d{4}   0\.\d{4}  0\.1250  0\.\d{4}  0\.3750",
        lines[4],
    )
    assert lines[8] == "A        B       detectable            effect size"
    # Differences of .16429 .24778 .15457 .24464: mean .20282, SD .05028, so d is 4.034 and t 8.068;
    # (8.068 (1 - 1/12) -+ 1.96 sqrt(1 + 8.068^2 / 6)) / 2 are .32 and 7.07.
    assert lines[10].split(maxsplit=3)[3] == "4.03 [0.32, 7.07]"
    assert lines[14:19] == [
        "System   N    Mean  Groups",
        "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * 26,
        "neural   4  0.7376  a",
        "extract  4  0.3959  a",
        "lead     4  0.1931  a",
    ]
    assert "(3 of 3 rand. exact: all swaps enumerated); seed 2004." in finished.out.decode()


def test_defaults(run: Run) -> None:
    given = ["-n", "1", "config.xml"]
    named = ["--measures", "F", "-r", "10000", "--seed", "2004", "--report", "table", "-c", "95"]
    expected = run("compare", *given, *named, "-t", "0", cwd=SAMPLE)
    assert run("compare", *given) == expected
    assert run("compare", *given, "--seed", "2005").out != expected.out


def test_choice_of_systems(run: Run) -> None:
    given = ["-n", "1", "-x", "config.xml"]
    report = found_by(run, "--system-id", "neural", "--system-id", "extract", *given, cwd=SAMPLE)
    assert report["systems"] == ["neural", "extract"]
    (pair,) = report["metrics"][0]["pairs"]
    assert (pair["system_a"], pair["system_b"]) == ("neural", "extract")
    everything = found_by(run, *given)
    (same,) = [
        one
        for one in everything["metrics"][0]["pairs"]
        if (one["system_a"], one["system_b"]) == ("extract", "neural")
    ]
    assert pair["bootstrap"]["p"] == same["bootstrap"]["p"]
    assert pair["difference"] == -same["difference"]
    # One comparison in place of three.
    assert (pair["randomisation"]["p_holm"], same["randomisation"]["p_holm"]) == (0.125, 0.375)


def test_systems_are_checked_before_anything_is_scored(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def score(*_: object) -> None:
        raise AssertionError("nothing should be scored")

    monkeypatch.setattr("rouge_cli.run.pipeline.score_input", score)
    assert run("compare", "--system-id", "x", "config.xml", cwd=SAMPLE).code == USAGE_ERROR


def test_resamples_that_many_comparisons_ask_for(run: Run) -> None:
    # Three comparisons at a level of .0001: twice 3 / .0001 are 60,000.
    options = ("-n", "1", "-x", "--confidence", "99.99", "config.xml")
    assert found_by(run, *options, cwd=SAMPLE)["resamples"] == 100_000
    assert found_by(run, "-r", "10000", *options, cwd=SAMPLE)["resamples"] == 10_000


def test_help(run: Run) -> None:
    finished = run("compare", "--help-all")
    text = finished.out.decode()
    assert text.startswith("Usage: rouge-cli compare [OPTIONS] CONFIG\n")
    assert (finished.code, finished.err) == (0, "")
    own = text[text.index("\nCompare:\n") : text.index("\nMetrics:\n")]
    for name in ("--measures", "-r", "--seed", "--report", "-o", "--system-id"):
        assert re.search(rf"^  {name}\b", own, re.MULTILINE)
        assert len(re.findall(rf"^  {name}\b", text, re.MULTILINE)) == 1
    for name, option in OPTIONS.items():
        if option.heading not in {OUTPUT, THRESHOLDS} and name not in {
            "all", "bootstrap", "resamples",
        }:  # fmt: skip
            long = option.alias or option.long
            assert re.search(rf"^  (-., )?{long}\b", text, re.MULTILINE)


def test_only_what_is_needed_is_loaded() -> None:
    late = {"nltk", "scipy", "pandas", "rich.table", "multiprocessing"}
    loaded = loaded_by("compare", "-n", "1", "config.xml")
    assert "rouge_cli.studies.compare.comparison" in loaded
    assert not loaded & late
    assert not loaded_by("compare", "--help") & ({"numpy", "rich"} | late)


def test_an_interrupt(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rouge_cli.studies.compare.comparison.compare", interrupted)
    finished = run("compare", "-n", "1", "config.xml", cwd=SAMPLE)
    assert (finished.code, finished.out) == (130, b"")


SHARED = (
    "Warning: 12 texts with 6 sets of references: if texts of one document or topic belong "
    "together, name their field with --cluster"
)


def shared_models(folder: Path, *, n_sets: int) -> list[str]:
    """Write 12 EVALs of three systems, and how they are judged; so many sets of models differ."""
    judgements = ["system,eval,mark"]
    for name, words in {"a": "rain fell", "b": "sun fell", "c": "sun shone"}.items():
        lines = []
        for number in range(12):
            models = [f"rain {number % n_sets}", f"fell {number % n_sets}"]
            # Which model stands first is of no account.
            models = models[:: 1 if number % 2 else -1]
            record = {"id": str(number), "summary": f"{words} {number}", "references": models}
            record["set"] = str(number % n_sets)
            lines.append(json.dumps(record) + "\n")
            judgements.append(f"{name},{number},{number % 5}")
        (folder / f"{name}.jsonl").write_text("".join(lines))
    (folder / "marks.csv").write_text("\n".join(judgements))
    return [str(folder / f"{name}.jsonl") for name in "abc"]


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("n_sets", "is_hinted"), [(6, True), (7, False), (4, False)])
def test_evals_with_the_same_models(
    run: Run, tmp_path: Path, n_sets: int, is_hinted: bool, jobs: str
) -> None:
    files = shared_models(tmp_path, n_sets=n_sets)
    marks = ["--judgements", str(tmp_path / "marks.csv"), "-r", "20"]
    for command in (["compare"], ["correlate", *marks]):
        finished = run(*command, "-n", "1", "-x", "--jobs", jobs, *files)
        assert finished.code == 0, finished.err
        assert (SHARED in finished.error_lines) == is_hinted
        finished = run(*command, "-n", "1", "-x", "--cluster", "set", *files)
        assert SHARED not in finished.error_lines
    assert SHARED not in run("-n", "1", "-x", "-a", *files).error_lines


@pytest.fixture
def data_sets(tmp_path: Path) -> Path:
    """Records of two systems on two data sets; `a` is better in the first one alone."""
    path = tmp_path / "sets.jsonl"
    lines = [
        {
            "id": f"{name}{number}",
            "set": name,
            "system": system,
            "prediction": " ".join("wxyz"[: 2 + (system == better) + number % 2]),
            "references": ["w x y z"],
        }
        for name, better in (("news", "a"), ("talks", ""))
        for number in range(24)
        for system in ("a", "b")
    ]
    write_records(path, lines)
    return path


def test_data_sets(run: Run, data_sets: Path) -> None:
    options = ("-n", "1", "-x", "--measures", "R", "--dataset", "set", str(data_sets))
    finished = run("compare", *options)
    # R: 3/4 and 4/4 of a, 2/4 and 3/4 of b in the news; equal ones in talks. No random choice of
    # swaps has as large a sum: p is 1/10001.
    table = finished.out.decode().partition("2 data sets, ROUGE-1 R\n")[2]
    lines = [line.split() for line in table.splitlines()]
    assert lines[3:5] == [
        ["a*", "b", "news", "24", "0.2500", "0.2500\N{EN DASH}0.2500", "0.0001", "1.0000"],
        ["a", "b", "talks", "24", "0.0000", "0.0000\N{EN DASH}0.0000", "1.0000", "1.0000"],
    ]
    assert lines[9] == ["a", "b", "1", "1", "0", "0", "-", "-", "-"]
    assert finished.error_lines == [
        "Warning: 'a' and 'b' have no mean over the data sets in ROUGE-1 R: all differences in "
        "'news' are the same, so their spread is unknown"
    ]
    (pair,) = found_by(run, *options)["metrics"][0]["pairs"]
    across = pair.pop("across")
    assert [of_set["data_set"] for of_set in across["sets"]] == ["news", "talks"]
    assert (across["a_better"], across["effect"]) == ({"bonferroni": 1, "fisher": 1}, None)
    csv_report = run("compare", *options, "--report", "csv").out.decode()
    rows = [(row["data_set"], row["n_evals"], row["sets_a_bonferroni"], row["p_a_better"])
            for row in csv.DictReader(csv_report.splitlines())]  # fmt: skip
    p = [str(of_set["p_a_better"]) for of_set in across["sets"]]
    assert rows == [("", "48", "1", ""), ("news", "24", "", p[0]), ("talks", "24", "", p[1])]
    # The pairs themselves are those without data sets: EVALs are drawn one by one.
    plain = found_by(run, *options[:-3], str(data_sets))
    assert plain["metrics"][0]["pairs"] == [pair]


def test_data_sets_of_saved_scores(run: Run, data_sets: Path, tmp_path: Path) -> None:
    saved = str(tmp_path / "saved.jsonl")
    run("-n", "1", "-x", "--cluster", "set", "--save", saved, str(data_sets))
    direct = run("compare", "-n", "1", "-x", "--dataset", "set", str(data_sets))
    assert run("compare", "--dataset", "set", saved).out == direct.out
    page = run("compare", "--dataset", "set", saved, "--report", "html")
    assert b"2 data sets" in page.out


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """Records of two systems with three runs each, on six EVALs of four words."""
    path = tmp_path / "seeds.jsonl"
    n_words = {"a": ((4, 3), (4, 4), (3, 4)), "b": ((2, 1), (1, 2), (2, 2))}
    lines = [
        {
            "id": f"e{number}",
            "system": system,
            "seed": seed,
            "prediction": " ".join("wxyz"[: of_run[number % 2]]),
            "references": ["w x y z"],
        }
        for system, of_runs in n_words.items()
        for seed, of_run in enumerate(of_runs, 1)
        for number in range(6)
    ]
    write_records(path, lines)
    return path


def test_runs(run: Run, seeds: Path, tmp_path: Path) -> None:
    options = ("-n", "1", "-x", "--measures", "R", "--run", "seed")
    finished = run("compare", *options, str(seeds))
    text = " ".join(finished.out.decode().split())
    # Means of runs in quarters: 3.5, 4 and 3.5 of a; 1.5, 1.5 and 2 of b.
    assert text.startswith(
        "With other runs and texts too, a is best in ROUGE-1 R (0.9167), significantly better than "
        "the other system. (Student's t over runs and texts, two-sided; significant if p is at "
        "most 0.05 after Holm's correction over the one comparison.) Runs "
    )
    # The verdict over runs is tested, so it has the mark of tests.
    assert " ROUGE-1 R a* b 0.5000 " in text
    assert any("'a' has only 3 runs: with fewer than 5" in line for line in finished.error_lines)
    report = found_by(run, *options, str(seeds))
    # The tests are those of the means over runs.
    assert report["systems"] == ["a", "b"]
    assert report["metrics"][0]["pairs"][0]["difference"] == pytest.approx(0.5, abs=1e-6)
    saved = str(tmp_path / "saved.jsonl")
    run("-n", "1", "-x", "-a", "--run", "seed", "--save", saved, str(seeds))
    again = run("compare", "--measures", "R", "--run", "seed", saved)
    assert again.out == finished.out
    run("-n", "1", "-x", "-a", "--run", "seed", "--cluster", "id", "--save", saved, str(seeds))
    clustered = run("compare", "--run", "seed", saved)
    assert clustered.err.endswith("Error: --run draws texts one by one: it excludes --cluster\n")


def test_a_system_with_one_run(run: Run, seeds: Path) -> None:
    lines = records_of(seeds)
    kept = [line for line in lines if line["system"] == "a" or line["seed"] == 1]
    write_records(seeds, kept)
    finished = run("compare", "-n", "1", "-x", "--run", "seed", str(seeds))
    text = " ".join(finished.out.decode().split())
    assert text.startswith(
        "a has the best ROUGE-1 F (0.9524), but nothing can be said of other runs or texts beside "
        "b: that takes two runs of both systems, and two texts. Runs"
    )
    assert "'b' has one run, which does not show how far other runs would move it" in finished.err


def test_some_systems_of_several_runs(run: Run, seeds: Path) -> None:
    words = ("compare", "-n", "1", "-x", "--run", "seed", str(seeds))
    both = run(*words, "--system-id", "a", "--system-id", "b")
    assert both.out == run(*words).out
    unknown = run(*words, "--system-id", "a seed=1", "--system-id", "b")
    assert "Error: --system-id: no system 'a seed=1'" in unknown.err


def test_runs_that_were_not_looked_at_are_named(run: Run) -> None:
    # Only where everything is shown.
    words = ("compare", "-n", "1", "-x", "config.xml")
    assert b"(--run)" in run(*words, "-v", cwd=SAMPLE).out
    assert b"(--run)" not in run(*words).out


@pytest.mark.parametrize("words", [("compare", "-d"), ("compare", "-a"), ("plan", "-r")])
def test_options_of_other_commands(words: tuple[str, str], run: Run) -> None:
    finished = run(*words, "config.xml", cwd=SAMPLE)
    # Click words and quotes it as its version does.
    assert re.fullmatch(f"Error: No such option:? '?{words[1]}'?\\.?", finished.misuse)


def test_fields_that_saved_scores_lack(
    run: Run, data_sets: Path, seeds: Path, tmp_path: Path
) -> None:
    saved = str(tmp_path / "saved.jsonl")
    run("-n", "1", "-x", "--cluster", "set", "--save", saved, str(data_sets))
    assert run("compare", "--dataset", "other", saved).misuse.startswith(
        "Error: --dataset: found 'other', but the scores were saved with 'set'"
    )
    run("-n", "1", "-x", "-a", "--run", "seed", "--save", saved, str(seeds))
    assert run("compare", "--run", "nosuch", saved).misuse == (
        "Error: --run: the scores do not have the field 'nosuch', which names a run as in 'SYSTEM "
        "nosuch=1'; score with --run nosuch"
    )
