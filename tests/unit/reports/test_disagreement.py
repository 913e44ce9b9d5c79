"""Where a metric and people disagree: ranks of systems, worked by hand."""

from typing import Any

import pytest

import rouge_cli
from rouge_cli.reports.page import Part
from rouge_cli.studies.correlate.view import MOST_EVALS

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


# Words that match, of 4: in EVAL 1 a 4, b 2, c 0; in EVAL 2 a 0, b 2, c 4; in EVAL 3 all 2.
EVALS = {
    "a": ["k l m n", "w x y z", "k l x y"],
    "b": ["k l x y", "k l x y", "k l x y"],
    "c": ["w x y z", "k l m n", "k l x y"],
}


def _evals_part(rows: list[dict[str, object]], **options: Any) -> Part:
    results = rouge_cli.evaluate(EVALS, MODELS * 3, max_ngram=1, lcs=False, resamples=0)
    study = rouge_cli.correlate(results, rows, level="system", resamples=0, measures="R", **options)
    return next(one for one in study._page().page().parts if one.name == "disagreement")


def _judged(human: dict[str, tuple[float, ...]]) -> list[dict[str, object]]:
    return [
        {"system": system, "eval": str(place), "human": value}
        for system, values in human.items()
        for place, value in enumerate(values, 1)
    ]


def test_evals_by_the_order_of_their_systems() -> None:
    pytest.importorskip("scipy")
    part = _evals_part(_judged({"a": (1, 1, 1), "b": (3, 3, 2), "c": (2, 2, 3)}))
    _, section = part.sections
    (table,) = section.tables
    headings = [column.heading for column in table.columns]
    assert headings == ["Text", "τ of ROUGE-1 R", "reversed", "furthest off"]
    # People: b, c, a in EVALs 1 and 2. The metric has a, b, c in EVAL 1: it keeps b before c and
    # turns two pairs round, (1 - 2) / 3; and c, b, a in EVAL 2: it turns b and c round. In EVAL 3
    # all systems are level.
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["1", "-0.33", "2 of 3", "a: 3 by people, 1 by ROUGE-1 R"],
        ["2", "0.33", "1 of 3", "b: 1 by people, 2 by ROUGE-1 R"],
    ]
    assert table.is_sortable
    assert section.title == "Texts by human, the lowest τ first: 2 of 3"
    assert section.caption.endswith(
        "Below 0 by a metric: 1 of 3 texts; without τ, as all systems are tied: 1."
    )
    assert part.notes == ()


def test_of_the_same_order_what_people_see_further_apart_comes_first() -> None:
    pytest.importorskip("scipy")
    # Both are turned round whole. The pairs are 1, 1 and 2 apart in EVAL 1, and 2, 2 and 4 in
    # EVAL 2.
    part = _evals_part(_judged({"a": (1, 5, 1), "b": (2, 3, 1), "c": (3, 1, 2)}))
    (table,) = part.sections[1].tables
    assert [[cell.text for cell in row[:3]] for row in table.rows] == [
        ["2", "-1.00", "3 of 3"],
        ["1", "-1.00", "3 of 3"],
    ]


def test_missing_cells_are_left_out() -> None:
    pytest.importorskip("scipy")
    rows = _judged({"a": (3, 1, 1), "b": (2, 3, 2), "c": (1, 2, 3)})
    # Without c in EVAL 2 people have b before a, as the metric has.
    kept = [row for row in rows if (row["system"], row["eval"]) != ("c", "2")]
    (table,) = _evals_part(kept, unmatched="skip-cells").sections[1].tables
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["1", "1.00", "0 of 3", "-"],
        ["2", "1.00", "0 of 1", "-"],
    ]


def test_judgements_of_whole_systems_say_nothing_of_evals() -> None:
    pytest.importorskip("scipy")
    rows = [{"system": name, "human": value} for name, value in zip("abc", (1, 3, 2), strict=True)]
    part = _evals_part(rows)
    assert len(part.sections) == 1
    (note,) = part.notes
    assert note.text({}).startswith("The judgements are of whole systems")


def test_few_of_many_evals_are_listed() -> None:
    pytest.importorskip("scipy")
    # Of 99 EVALs 39 are turned round whole: more than are listed.
    size = 99
    peers = {name: [EVALS[name][0]] * size for name in "abc"}
    ids = [str(place) for place in range(1, size + 1)]
    results = rouge_cli.evaluate(peers, MODELS * size, max_ngram=1, lcs=False, resamples=0)
    rows = [
        {"system": name, "eval": eval_id, "human": value if place < 60 else -value}
        for place, eval_id in enumerate(ids)
        for name, value in zip("abc", (3, 2, 1), strict=True)
    ]
    study = rouge_cli.correlate(results, rows, level="system", resamples=0, measures="R")
    part = next(one for one in study._page().page().parts if one.name == "disagreement")
    _, section = part.sections
    (table,) = section.tables
    assert [row[0].text for row in table.rows] == ids[60 : 60 + MOST_EVALS]
    assert section.title.endswith(f"{MOST_EVALS} of 99")
    assert section.caption.endswith("Below 0 by a metric: 39 of 99 texts.")
