"""A lone pair is counted without arrays: the same scores as in a run with others."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import rouge_cli
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
