"""Figures: what is in their specifications, and how they are drawn."""

import hashlib
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from rouge_cli.errors import RougeError
from rouge_cli.reports import charts, drawing
from rouge_cli.reports.charts import Estimate, histogram_panel, interval_panel, wins_panel
from rouge_cli.reports.document import Figure, Spec
from rouge_cli.reports.drawing import (
    PLOT_FORMATS,
    check_drawing,
    draw_files,
    draw_panels,
    in_fixed_order,
)
from rouge_cli.reports.views.score_figures import (
    distribution_figure,
    forest_figure,
    shared_wins,
    wins_figure,
)
from rouge_cli.studies.score_columns import Column
from tests.unit.reports.made import made

F = Column("ROUGE-1", "F")
HOSTILE = "<script>&\"'</script>"


def a_panel(name: str = "a") -> Spec:
    """Return a panel of two estimates."""
    estimates = [Estimate(name, 0.5, (0.25, 0.75), is_marked=True), Estimate("b", 0.25)]
    return interval_panel("ROUGE-1 F", "2 EVALs", "Mean", estimates)


def test_values_and_intervals() -> None:
    assert a_panel()["data"]["values"] == [
        {"row": 0, "name": "a", "value": 0.5, "lower": 0.25, "upper": 0.75, "marked": True},
        {"row": 1, "name": "b", "value": 0.25, "lower": 0.25, "upper": 0.25, "marked": False},
    ]


def test_histogram() -> None:
    # 25 bins from 0 to 1: two scores in the first, one in the last.
    panel = histogram_panel("t", "s", "x", [("a", np.array([0.0, 0.0, 1.0]))])
    rows = [row for row in panel["data"]["values"] if "n" in row]
    assert [row["n"] for row in rows] == [2, *[0] * 23, 1, 0]
    assert (rows[0]["from"], rows[1]["from"], rows[-1]["from"]) == (0, 0.04, 1)
    assert [row["mean"] for row in panel["data"]["values"] if "mean" in row] == [1 / 3]


def test_scores_that_are_all_equal_have_bins_too() -> None:
    panel = histogram_panel("t", "s", "x", [("a", np.array([0.5, 0.5]))])
    assert sum(row.get("n", 0) for row in panel["data"]["values"]) == 2


def test_wins() -> None:
    # Scores of both are 0.1, 0.2, ... by their order; systems without the same EVALs share 2 and 3.
    results = made({"a": [0.2], "b": [0.3]}, {"a": "123", "b": "324"})
    scores, wins = shared_wins(results, ("a", "b"), F)
    # EVAL 2: 0.2 of a, 0.2 of b; EVAL 3: 0.3 of a, 0.1 of b.
    assert scores.tolist() == [[0.2, 0.3], [0.2, 0.1]]
    assert wins == [1, 1, 0]
    figure = wins_figure(results, ("a", "b"), [F])
    assert figure.panels[0]["title"]["subtitle"] == "a 1, equal 1, b 0 EVALs"
    assert sum(row["n"] for row in figure.panels[0]["data"]["values"]) == 2


def test_titles_say_metric_size_and_interval() -> None:
    results = made({"a": [0.2], "b": [0.3]})
    (panel,) = forest_figure(results, ["b", "a"], [F]).panels
    assert panel["title"] == {"text": "ROUGE-1 F", "subtitle": "2 EVALs"}
    bar, point = panel["layer"]
    assert bar["encoding"]["x"]["title"] == "Mean ROUGE-1 F, 95% interval"
    assert [row["marked"] for row in panel["data"]["values"]] == [True, False]
    assert point["encoding"]["y"]["title"] is None
    assert "the best is filled" in forest_figure(results, ["b", "a"], [F]).caption
    assert "best" not in forest_figure(results, ["a"], [F]).caption


def test_the_best_of_a_metric_of_errors_is_the_lowest() -> None:
    results = made({"a": [0.2], "b": [0.3]})
    column = Column("ROUGE-1", "F", is_lower_better=True)
    (panel,) = forest_figure(results, ["a", "b"], [column]).panels
    assert [row["marked"] for row in panel["data"]["values"]] == [True, False]


def test_percent() -> None:
    results = made({"a": [0.2], "b": [0.3]}, percent=True, report="table")
    (panel,) = forest_figure(results, ["b", "a"], [F]).panels
    assert panel["data"]["values"][0]["value"] == pytest.approx(30)
    (panel,) = distribution_figure(results, ["b", "a"], [F]).panels
    assert max(row.get("from", 0) for row in panel["data"]["values"]) == pytest.approx(20)


