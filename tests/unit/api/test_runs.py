"""Options and files in Python, and the errors that they lead to."""

import doctest
import os
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
import rouge_cli.inputs.layout
from rouge_cli.api.arguments import DISPLAYED
from rouge_cli.options import options as declared_options

SAMPLE = Path(__file__).parents[3] / "fixtures" / "sample"
OPTIONS: dict[str, Any] = {"max_ngram": 2, "stem": True}


@pytest.fixture
def _in_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SAMPLE)


def test_examples_are_true() -> None:
    found = doctest.testmod(rouge_cli)
    assert found.failed == 0
    assert found.attempted >= 6


# Files.


@pytest.mark.usefixtures("_in_sample")
@pytest.mark.parametrize("path", ["config.xml", b"config.xml", SAMPLE / "config.xml"])
def test_configuration(path: Any) -> None:
    # As in the README.
    results = rouge_cli.evaluate_files(path, "neural", **OPTIONS)
    assert format(results["ROUGE-2"].f_measure.bootstrap_mean, ".5f") == "0.44120"
    assert repr(results) == "<Results: 1 system, ROUGE-1, ROUGE-2, ROUGE-L>"


@pytest.mark.usefixtures("_in_sample")
def test_every_system() -> None:
    results = rouge_cli.evaluate_files("config.xml", all=True, sort="ROUGE-2", **OPTIONS)
    assert list(results.systems) == ["extract", "lead", "neural"]
    rows = [line.split()[0] for line in str(results).splitlines()[2:5]]
    assert rows == ["neural", "extract", "lead"]


def test_the_environment_names_word_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUGE_EVAL_HOME", str(tmp_path))
    monkeypatch.chdir(SAMPLE)
    results = rouge_cli.evaluate_files("config.xml", "lead", remove_stopwords=True)
    assert [os.path.basename(line.split(":")[0]) for line in results.warnings] == [
        "smart_common_words.txt"
    ]


# Options.

FOR_COMMAND_LINE = {
    name: declared.python_advice
    for name, declared in declared_options.OPTIONS.items()
    if declared.python_advice
}


@pytest.mark.parametrize("name", FOR_COMMAND_LINE)
@pytest.mark.parametrize("function", ["evaluate", "score", "evaluate_files"])
def test_options_of_the_command_line(name: str, function: str) -> None:
    arguments = {"evaluate": (["a"], ["a"]), "score": ("a", "a"), "evaluate_files": ("none.xml",)}
    with pytest.raises(rouge_cli.OptionError) as caught:
        getattr(rouge_cli, function)(*arguments[function], **{name: "x"})
    advice = FOR_COMMAND_LINE[name]
    assert str(caught.value) == f"{name} is for the command line; in Python {advice}"


def test_none_is_the_default() -> None:
    options: dict[str, Any] = dict.fromkeys((*FOR_COMMAND_LINE, *DISPLAYED, "peers"))
    results = rouge_cli.score("a", "a", **options, max_ngram=1, lcs=None)
    assert repr(results) == "<Results: 1 system, ROUGE-1, ROUGE-L>"


def test_letters_of_one_system() -> None:
    texts = ["a b", "c"]
    lone = rouge_cli.evaluate(texts, ["a", "b"], letters=True, resamples=0, lcs=True)
    assert str(lone) == str(rouge_cli.evaluate(texts, ["a", "b"], resamples=0, lcs=True))
    assert lone.to_latex()
    assert lone.to_html()
    both = rouge_cli.evaluate(
        {"x": texts, "y": texts}, ["a", "b"], letters=True, resamples=0, lcs=True
    )
    # F is 2/3 and 0.
    assert str(both).count("0.3333^ a") == 2


def test_shapes_go_with_everything() -> None:
    results = rouge_cli.score("a", "a", counting=2, measures="R", percent=True, sort="rouge-l:P")
    assert (results.options.reports.kinds, results.options.reports.measures) == (("classic",), "R")
    assert (results.options.reports.percent, results.options.reports.sort) == (True, "rouge-l:P")


# Sentences.


def by_full_stops(text: bytes) -> bytes:
    """Split as if with a model."""
    return b"\n".join(part.strip() + b"." for part in text.split(b".") if part.strip())


def test_sentences_of_raw_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rouge_cli.inputs.layout, "sentence_splitter", lambda kind: by_full_stops)
    raw: Any = ["a b. c d.", b"e f. g h.", ["a b. c d."]]
    references: Any = ["c d. a b.", ["g h. e f.", b"x. y."], [["c d. a b."]]]
    found = rouge_cli.evaluate(raw, references, sentences="nltk")
    split: Any = [["a b.", "c d."], ["e f.", "g h."], ["a b. c d."]]
    split_references: Any = [[["c d.", "a b."]], [["g h.", "e f."], ["x.", "y."]], [["c d. a b."]]]
    expected = rouge_cli.evaluate(split, split_references)
    recall = found["ROUGE-L"].recall.per_eval.tolist()
    assert recall == expected["ROUGE-L"].recall.per_eval.tolist()
    # All four words in two sentences, four of six, and two of four in a single sentence.
    assert recall == [1.0, 0.66667, 0.5]
    assert "|sent:punkt|" in found.signature
    named = rouge_cli.evaluate({"s": raw}, references, sentences="nltk")
    assert named["ROUGE-L"].recall.per_eval.tolist() == recall


def test_scores_stay_as_they_are() -> None:
    results = rouge_cli.evaluate(["a b", "c"], ["a c", "c"], max_ngram=1)
    for measure in (results["ROUGE-1"].recall, results["ROUGE-L"].f_measure):
        with pytest.raises(ValueError, match="read-only"):
            measure.per_eval[0] = 1
    for counts in (results["ROUGE-1"].counts, results["ROUGE-L"].counts):
        assert counts is not None
        for array in counts.arrays().values():
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1


def test_presets() -> None:
    # NIST's line for DUC 2007: -n 2 -x -m -2 4 -u.
    texts = ["police kill the gunman"], [["police killed the gunmen"]]
    spelled = rouge_cli.evaluate(
        *texts, max_ngram=2, lcs=False, stem=True, max_gap=4, skip_unigram=True
    )
    found = rouge_cli.evaluate(*texts, preset="duc2007")
    assert found.to_classic() == spelled.to_classic()
    assert found.signature == spelled.signature
