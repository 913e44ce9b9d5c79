"""Where a metric and people disagree: ranks of systems, worked by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import rouge_cli
from rouge_cli.reports.document import Part
from rouge_cli.studies.correlate.view import MOST_EVALS

pytest.importorskip("scipy")

MODEL = "k l m n"
# Words that match, of 4: in EVAL 1 a 4, b 2, c 0; in EVAL 2 a 0, b 2, c 4; in EVAL 3 all 2.
EVALS = {
    "a": ["k l m n", "w x y z", "k l x y"],
    "b": ["k l x y", "k l x y", "k l x y"],
    "c": ["w x y z", "k l m n", "k l x y"],
}


def disagreement(
    rows: list[dict[str, object]],
    peers: Mapping[str, Sequence[str]] = EVALS,
    unmatched: str | None = None,
) -> Part:
    """Return the part of a page for judgements of the systems of some EVALs."""
    models = [MODEL] * len(peers["a"])
    results = rouge_cli.evaluate(peers, models, max_ngram=1, lcs=False, resamples=0)
    options: Any = {"unmatched": unmatched} if unmatched else {}
    study = rouge_cli.correlate(results, rows, level="system", resamples=0, measures="R", **options)
    return next(part for part in study._page().page().parts if part.name == "disagreement")


def whole(human: Mapping[str, float]) -> list[dict[str, object]]:
    return [{"system": name, "human": value} for name, value in human.items()]


def judged(human: Mapping[str, Sequence[float]]) -> list[dict[str, object]]:
    return [
        {"system": system, "eval": str(place), "human": value}
        for system, values in human.items()
        for place, value in enumerate(values, 1)
    ]


def test_ranks_by_people_and_by_metric() -> None:
    # Shares of words that match: a 3/4, b and c 2/4, d 0/4.
    peers = {"a": ["k l m x"], "b": ["k l x y"], "c": ["m n x y"], "d": ["w x y z"]}
    (section,) = disagreement(whole({"a": 1, "b": 4, "c": 3, "d": 2}), peers).sections
    (table,) = section.tables
    assert [column.heading for column in table.columns] == ["System", "by human", "ROUGE-1 R"]
    # By people b, c, d, a; by the metric a, then b and c, which share 2.5, then d.
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["a", "4", "1 (\N{MINUS SIGN}3)"],
        ["b", "1", "2.5 (+1.5)"],
        ["d", "3", "4 (+1)"],
        ["c", "2", "2.5 (+0.5)"],
    ]


def test_evals_by_the_order_of_their_systems() -> None:
    part = disagreement(judged({"a": (1, 1, 1), "b": (3, 3, 2), "c": (2, 2, 3)}))
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
    # Both are turned round whole. The pairs are 1, 1 and 2 apart in EVAL 1, and 2, 2 and 4 in
    # EVAL 2.
    part = disagreement(judged({"a": (1, 5, 1), "b": (2, 3, 1), "c": (3, 1, 2)}))
    (table,) = part.sections[1].tables
    assert [[cell.text for cell in row[:3]] for row in table.rows] == [
        ["2", "-1.00", "3 of 3"],
        ["1", "-1.00", "3 of 3"],
    ]


def test_missing_cells_are_left_out() -> None:
    rows = judged({"a": (3, 1, 1), "b": (2, 3, 2), "c": (1, 2, 3)})
    # Without c in EVAL 2 people have b before a, as the metric has.
    kept = [row for row in rows if (row["system"], row["eval"]) != ("c", "2")]
    (table,) = disagreement(kept, unmatched="skip-cells").sections[1].tables
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["1", "1.00", "0 of 3", "-"],
        ["2", "1.00", "0 of 1", "-"],
    ]


def test_judgements_of_whole_systems_say_nothing_of_evals() -> None:
    part = disagreement(whole({"a": 1, "b": 3, "c": 2}))
    assert len(part.sections) == 1
    (note,) = part.notes
    assert note.text({}).startswith("The judgements are of whole systems")


def test_few_of_many_evals_are_listed() -> None:
    # Of 99 EVALs 39 are turned round whole: more than are listed.
    signs = [1] * 60 + [-1] * 39
    human = {
        name: [value * sign for sign in signs] for name, value in {"a": 3, "b": 2, "c": 1}.items()
    }
    peers = {name: [texts[0]] * 99 for name, texts in EVALS.items()}
    _, section = disagreement(judged(human), peers).sections
    (table,) = section.tables
    listed = [str(place) for place in range(61, 61 + MOST_EVALS)]
    assert [row[0].text for row in table.rows] == listed
    assert section.title.endswith(f"{MOST_EVALS} of 99")
    assert section.caption.endswith("Below 0 by a metric: 39 of 99 texts.")
