"""Explanations of small texts that are worked out by hand."""

from typing import Any

import pytest

from rouge_cli.explanations import MetricExplanation, explain_batch
from rouge_cli.inputs.layout import open_input
from rouge_cli.inputs.source import GivenTexts, Source
from rouge_cli.metrics.counts import Alignment, Match, Run
from rouge_cli.metrics.formulas import CountedMetric
from rouge_cli.metrics.ngrams import RougeN
from rouge_cli.options.options import Options
from rouge_cli.text.tokenizer import load_tokenizer


def explain(peer: str, models: list[str], **given: Any) -> dict[str, MetricExplanation]:
    """Explain one peer; a newline stands between sentences."""
    options = Options.of(given)
    source = Source(texts=GivenTexts([peer], [models]))
    (batch,) = open_input(source, options.inputs, options.metrics).batches()
    (found,) = explain_batch(batch, options, load_tokenizer(options.texts, {}))
    return {one.metric.name: one for one in found}


def test_clipped_unigrams() -> None:
    # The peer has "the" three times, the model twice: two count, the third is clipped.
    found = explain("the cat the dog the", ["the cat saw the rat"], max_ngram=1, lcs=False)
    (pair,) = found["ROUGE-1"].pairs
    assert pair.marks.matches == (
        Match(peer=((0,), (2,), (4,)), model=((0,), (3,)), hits=2),
        Match(peer=((1,),), model=((1,),), hits=1),
    )
    assert list(pair.peer_states) == [2, 2, 2, 0, 1]
    assert list(pair.model_states) == [2, 2, 0, 2, 0]
    assert (pair.tally.hit, pair.tally.model_count, pair.tally.peer_count) == (3, 5, 5)


def test_bigrams_mark_both_of_their_words() -> None:
    found = explain("a b c x a b", ["a b c"], max_ngram=2, lcs=False)
    (pair,) = found["ROUGE-2"].pairs
    assert [(match.peer, match.model, match.hits) for match in pair.marks.matches] == [
        (((0, 1), (4, 5)), ((0, 1),), 1),
        (((1, 2),), ((1, 2),), 1),
    ]
    assert list(pair.peer_states) == [2, 2, 2, 0, 1, 1]


def test_the_union_lcs_is_clipped_by_the_unigrams() -> None:
    # Both sentences of the model match the one "a" of the peer; it counts once.
    found = explain("a x", ["a b\na c"])
    (pair,) = found["ROUGE-L"].pairs
    assert pair.marks.alignments == (Alignment(0, 0, ((0, 0),)), Alignment(1, 0, ((2, 0),)))
    assert pair.marks.matches == (Match(peer=((0,),), model=((0,), (2,)), hits=1),)
    assert list(pair.model_states) == [2, 0, 1, 0]
    assert list(pair.peer_states) == [2, 0]


def test_runs() -> None:
    # The weight is 2: "a b" in a row is worth 4, and "d" behind the gap 1.
    found = explain("a b d", ["a b c d"], weight="2", lcs=False)
    (pair,) = found["ROUGE-W-2"].pairs
    assert pair.marks.runs == (Run(0, 2, 2, 4), Run(2, 4, 1, 1))
    assert pair.tally.hit == 5


def test_skip_bigrams_with_unigrams() -> None:
    # SU counts every word but the last: a, b of "a b a c" and a, x of "a x c"; a-c and a-x ...
    found = explain("a b a c", ["a x c"], max_gap="4", skip_unigram=True, lcs=False)
    (pair,) = found["ROUGE-SU4"].pairs
    assert pair.marks.matches == (
        Match(peer=((0,), (2,)), model=((0,),), hits=1),
        Match(peer=((0, 3), (2, 3)), model=((0, 2),), hits=1),
    )
    assert pair.tally.hit == 2


def test_formula_b_counts_one_model() -> None:
    found = explain("a b c", ["a x", "a b", "a b"], max_ngram=1, lcs=False, formula="B")
    assert [pair.is_counted for pair in found["ROUGE-1"].pairs] == [False, True, False]
    assert found["ROUGE-1"].pairs[0].tally.values[0] == 0.5


def test_words_are_those_that_are_counted() -> None:
    found = explain(
        "The cats running to Rome", ["cats"], max_ngram=1, stem=True, words=4, remove_stopwords=True
    )
    # Four words are "the cats running to"; "the" and "to" are stopwords.
    (pair,) = found["ROUGE-1"].pairs
    assert pair.peer.words == ("cats", "running")
    assert pair.peer.stems == ("cat", "run")


def test_only_the_models_are_stemmed_for_rouge_l() -> None:
    found = explain("cats", ["cats"], max_ngram=1, stem_models=True)
    # "cats" of the peer is not "cat" of the model.
    (pair,) = found["ROUGE-L"].pairs
    assert (pair.peer.words, pair.peer.stems) == (("cats",), ())
    assert (pair.model.words, pair.model.stems) == (("cats",), ("cat",))
    assert pair.tally.hit == 0
    assert found["ROUGE-1"].tally is not None
    assert found["ROUGE-1"].tally.hit == 1


def test_a_metric_that_does_not_mark_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RougeN, "mark_pair", CountedMetric.mark_pair)
    metric = explain("a b", ["a b"], max_ngram=1, lcs=False)["ROUGE-1"]
    assert (metric.values, metric.tally, metric.pairs) == ((1.0, 1.0, 1.0), None, ())
