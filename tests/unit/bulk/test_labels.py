"""Oracle labels: those of the usual codes, and what is in the interface beside them."""

from typing import Any

import numpy as np
import pytest

from rouge_cli import bulk
from rouge_cli.bulk import documents
from tests.unit.bulk.stored import cases


def as_returned(found: bulk.OracleLabels, number: int, take: int) -> list[int]:
    """Return what PreSumm returns: ascending if it took as many as it may."""
    order = found.order[number]
    return list(found.labels[number] if order.size == take else order)


@pytest.mark.usefixtures("core")
def test_selections_of_presumm() -> None:
    for case in cases("oracle-presumm.jsonl"):
        take = case["max_sentences"]
        given = [case["document"]], [case["summary"]], take, "presumm"
        assert as_returned(bulk.oracle_labels(*given), 0, take) == case["greedy"], case


@pytest.mark.usefixtures("core")
@pytest.mark.parametrize(("rule", "key"), [("lsum", "lsum"), ("l", "l_text")])
def test_selections_by_lcs(rule: str, key: str) -> None:
    for case in cases("oracle-lsum.jsonl"):
        take = case["max_sentences"]
        found = bulk.oracle_labels([case["document"]], [case["summary"]], take, rule)
        assert as_returned(found, 0, take) == case[f"{key}_greedy"], case
        assert found.gains[0].tolist() == case[f"{key}_f_after_each"]


@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("rule", ["clipped", "sets", "presumm", "lsum", "l"])
def test_batches(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All at once in batches, from strings and by several threads: as each document alone."""
    monkeypatch.setattr(documents, "TEXTS_OF_BATCH", 7)
    texts = [
        [[" ".join(sentence) for sentence in case[side]] for case in cases("oracle-presumm.jsonl")]
        for side in ("document", "summary")
    ]
    found = bulk.oracle_labels(texts[0], texts[1], rule=rule, jobs=2)
    for number, (document, summary) in enumerate(zip(*texts, strict=True)):
        alone = bulk.oracle_labels(["\n".join(document)], ["\n".join(summary)], rule=rule)
        assert alone.order[0].tolist() == found.order[number].tolist()
        assert alone.gains[0].tolist() == found.gains[number].tolist()
        assert found.mask(number).size == len(document)


@pytest.mark.usefixtures("core")
@pytest.mark.parametrize(
    ("document", "summary", "take", "taken"),
    [
        # The no-break space is deleted, so that "one" and "two" are one word.
        (["one\u00a0two", "x two"], "two", 1, [1]),
        # Without the 1e-8 both would have F 2 / 5: 2 of 6 and 4 words, 1 of 1 and 4.
        (["a q c r s t", "a"], "a b c d", 1, [1]),
        # Equal sentences: the second adds nothing.
        (["a b", "a b", "c"], "a b c", 3, [0, 2]),
        # A sentence of a list keeps its newline, which is deleted as other characters are.
        (["a\nb", "ab c"], "ab", 1, [0]),
        ([], "a", 3, []),
        (["a"], "", 3, []),
        (["a"], "a", 0, []),
        ("", "", 3, []),
    ],
)
def test_presumm(document: Any, summary: str, take: int, taken: list[int]) -> None:
    found = bulk.oracle_labels([document], [summary], take, "presumm")
    assert found.labels[0].tolist() == taken
    assert found.labels[0].dtype == np.int64
    assert found.gains[0].size == len(taken)


def test_clipped_and_sets() -> None:
    """Of "b b" two of four words hit, each once one of two; no bigram does."""
    found = {
        rule: bulk.oracle_labels(["a b\nb b"], ["b b c b"], rule=rule).gains[0].tolist()
        for rule in ("clipped", "sets")
    }
    # clipped: 2 * 2 / (2 + 4) and the bigram "b b" 2 * 1 / (1 + 3); nothing is gained by "a b".
    assert found["clipped"][0] == pytest.approx(4 / 6 + 2 / 4)
    assert found["sets"][0] == pytest.approx(2 / 3 + 2 / 4)


def test_options() -> None:
    german: dict[str, Any] = {"language": "de", "stem": True}
    given = ["Die Hunde\nEin Tier"], ["Der Hund"]
    assert bulk.oracle_labels(*given, take=1).labels[0].tolist() == []
    assert bulk.oracle_labels(*given, take=1, **german).labels[0].tolist() == [0]
    stems = ["cats\nthe dogs"], ["dog"]
    assert bulk.oracle_labels(*stems, rule="l").labels[0].tolist() == []
    assert bulk.oracle_labels(*stems, rule="l", stem=True).labels[0].tolist() == [1]
