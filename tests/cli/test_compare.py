"""The command ``compare``: choices, reports, warnings and errors."""

import csv
import json
import re
from fractions import Fraction
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import t

from rouge_cli.options.options import OPTIONS
from rouge_cli.options.reports import OUTPUT, STUDY_REPORTS
from rouge_cli.options.scores import THRESHOLDS
from tests.cli.parallel import some_texts
from tests.cli.running import Run
from tests.cli.test_startup import loaded_by
from tests.unit.studies.comparisons import (
    plain_bootstrap,
    plain_exact,
    plain_randomisation,
)

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "fixtures" / "sample"
USAGE_ERROR, INPUT_ERROR = 2, 3
FEW = (
    "Warning: only 4 EVALs in common: with fewer than 20 the p of the bootstrap comes out too "
    "small and the interval may be too narrow; go by the randomisation"
)
# 3 comparisons of at least 2 / 2^4 each.
NONE = (
    "Warning: no difference could be significant: with 3 comparisons and no more than 4 EVALs that "
    "differ, every p of the randomisation is at least 0.375 after Holm's correction; so all "
    "systems share a letter, which says nothing of them. Take more EVALs, or fewer systems, "
    "metrics or measures"
)
REPORTS = ("table", "json", "csv", "markdown", "latex")


def found_by(run: Run, *arguments: str, cwd: Path | None = None) -> dict[str, Any]:
    """Return the JSON of a comparison."""
    finished = run("compare", "--report", "json", *arguments, cwd=cwd)
    assert finished.code == 0, finished.err
    report: dict[str, Any] = json.loads(finished.out)
    return report


def scores_of(run: Run, *arguments: str) -> dict[str, dict[str, list[int]]]:
    """Return F of each EVAL in hundred-thousandths, as ``score -d`` prints it.

    By metric and system; EVALs in byte order of their IDs.
    """
    text = run("-d", "-a", *arguments).out.decode()
    lines = re.findall(r"^(\S+) (\S+) Eval (\S+)\.\1 R:\S+ P:\S+ F:(\S+)$", text, re.MULTILINE)
    scores: dict[str, dict[str, list[int]]] = {}
    for system, metric, _, f in sorted(lines, key=lambda line: line[2]):
        scores.setdefault(metric, {}).setdefault(system, []).append(round(float(f) * 100_000))
    return scores


def holm(p_values: list[Fraction]) -> list[float]:
    """Return p after Holm's correction."""
    ascending = sorted(p_values)
    steps = [(len(ascending) - place) * p for place, p in enumerate(ascending)]
    first = {p: max(steps[: ascending.index(p) + 1]) for p in ascending}
    return [float(min(Fraction(1), first[p])) for p in p_values]