def test_every_colour_has_a_sibling_on_a_dark_ground() -> None:
    css = (files("rouge_cli.reports") / "templates" / "page.css").read_text("utf-8")
    for colour in (charts.INK, charts.MUTED, charts.ACCENT, charts.CONTRAST):
        assert f'.panel [fill="{colour}"]' in css
    for colour in (charts.MUTED, charts.FAINT, charts.ACCENT, charts.CONTRAST):
        assert f'.panel [stroke="{colour}"]' in css


def test_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(RougeError, match=re.escape("pip install 'rouge-cli[report]'")):
        check_drawing()


class TestDrawing:
    """What needs vl-convert."""

    @pytest.fixture(autouse=True)
    def _drawn(self) -> None:
        pytest.importorskip("vl_convert")

    def test_names_are_text(self) -> None:
        root = ElementTree.fromstring(draw_panels([a_panel(HOSTILE)])[0])
        assert HOSTILE in [element.text for element in root.iter()]
        assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
            *("svg", "g", "path", "line", "text", "rect"),
        }

    def test_nothing_that_a_strict_policy_refuses(self) -> None:
        svg = draw_panels([a_panel()])[0]
        assert not re.search(r"style=|class=|id=|href|url\(", svg)

    def test_size_does_not_grow_with_the_evals(self) -> None:
        generator = np.random.default_rng(1)
        sizes = [
            len(svg)
            for svg in draw_panels(
                [
                    wins_panel("t", "s", ("a", "b"), generator.random((2, n)))
                    for n in (1_000, 100_000)
                ]
            )
        ]
        assert max(sizes) < 80_000
        scores = [("a", generator.random(100_000))]
        assert len(draw_panels([histogram_panel("t", "s", "x", scores)])[0]) < 6_000

    @pytest.mark.parametrize(
        ("engine", "reason"),
        [
            ("import os, signal; os.kill(os.getpid(), signal.SIGABRT)", "was ended by SIGABRT"),
            ("raise BaseException('no memory')", "drawn: BaseException: no memory; leave"),
            ("import sys; sys.exit(70)", "exit code 70"),
            ("import time; time.sleep(60)", "no result within 1 s"),
            ("print('[')", "was cut short"),
        ],
    )
    def test_an_engine_that_fails(
        self, engine: str, reason: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(drawing, "ENGINE", engine)
        monkeypatch.setattr(drawing, "SECONDS_TO_DRAW", 1 if "sleep" in engine else 60)
        with pytest.raises(RougeError, match=r"figures cannot be drawn: .*--no-figures$") as caught:
            draw_panels([a_panel()])
        assert reason in str(caught.value)

    @pytest.mark.parametrize("suffix", PLOT_FORMATS)
    def test_the_same_bytes_in_another_process(self, suffix: str) -> None:
        code = (
            "import sys, hashlib\n"
            "from rouge_cli.reports.drawing import draw_files\n"
            "from tests.unit.reports.test_figures import a_figure\n"
            f"print(hashlib.sha256(draw_files([(a_figure(), {suffix!r})])[0]).hexdigest())"
        )
        root = Path(__file__).parents[3]
        environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "7"}
        command = [sys.executable, "-c", code]
        other = subprocess.run(command, env=environment, capture_output=True, check=True)
        drawn = draw_files([(a_figure(), suffix)])[0]
        assert other.stdout.decode().strip() == hashlib.sha256(drawn).hexdigest()

    def test_a_pdf_in_order_is_one(self) -> None:
        pdf = draw_files([(a_figure(), ".pdf")])[0]
        table = re.search(rb"xref\n0 (\d+)\n((?:.{20})+)trailer", pdf, re.DOTALL)
        assert table is not None
        lines = [table[2][place : place + 20] for place in range(0, len(table[2]), 20)]
        assert len(lines) == int(table[1])
        for number, line in enumerate(lines[1:], 1):
            assert pdf[int(line[:10]) :].startswith(b"%d 0 obj" % number)
        assert pdf[int(pdf.split()[-2]) :].startswith(b"xref\n")
        assert in_fixed_order(pdf) == pdf


def test_another_kind_of_pdf_is_left_alone() -> None:
    assert in_fixed_order(b"%PDF-1.7 without a table") == b"%PDF-1.7 without a table"


def a_figure() -> Figure:
    """Return a figure with letters of two fonts."""
    return Figure("forest", "Systems", "Means.", (a_panel(), a_panel("\u4e2d\u6587")))
