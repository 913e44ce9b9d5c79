"""``--require`` and ``--baseline`` on the command line: exit codes, and what goes where."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import etree

from rouge_cli.ci import FORMATS
from tests.cli.running import SAMPLE, Run, write_files

OPTIONS = ["-n", "2", "-x", "-m"]
ALL = [*OPTIONS, "-a", "config.xml"]


@pytest.fixture(autouse=True)
def _on_no_ci_system(monkeypatch: pytest.MonkeyPatch) -> None:
    for ci in FORMATS.values():
        monkeypatch.delenv(ci.variable[0], raising=False)


@pytest.fixture
def baseline(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "baseline.json"
    assert run(*ALL, "--report", "json", "-o", str(path), cwd=SAMPLE).code == 0
    return path


def lower(path: Path, system: str, metric: str, change: float) -> None:
    report = json.loads(path.read_bytes())
    (entry,) = (entry for entry in report["systems"] if entry["id"] == system)
    entry["metrics"][metric]["f_measure"]["mean"] += change
    path.write_text(json.dumps(report), "utf-8")


def test_met(run: Run, baseline: Path) -> None:
    plain = run(*ALL, cwd=SAMPLE)
    # In the README, the F of neural in ROUGE-2 is 0.44120.
    given = ["--require", "neural:ROUGE-2:F>=0.4412", "--baseline", str(baseline)]
    assert run(*ALL, *given) == plain


def test_unmet(run: Run) -> None:
    plain = run(*ALL, cwd=SAMPLE)
    given = ["--require", "neural:ROUGE-2:F>0.4412", "--require", "rouge-1:r>=0.2"]
    finished = run(*ALL, *given)
    assert finished.error_lines == [
        "Failed: neural ROUGE-2 F: 0.44120, required > 0.4412",
        "Failed: lead ROUGE-1 R: 0.18196, required >= 0.2",
    ]
    assert (finished.code, finished.out) == (1, plain.out)


def test_scores_in_another_order_have_not_dropped(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scores = [k * k / 100 for k in range(1, 11)]
    given = ("--add", "scores:s.csv", "--report")
    averages = set()
    for turn in range(4):
        turned = scores[turn:] + scores[:turn]
        rows = "".join(f"a,{k},{score}\n" for k, score in enumerate(turned))
        Path("s.csv").write_text(f"system,eval,m\n{rows}")
        if not turn:
            assert run(*given, "json=base.json").code == 0
        again = run(*given, "classic", "--baseline", "base.json")
        assert (again.code, again.err) == (0, "")
        averages.add(again.out)
    # The bootstrap draws EVALs by their numbers, so its mean is another in each order.
    assert len(averages) == 4


def test_warnings_of_the_comparison(run: Run, baseline: Path) -> None:
    report = json.loads(baseline.read_bytes())
    del report["systems"][1:]
    baseline.write_text(json.dumps(report), "utf-8")
    finished = run(*ALL, "--baseline", str(baseline), cwd=SAMPLE)
    assert finished.error_lines == [
        f"Warning: {baseline}: no system {system!r} in this baseline; it is not compared"
        for system in ("lead", "neural")
    ]
    assert finished.code == 0


def test_files_on_github_hold_the_same_bytes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, dict.fromkeys("pm", b"a b\n"))
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    arguments = ["-n", "1", "--report", "classic"]
    arguments += ["--peer-lines", "::error::x=p", "--model-lines", "m"]
    run(*arguments, "-o", "report", cwd=tmp_path)
    report = (tmp_path / "report").read_bytes()
    assert b"\n::error::x ROUGE-1 Average_R: 1.0" in report
    command = [sys.executable, "-m", "rouge_cli", *arguments]
    with (tmp_path / "redirected").open("wb") as file:
        subprocess.run(command, stdout=file, check=True)
    assert (tmp_path / "redirected").read_bytes() == report
    piped = subprocess.run(command, capture_output=True, check=True)
    assert piped.stdout == report.replace(b"\n::", b"\n\\x3a:")


def test_a_baseline_that_is_not_met_is_not_replaced(run: Run, baseline: Path) -> None:
    # One command that compares and, if all is well, takes the new scores for the next time.
    command = [*ALL, "--report", "json", "-o", str(baseline), "--baseline", str(baseline)]
    scores = baseline.read_bytes()
    lower(baseline, "neural", "ROUGE-2", 0.1)
    higher = baseline.read_bytes()
    for _ in range(2):
        finished = run(*command, cwd=SAMPLE)
        assert finished.error_lines == [
            "Failed: neural ROUGE-2 F: mean 0.44095, 0.10000 below the baseline 0.54095 "
            "(at most 0 allowed)",
            f"Warning: {baseline}: the baseline stays as it is, as this run falls below it",
        ]
        assert (finished.code, baseline.read_bytes()) == (1, higher)
    lower(baseline, "neural", "ROUGE-2", -0.2)
    assert run(*command).code == 0
    assert baseline.read_bytes() == scores


@pytest.fixture
def _named_as_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, dict.fromkeys("pm", b"a b\n"))
    monkeypatch.chdir(tmp_path)


NAMED = ["-n", "1", "-x", "-r", "9", "--peer-lines", "::warning::a,b ##[c]=p", "--peer-lines",
         "::d=p", "--peer-lines", "##vso[e] section_start:1:e=p", "--model-lines", "m"]  # fmt: skip

# What each system reads, and of this what may stand anywhere.
READ = {
    "github": (r"^\s*::|##\[", r"##\["),
    "gitlab": (r"section_(start|end):\d+:", r"section_start:"),
    "azure": (r"##(vso)?\[", r"##(vso)?\["),
}
on_each_system = pytest.mark.parametrize("system", FORMATS)


def on_ci(run: Run, system: str, *arguments: str) -> tuple[str, str]:
    """Return what is printed elsewhere, and on a CI system, where there is no command in it."""
    elsewhere = run(*NAMED, *arguments).out.decode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(*FORMATS[system].variable)
        there = run(*NAMED, *arguments).out.decode()
    assert not re.search(READ[system][0], there, re.MULTILINE)
    return elsewhere, there


@pytest.mark.usefixtures("_named_as_commands")
@on_each_system
@pytest.mark.parametrize(
    "kind", ["classic", "table", "csv", "json", "latex", "markdown", "junit", "html"]
)
def test_no_report_holds_commands(kind: str, system: str, run: Run) -> None:
    elsewhere, there = on_ci(run, system, "--report", kind, "--require", "ROUGE-1:F>1")
    assert len(there) >= len(elsewhere) > 0


@pytest.mark.usefixtures("_named_as_commands")
@on_each_system
def test_messages_hold_no_commands(system: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # The texts of all three systems are the same, which is a warning.
    monkeypatch.setenv(*FORMATS[system].variable)
    finished = run(*NAMED, "--require", "ROUGE-1:F>1")
    warning, *failures = finished.error_lines
    assert "::d" in warning
    assert not re.search(READ[system][0], warning)
    command = {"github": "::error title=rouge-cli::", "azure": "##vso[task.logissue type=error]"}
    for failure in failures:
        assert failure.startswith(command.get(system, "Failed: "))
    assert len(failures) == 3


@pytest.mark.usefixtures("_named_as_commands")
@on_each_system
def test_usage_errors_hold_no_commands(
    system: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The message lists the systems of the input.
    monkeypatch.setenv(*FORMATS[system].variable)
    finished = run(*NAMED, "--require", "lost:ROUGE-1:F>=0.1")
    assert (finished.code, finished.out) == (2, b"")
    assert "warning::a,b" in finished.err
    assert not re.search(READ[system][0], finished.err, re.MULTILINE)


@pytest.mark.usefixtures("_named_as_commands")
@on_each_system
def test_tables_on_ci_are_aligned(system: str, run: Run) -> None:
    _, there = on_ci(run, system, "--report", "table")
    rows = [line for line in there.splitlines() if "1.0000^" in line]
    assert len(rows) == 3
    assert len({row.index("1.0000^") for row in rows}) == 1


@pytest.mark.usefixtures("_named_as_commands")
@on_each_system
@pytest.mark.parametrize("kind", ["csv", "csv-safe"])
def test_csv_on_ci_is_the_same_data(kind: str, system: str, run: Run) -> None:
    elsewhere, there = on_ci(run, system, "--report", kind)

    def hidden(field: str) -> str:
        # Nothing but an escape hides what may stand anywhere.
        return re.sub(
            READ[system][1], lambda match: rf"\x{ord(match[0][0]):02x}{match[0][1:]}", field
        )

    expected, found = (list(csv.reader(text.splitlines())) for text in (elsewhere, there))
    assert found == [[hidden(field) for field in row] for row in expected]
    assert ('\n"::d",' in there) is (system == "github")


@pytest.mark.usefixtures("_named_as_commands")
@on_each_system
def test_json_on_ci_is_the_same_data(system: str, run: Run) -> None:
    elsewhere, there = on_ci(run, system, "--report", "json")
    assert there != elsewhere
    assert json.loads(there) == json.loads(elsewhere)


@pytest.mark.usefixtures("_named_as_commands")
def test_latex_on_github_is_set_as_elsewhere(run: Run) -> None:
    elsewhere, there = on_ci(run, "github", "--report", "latex")
    assert there.replace("{}::", "::") == elsewhere
    assert re.search(r"^    \{\}::d +&", there, re.MULTILINE)


@pytest.mark.usefixtures("_named_as_commands")
@on_each_system
@pytest.mark.parametrize("kind", ["classic", "table", "csv", "json", "latex", "markdown"])
def test_files_on_ci_are_those_of_elsewhere(
    kind: str, system: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(*NAMED, "--report", kind, "-o", "elsewhere")
    monkeypatch.setenv(*FORMATS[system].variable)
    run(*NAMED, "--report", kind, "-o", "there")
    assert Path("there").read_bytes() == Path("elsewhere").read_bytes()


def test_records_and_configurations_on_github_are_the_same_data(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = {"id": "1", "system": "##[group]s", "prediction": "a ##[b]", "references": ["c", "d"]}
    (tmp_path / "r.jsonl").write_text(json.dumps(record))
    convert = ["convert", "r.jsonl", "--to", "jsonl", "-o", "-"]
    expected = run(*convert, cwd=tmp_path).out
    run("convert", "r.jsonl", "--to", "xml", "-o", "folder")
    jackknife = ["jackknife", "config.xml"]
    config = run(*jackknife, cwd=tmp_path / "folder").out
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    found = run(*convert, cwd=tmp_path).out
    assert b"##[" not in found
    assert json.loads(found) == json.loads(expected)
    found = run(*jackknife, cwd=tmp_path / "folder").out
    assert b"##[" in config
    assert found == config.replace(b"##[", b"&#35;#[")


@pytest.mark.parametrize(
    "output", ["--save {}", "-o {}", "--report csv={}", "--report json -o new.json --save {}"]
)
def test_only_a_json_report_replaces_a_baseline(output: str, run: Run, baseline: Path) -> None:
    # Saved scores need another suffix.
    baseline = baseline.rename(baseline.with_suffix(".jsonl"))
    before = baseline.read_bytes()
    words = output.format(baseline).split()
    finished = run(*ALL, "--baseline", str(baseline), *words, cwd=SAMPLE)
    option = {"--save": "--save", "-o": "-o/--output", "--report": "--report"}[words[-2]]
    assert finished.err.endswith(
        f"Error: {option}: {baseline} is the baseline, which only a JSON report may replace; name "
        "another file\n"
    )
    assert (finished.code, finished.out, baseline.read_bytes()) == (2, b"", before)


NOT_WORSE = ["--not-worse-than", "0.2"]
"""3 in 4 EVALs may fail unseen: of 0.193 in ROUGE-1 and 0.016 in ROUGE-2."""


@pytest.fixture
def evals(run: Run, tmp_path: Path) -> Path:
    """The report of an earlier run of the system lead, with the scores of its EVALs."""
    path = tmp_path / "lead.json"
    arguments = [*OPTIONS, "-d", "--report", "json", "-o", str(path), "config.xml", "lead"]
    assert run(*arguments, cwd=SAMPLE).code == 0
    return path


def test_not_worse(run: Run, evals: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.jsonl"
    run(*OPTIONS, "--save", str(saved), "config.xml", "lead", "-o", str(tmp_path / "x"), cwd=SAMPLE)
    plain = run(*OPTIONS, "config.xml", "lead", cwd=SAMPLE)
    for baseline in (evals, saved):
        given = ["--baseline", str(baseline), *NOT_WORSE]
        assert run(*OPTIONS, *given, "config.xml", "lead") == plain


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("r['systems'] *= 2", "a damaged report: system 'lead' is there twice; "),
        ("lead['metrics'] = []", "a damaged report: systems[0].metrics is not an object; "),
        ("one['aggregation'] = {'metric': 'm'}", "ROUGE-1 is made of counts, which no report "),
        ("scores[0] = 1e308", "lead ROUGE-1: found 1e+308, expected a number from 0 on; make a "),
        ("scores[0] = -50", "lead ROUGE-1: found -50.0, expected a number from 0 on; make a new "),
    ],
)
def test_impossible_scores_of_evals(change: str, message: str, run: Run, evals: Path) -> None:
    report = json.loads(evals.read_bytes())
    (lead,) = report["systems"]
    one = lead["metrics"]["ROUGE-1"]
    scores = one["f_measure"]["per_eval"]
    exec(change, {"r": report, "lead": lead, "one": one, "scores": scores})
    evals.write_text(json.dumps(report), "utf-8")
    given = ["--baseline", str(evals), *NOT_WORSE]
    finished = run(*OPTIONS, *given, "config.xml", "lead", cwd=SAMPLE)
    assert finished.refusal.startswith(f"Error: {evals}: {message}")


@pytest.mark.parametrize("name", ["saved.jsonl", "saved.parquet"])
def test_saved_scores_are_for_bounds(name: str, run: Run, tmp_path: Path) -> None:
    saved = str(tmp_path / name)
    run(*ALL, "--save", saved, "-o", str(tmp_path / "x"), cwd=SAMPLE)
    finished = run(*ALL, "--baseline", saved, "--max-drop", "0.1", cwd=SAMPLE)
    assert (finished.code, finished.out) == (3, b"")
    assert "saved scores, which are for --not-worse-than; make a baseline with" in finished.err


def test_worse(run: Run, evals: Path, tmp_path: Path) -> None:
    report = json.loads(evals.read_bytes())
    scores = report["systems"][0]["metrics"]["ROUGE-2"]["f_measure"]["per_eval"]
    scores[:] = [score + 0.25 for score in scores]
    evals.write_text(json.dumps(report), "utf-8")
    given = ["-v", "--baseline", str(evals), *NOT_WORSE, "--report", f"json={tmp_path / 'now'}"]
    finished = run(*OPTIONS, *given, "--report", "table", "config.xml", "lead", cwd=SAMPLE)
    # 3 / 4 of 0.19312 and of 0.016325 + 0.25.
    bound = (
        "0.25000 worse than the baseline in 4 texts, lower bound -0.44974 at 95% (0.19974 of it "
        "for failures that are unseen)"
    )
    assert [line for line in finished.error_lines if "baseline in" in line] == [
        "lead ROUGE-1 F: as good as the baseline in 4 texts, lower bound -0.14484 at 95% (0.14484 "
        "of it for failures that are unseen)",
        f"lead ROUGE-2 F: {bound}",
        f"Failed: lead ROUGE-2 F: {bound}, required above -0.2",
    ]
    assert finished.code == 1
    verdict, _, _, table = finished.out.decode().split("\n\n", 3)
    assert verdict.startswith("Not as required: 1 of 2 checks failed (lead ROUGE-2 F, less than")
    assert table.startswith(
        "System  Metric     N  Difference  Lower bound  Not worse\n"
        "────────────────────────────────────────────────────────\n"
        "lead    ROUGE-1 F  4     0.00000     \u22120.14484  yes\n"
        "lead    ROUGE-2 F  4    \u22120.25000     \u22120.44974  not shown\n"
    )
    first, second = json.loads((tmp_path / "now").read_bytes())["bounds"]
    assert (first["is_met"], second["is_met"]) == (True, False)
    assert second["metric"] == "ROUGE-2"
    assert second["lower_bound"] == pytest.approx(-0.25 - second["unseen"])


def test_a_baseline_without_evals(run: Run, baseline: Path) -> None:
    finished = run(*ALL, "--baseline", str(baseline), *NOT_WORSE, cwd=SAMPLE)
    assert finished.refusal == (
        f"Error: {baseline}: a report without the scores of each text; expected a report of score, "
        "written with --report json and -d"
    )


def test_the_next_baseline_has_evals_too(run: Run, evals: Path) -> None:
    given = ["--baseline", str(evals), *NOT_WORSE, "--report", "json", "-o", str(evals)]
    before = evals.read_bytes()
    finished = run(*OPTIONS, *given, "config.xml", "lead", cwd=SAMPLE)
    assert finished.error_lines == [
        "Error: -o/--output: without -d the report lacks the scores of texts, and could not be the "
        "next baseline of --not-worse-than; give -d"
    ]
    assert (finished.code, evals.read_bytes()) == (2, before)
    assert run(*OPTIONS, "-d", *given, "config.xml", "lead", cwd=SAMPLE).code == 0
    assert "bounds" in json.loads(evals.read_bytes())


def test_junit_has_the_sentences_of_the_terminal(run: Run, tmp_path: Path, baseline: Path) -> None:
    lower(baseline, "lead", "ROUGE-1", 0.01)
    path = tmp_path / "tests.xml"
    required = ["--require", "ROUGE-2:F>=0.05", "--baseline", str(baseline)]
    finished = run(*ALL, *required, "--report", "table", "--report", f"junit={path}", cwd=SAMPLE)
    assert finished.code == 1
    suite = etree.parse(path).getroot()[0]
    # Three systems: a requirement, and two scores of the baseline each.
    assert (suite.get("tests"), suite.get("failures")) == ("9", "2")
    failures = [failure.text for failure in suite.iter("failure")]
    assert [f"Failed: {failure}" for failure in failures] == finished.error_lines
    names = [case.get("name") for case in suite.iter("testcase") if len(case)]
    assert names == ["lead ROUGE-2 F >= 0.05", "lead ROUGE-1 F, at most 0 below the baseline"]


def test_junit_from_saved_scores(run: Run, tmp_path: Path) -> None:
    saved = str(tmp_path / "s.jsonl")
    words = ["--require", "lead:ROUGE-2:F>=0.05", "--report", "junit"]
    direct = run(*ALL, *words, "--save", saved, cwd=SAMPLE)
    again = run(saved, *words)
    assert (direct.code, again.code, again.out) == (1, 1, direct.out)