@pytest.mark.parametrize("resamples", [300, 10])
def test_numbers_are_those_of_the_printed_scores(
    resamples: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(SAMPLE)
    given = ["-n", "2", "-m", "config.xml"]
    report = found_by(run, "-r", str(resamples), "--seed", "11", *given)
    pairs = [pair for metric in report["metrics"] for pair in metric["pairs"]]
    expected = [
        (metric, first, second, one[first], one[second])
        for metric, one in scores_of(run, *given).items()
        for first, second in combinations(sorted(one), 2)
    ]
    assert len(pairs) == len(expected) == report["n_comparisons"] == 9
    bootstrap, randomisation = [], []
    for pair, (_, first, second, ones, others) in zip(pairs, expected, strict=True):
        differences = [one - other for one, other in zip(ones, others, strict=True)]
        assert (pair["system_a"], pair["system_b"], pair["n_evals"]) == (first, second, 4)
        assert pair["difference"] == pytest.approx(sum(differences) / 400_000, abs=1e-15)
        assert pair["mean_a"] == pytest.approx(sum(ones) / 400_000, abs=1e-15)
        bootstrap.append(plain_bootstrap(differences, resamples, 11))
        randomisation.append(plain_randomisation(differences, resamples, 11))
        assert pair["randomisation"]["is_exact"] is (resamples >= 16)
    assert [pair["bootstrap"]["p"] for pair in pairs] == [float(p) for p in bootstrap]
    assert [pair["bootstrap"]["p_holm"] for pair in pairs] == holm(bootstrap)
    assert [pair["randomisation"]["p"] for pair in pairs] == [float(p) for p in randomisation]
    assert [pair["randomisation"]["p_holm"] for pair in pairs] == holm(randomisation)


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
    assert len(re.findall(r"^-+$", shorter, re.MULTILINE)) == 1
    assert len(re.findall(r"^(?:extract|lead) .* 0\.1250  0\.3750$", shorter, re.MULTILINE)) == 3
    lines = rest.splitlines()
    assert lines[0] == "ROUGE-1 F, 4 EVALs"
    # The means of .43200 .39063 .28572 .47541 and .26771 .14285 .13115 .23077 are .39594, .19312;
    # of 16 choices of swaps two are as far from 0, for p and three times p.
    assert re.fullmatch(
        r"extract  lead     0\.2028   0\.\d{4}  0\.\d{4}  0\.\d{4} 0\.1250  0\.\d{4} 0\.3750",
        lines[4],
    )
    assert lines[8] == "A        B       detectable            effect size"
    # Differences of .16429 .24778 .15457 .24464: mean .20282, SD .05028, so d is 4.034 and t 8.068;
    # (8.068 (1 - 1/12) -+ 1.96 sqrt(1 + 8.068^2 / 6)) / 2 are .32 and 7.07.
    assert lines[10].split(maxsplit=3)[3] == "4.03 [0.32, 7.07]"
    assert lines[14:19] == [
        "System   N    Mean  Groups",
        "--------------------------",
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


@pytest.mark.parametrize("report", REPORTS)
def test_seed_and_signature_are_in_every_report(report: str, run: Run) -> None:
    finished = run(
        "compare", "-n1", "-x", "--seed", "424242", "--report", report, "config.xml", cwd=SAMPLE
    )
    text = finished.out.decode()
    assert "424242" in text
    assert re.search(r"rouge-cli:[0-9.]+\|like:1\.5\.5\|n:1\|", text)


@pytest.mark.parametrize("report", REPORTS)
def test_reports_in_files(report: str, run: Run, tmp_path: Path) -> None:
    given = ["-n", "1", "--report", report.upper(), "config.xml"]
    expected = run("compare", *given, cwd=SAMPLE)
    finished = run("compare", "-o", str(tmp_path / "out"), *given)
    assert (finished.code, finished.out) == (0, b"")
    assert (tmp_path / "out").read_bytes() == expected.out


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


def test_measures(run: Run) -> None:
    report = found_by(run, "-n", "1", "-x", "--measures", "pr", "config.xml", cwd=SAMPLE)
    assert [one["measure"] for one in report["metrics"]] == ["precision", "recall"]
    assert report["n_comparisons"] == 6


def test_layouts_agree(run: Run, tmp_path: Path) -> None:
    texts = some_texts(25, systems="abc", n_models=2)
    texts.write_files(tmp_path)
    texts.write_lines(tmp_path, b"<q>")
    options = ["-n", "2", "-r", "500"]
    expected = found_by(run, *options, "config.xml", cwd=tmp_path)
    for more in ([], ["--jobs", "2"]):
        # Lines have warnings of their own, and separators; all else is the same.
        report = found_by(run, *options, *more, *texts.arguments("<q>"))
        report["signature"] = report["signature"].replace("|sent:<q>|", "|sent:newline|")
        assert {**report, "warnings": []} == expected


def config_of(evals: dict[str, str]) -> str:
    """Return a configuration: for each EVAL the systems that have a peer."""
    parts = [
        f'<EVAL ID="{name}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>'
        '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS>'
        + "".join(f'<P ID="{system}">{system}{name}</P>' for system in systems)
        + '</PEERS><MODELS><M ID="A">model</M></MODELS></EVAL>'
        for name, systems in evals.items()
    ]
    return f"<ROUGE-EVAL>{''.join(parts)}</ROUGE-EVAL>"


def write_config(folder: Path, evals: dict[str, str]) -> None:
    """Write a configuration and its texts; a text of system a is like the model."""
    (folder / "c.xml").write_text(config_of(evals))
    (folder / "model").write_text("one two three\n")
    for name, systems in evals.items():
        for system in systems:
            text = {"a": "one two three", "b": "one two"}.get(system, "nothing")
            (folder / f"{system}{name}").write_text(text + "\n")


def test_systems_that_lack_evals(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, {"1": "ab", "2": "a", "3": "b", "4": "ab", "5": "abc"})
    finished = run("compare", "-n1", "-x", "--report", "csv", "c.xml", cwd=tmp_path)
    rows = list(csv.DictReader(finished.out.decode().splitlines()))
    # Only EVAL 5 has all three systems.
    assert [(row["system_a"], row["system_b"], row["n_evals"]) for row in rows] == [
        ("a", "b", "1"),
        ("a", "c", "1"),
        ("b", "c", "1"),
    ]
    assert (
        "Warning: only 1 of 5 EVALs count, those that all compared systems have: 'c' lacks 4, "
        "'a' lacks 1, 'b' lacks 1"
    ) in finished.err
    two = run("compare", "-n1", "-x", "--report", "csv", "--system-id", "a", "--system-id", "b",
              "c.xml", cwd=tmp_path)  # fmt: skip
    rows = list(csv.DictReader(two.out.decode().splitlines()))
    assert [row["n_evals"] for row in rows] == ["3"]
    # F is 1 for a, and 0.8 for b: all of its two words, two of the model's three.
    assert (rows[0]["mean_a"], rows[0]["mean_b"], rows[0]["difference"]) == ("1.0", "0.8", "0.2")
    assert float(rows[0]["p_randomisation"]) == float(plain_exact([20_000] * 3))
    assert "Warning: EVAL 2: system b has no peer; the EVAL does not count for it" in finished.err
    assert "Warning: only 1 EVAL in common: " in finished.err


def test_no_eval_in_common(run: Run, tmp_path: Path) -> None:
    write_config(tmp_path, {"1": "a", "2": "b", "3": "c", "4": "c"})
    finished = run("compare", "-n1", "c.xml", cwd=tmp_path)
    rest = "have no EVAL in common; compare systems that have peers for the same EVALs"
    assert finished.error_lines == [
        f"Error: systems 'a' and 'b' {rest}",
        f"Error: systems 'a' and 'c' {rest}",
        f"Error: systems 'b' and 'c' {rest}",
    ]
    assert (finished.code, finished.out) == (INPUT_ERROR, b"")


COUNTING = (
    "expected 0; the tests are on means over EVALs, and counts that are pooled over EVALs have no "
    "scores to draw from"
)
COUNT = "expected a whole number from 1 to 10000000"
SEED = "expected a whole number from 0 to 4294967295"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["-z", "SPL", "files.lst"],
            "the input has one system, 'X'; compare needs two or more",
        ),
        (
            ["--system-id", "lead", "config.xml"],
            "--system-id leaves one system, 'lead'; compare needs two or more",
        ),
        (
            ["--system-id", "lead", "--system-id", "leda", "config.xml"],
            "--system-id: no system 'leda'; did you mean 'lead'?",
        ),
        (
            ["--system-id", "lead", "--system-id", "lead", "config.xml"],
            "--system-id: 'lead' is given twice; give each system once",
        ),
        (["-t", "1", "config.xml"], f"-t/--counting: found '1', {COUNTING}"),
        (["-t", "2", "config.xml"], f"-t/--counting: found '2', {COUNTING}"),
        (["-r", "0", "config.xml"], f"-r/--resamples: found '0', {COUNT}"),
        (["-r", "many", "config.xml"], f"-r/--resamples: found 'many', {COUNT}"),
        (["--seed", "-1", "config.xml"], f"--seed: found '-1', {SEED}"),
        (["--seed", "4294967296", "config.xml"], f"--seed: found '4294967296', {SEED}"),
        (
            ["--report", "classic", "config.xml"],
            f"--report: found 'classic', expected one of {', '.join(STUDY_REPORTS)}",
        ),
        (
            ["--measures", "X", "config.xml"],
            "--measures: found 'X', expected some of the letters R, P and F, such as F or RPF",
        ),
        (["-o", "", "config.xml"], "-o/--output: found '', expected a path"),
        (
            ["-o", "config.xml", "config.xml"],
            "-o/--output: config.xml is an input of this run; name another file",
        ),
        (
            [
                *("-n", "1", "--soft", "files.lst", "--soft-threshold", "0.5"),
                *("-o", "files.lst", "config.xml"),
            ],
            "-o/--output: files.lst is an input of this run; name another file",
        ),
        (
            ["config.xml", "lead"],
            "unexpected 'lead' behind config.xml: it is no file of records or saved scores, and "
            "all systems are used; --system-id chooses in compare and plan",
        ),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, run: Run) -> None:
    finished = run("compare", *arguments, cwd=SAMPLE)
    assert finished.error_lines == [f"Error: {message}"]
    assert (finished.code, finished.out) == (USAGE_ERROR, b"")


