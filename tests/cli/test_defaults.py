"""What is computed and printed by default, for each layout and in Python."""

import json
import re
from typing import Any

import pytest

import rouge_cli
from rouge_cli.cli.arguments import DeclaredOption
from rouge_cli.cli.group import COMMANDS
from rouge_cli.options.options import OPTIONS
from rouge_cli.options.readers import switch
from tests.cli.running import SAMPLE, Run

PAPER = ["ROUGE-1", "ROUGE-2", "ROUGE-L"]
OTHERS = (
    "records.jsonl",
    "--predictions lines/lead.txt --references lines/A.txt",
    "peers models",
    "--duc duc/peers duc/models",
    "--text a --reference a",
)
ORIGINALS = ("-a config.xml", "-z SPL files.lst")


@pytest.mark.parametrize("words", OTHERS)
def test_a_table_of_what_the_original_does_not_read(words: str, run: Run) -> None:
    bare = run(*words.split(), cwd=SAMPLE)
    assert bare.out.startswith(b"System ")
    assert b"|stem:porter155+wn2.0|" in bare.out
    assert bare.out == run(*words.split(), "--preset", "paper").out


@pytest.mark.parametrize("words", ORIGINALS)
def test_the_report_of_the_original(words: str, run: Run) -> None:
    assert run(*words.split(), cwd=SAMPLE).out.startswith(b"-" * 45 + b"\n")


@pytest.mark.parametrize(
    ("words", "metrics", "stems"),
    [
        *((words, PAPER, True) for words in OTHERS),
        *((words, ["ROUGE-L"], False) for words in ORIGINALS),
        ("records.jsonl --no-stem", PAPER, False),
        ("records.jsonl --lcs", ["ROUGE-L"], False),
        ("records.jsonl -n 1", ["ROUGE-1", "ROUGE-L"], False),
        ("records.jsonl -m", ["ROUGE-L"], True),
        ("records.jsonl --preset paper --no-stem", PAPER, False),
        ("records.jsonl --preset paper --no-lcs", PAPER[:2], True),
        ("records.jsonl --empty skip", PAPER, True),
        ("records.jsonl -r 10", PAPER, True),
        ("records.jsonl --language en", PAPER, True),
        ("records.jsonl --add metric:chrf", [*PAPER, "chrf (mean of sentences)"], True),
    ],
)
def test_metrics_and_stems(words: str, metrics: list[str], stems: bool, run: Run) -> None:
    report = json.loads(run(*words.split(), "--report", "json", cwd=SAMPLE).out)
    assert list(report["systems"][0]["metrics"]) == metrics
    assert ("|stem:no|" not in report["signature"]) == stems


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


def test_stems_lapse_without_a_stemmer() -> None:
    results = rouge_cli.evaluate(["habari"], ["habari"], language="sw")
    assert results.warnings == (
        "preset paper: words are not stemmed, as this language or tokenizer has no stemmer",
    )


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
    lines: Any = {"predictions": SAMPLE / "lines/lead.txt", "references": SAMPLE / "lines/A.txt"}
    assert list(rouge_cli.evaluate_files(**lines).metric_names) == PAPER


def test_one_text_draws_no_bootstrap() -> None:
    one = rouge_cli.score("the cat sat", "the cat")["ROUGE-1"].f_measure
    assert (one.interval, one.bootstrap_mean) == (None, None)
    drawn = rouge_cli.score("the cat sat", "the cat", resamples=10)["ROUGE-1"].f_measure
    assert drawn.interval == (0.8, 0.8)
    assert rouge_cli.evaluate(["a"], ["a"])["ROUGE-1"].f_measure.interval == (1, 1)


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


def test_caption_of_studies(run: Run) -> None:
    latex = run("compare", "-n", "1", "-x", "records.jsonl", "--report", "latex", cwd=SAMPLE)
    (caption,) = re.findall(r"\\caption\{(.*)\}", latex.out.decode())
    assert caption.count(". ") == 0
