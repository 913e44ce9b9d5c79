"""Where a metric and people disagree: ranks of systems, worked by hand."""

import pytest

import rouge_cli

# Shares of words that match: a 3/4, b and c 2/4, d 0/4.
MODELS = ["k l m n"]
PEERS = {"a": ["k l m x"], "b": ["k l x y"], "c": ["m n x y"], "d": ["w x y z"]}


def test_ranks_by_people_and_by_metric() -> None:
    pytest.importorskip("scipy")
    results = rouge_cli.evaluate(PEERS, MODELS, max_ngram=1, lcs=False, resamples=0)
    rows = [
        {"system": name, "human": value} for name, value in zip("abcd", (1, 4, 3, 2), strict=True)
    ]
    study = rouge_cli.correlate(results, rows, level="system", resamples=0, measures="R")
    part = next(one for one in study._page().page().parts if one.name == "disagreement")
    (section,) = part.sections
    (table,) = section.tables
    assert [column.heading for column in table.columns] == ["System", "by human", "ROUGE-1 R"]
    # By people b, c, d, a; by the metric a, then b and c, which share 2.5, then d.
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["a", "4", "1 (\N{MINUS SIGN}3)"],
        ["b", "1", "2.5 (+1.5)"],
        ["d", "3", "4 (+1)"],
        ["c", "2", "2.5 (+0.5)"],
    ]
