"""A lone pair is counted without arrays, and takes a short way: all is as in the ordinary run."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli.api import studies
from rouge_cli.core import compiled_core
from tests.property.compat_texts import texts
from tests.property.strategies import few

OPTIONS: list[dict[str, Any]] = [
    {"max_ngram": 4},
    {"max_ngram": 2, "stem": True},
    {"max_ngram": 2, "stem": True, "remove_stopwords": True},
    {"stem_models": True, "max_ngram": 1},
    {"max_ngram": 1, "words": 3},
    {"max_ngram": 1, "bytes": 9},
    {"lcs_unit": "text", "alpha": 0.2, "formula": "B"},
    {"max_ngram": 2, "weight": 1.2, "max_gap": 4},
    {"counting": 1, "max_ngram": 1},
]


@few(100)
@given(texts, texts, st.sampled_from(OPTIONS))
def test_alone_and_among_others(peer: str, model: str, options: dict[str, Any]) -> None:
    alone = rouge_cli.score(peer, model, resamples=0, **options)
    among = rouge_cli.evaluate([peer, "a b"], [model, "b a"], resamples=0, **options)
    for one in alone:
        others = among[one.name]
        assert (one.counts is None) == (others.counts is None)
        if one.counts is not None and others.counts is not None:
            for name, values in one.counts.arrays().items():
                assert values[0] == others.counts.arrays()[name][0], name
                assert values.dtype == others.counts.arrays()[name].dtype
        for letter, measure in one.measures.items():
            assert np.array_equal(measure.per_eval, others.measures[letter].per_eval[:1])


def test_options_are_told_apart_that_are_equal() -> None:
    """What is remembered of options that were checked before is not taken for others."""
    for stem in (True, False, True):
        results = rouge_cli.score("the cats", "the cat", stem=stem, max_ngram=1, resamples=0)
        assert results["ROUGE-1"].f_measure.mean == (1.0 if stem else 0.5)


VALUES: dict[str, list[Any]] = {
    "max_ngram": [1, 2, 5, 0, "2", None],
    "lcs": [True, False],
    "lcs_unit": ["text", "sentence", "word"],
    "stem": [True, False, 1],
    "remove_stopwords": [True],
    "empty": ["warn", "skip", "error"],
    "formula": ["A", "B", "best-f"],
    "alpha": [0, 0.2, 1, 2, "0.5"],
    "counting": [0, 1, 2],
    "confidence": [90, 99.5, 100, "95"],
    "resamples": [0, 0, 0, 1, 30],
    "per_eval": [True],
    "measures": ["RPF", "R", "X"],
    "percent": [True],
    "intervals": [True],
    "caption": ["Scores", "\ud800"],
    "label": ["tab:scores"],
    "weight": [1.2],
    "words": [3],
    "tokenizer": ["unicode"],
    "sort": ["ROUGE-1", "ROUGE-9"],
    "letters": [True],
    "jobs": [1],
    "unknown": [1],
}
"""Options that go the short way, right values and wrong ones, and some that do not."""

options = st.dictionaries(st.sampled_from(list(VALUES)), st.integers(0, 99), max_size=4).map(
    lambda drawn: {name: VALUES[name][number % len(VALUES[name])] for name, number in drawn.items()}
)

ODD = [
    *("", " ", "nan", "A dog sat. It ran! Far", "a &amp; b <br>", "a\\nb", "a\0b", "so\u00adft"),
    *("Die süßen Bären fräßen über Öfen", "жук летит над лугом", "a \ud800 b", "a\udce4b", "é"),
]
odd_texts = st.one_of(texts, texts, st.sampled_from(ODD))


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


predictions = st.one_of(
    odd_texts,
    odd_texts,
    odd_texts.map(_bytes_of),
    st.lists(texts, max_size=2),
    st.just(b"\xff \xe4"),
)
references = st.one_of(
    *[predictions] * 4,
    *(predictions.map(lambda text: [text]), predictions.map(lambda text: (text,))),
    *(st.lists(odd_texts, max_size=3), st.sampled_from([None, 7, np.array(["a b"])])),
)


def described(run: Any, *args: Any, **keywords: Any) -> Any:
    try:
        results = run(*args, **keywords)
    except Exception as error:
        return type(error), str(error)
    return all_of(results)


def all_of(results: Any) -> Any:
    systems = [
        (name, system.id, tuple(system.eval_ids), [_of_metric(metric) for metric in system])
        for name, system in results.systems.items()
    ]
    columns = [
        (
            name,
            tuple(system.eval_ids),
            column.metric,
            _plain(column.values),
            _of_counts(column.counts),
        )
        for system in results.table.systems.values()
        for name, column in system.columns.items()
    ]
    table = results.table.metrics, results.table.clusters, columns
    facts = results.options, results.signature, results.sentences_per_text, results.notes
    rest = results.warnings, results.model_sharing, results.fields, results.metric_names
    return systems, table, facts, rest, repr(results), _shown(results), type(results)


def _of_metric(metric: Any) -> Any:
    measures = [
        (letter, one.mean, one.bootstrap_mean, one.interval, _plain(one.per_eval), type(one.mean))
        for letter, one in metric.measures.items()
    ]
    return metric.name, measures, _of_counts(metric.counts)


def _of_counts(counts: Any) -> Any:
    return None if counts is None else {k: _plain(v) for k, v in counts.arrays().items()}


def _plain(array: Any) -> Any:
    return array.tolist(), array.dtype, array.flags.writeable


def _shown(results: Any) -> Any:
    try:
        return str(results), results.to_json()
    except rouge_cli.RougeError as error:
        return str(error)


@few(400)
@given(predictions, references, options)
@example("0&amp;", "0", {})
@example("a\\nb", "a b", {})
def test_the_short_way_and_the_ordinary_one(
    prediction: Any, reference: Any, keywords: dict[str, Any]
) -> None:
    # By default one text has no bootstrap.
    keywords = {"resamples": 0, **keywords}
    # The first pair goes the ordinary way, and later ones take over what it has found.
    described(rouge_cli.score, "a b c", "b c a", **keywords)
    short = described(rouge_cli.score, prediction, reference, **keywords)
    assert short == described(rouge_cli.evaluate, [prediction], [reference], **keywords)


@pytest.fixture
def no_ordinary_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the ordinary way fail once the first pairs have gone it."""
    if compiled_core() is None:
        pytest.skip("lone pairs are counted by the core")
    for _ in range(2):
        rouge_cli.score("a b c", "b c a", max_ngram=1)
    monkeypatch.setattr(studies, "score_given", None)