@pytest.mark.parametrize("letter", ["-d", "-a"])
def test_options_of_score_alone(letter: str, run: Run) -> None:
    finished = run("compare", letter, "config.xml", cwd=SAMPLE)
    # Click words and quotes it as its version does.
    (line,) = finished.error_lines
    assert re.fullmatch(f"Error: No such option:? '?{letter}'?\\.?", line)
    assert (finished.code, finished.out) == (USAGE_ERROR, b"")


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
    finished = run("compare", "--help")
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
            assert re.search(rf"^  (-., )?{option.long}\b", text, re.MULTILINE)


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
    "Warning: 12 EVALs with 6 sets of models: if EVALs of one document or topic belong together, "
    "name the field that tells with --cluster"
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


# Several data sets.


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
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def test_data_sets(run: Run, data_sets: Path) -> None:
    options = ("-n", "1", "-x", "--measures", "R", "--dataset", "set", str(data_sets))
    finished = run("compare", *options)
    # R: 3/4 and 4/4 of a, 2/4 and 3/4 of b in the news; equal ones in talks. No random choice of
    # swaps has as large a sum: p is 1/10001.
    table = finished.out.decode().partition("2 data sets, ROUGE-1 R\n")[2]
    lines = [line.split() for line in table.splitlines()]
    assert lines[3:5] == [
        ["a*", "b", "news", "24", "0.2500", "0.2500", "0.2500", "0.0001", "1.0000"],
        ["a", "b", "talks", "24", "0.0000", "0.0000", "0.0000", "1.0000", "1.0000"],
    ]
    assert lines[9] == ["a", "b", "1", "1", "0", "0", "-", "-", "-"]
    assert finished.error_lines == [
        "Warning: 'a' and 'b' have no mean over the data sets in ROUGE-1 R: all differences in "
        "'news' are the same, and say nothing of their spread"
    ]
    (pair,) = found_by(run, *options)["metrics"][0]["pairs"]
    across = pair.pop("across")
    assert [of_set["data_set"] for of_set in across["sets"]] == ["news", "talks"]
    assert (across["a_better"], across["effect"]) == ({"bonferroni": 1, "fisher": 1}, None)
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


