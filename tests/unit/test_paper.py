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
# Section 5; S5, of section 5.1, is S1 in reverse.
S4 = "the gunman police killed"
S5 = "gunman the killed police"
# Section 3.2: r is w1 to w5, c1 is the first line and c2 the second.
R, C = "w1 w2 w3 w4 w5", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5"
C_REVERSED = "w1 w3 w8 w9 w5\nw1 w2 w6 w7 w8"


def scored(peer: str, model: str | list[str], **options: Any) -> Results:
    return rouge_cli.score(peer, model, resamples=0, **({"lcs": True} | options))


@pytest.mark.parametrize(
    ("peer", "models", "options", "metric", "expected"),
    [
        # Section 3.1: "S2 has a ROUGE-L score of 3/4 = 0.75 and S3 has a ROUGE-L score of 2/4 =
        # 0.5"; S4 has 2/4. Section 3.3: in pairs of single sentences it is the same.
        *[
            (peer, S1, {"pairwise_lcs": True}, metric, {"R": score, "P": score, "F": score})
            for metric in ("ROUGE-L", "LCS-pairwise")
            for peer, score in [(S2, 3 / 4), (S3, 2 / 4), (S4, 2 / 4)]
        ],
        # S2 and S3 both share one bigram, "the gunman", with S1: ROUGE-2 cannot tell them apart.
        (S2, S1, {"max_ngram": 2}, "ROUGE-2", {"F": 0.33333}),
        (S3, S1, {"max_ngram": 2}, "ROUGE-2", {"F": 0.33333}),
        # Section 3.2: the union of w1 w2 and w1 w3 w5 has 4 tokens, so recall is 4/5.
        (C, R, {}, "ROUGE-L", {"R": 4 / 5}),
        # In pairs the best sentence has 3 of the 5 tokens; the peer's have 2 and 3 of their 10.
        # F = 2 * 0.6 * 0.5 / 1.1 = 0.54545.
        (C, R, {"pairwise_lcs": True}, "LCS-pairwise", {"R": 0.6, "P": 0.5, "F": 0.54545}),
        # As one sequence the peer has w1 w2 w3 w5, 4 of 5, by chance the union; with the sentences
        # the other way round w1 w3 w5, 3 of 5, where the union is the same.
        (C, R, {"lcs_unit": "text"}, "ROUGE-L-text", {"R": 0.8}),
        (C_REVERSED, R, {"lcs_unit": "text"}, "ROUGE-L-text", {"R": 0.6}),
        (C_REVERSED, R, {}, "ROUGE-L", {"R": 0.8}),
        # Section 5: S1 has C(4,2) = 6 skip-bigrams; S2 shares 3 of them, S3 one and S4 two.
        (S2, S1, {"max_gap": -1}, "ROUGE-S*", {"F": 0.5}),
        (S3, S1, {"max_gap": -1}, "ROUGE-S*", {"F": 0.16667}),
        (S4, S1, {"max_gap": -1}, "ROUGE-S*", {"F": 0.33333}),
        (S5, S1, {"max_gap": -1}, "ROUGE-S*", {"F": 0}),
        # Section 2.1: with several references the score is that of the best one. S2 shares 3 of the
        # 4 words of S1, and 2 of the 8 of the other reference; by F: 3/4 against
        # 2 * 2 / (4 + 8) = 1/3.
        *[
            (
                S2,
                ["the gunman was in a house far away", S1],
                {"max_ngram": 1, "formula": formula},
                "ROUGE-1",
                {"R": 0.75, "F": 0.75},
            )
            for formula in ("B", "best-f")
        ],
        # The best recall is not the best F. Peer a b c d e f: model "a" has recall 1, precision
        # 1/6, F 2/7; model "a b c d x" has recall 4/5, precision 4/6, and
        # F = 2 * 0.8 * 0.66667 / 1.46667 = 0.72727.
        *[
            (
                "a b c d e f",
                ["a", "a b c d x"],
                {"max_ngram": 1, "formula": formula},
                "ROUGE-1",
                {"R": recall, "F": f_measure},
            )
            for formula, recall, f_measure in [("B", 1, 0.28572), ("best-f", 0.8, 0.72727)]
        ],
    ],
)
def test_example(
    peer: str, models: Any, options: dict[str, Any], metric: str, expected: dict[str, float]
) -> None:
    result = scored(peer, models, **options)[metric]
    assert {letter: result.measures[letter].mean for letter in expected} == expected


def test_the_whole_text_takes_the_place_of_sentences() -> None:
    assert "ROUGE-L" not in scored(C, R, lcs_unit="text")


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


def test_rouge_su_sees_words_in_another_order() -> None:
    # Section 5.1: no skip-bigram of S5 matches; the single words do, and ROUGE-SU is not 0.
    result = scored(S5, S1, max_gap=-1, skip_and_unigram=True)
    assert result["ROUGE-SU*"].f_measure.mean > 0
