"""Baselines that change, and reports on CI systems: cases that do not fit in a transcript."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.ci import FORMATS
from tests.cli.running import SAMPLE, Run, write_files

RUN = ["-n", "2", "-x", "-m"]


@pytest.fixture
def baseline(run: Run, tmp_path: Path) -> Path:
    """The report of an earlier run of the system lead, with the scores of its EVALs."""
    path = tmp_path / "baseline.json"
    words = [*RUN, "-d", "--report", "json", "-o", str(path), "config.xml", "lead"]
    assert run(*words, cwd=SAMPLE).code == 0
    return path


def set_in(path: Path, value: object, *keys: Any) -> None:
    """Change a value of the system, below these keys."""
    report = json.loads(path.read_bytes())
    holder = report["systems"][0]
    for key in keys[:-1]:
        holder = holder[key]
    holder[keys[-1]] = value
    path.write_text(json.dumps(report), "utf-8")


MEAN = ("metrics", "ROUGE-2", "f_measure", "mean")


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
    with (tmp_path / "redirected").open("w") as file, monkeypatch.context() as redirection:
        redirection.setattr("sys.stdout", file)
        run(*arguments)
    assert (tmp_path / "redirected").read_bytes() == report
    assert run(*arguments).out == report.replace(b"\n::", b"\n\\x3a:")


def test_a_baseline_that_is_not_met_is_not_replaced(run: Run, baseline: Path) -> None:
    # One command that compares and, if all is well, takes the new scores for the next time.
    command = [*RUN, "-d", "config.xml", "lead", "--report", "json", "-o", str(baseline)]
    command += ["--baseline", str(baseline)]
    scores = baseline.read_bytes()
    set_in(baseline, 0.5, *MEAN)
    higher = baseline.read_bytes()
    for _ in range(2):
        finished = run(*command, cwd=SAMPLE)
        failed, warning = finished.error_lines
        assert re.match("Failed: lead ROUGE-2 F: mean .* below the baseline 0.50000 ", failed)
        assert warning == (
            f"Warning: {baseline}: the baseline stays as it is, as this run falls below it"
        )
        assert (finished.code, baseline.read_bytes()) == (1, higher)
    set_in(baseline, 0.0, *MEAN)
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
    warning, *failures = run(*NAMED, "--require", "ROUGE-1:F>1").error_lines
    assert "::d" in warning
    command = {"github": "::error title=rouge-cli::", "azure": "##vso[task.logissue type=error]"}
    for failure in failures:
        assert failure.startswith(command.get(system, "Failed: "))
    assert len(failures) == 3
    # A wrong use lists the systems of the input.
    refused = run(*NAMED, "--require", "lost:ROUGE-1:F>=0.1")
    assert "warning::a,b" in refused.misuse
    assert not re.search(READ[system][0], f"{warning}\n{refused.err}", re.MULTILINE)


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


NOT_WORSE = ["--not-worse-than", "0.2", "config.xml", "lead"]


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        ((), [], "a damaged report: systems[0].metrics is not an object; "),
        (("ROUGE-1", "aggregation"), {"metric": "m"},
         "ROUGE-1 is made of counts, which no report "),
        (("ROUGE-1", "f_measure", "per_eval", 0), 1e308,
         "lead ROUGE-1: found 1e+308, expected a number from 0 on; make a "),
        (("ROUGE-1", "f_measure", "per_eval", 0), -50,
         "lead ROUGE-1: found -50.0, expected a number from 0 on; make a new "),
    ],
)  # fmt: skip
def test_impossible_scores_of_evals(
    keys: tuple[Any, ...], value: Any, message: str, run: Run, baseline: Path
) -> None:
    set_in(baseline, value, "metrics", *keys)
    finished = run(*RUN, "--baseline", str(baseline), *NOT_WORSE, cwd=SAMPLE)
    assert finished.refusal.startswith(f"Error: {baseline}: {message}")


def test_a_system_that_is_there_twice(run: Run, baseline: Path) -> None:
    report = json.loads(baseline.read_bytes())
    report["systems"] *= 2
    baseline.write_text(json.dumps(report), "utf-8")
    finished = run(*RUN, "--baseline", str(baseline), *NOT_WORSE, cwd=SAMPLE)
    assert f"{baseline}: a damaged report: system 'lead' is there twice; " in finished.refusal


def test_worse(run: Run, baseline: Path, tmp_path: Path) -> None:
    scores = json.loads(baseline.read_bytes())["systems"][0]["metrics"]["ROUGE-2"]["f_measure"]
    higher = [score + 0.25 for score in scores["per_eval"]]
    set_in(baseline, higher, "metrics", "ROUGE-2", "f_measure", "per_eval")
    given = ["-v", "--baseline", str(baseline), "--report", f"json={tmp_path / 'now'}"]
    finished = run(*RUN, *given, "--report", "table", *NOT_WORSE, cwd=SAMPLE)
    # 3 in 4 EVALs may fail unseen: 3 / 4 of 0.19312 and of 0.016325 + 0.25.
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
