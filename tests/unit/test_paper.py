"""The worked examples of the paper on ROUGE, with the paper's numbers.

Source: Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries; the section is named
beside each example.
"""

from typing import Any

import pytest

import rouge_cli
from rouge_cli.scores.results import Results

# Section 3.1: S1 is the reference.
S1 = "police killed the gunman"
S2 = "police kill the gunman"
S3 = "the gunman kill police"
# Section 5.
S4 = "the gunman police killed"


def scored(peer: str, model: str | list[str], **options: Any) -> Results:
    return rouge_cli.score(peer, model, resamples=0, **({"lcs": True} | options))


@pytest.mark.parametrize(("peer", "expected"), [(S2, 3 / 4), (S3, 2 / 4), (S4, 2 / 4)])
def test_rouge_l_of_sentences(peer: str, expected: float) -> None:
    # "S2 has a ROUGE-L score of 3/4 = 0.75 and S3 has a ROUGE-L score of 2/4 = 0.5"; S4 has 2/4.
    result = scored(peer, S1)["ROUGE-L"]
    assert result.f_measure.mean == result.recall.mean == result.precision.mean == expected


def test_rouge_2_cannot_tell_them_apart() -> None:
    # S2 and S3 both share one bigram, "the gunman", with S1.
    assert [scored(peer, S1, max_ngram=2)["ROUGE-2"].f_measure.mean for peer in (S2, S3)] == [
        0.33333,
        0.33333,
    ]


def test_union_lcs() -> None:
    # Section 3.2: r is w1 to w5, c1 w1 w2 w6 w7 w8 and c2 w1 w3 w8 w9 w5: the union of w1 w2 and
    # w1 w3 w5 has 4 tokens, so recall is 4/5.
    result = scored("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    assert result["ROUGE-L"].recall.mean == 4 / 5


@pytest.mark.parametrize(
    ("model", "hit", "expected"),
    [
        # Section 4: X is A to G. Y1 has A B C D in a row: with f(k) = k**2 its WLCS is 4**2 = 16.
        # Y2 has them apart: 4 * 1. The program sees runs in the model, so X is the peer here; all
        # three have 7 tokens, so the paper's numbers are the same either way.
        ("A B C D H I K", 16, 0.571),
        ("A H B K C I D", 4, 0.286),
    ],
)
def test_rouge_w_prefers_runs(model: str, hit: int, expected: float) -> None:
    result = scored("A B C D E F G", model, weight="2")
    assert result["ROUGE-L"].recall.mean == 0.57143
    (found,) = result["ROUGE-W-2"].counted.hit.tolist()
    assert found == hit
    # The paper's recall, the root of WLCS / f(7). The program weights 7**2 once more.
    assert round((found / 7**2) ** 0.5, 3) == expected
    assert result["ROUGE-W-2"].counted.model_count.tolist() == [7**4]


@pytest.mark.parametrize(("peer", "expected"), [(S2, 0.5), (S3, 0.16667), (S4, 0.33333)])
def test_rouge_s(peer: str, expected: float) -> None:
    # Section 5: S1 has C(4,2) = 6 skip-bigrams; S2 shares 3 of them, S3 one and S4 two.
    result = scored(peer, S1, max_gap=-1)
    assert result["ROUGE-S*"].f_measure.mean == expected


def test_rouge_su_sees_words_in_another_order() -> None:
    # Section 5.1: S5 is S1 in reverse. No skip-bigram matches, so ROUGE-S is 0; the single words
    # do, and ROUGE-SU is not.
    result = scored("gunman the killed police", S1, max_gap=-1, skip_and_unigram=True)
    assert result["ROUGE-S*"].f_measure.mean == 0
    assert result["ROUGE-SU*"].f_measure.mean > 0


def test_the_maximum_over_references() -> None:
    # Section 2.1: with several references the score is that of the best one. S2 shares 3 of the 4
    # words of S1, and 2 of the 8 of the other reference; by F: 3/4 against 2 * 2 / (4 + 8) = 1/3.
    other = "the gunman was in a house far away"
    for formula in ("B", "best-f"):
        result = scored(S2, [other, S1], max_ngram=1, formula=formula)["ROUGE-1"]
        assert (result.recall.mean, result.f_measure.mean) == (0.75, 0.75)


def test_best_recall_is_not_best_f() -> None:
    # Peer a b c d e f. Model "a" has recall 1, precision 1/6, F 2/7; model "a b c d x" has recall
    # 4/5, precision 4/6, F = 2 * 0.8 * 0.66667 / 1.46667 = 0.72727.
    models = ["a", "a b c d x"]
    by_recall = scored("a b c d e f", models, max_ngram=1, formula="B")["ROUGE-1"]
    by_f = scored("a b c d e f", models, max_ngram=1, formula="best-f")["ROUGE-1"]
    assert (by_recall.recall.mean, by_recall.f_measure.mean) == (1, 0.28572)
    assert (by_f.recall.mean, by_f.f_measure.mean) == (0.8, 0.72727)


@pytest.mark.parametrize(("peer", "expected"), [(S2, 3 / 4), (S3, 2 / 4), (S4, 2 / 4)])
def test_pairwise_lcs_of_single_sentences_is_rouge_l(peer: str, expected: float) -> None:
    # Section 3.3: at the level of sentences the two are the same.
    result = scored(peer, S1, pairwise_lcs=True)
    for measure in result["LCS-pairwise"].measures.values():
        assert measure.mean == expected
    assert result["ROUGE-L"].f_measure.mean == expected


def test_pairwise_lcs_and_the_union() -> None:
    # The texts of the union: the best single sentence has 3 of the 5 tokens; the peer's sentences
    # have 2 and 3 of their 10. F = 2 * 0.6 * 0.5 / 1.1 = 0.54545.
    result = scored("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5", pairwise_lcs=True)[
        "LCS-pairwise"
    ]
    assert [measure.mean for measure in result.measures.values()] == [0.6, 0.5, 0.54545]


def test_rouge_l_over_the_whole_text() -> None:
    # As one sequence the peer is w1 w2 w6 w7 w8 w1 w3 w8 w9 w5: its LCS with w1 to w5 is w1 w2 w3
    # w5, 4 of 5, by chance the union; with the sentences the other way round it is w1 w3 w5, 3.
    reference = "w1 w2 w3 w4 w5"
    for peer, expected in (
        ("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", 0.8),
        ("w1 w3 w8 w9 w5\nw1 w2 w6 w7 w8", 0.6),
    ):
        result = scored(peer, reference, lcs_unit="text")
        assert result["ROUGE-L-text"].recall.mean == expected
        assert "ROUGE-L" not in result
        assert scored(peer, reference)["ROUGE-L"].recall.mean == 0.8