@pytest.mark.usefixtures("no_ordinary_way")
@pytest.mark.parametrize("reference", ["the cat sat", b"the cat sat", ["the cat sat"]])
def test_the_short_way_is_taken(reference: Any) -> None:
    # 2 of 3 words of the prediction, and 2 of 3 of the reference.
    results = rouge_cli.score("the cat ran", reference, max_ngram=1)
    assert results["ROUGE-1"].f_measure.mean == 0.66667


@pytest.mark.usefixtures("no_ordinary_way")
def test_other_texts_than_plain_ones_go_the_ordinary_way() -> None:
    others: list[tuple[Any, Any]] = [
        (["a b"], "a b"),
        ("a b", ["a b", "a"]),
        ("", "a b"),
        ("a \ud800", "a b"),
    ]
    for prediction, reference in others:
        with pytest.raises(TypeError, match="NoneType"):
            rouge_cli.score(prediction, reference, max_ngram=1)


@pytest.mark.usefixtures("no_ordinary_way")
def test_scores_that_are_made_late_stay() -> None:
    def scored() -> Any:
        return rouge_cli.score("the cat ran", "the cat sat", max_ngram=1)

    results, expected = scored(), all_of(scored())
    assert results.systems is results.systems
    assert results.table is results.table
    # Whatever has been asked for before. Arrays that come from a pickle can be written to.
    assert all_of(copy.copy(scored())) == all_of(copy.copy(results)) == expected
    unpickled, asked_before = (
        all_of(pickle.loads(pickle.dumps(one))) for one in (scored(), results)
    )
    assert unpickled == asked_before
    assert unpickled[2:] == expected[2:]
    with pytest.raises(AttributeError, match="'Results' object has no attribute 'sytems'"):
        _ = results.sytems
    with pytest.raises(AttributeError):
        results.systems = {}


def test_the_environment_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = all_of(rouge_cli.score("the cat ran", "the cat sat", max_ngram=1))
    monkeypatch.setenv("ROUGE_CLI_CORE", "0")
    assert all_of(rouge_cli.score("the cat ran", "the cat sat", max_ngram=1)) == expected
    monkeypatch.setenv("ROUGE_CLI_CORE", "2")
    with pytest.raises(rouge_cli.OptionError, match="ROUGE_CLI_CORE: found '2'"):
        rouge_cli.score("the cat ran", "the cat sat", max_ngram=1)
    monkeypatch.delenv("ROUGE_CLI_CORE")
    monkeypatch.setenv("ROUGE_CLI_JOBS", "many")
    with pytest.raises(rouge_cli.OptionError, match="ROUGE_CLI_JOBS: found 'many'"):
        rouge_cli.score("the cat ran", "the cat sat", max_ngram=1)
    monkeypatch.setenv("ROUGE_CLI_JOBS", "2")
    assert all_of(rouge_cli.score("the cat ran", "the cat sat", max_ngram=1)) == expected