def test_data_sets_are_no_clusters(run: Run, data_sets: Path) -> None:
    words = ("--dataset", "set", "--cluster", "set", str(data_sets))
    finished = run("compare", *words)
    assert (finished.code, finished.out) == (USAGE_ERROR, b"")
    assert finished.err.endswith("Error: --dataset and --cluster exclude each other; give one\n")


def test_errors_of_data_sets_name_their_option(run: Run, data_sets: Path, tmp_path: Path) -> None:
    saved = str(tmp_path / "saved.jsonl")
    run("-n", "1", "-x", "--cluster", "set", "--save", saved, str(data_sets))
    other = run("compare", "--dataset", "other", saved)
    assert "Error: --dataset: found 'other', but the scores were saved with 'set'" in other.err
    configured = run("compare", "--dataset", "set", "config.xml", cwd=SAMPLE)
    assert "Error: --dataset is for records, but config.xml is" in configured.err
    lines = run("compare", "--dataset", "set", "--peer-lines", "a", "--model-lines", "b")
    assert "Error: --dataset and --peer-lines exclude each other" in lines.err


# Several runs.


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
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def test_runs(run: Run, seeds: Path, tmp_path: Path) -> None:
    options = ("-n", "1", "-x", "--measures", "R", "--run", "seed")
    finished = run("compare", *options, str(seeds))
    text = " ".join(finished.out.decode().split())
    # Means of runs in quarters: 3.5, 4 and 3.5 of a; 1.5, 1.5 and 2 of b.
    assert text.startswith(
        "With other runs and EVALs too, a is best in ROUGE-1 R (0.9167), significantly better than "
        "the other system. (Student's t over runs and EVALs, two-sided; significant if p is at "
        "most 0.05 after Holm's correction over the one comparison.) Runs "
    )
    # The verdict over runs is tested, so it has the mark of tests.
    assert " ROUGE-1 R a* b 0.5000 " in text
    assert any("'a' has only 3 runs: with fewer than 5" in line for line in finished.error_lines)
    report = found_by(run, *options, str(seeds))
    (column,) = report["metrics"]
    first, second = (system["runs"] for system in column["ranking"])
    assert first["run_means"] == pytest.approx([0.875, 1, 0.875])
    assert second["run_means"] == pytest.approx([0.375, 0.375, 0.5])
    assert (first["n_runs"], first["mean"]) == (3, pytest.approx(11 / 12, abs=1e-6))
    pair = column["pairs"][0]["runs"]
    # The variance of 0.875, 1 and 0.875, 1 / 192, by 3; the same of b. EVALs differ by the same in
    # all runs but for the rest: so 4 degrees of freedom, with the quantile 2.7764.
    error = (2 / 192 / 3) ** 0.5
    assert pair["standard_errors"]["runs"] == pytest.approx(error, abs=1e-6)
    assert pair["standard_errors"]["both"] == pytest.approx(error, abs=1e-6)
    assert pair["degrees"] == 4
    assert pair["interval"] == pytest.approx([0.5 - 2.7764 * error, 0.5 + 2.7764 * error], abs=1e-5)
    assert pair["p"] == pair["p_holm"] == pytest.approx(2 * t.sf(0.5 / error, 4), rel=1e-4)
    assert pair["is_larger"] is True
    # The tests are those of the means over runs.
    assert report["systems"] == ["a", "b"]
    assert report["metrics"][0]["pairs"][0]["difference"] == pytest.approx(0.5, abs=1e-6)
    saved = str(tmp_path / "saved.jsonl")
    run("-n", "1", "-x", "-a", "--run", "seed", "--save", saved, str(seeds))
    again = run("compare", "--measures", "R", "--run", "seed", saved)
    assert again.out == finished.out
    run("-n", "1", "-x", "-a", "--run", "seed", "--cluster", "id", "--save", saved, str(seeds))
    clustered = run("compare", "--run", "seed", saved)
    assert clustered.err.endswith("Error: --run draws EVALs one by one: it excludes --cluster\n")


