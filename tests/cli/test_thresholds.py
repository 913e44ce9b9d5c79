"""``--require`` and ``--baseline`` on the command line: exit codes, and what goes where."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rouge_cli.cli.output import announce, write_output
from tests.cli.running import Run

SAMPLE = Path(__file__).parents[2] / "fixtures" / "sample"
OPTIONS = ["-n", "2", "-x", "-m"]
ALL = [*OPTIONS, "-a", "config.xml"]


@pytest.fixture(autouse=True)
def _not_on_github(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


@pytest.fixture
def baseline(run: Run, tmp_path: Path) -> Path:
    """The report of an earlier run on the sample."""
    path = tmp_path / "baseline.json"
    assert run(*ALL, "--report", "json", "-o", str(path), cwd=SAMPLE).code == 0
    return path


def lower(path: Path, system: str, metric: str, change: float) -> None:
    """Change an F in a baseline."""
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


def test_dropped(run: Run, baseline: Path) -> None:
    lower(baseline, "neural", "ROUGE-2", 0.006)
    arguments = [*ALL, "--baseline", str(baseline), "--max-drop", "0.005"]
    finished = run(*arguments, cwd=SAMPLE)
    # The mean of the EVALs: (0.37594 + 0.49231 + 0.41935 + 0.47619) / 4 = 0.44095.
    assert finished.error_lines == [
        "Failed: neural ROUGE-2 F: mean 0.44095, 0.00600 below the baseline 0.44695 "
        "(at most 0.005 allowed)"
    ]
    assert finished.code == 1
    assert run(*arguments[:-1], "0.006").code == 0


def test_scores_in_another_order_have_not_dropped(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scores = [k * k / 100 for k in range(1, 11)]
    given = ("--scores", "s.csv", "--report")
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


def test_nothing_is_printed_before_usage_errors(run: Run) -> None:
    finished = run(*ALL, "--require", "best:ROUGE-2:F>=0.1", cwd=SAMPLE)
    assert finished.error_lines == [
        "Error: --require: 'best:ROUGE-2:F>=0.1': no system 'best' in this run; the systems are: "
        "extract, lead, neural"
    ]
    assert (finished.code, finished.out) == (2, b"")


def test_nothing_is_printed_before_input_errors(run: Run, baseline: Path) -> None:
    baseline.write_bytes(b"{")
    finished = run(*ALL, "--baseline", str(baseline), cwd=SAMPLE)
    assert [line.partition(" {")[0] for line in finished.error_lines][1:] == [
        f"Error: {baseline}: make a baseline with: rouge-cli ... --report json -o baseline.json"
    ]
    assert finished.error_lines[0].startswith(f"Error: {baseline}: no JSON: line 1, column 2: ")
    assert (finished.code, finished.out) == (3, b"")


def test_on_github(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    finished = run(*OPTIONS, "--require", "ROUGE-1:R>=0.2", "config.xml", "lead", cwd=SAMPLE)
    assert finished.error_lines == [
        "::error title=rouge-cli::lead ROUGE-1 R: 0.18196, required >= 0.2"
    ]
    assert finished.code == 1


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "Failed: 50%: a\r\nb, c\n"),
        ({"GITHUB_ACTIONS": "false"}, "Failed: 50%: a\r\nb, c\n"),
        ({"GITHUB_ACTIONS": "true"}, "::error title=rouge-cli::50%25: a%0D%0Ab, c\n"),
    ],
)
def test_characters_with_a_meaning(
    environment: dict[str, str],
    expected: str,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    announce(["50%: a\r\nb, c"])
    assert capsysbinary.readouterr() == (b"", expected.encode())


COMMANDS_FOR_GITHUB = "::stop-commands::x\n  ::error::y\na ::b ##[group]c\n"


def test_no_commands_to_github(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    # A system may be called so, and every line of the report begins with its name.
    write_output([COMMANDS_FOR_GITHUB])
    assert capsysbinary.readouterr().out == COMMANDS_FOR_GITHUB.encode()
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    write_output([COMMANDS_FOR_GITHUB])
    assert capsysbinary.readouterr().out == (
        b"\\x3a:stop-commands::x\n  \\x3a:error::y\na ::b \\x23#[group]c\n"
    )


def test_files_on_github_hold_the_same_bytes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("p", "m"):
        (tmp_path / name).write_bytes(b"a b\n")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    arguments = ["-n", "1", "--peer-lines", "::error::x=p", "--model-lines", "m"]
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
    for name in ("p", "m"):
        (tmp_path / name).write_bytes(b"a b\n")
    monkeypatch.chdir(tmp_path)


NAMED = ["-n", "1", "-x", "-r", "9", "--peer-lines", "::warning::a,b ##[c]=p", "--peer-lines",
         "::d=p", "--peer-lines", "e=p", "--model-lines", "m"]  # fmt: skip


def on_github(run: Run, *arguments: str) -> tuple[str, str]:
    """Return what is printed elsewhere, and on GitHub, where there is no command in it."""
    elsewhere = run(*NAMED, *arguments).out.decode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GITHUB_ACTIONS", "true")
        there = run(*NAMED, *arguments).out.decode()
    assert not [line for line in there.splitlines() if line.lstrip().startswith("::")]
    assert "##[" not in there
    return elsewhere, there


@pytest.mark.usefixtures("_named_as_commands")
def test_tables_on_github_are_aligned(run: Run) -> None:
    _, there = on_github(run, "--report", "table")
    rows = [line for line in there.splitlines() if "1.0000*" in line]
    assert len(rows) == 3
    assert len({row.index("1.0000*") for row in rows}) == 1


@pytest.mark.usefixtures("_named_as_commands")
@pytest.mark.parametrize("kind", ["csv", "csv-safe"])
def test_csv_on_github_is_the_same_data(kind: str, run: Run) -> None:
    elsewhere, there = on_github(run, "--report", kind)
    expected, found = (list(csv.reader(text.splitlines())) for text in (elsewhere, there))
    # Nothing but an escape hides the older form, which may stand anywhere.
    assert found == [[field.replace("##[", r"\x23#[") for field in row] for row in expected]
    assert '\n"::d",' in there


@pytest.mark.usefixtures("_named_as_commands")
def test_json_on_github_is_the_same_data(run: Run) -> None:
    elsewhere, there = on_github(run, "--report", "json")
    assert there != elsewhere
    assert json.loads(there) == json.loads(elsewhere)


@pytest.mark.usefixtures("_named_as_commands")
def test_latex_on_github_is_set_as_elsewhere(run: Run) -> None:
    elsewhere, there = on_github(run, "--report", "latex")
    assert there.replace("{}::", "::") == elsewhere
    assert re.search(r"^    \{\}::d +&", there, re.MULTILINE)


@pytest.mark.usefixtures("_named_as_commands")
@pytest.mark.parametrize("kind", ["classic", "table", "csv", "json", "latex", "markdown"])
def test_files_on_github_are_those_of_elsewhere(
    kind: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(*NAMED, "--report", kind, "-o", "elsewhere")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
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
    "output",
    ["--save {}", "-o {}", "--report csv={}", "--report json -o new.json --save {}"],
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
