"""What is computed and printed if nothing is said: by the layout, and in Python."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
from rouge_cli.cli.arguments import DeclaredOption
from rouge_cli.cli.group import COMMANDS
from rouge_cli.options.options import OPTIONS
from rouge_cli.options.readers import switch
from tests.cli.running import SAMPLE, Run

PAPER = ["ROUGE-1", "ROUGE-2", "ROUGE-L"]
LINES = ["--predictions", "lines/lead.txt", "--references", "lines/A.txt"]
OTHERS = (["records.jsonl"], LINES, ["peers", "models"], ["--duc", "duc/peers", "duc/models"],
          ["--text", "a b", "--reference", "a c"])  # fmt: skip


def computed(run: Run, *words: str) -> tuple[list[str], str]:
    """Return the metrics of the first system, and the signature."""
    report = json.loads(run(*words, "--report", "json", cwd=SAMPLE).out)
    return list(report["systems"][0]["metrics"]), report["signature"]


@pytest.mark.parametrize("words", OTHERS, ids=" ".join)
def test_what_the_original_does_not_read(words: list[str], run: Run) -> None:
    bare = run(*words, cwd=SAMPLE)
    assert bare.out.startswith(b"System ")
    assert bare.out == run(*words, "--preset", "paper").out
    metrics, signature = computed(run, *words)
    assert (metrics, "|stem:porter155+wn2.0|" in signature) == (PAPER, True)


@pytest.mark.parametrize("words", [["-a", "config.xml"], ["-z", "SPL", "files.lst"]])
def test_what_the_original_reads(words: list[str], run: Run) -> None:
    assert run(*words, cwd=SAMPLE).out.startswith(b"-" * 45 + b"\n")
    metrics, signature = computed(run, *words)
    assert (metrics, "|stem:no|" in signature) == (["ROUGE-L"], True)


@pytest.mark.parametrize(
    ("options", "metrics", "stems"),
    [
        (["--no-stem"], PAPER, False),
        (["--lcs"], ["ROUGE-L"], False),
        (["-n", "1"], ["ROUGE-1", "ROUGE-L"], False),
        (["-m"], ["ROUGE-L"], True),
        (["--preset", "paper", "--no-stem"], PAPER, False),
        (["--preset", "paper", "--no-lcs"], PAPER[:2], True),
        (["--empty", "skip"], PAPER, True),
        (["-r", "10"], PAPER, True),
        (["--language", "en"], PAPER, True),
    ],
)
def test_options_that_leave_the_default(
    options: list[str], metrics: list[str], stems: bool, run: Run
) -> None:
    found, signature = computed(run, "records.jsonl", *options)
    assert (found, "|stem:no|" not in signature) == (metrics, stems)


def test_added_metrics_join_the_default(run: Run) -> None:
    pytest.importorskip("sacrebleu", reason="sacrebleu is not installed")
    found, _ = computed(run, "records.jsonl", "--add", "metric:chrf")
    assert found[:3] == PAPER
    assert found[3].startswith("chrf")


def test_stems_lapse_without_a_stemmer(run: Run) -> None:
    words = ["--language", "ta", "--tokenizer", "whitespace", "--preset", "paper"]
    note = "preset paper: words are not stemmed, as this language or tokenizer has no stemmer"
    finished = run("records.jsonl", *words[:2], "--dry-run", cwd=SAMPLE)
    assert finished.code == 0
    # Swahili has words with blanks between them, and no stemmer.
    for given in (["--language", "sw"], words[2:]):
        finished = run("records.jsonl", *given)
        assert (finished.code, finished.err) == (0, f"Warning: {note}\n")
    assert run("records.jsonl", "--language", "sw", "--no-stem").err == ""
    asked = run("records.jsonl", "--language", "sw", "-m")
    assert "no stemmer for --language sw" in asked.misuse
    results = rouge_cli.evaluate(["habari"], ["habari"], language="sw")
    assert results.warnings == (note,)


def test_raw_counts_have_no_table(run: Run) -> None:
    assert run("records.jsonl", "-t", "2", cwd=SAMPLE).code == 0


@pytest.mark.parametrize("name", [n for n, one in OPTIONS.items() if one.parse is switch])
def test_every_switch_has_its_negation(name: str) -> None:
    command = COMMANDS["score"].load()
    (parameter,) = (one for one in command.params if one.name == name)
    assert isinstance(parameter, DeclaredOption)
    others = [one for one in command.params if one is not parameter]
    negation = parameter.secondary_opts or [
        long for one in others for long in one.opts if name.endswith(f"_{long[-5:]}")
    ]
    assert negation, name
    if parameter.secondary_opts:
        context = command.make_context("score", [parameter.secondary_opts[0], "x.xml"])
        assert context.params[name] is OPTIONS[name].off


def test_python_has_the_same_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLE)
    texts = ["the cats sat"], ["the cat sat"]
    results = rouge_cli.evaluate(*texts)
    assert list(results.metric_names) == PAPER
    # Stemmed, both texts are the same.
    assert results["ROUGE-2"].f_measure.mean == 1
    assert rouge_cli.evaluate(*texts, stem=False)["ROUGE-2"].f_measure.mean == 0
    assert rouge_cli.evaluate(*texts, lcs=True).metric_names == ("ROUGE-L",)
    assert list(rouge_cli.Scorer().metrics) == PAPER
    assert rouge_cli.evaluate_files(SAMPLE / "config.xml", "lead").metric_names == ("ROUGE-L",)
    lines = {"predictions": SAMPLE / "lines/lead.txt", "references": SAMPLE / "lines/A.txt"}
    found: Any = rouge_cli.evaluate_files(**lines)  # type: ignore[arg-type]
    assert list(found.metric_names) == PAPER


def test_one_text_draws_no_bootstrap() -> None:
    one = rouge_cli.score("the cat sat", "the cat")["ROUGE-1"].f_measure
    assert (one.interval, one.bootstrap_mean) == (None, None)
    drawn = rouge_cli.score("the cat sat", "the cat", resamples=10)["ROUGE-1"].f_measure
    assert drawn.interval == (0.8, 0.8)
    assert rouge_cli.evaluate(["a"], ["a"])["ROUGE-1"].f_measure.interval == (1, 1)


def test_saved_scores_stay_as_they_were(run: Run, tmp_path: Path) -> None:
    saved = str(tmp_path / "s.jsonl")
    run("-n", "1", "-x", "config.xml", "lead", "--save", saved, cwd=SAMPLE)
    assert computed(run, saved)[0] == ["ROUGE-1"]


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", [n for n in COMMANDS if n not in {"help", "completion"}])
def test_help_fits_two_screens(
    name: str, columns: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = run(name, "--help").out.decode()
    assert len(text.splitlines()) <= 60
    if name not in {"selftest", "install-shim"}:
        examples = text.partition("\nExamples:\n")[2].replace("\\\n", "")
        assert examples.count("  rouge-cli ") == 4
        whole = run(name, "--help-all").out.decode()
        assert len(whole.splitlines()) > len(text.splitlines())


def test_percent_in_studies(run: Run) -> None:
    given = ["compare", "-n", "1", "-x", "records.jsonl"]
    plain = run(*given, cwd=SAMPLE).out.decode()
    percent = run(*given, "--percent").out.decode()
    # p is no score.
    assert "highest ROUGE-1 F (0.6922)" in plain
    assert "highest ROUGE-1 F (69.22)" in percent
    assert plain.count("0.1250") == percent.count("0.1250") > 0
    assert run(*given, "--percent", "--report", "json").code == 2


def test_caption_and_label_of_studies(run: Run) -> None:
    given = ["compare", "-n", "1", "-x", "records.jsonl", "--report", "latex"]
    text = run(*given, "--caption", "Ours.", "--label", "tab:ours", cwd=SAMPLE).out.decode()
    assert "\\caption{Ours.}\n  \\label{tab:ours}\n" in text
    (caption,) = re.findall(r"\\caption\{(.*)\}", run(*given).out.decode())
    assert caption.count(". ") == 0
    assert run("compare", "records.jsonl", "--caption", "x").misuse == (
        "Error: --caption is for --report latex"
    )
