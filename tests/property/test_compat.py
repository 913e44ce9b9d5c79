"""`rouge_cli.compat` gives the numbers of ROUGE-1.5.5, in each of its ways of counting."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import rouge_cli
from rouge_cli.compat.rouge_scorer import RougeScorer
from rouge_cli.compat.scoring import Score
from tests.property.compat_texts import texts
from tests.property.strategies import few

TYPES = ["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum"]
NAMES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rouge3": "ROUGE-3", "rougeLsum": "ROUGE-L"}


def expected_scores(results: rouge_cli.Results) -> dict[str, Score]:
    return {
        name: Score(
            results[metric].precision.mean,
            results[metric].recall.mean,
            results[metric].f_measure.mean,
        )
        for name, metric in NAMES.items()
    }


@few(120)
@given(texts, st.lists(texts, min_size=1, max_size=3), st.booleans())
def test_scores_of_the_original(prediction: str, targets: list[str], stem: bool) -> None:
    scorer = RougeScorer([*NAMES, "rougeL"], use_stemmer=stem, like="1.5.5")
    options: dict[str, Any] = {"max_ngram": 3, "stem": stem, "resamples": 0, "formula": "best-f"}
    results = rouge_cli.score(prediction, targets, **options)
    found = scorer.score_multi(targets, prediction)
    whole = found.pop("rougeL")
    assert found == expected_scores(results)
    of_text = rouge_cli.score(
        prediction, targets, stem=stem, resamples=0, lcs_unit="text", formula="best-f"
    )
    assert whole.fmeasure == of_text["ROUGE-L-text"].f_measure.mean


@few(120)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4), st.booleans(), st.booleans())
def test_a_batch_gives_what_its_pairs_give(
    pairs: list[tuple[str, str]], stem: bool, like_google: bool
) -> None:
    scorer = RougeScorer(TYPES, use_stemmer=stem, like="google" if like_google else "1.5.5")
    targets, predictions = [target for target, _ in pairs], [peer for _, peer in pairs]
    assert scorer.score_batch(targets, predictions) == [scorer.score(*pair) for pair in pairs]
