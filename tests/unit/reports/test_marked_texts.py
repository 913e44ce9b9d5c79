"""Texts as a page shows them: every byte is there, and words are marked where they stand."""

from collections.abc import Sequence

import numpy as np
import pytest

import rouge_cli
from rouge_cli.api.arguments import listed_predictions, listed_references, python_options
from rouge_cli.explanations import PairExplanation
from rouge_cli.inputs.layout import open_input
from rouge_cli.inputs.source import GivenTexts, Source
from rouge_cli.run.pipeline import RunContext, score_input
from rouge_cli.studies.score import explorer
from rouge_cli.studies.score.explorer import (
    ShownEval,
    ShownText,
    marked_batches,
    outstanding_evals,
    pack_texts,
)
from rouge_cli.studies.score.page import InputTexts
from rouge_cli.studies.score_columns import ScoreColumn

MODEL = "Police killed the gunman.\nThe end!"
PEER = "The police kill - the the - gunman"


def texts_of(peer: str | bytes, model: str, **given: object) -> ShownEval:
    """Return the texts of one EVAL with what matches in them."""
    options = python_options({"max_ngram": 1, "lcs": False, **given})
    source = Source(texts=GivenTexts(listed_predictions([peer]), listed_references([model])))
    opened = open_input(source, options.inputs, options.metrics)
    (((_, texts),),) = marked_batches(opened, ["1"], options, {})
    return texts


def peer_of(texts: ShownEval) -> ShownText:
    """Return the only peer."""
    (peer,) = texts.peers.values()
    return peer


def pair_of(texts: ShownEval) -> PairExplanation:
    """Return the only peer with the only model, as the only metric sees them."""
    ((marks,),) = texts.marks.values()
    (pair,) = marks.values()
    return pair


def words(text: ShownText) -> list[str]:
    return list(text[0][1::2])


def test_words_are_marked_where_they_stand() -> None:
    texts = texts_of(PEER, MODEL)
    assert "".join(peer_of(texts)[0]) == PEER
    assert words(peer_of(texts)) == ["The", "police", "kill", "the", "the", "gunman"]
    assert "".join(texts.models[0][0]) == MODEL
    pair = pair_of(texts)
    # Two of three "the" count: the model has two.
    assert (pair.peer_states, pair.model_states) == (b"\2\2\0\2\1\2", b"\2\0\2\2\2\0")
    assert (pair.tally.hit, pair.tally.model_count, pair.tally.peer_count) == (4, 6, 6)


def test_stems_match_and_spellings_are_shown() -> None:
    texts = texts_of(PEER, MODEL, stem=True)
    assert pair_of(texts).peer_states[2] == 2
    assert words(peer_of(texts))[2] == "kill"
    assert words(texts.models[0])[1] == "killed"


def test_texts_are_shown_where_no_metric_marks_words() -> None:
    class Metric:
        name, signature, measures, score = "mine", "v1", ("S",), None

    texts = texts_of(PEER, MODEL, max_ngram=None, add=Metric())
    assert peer_of(texts)[0] == (PEER,)
    assert texts.models[0][0] == (MODEL,)
    assert not texts.marks


def test_stopwords_stand_between_words() -> None:
    texts = texts_of(PEER, MODEL, remove_stopwords=True)
    assert "".join(peer_of(texts)[0]) == PEER
    assert words(peer_of(texts)) == ["police", "kill", "gunman"]


@pytest.mark.parametrize(
    ("limit", "last", "tail"),
    [
        ({"words": 3}, "kill", " - the the - gunman"),
        ({"bytes": 8}, "poli", "ce kill - the the - gunman"),
    ],
)
def test_limits(limit: dict[str, int], last: str, tail: str) -> None:
    peer = peer_of(texts_of(PEER, MODEL, **limit))
    assert "".join(peer[0]) + peer[1] == PEER
    assert (words(peer)[-1], peer[1]) == (last, tail)


@pytest.mark.parametrize("tokenizer", ["unicode", "char", "whitespace"])
def test_other_languages(tokenizer: str) -> None:
    peer, model = "Ein \u00dcbermut, \u4e2d\u6587\u5b57!", "Der \u00fcbermut: \u4e2d\u6587"
    texts = texts_of(peer, model, tokenizer=tokenizer)
    assert "".join(peer_of(texts)[0]) == peer
    assert len(pair_of(texts).peer_states) == len(words(peer_of(texts)))


def test_words_that_are_not_found_are_shown_as_they_are_read() -> None:
    # The ligature is two letters after NFKC.
    texts = texts_of("\ufb01ne day", "fine day", tokenizer="unicode", normalization="nfkc")
    assert "".join(peer_of(texts)[0]).split() == ["fine", "day"]
    assert pair_of(texts).peer_states == b"\2\2"


def test_a_text_that_is_no_utf8() -> None:
    texts = texts_of(b"caf\xe9 x", "x")
    assert "".join(peer_of(texts)[0]) == r"caf\xe9 x"


def a_table(scores: Sequence[Sequence[float]]) -> rouge_cli.Results:
    """Score EVALs so that the systems have the given shares of 100 words right."""
    peers = {
        f"s{place}": [
            " ".join(["w"] * round(100 * one) + ["x"] * round(100 - 100 * one)) for one in row
        ]
        for place, row in enumerate(scores)
    }
    models = [" ".join(["w"] * 100)] * len(scores[0])
    return rouge_cli.evaluate(peers, models, max_ngram=1, lcs=False, resamples=0)


def test_evals_that_stand_out() -> None:
    results = a_table([[0.5, 0.9, 0.5, 0.1, 0.4], [0.5, 0.9, 0.8, 0.1, 0.5]])
    column = ScoreColumn("ROUGE-1", "F")
    assert outstanding_evals(results.table, column, 5) == ["1", "2", "3", "4", "5"]
    # The largest difference, the lowest score, the highest one.
    assert outstanding_evals(results.table, column, 3)[:3] == ["3", "4", "2"]
    # Of one system the lowest and the highest; nothing differs.
    alone = a_table([[0.5, 0.9, 0.8, 0.1]])
    assert outstanding_evals(alone.table, column, 2) == ["4", "2", "1", "3"]


def test_a_page_has_no_more_texts_than_it_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rouge_cli.studies.score.explorer.CHUNK", 1)
    monkeypatch.setattr("rouge_cli.studies.score.explorer.ROOM", 900)
    results = a_table([[0.5] * 20])
    generator = np.random.default_rng(1)
    random = ["".join(generator.choice(list("abcdefgh"), 200)) for _ in range(20)]
    batches = ([(str(k), ShownEval((), (), {"s0": ((random[k],), "")}, {}))] for k in range(20))
    packed = pack_texts(batches, results.table, ["s0"])
    assert 2 <= len(packed.eval_ids) < 20
    assert sum(map(len, packed.chunks)) <= 900
    assert packed.sizes == (1,) * len(packed.eval_ids)


def test_long_texts_stay_out_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer, "MOST_BYTES", 50)
    options = python_options({"max_ngram": 1, "lcs": False})
    source = Source(texts=GivenTexts(["a", "a " * 30, "b"], [["a"]] * 3))
    texts = InputTexts(is_wanted=True)
    opened = open_input(source, options.inputs, options.metrics)
    texts(opened, score_input(opened, options, RunContext()))
    assert texts.packed.eval_ids == ("1", "3")
    assert texts.packed.note == (
        "Predictions and references of 2 of 3 texts are in this file, so that it does not grow too "
        "large: those with the lowest and the highest ROUGE-1 F. "
        "The scores of all texts are in it."
    )
