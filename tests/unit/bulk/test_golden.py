"""Results of the codes that filter and decode by ROUGE; fixtures/bulk has them."""

from typing import Any

import numpy as np
import pytest

from rouge_cli import bulk
from tests.unit.bulk.stored import cases

NEAR_ONE_SOURCE = 1e-6
"""The decoder computes in single precision."""


@pytest.mark.parametrize("case", cases("selfinstruct.jsonl"), ids=lambda case: case["name"])
@pytest.mark.filterwarnings("ignore:.*no words|.*without words")
def test_filter_of_self_instruct(core: Any, case: dict[str, Any]) -> None:
    filtered = bulk.filter_similar(
        case["candidates"],
        case["pool"],
        threshold=case["threshold"],
        metric="rougeL:F",
        protocol="rouge-score",
    )
    assert np.flatnonzero(filtered.kept).tolist() == case["kept"]
    assert filtered.score.tolist() == case["max_f"]
    # The pool grows by each kept candidate.
    numbers = list(range(len(case["pool"])))
    for place, (is_kept, nearest) in enumerate(zip(filtered.kept, filtered.nearest, strict=True)):
        assert numbers[case["first_argmax_in_pool_then"][place]] == nearest
        if is_kept:
            numbers.append(len(case["pool"]) + place)


@pytest.mark.parametrize("case", cases("mbr.jsonl"))
@pytest.mark.filterwarnings("ignore:.*no words")
def test_minimum_bayes_risk(core: Any, case: dict[str, Any]) -> None:
    stem = ":use_stemmer=true" if case["stem"] else ""
    options: dict[str, Any] = {"metric": f"{case['metric']}:F", "protocol": f"rouge-score{stem}"}
    texts = case["hypotheses"], case["references"]
    assert bulk.pairwise(*texts, **options).tolist() == case["matrix"]
    found = bulk.mbr([texts[0]], [texts[1]], **options)
    assert found.expected[0].tolist() == case["expected"]
    assert found.best.tolist() == [case["best"]]
    assert np.allclose(found.expected[0], case["mbrs_float32"], rtol=0, atol=NEAR_ONE_SOURCE)
    shares = np.exp(case["reference_lprobs"]) / np.exp(case["reference_lprobs"]).sum()
    weighted = bulk.mbr([texts[0]], [texts[1]], weights=[shares], **options)
    assert np.allclose(
        weighted.expected[0], case["mbrs_weighted_float32"], rtol=0, atol=NEAR_ONE_SOURCE
    )