def test_each_run_is_a_system_of_its_own(run: Run, seeds: Path) -> None:
    finished = run("-n", "1", "-x", "-a", "--run", "seed", "--report", "csv", str(seeds))
    systems = {line.split(",")[0] for line in finished.out.decode().splitlines()[1:]}
    assert systems == {f"{system} seed={number}" for system in "ab" for number in (1, 2, 3)}


def test_a_system_with_one_run(run: Run, seeds: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in seeds.read_text().splitlines()]
    kept = [line for line in lines if line["system"] == "a" or line["seed"] == 1]
    seeds.write_text("".join(f"{json.dumps(line)}\n" for line in kept))
    finished = run("compare", "-n", "1", "-x", "--run", "seed", str(seeds))
    text = " ".join(finished.out.decode().split())
    assert text.startswith(
        "a has the best ROUGE-1 F (0.9524), but nothing can be said of other runs or EVALs beside "
        "b: that takes two runs of both systems, and two EVALs. Runs"
    )
    assert "'b' has one run, which does not show how far other runs would move it" in finished.err
    single = [line for line in kept if line["seed"] == 1]
    seeds.write_text("".join(f"{json.dumps(line)}\n" for line in single))
    alone = run("compare", "-n", "1", "-x", "--run", "seed", str(seeds))
    assert alone.err.endswith(
        "Error: --run: no system has two runs, named as in 'a seed=1'; compare without --run\n"
    )
    assert (alone.code, alone.out) == (USAGE_ERROR, b"")


def test_names_of_runs_that_cannot_be_taken_apart(run: Run, seeds: Path) -> None:
    lines = [json.loads(line) for line in seeds.read_text().splitlines()]
    changed = [{**line, "seed": f"x SEED={line['seed']}"} for line in lines]
    seeds.write_text("".join(f"{json.dumps(line)}\n" for line in changed))
    finished = run("compare", "-n", "1", "-x", "--run", "seed", str(seeds))
    assert "is no name of a run; expected a run without ' seed='" in finished.err
    assert (finished.code, finished.out) == (3, b"")


def test_a_run_that_saved_scores_do_not_have(run: Run, seeds: Path, tmp_path: Path) -> None:
    saved = str(tmp_path / "saved.jsonl")
    run("-n", "1", "-x", "-a", "--run", "seed", "--save", saved, str(seeds))
    finished = run("compare", "--run", "nosuch", saved)
    assert finished.err.endswith(
        "Error: --run: the scores do not have the field 'nosuch', which names a run as in 'SYSTEM "
        "nosuch=1'; score with --run nosuch\n"
    )
    assert (finished.code, finished.out) == (USAGE_ERROR, b"")


