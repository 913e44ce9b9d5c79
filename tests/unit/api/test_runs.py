"""Options and files in Python, and the errors that they lead to."""

import doctest
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rouge_cli
import rouge_cli.inputs.layout
from rouge_cli.api.arguments import DISPLAYED, in_python_words
from rouge_cli.inputs.layout import LAYOUTS
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


@pytest.mark.usefixtures("_in_sample")
@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((5,), {}, "path: found 5, expected the path of a file, a list of such, a mapping from "
         "names of systems to such, or None"),
        (("",), {}, "path: found '', expected the path of a file, a list of such, a mapping from "
         "names of systems to such, or None"),
        (("config.xml", 5), {}, "system_id: found 5, expected a string"),
        (("config.xml", "best"), {},
         "no system 'best' in CONFIG; known are: extract, lead, neural"),
        (("config.xml",), {"peers": "a"}, "peers and models go together; give both"),
    ],
)  # fmt: skip
def test_wrong_usage(arguments: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(rouge_cli.OptionError) as caught:
        rouge_cli.evaluate_files(*arguments, **options)
    assert str(caught.value) == message


def test_no_input_at_all() -> None:
    with pytest.raises(rouge_cli.OptionError, match=r"^no CONFIG: name the configuration"):
        rouge_cli.evaluate_files()


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


WITH_ALL = [layout.kind for layout in LAYOUTS if "all" in layout.options]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ngram": 2}, "unknown option 'ngram'; did you mean 'max_ngram' (all"),
        ({"max_ngram": 0}, "max_ngram: found 0, expected a whole number from 1 to 1000"),
        ({"stem": 1}, "stem: found 1, expected True or False"),
        ({"lcs": False}, "lcs=False leaves nothing to compute; ask for a metric with max_ngram"),
        ({"measures": "X"},
         "measures: found 'X', expected some of the letters R, P and F, such as F or RPF"),
        ({"percent": "yes"}, "percent: found 'yes', expected True or False"),
        ({"max_ngram": 1, "sort": "ROUGE-2"}, "sort: found 'ROUGE-2', expected a metric of this "
         "run (ROUGE-1, ROUGE-L), alone or with :R, :P or :F"),
        (
            {"all": True},
            in_python_words(
                f"all is for {', '.join(WITH_ALL[:-1])} and {WITH_ALL[-1]}, not for lists of texts"
            ),
        ),
        ({"prediction": "text"}, "prediction is for records, not for lists of texts"),
        ({"sentence_separator": "<q>"},
         "sentence_separator is for line files and records, not for lists of texts"),
    ],
)  # fmt: skip
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(rouge_cli.OptionError) as caught:
        rouge_cli.evaluate(["a"], ["a"], **options)
    assert str(caught.value)[: len(message)] == message


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


@pytest.mark.parametrize(("predictions", "references"), [("a", ["a"]), (["a"], "a")])
def test_one_string_of_raw_text(
    predictions: Any, references: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rouge_cli.inputs.layout, "sentence_splitter", lambda kind: by_full_stops)
    with pytest.raises(rouge_cli.InputError, match=r"^found one string; expected a list"):
        rouge_cli.evaluate(predictions, references, sentences="nltk")


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


@pytest.mark.parametrize(
    ("path", "system_id", "options", "problem"),
    [
        ("a\ud800.xml", None, {}, r"path: found 'a\ud800.xml'"),
        ("c.xml", "\udfff", {}, r"system_id: found '\udfff'"),
        (None, None, {"duc": ("a", "\ud800")}, r"duc: found '\ud800'"),
        (None, None, {"peer_lines": ["\ud800=p"], "model_lines": ["m"]},
         r"peer_lines: found '\ud800=p'"),
    ],
)  # fmt: skip
def test_names_that_are_no_characters(
    path: Any, system_id: Any, options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(rouge_cli.InputError) as caught:
        rouge_cli.evaluate_files(path, system_id, **options)
    assert caught.value.problems == (
        f"{problem}, with half of a surrogate pair; expected characters",
    )


HALF = "with half of a surrogate pair; expected characters"


@pytest.mark.parametrize("half", [0xD800, 0xDC80, 0xDFFF])
def test_systems_that_are_no_characters(half: int) -> None:
    name = f"a{chr(half)}"
    problem = f"system ID: found {name!a}, {HALF}"
    found: list[Any] = [{name: ["x"], "b": ["x"]}, {name: 3}, {name: []}]
    for predictions in found:
        with pytest.raises(rouge_cli.InputError) as caught:
            rouge_cli.evaluate(predictions, ["x"])
        assert caught.value.problems == (problem,)
    with pytest.raises(rouge_cli.InputError) as caught:
        rouge_cli.evaluate_files({name: "a.jsonl"})
    assert caught.value.problems == (problem,)


def test_other_names_that_are_no_characters() -> None:
    name, half = "a\ud800", r"'a\ud800'"
    given: dict[str, Any] = {name: name}
    results = rouge_cli.evaluate({"a": ["x"], "b": ["y"]}, ["x"], max_ngram=1)
    rows = [{"system": "a", "human": 1}, {"system": name, "human": 2}]
    calls: list[tuple[str, Callable[[], object]]] = [
        (half, lambda: rouge_cli.score("x", "x", **given)),
        ("path", lambda: rouge_cli.evaluate_files({"b": name})),
        ("system_ids", lambda: rouge_cli.compare(results, system_ids=("b", name))),
        ("judgement", lambda: rouge_cli.correlate(results, rows[:1], judgement=name)),
        ("judgements: row 1", lambda: rouge_cli.correlate(results, rows)),
    ]
    for what, call in calls:
        with pytest.raises(rouge_cli.InputError) as caught:
            call()
        assert caught.value.problems == (f"{what}: found {half}, {HALF}",)


def test_messages_escape_the_names_of_systems() -> None:
    for texts, problem in (
        (3, r"predictions of 'a\nb': found int, expected a list with an entry for each text"),
        (
            ["x", "y"],
            r"2 predictions of 'a\nb' but 1 lists of references; expected one list of references "
            "for each prediction",
        ),
    ):
        with pytest.raises(rouge_cli.InputError) as caught:
            rouge_cli.evaluate({"a\nb": texts}, ["x"])
        assert caught.value.problems == (problem,)


def test_presets() -> None:
    # NIST's line for DUC 2007: -n 2 -x -m -2 4 -u.
    texts = ["police kill the gunman"], [["police killed the gunmen"]]
    spelled = rouge_cli.evaluate(
        *texts, max_ngram=2, lcs=False, stem=True, max_gap=4, skip_unigram=True
    )
    found = rouge_cli.evaluate(*texts, preset="duc2007")
    assert found.to_classic() == spelled.to_classic()
    assert found.signature == spelled.signature
    with pytest.raises(rouge_cli.OptionError, match=r"did you mean duc2007\?"):
        rouge_cli.evaluate(*texts, preset="duc207")  # type: ignore[arg-type]
