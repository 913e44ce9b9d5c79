"""What stands in a table, whatever it is written in."""

from typing import Any

import pytest

from rouge_cli.errors import OptionError
from rouge_cli.options.every import Options
from rouge_cli.reports.grid import Cell, Grid, grids, splits
from rouge_cli.reports.sorting import check_sort
from rouge_cli.reports.visible import visible
from tests.unit.reports.made import made, odd

TWO = {"a": [0.2, 0.4], "b": [0.3, 0.3]}


def systems(grid: Grid) -> list[str]:
    """Return the systems in the order of the rows."""
    return [row.labels[0] for row in grid.rows]


def test_cells() -> None:
    (grid,) = grids(made(TWO, max_ngram=2))
    assert grid.label_headings == ("System", "N")
    assert grid.headings == ("ROUGE-1 F", "ROUGE-2 F")
    first, second = grid.rows
    assert first.labels == ("b", "2")
    assert first.cells == (
        Cell("0.3000", ("0.2000", "0.4000"), True),
        Cell("0.3000", ("0.2000", "0.4000"), False),
    )
    assert second.cells[1] == Cell("0.4000", ("0.3000", "0.5000"), True)


def test_measures_as_asked_for() -> None:
    (grid,) = grids(made({"a": [0.2]}, report="table", measures="PRF"))
    assert grid.headings == ("ROUGE-1 P", "ROUGE-1 R", "ROUGE-1 F")
    assert [cell.score for cell in grid.rows[0].cells] == ["0.1500", "0.2500", "0.2000"]


def test_no_bootstrap() -> None:
    (grid,) = grids(made({"a": [0.2]}, resamples=0))
    assert grid.rows[0].cells == (Cell("0.2000", None, False),)
    assert grid.caption == "Means over 2 EVALs."


def test_percent_shows_the_same_digits() -> None:
    # 0.00285 in binary is a little less, times 100 it is 0.285 and a little more.
    scores = {"a": [0.57325], "b": [0.00285]}
    (plain,) = grids(made(scores, resamples=0))
    (percent,) = grids(made(scores, resamples=0, report="table", percent=True))
    shown = [row.cells[0].score for row in percent.rows]
    assert shown == [f"{float(row.cells[0].score) * 100:.2f}" for row in plain.rows]
    assert percent.caption == "Means over 2 EVALs, times 100."


def test_equal_digits_are_equally_good() -> None:
    (grid,) = grids(made({"a": [0.50001], "b": [0.50002], "c": [0.4]}))
    # The order goes by all digits.
    assert systems(grid) == ["b", "a", "c"]
    assert [row.cells[0].is_best for row in grid.rows] == [True, True, False]


def test_one_system_is_not_the_best() -> None:
    (grid,) = grids(made({"a": [0.5]}))
    assert not grid.has_best


def test_equal_systems_keep_their_order() -> None:
    (grid,) = grids(made({"b": [0.5], "a": [0.5], "c": [0.7]}))
    assert systems(grid) == ["c", "b", "a"]


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        (None, ["b", "a"]),
        ("ROUGE-1", ["b", "a"]),
        ("ROUGE-2", ["a", "b"]),
        ("rouge-2:f", ["a", "b"]),
        ("ROUGE-2:R", ["a", "b"]),
        (" ROUGE-1:P ", ["b", "a"]),
    ],
)
def test_sort(sort: str | None, order: list[str]) -> None:
    (grid,) = grids(made(TWO, max_ngram=2, report="table", sort=sort))
    assert systems(grid) == order


@pytest.mark.parametrize("sort", ["ROUGE-3", "ROUGE-1:X", "ROUGE-1:", "ROUGE-1:RP", ":F", "F"])
def test_sort_by_what_is_not_there(sort: str) -> None:
    message = (
        f"--sort: found {sort!r}, expected a metric of this run (ROUGE-1, ROUGE-2, ROUGE-L), "
        "alone or with :R, :P or :F"
    )
    options = Options.of({"max_ngram": 2, "report": "table", "sort": sort})
    with pytest.raises(OptionError) as caught:
        check_sort(options)
    assert str(caught.value) == message


def test_evals() -> None:
    evals = {"a": ["x", "y"], "b": ["z", "x"]}
    _, grid = grids(made(TWO, evals, max_ngram=2, per_eval=True))
    assert grid.label_headings == ("EVAL", "System")
    assert [(*row.labels, row.cells[0].score) for row in grid.rows] == [
        ("z", "b", "0.10000"),
        ("x", "b", "0.20000"),
        ("x", "a", "0.10000"),
        ("y", "a", "0.20000"),
    ]
    assert grid.caption == "Scores of each EVAL."
    _, percent = grids(made(TWO, evals, max_ngram=2, report="table", per_eval=True, percent=True))
    assert percent.rows[0].cells[0] == Cell("10.000")
    assert percent.caption == "Scores of each EVAL, times 100."


BOOTSTRAP = "with 95% confidence intervals from 1000 resamples."


@pytest.mark.parametrize(
    ("given", "evals", "caption"),
    [
        ({}, {}, f"Bootstrap means over 2 EVALs, {BOOTSTRAP}"),
        ({}, {"a": ["1"], "b": ["1"]}, f"Bootstrap means over 1 EVAL, {BOOTSTRAP}"),
        ({}, {"a": "123"}, f"Bootstrap means over 2 to 3 EVALs, {BOOTSTRAP}"),
        (
            {"confidence": "90.50", "resamples": 5},
            {},
            "Bootstrap means over 2 EVALs, with 90.50% confidence intervals from 5 resamples.",
        ),
        (
            {"counting": 1},
            {},
            f"Bootstrap means of scores of counts pooled over 2 EVALs, {BOOTSTRAP}",
        ),
        ({"counting": 1, "resamples": 0}, {}, "Scores of counts pooled over 2 EVALs."),
        ({"counting": 2, "resamples": 0}, {}, "Scores of counts pooled over 2 EVALs."),
    ],
)
def test_captions(given: dict[str, Any], evals: dict[str, Any], caption: str) -> None:
    (grid,) = grids(made({"a": [0.2], "b": [0.3]}, evals, **given))
    assert grid.caption == caption


def test_labels_can_be_seen() -> None:
    labels = [row.labels[0] for row in next(grids(odd())).rows]
    assert r"two\nlines\t\x1b[31m" in labels
    assert r"raw\xff" in labels
    assert all(label.isprintable() for label in labels)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain \u00e9 \u4e2d", "plain \u00e9 \u4e2d"),
        ("a\r\n\x00", r"a\r\n\x00"),
        ("\u202egnp", r"\u202egnp"),
        ("\udc80\udcff\ud800", r"\x80\xff\ud800"),
        ("\U000e0001", r"\U000e0001"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("widths", "room", "parts"),
    [
        ([3, 3, 3], 9, [(0, 3)]),
        ([3, 3, 3], 8, [(0, 2), (2, 3)]),
        ([9, 1, 1], 3, [(0, 1), (1, 3)]),
        ([1], -5, [(0, 1)]),
    ],
)
def test_splits(widths: list[float], room: float, parts: list[tuple[int, int]]) -> None:
    assert list(splits(widths, room)) == parts