def test_pages_of_runs_and_data_sets(
    run: Run, seeds: Path, data_sets: Path, tmp_path: Path
) -> None:
    words = ("compare", "-n", "1", "-x", "--report", "html", "--no-figures")
    page = tmp_path / "p.html"
    for more, said in (
        (("--run", "seed", str(seeds)), "With other runs and EVALs too, a is best in "),
        (("--dataset", "set", str(data_sets)), ">Bonf.<"),
    ):
        assert run(*words, *more, "-o", str(page)).code == 0
        assert said in page.read_text("utf-8")


def rows_of(run: Run, *words: str) -> list[dict[str, str]]:
    """Return the rows of a comparison in CSV."""
    text = run("compare", "-n", "1", "-x", "--report", "csv", *words).out.decode()
    return list(csv.DictReader(StringIO(text)))


def test_csv_of_runs(run: Run, seeds: Path) -> None:
    words = ("--run", "seed", str(seeds))
    found = json.loads(run("compare", "-n", "1", "-x", "--report", "json", *words).out)
    pairs = [pair["runs"] for pair in found["metrics"][0]["pairs"]]
    for row, pair in zip(rows_of(run, *words), pairs, strict=True):
        assert [float(row["lower_runs"]), float(row["upper_runs"])] == pair["interval"]
        assert float(row["error_both"]) == pair["standard_errors"]["both"]
        assert row["is_larger"] == str(pair["is_larger"]).lower()


def test_csv_of_data_sets(run: Run, data_sets: Path) -> None:
    words = ("--dataset", "set", str(data_sets))
    found = json.loads(run("compare", "-n", "1", "-x", "--report", "json", *words).out)
    rows = rows_of(run, *words)
    pairs = [row for row in rows if not row["data_set"]]
    across = [pair["across"] for pair in found["metrics"][0]["pairs"]]
    for row, pair in zip(pairs, across, strict=True):
        assert int(row["sets_a_bonferroni"]) == pair["a_better"]["bonferroni"]
        # The sets of the fixture have no mean, as one has no spread.
        assert pair["effect"] is None
        assert "mean_of_sets" not in row
        assert int(row["n_evals"]) == sum(data_set["n_evals"] for data_set in pair["sets"])
    of_sets = [row for row in rows if row["data_set"]]
    expected = [data_set for pair in across for data_set in pair["sets"]]
    for row, data_set in zip(of_sets, expected, strict=True):
        assert (row["data_set"], row["better"]) == (data_set["data_set"], data_set["better"] or "")
        assert float(row["p_a_better"]) == data_set["p_a_better"]
        assert [float(row["lower"]), float(row["upper"])] == data_set["interval"]
        assert row["metric"] == "ROUGE-1"
        assert row["seed"] == "2004"
    assert "data_set" not in rows_of(run, str(data_sets))[0]


def test_some_systems_of_several_runs(run: Run, seeds: Path) -> None:
    words = ("compare", "-n", "1", "-x", "--run", "seed", str(seeds))
    both = run(*words, "--system-id", "a", "--system-id", "b")
    assert both.out == run(*words).out
    unknown = run(*words, "--system-id", "a seed=1", "--system-id", "b")
    assert "Error: --system-id: no system 'a seed=1'" in unknown.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--dataset", "id"), "--run and --dataset exclude each other; give one"),
        (("--cluster", "id"), "--run draws EVALs one by one: it excludes --cluster"),
    ],
)
def test_what_runs_exclude(words: tuple[str, ...], message: str, run: Run, seeds: Path) -> None:
    finished = run("compare", "-n", "1", "-x", "--run", "seed", *words, str(seeds))
    assert finished.err.endswith(f"Error: {message}\n")
    assert (finished.code, finished.out) == (USAGE_ERROR, b"")


def test_runs_that_were_not_looked_at_are_named(run: Run) -> None:
    # Only where everything is shown.
    words = ("compare", "-n", "1", "-x", "config.xml")
    assert b"(--run)" in run(*words, "-v", cwd=SAMPLE).out
    assert b"(--run)" not in run(*words).out
