"""Figures: what is in their specifications, and how they are drawn."""

import hashlib
import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from rouge_cli.errors import OptionError, RougeError
from rouge_cli.options.reports import PageOptions
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
from rouge_cli.studies.score.figures import (
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


def test_bands_and_notes() -> None:
    estimates = [
        Estimate("a", 0.5, (0.25, 0.75), band=0.2, note="p 0.0123"),
        Estimate("b", -0.25, band=1.5, note="p <.0001"),
        Estimate("c", 0.1, note="p 0.9"),
    ]
    panel = interval_panel("ROUGE-1 F", "2 EVALs", "Difference", estimates, has_zero=True)
    (bands,) = [layer["data"]["values"] for layer in panel["layer"] if "x2" in layer["encoding"]
                and layer["encoding"]["x"]["field"] == "low"]  # fmt: skip
    assert bands == [{"row": 0, "low": -0.2, "high": 0.2}, {"row": 1, "low": -1.5, "high": 1.5}]
    # The axis holds the bands too.
    assert panel["layer"][-1]["encoding"]["x"]["scale"]["domain"] == [-1.5, 1.5]
    assert labels_of(panel) == [["a"], ["b"], ["c"]]
    pytest.importorskip("vl_convert")
    (svg,) = draw_panels([panel])
    words = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    for once in ("a", "b", "c", "p 0.0123", "p &lt;.0001", "p 0.9"):
        assert words.count(once) == 1


def labels_of(panel: Spec) -> list[list[str]]:
    """Return the lines of the names of a panel."""
    expression = panel["layer"][-1]["encoding"]["y"]["axis"]["labelExpr"]
    labels: list[list[str]] = json.loads(expression.removesuffix("[datum.value]"))
    return labels


def test_long_names_are_wrapped() -> None:
    # 18 letters at most: behind the minus sign, as the next piece would make 26.
    estimates = [Estimate("cropped300 \u2212 noisy_and_long", 0.5), Estimate("b", 0.25)]
    panel = interval_panel("ROUGE-1 F", "", "Mean", estimates)
    assert labels_of(panel) == [["cropped300 \u2212", "noisy_and_long"], ["b"]]
    # Of a protocol 50: 43 and 49 letters, behind the comma.
    name = "py-rouge:stemming=false,limit_length=false,weight_factor=1.2,apply_avg=false,x=true"
    wide = interval_panel("", "", "", [Estimate(name, 0.5)], has_long_names=True)
    ((first, second),) = labels_of(wide)
    assert first == "py-rouge:stemming=false,limit_length=false,"
    assert first + second == name
    # Nowhere to cut: after each 18. Of more than 8 * 18 * 3 / 4 = 108 the middle is left out.
    sheer = interval_panel("", "", "", [Estimate("x" * 40, 0.5)])
    assert labels_of(sheer) == [["x" * 18, "x" * 18, "x" * 4]]
    ends = interval_panel("", "", "", [Estimate(f"a{'x' * 200}b", 0.5)] * 2)
    first, second = ("".join(lines) for lines in labels_of(ends))
    assert first == second == f"a{'x' * 53}\u2026{'x' * 52}b"
    # 24 is the height of a row, 14 that of a line: three lines need 3 * 14 + 2.
    assert [one["height"]["step"] for one in (panel, sheer)] == [30, 44]
    pytest.importorskip("vl_convert")
    drawn = draw_panels([panel, wide, sheer, ends])
    assert all(piece in drawn[0] for piece in ("cropped300 \u2212", "noisy_and_long"))
    assert "\u2026" not in "".join(drawn[:3])
    # Both rows are there, though their names look alike.
    assert drawn[3].count("\u2026") == 2


INHERITED = [
    *("__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__"),
    *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString"),
    *("toString", "valueOf"),
]
"""The properties of Object.prototype: ECMA-262, sections 20.1.3 and B.2.2."""


def panels_of(name: str) -> list[Spec]:
    """Return a panel of each kind with a name in all its places."""
    spread = np.array([0.25, 0.5])
    return [
        interval_panel(name, name, name, [Estimate(name, 0.5, (0.25, 0.75)), Estimate("b", 0.2)]),
        histogram_panel(name, name, name, [(name, spread), ("b", spread)]),
        wins_panel(name, name, (name, name), np.stack([spread, spread])),
        charts.power_panel(name, name, [(10, 0.5), (20, 0.9)], wanted=0.8, n_pilot=10),
        charts.agreement_panel(name, name, (name, name), [(name, 0.5, 3)]),
    ]


def test_names_that_every_object_of_javascript_has() -> None:
    pytest.importorskip("vl_convert")
    drawn = iter(draw_panels([panel for name in INHERITED for panel in panels_of(name)]))
    for name in INHERITED:
        # Longer names are cut into lines.
        start = f">{name[:18]}"
        # Title, second title (that of a curve is its power), axes, and the system if there is one.
        assert [next(drawn).count(start) for _ in range(5)] == [4, 4, 4, 2, 5]


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
        # Behind the slash a new line begins.
        assert HOSTILE in "".join(element.text or "" for element in root.iter())
        assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
            *("svg", "g", "path", "line", "text", "tspan", "rect"),
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

    @pytest.mark.parametrize(("width", "points"), [("84mm", 238.11), ("174mm", 493.23)])
    def test_sizes_in_print(self, width: str, points: float) -> None:
        """Labels of 7 points and titles of 7 * 13 / 11, however many panels there are.

        84 mm are 84 / 25.4 * 72 = 238.11 points, and 174 mm are 493.23.
        """
        scores = [("a long name of a system", np.array([0.0, 0.5, 1.0]))]
        histogram = histogram_panel("t", "s", "x", scores)
        panels = (a_panel("cropped300 \u2212 noisy-and-long"), histogram)
        figures = [Figure("", "", "", panels * n) for n in (1, 3)]
        layout = PageOptions.of({"figure_width": width}).layout
        wanted = [(figure, suffix) for suffix in (".svg", ".pdf", ".png") for figure in figures]
        drawn = draw_files(wanted, layout)
        for svg, pdf, png in zip(drawn[:2], drawn[2:4], drawn[4:], strict=True):
            root = ElementTree.fromstring(svg)
            assert root.get("width") == width
            view = [float(number) for number in root.attrib["viewBox"].split()]
            assert view[2] == pytest.approx(points, abs=0.01)
            sizes = {
                float(element.attrib["font-size"].removesuffix("px"))
                for element in root.iter()
                if "font-size" in element.attrib
            }
            assert sorted(sizes) == pytest.approx([7, 7 * 13 / 11], abs=1e-4)
            box = re.search(rb"MediaBox \[0 0 ([\d.]+) ", pdf)
            assert box is not None
            assert float(box[1]) == pytest.approx(points, abs=0.01)
            assert b"FontFile" in pdf
            # At 300 an inch.
            assert int.from_bytes(png[16:20], "big") == pytest.approx(points / 72 * 300, abs=1)

    def test_no_program_is_looked_for_by_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # On Windows, one called python in the working folder would come first.
        monkeypatch.setattr("sys.executable", "")
        with pytest.raises(RougeError, match="Python does not know its own program"):
            draw_panels([a_panel()])

    def test_columns_and_font_size(self) -> None:
        figure = Figure("", "", "", (a_panel(),) * 3)
        tops = {}
        for columns in (1, 2, 3):
            layout = PageOptions.of({"figure_columns": columns, "font_size": "8.5"}).layout
            root = ElementTree.fromstring(draw_files([(figure, ".svg")], layout)[0])
            corners = [group.attrib["transform"] for group in root if "transform" in group.attrib]
            tops[columns] = len({corner.partition(",")[2] for corner in corners})
            assert 'font-size="8.5px"' in ElementTree.tostring(root, "unicode")
        assert tops == {1: 3, 2: 2, 3: 1}

    def test_panels_that_would_be_too_narrow(self) -> None:
        # 180 pixels of a screen for letters of 11 are 114.55 points for 7, so that two panels, 20
        # between them and 8 around need 265.09 points, 93.5 mm.
        figure = Figure("", "", "", (a_panel(),) * 2)
        layout = PageOptions.of({"figure_width": "93mm", "figure_columns": 2}).layout
        with pytest.raises(OptionError, match=r"2 panels side by side .* of 7 points need 94mm"):
            draw_files([(figure, ".svg")], layout)
        layout = PageOptions.of({"figure_width": "94mm", "figure_columns": 2}).layout
        draw_files([(figure, ".svg")], layout)

    def test_maps_are_square_and_keep_to_their_width(self) -> None:
        name = "Llama-3.1-8B-Instruct, lora-r16, temperature 0.7"
        scores = np.array([[0.0, 1.0], [1.0, 0.0]])
        panel = wins_panel(
            "t", f"{name} 27, equal 0, {name} 3", (f"{name}, ROUGE-1", f"{name}, ROUGE-1"), scores
        )
        layout = PageOptions.of({"figure_width": "84mm"}).layout
        svg = draw_files([(Figure("", "", "", (panel,)), ".svg")], layout)[0].decode()
        # The diagonal goes from one corner of the map to the other.
        lines = re.findall(r'<line [^>]*x2="([-\d.]+)" y2="([-\d.]+)"[^>]*stroke-dasharray', svg)
        ((x, y),) = [(abs(float(x)), abs(float(y))) for x, y in lines]
        assert x == pytest.approx(y)
        # 84 mm are 238 points, of which the map has the most, and titles have several lines.
        assert x > 110
        assert f">{name}, ROUGE" not in svg

    def test_the_darkness_of_a_map_has_a_legend(self) -> None:
        # Three EVALs in one field, one in another.
        scores = np.array([[0.0, 1.0, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0]])
        texts = [
            element.text
            for element in ElementTree.fromstring(
                draw_panels([wins_panel("", "", ("a", "b"), scores)])[0]
            ).iter()
            if element.text
        ]
        assert texts[-3:] == ["1", "3", "EVALs"]

    def test_the_same_bytes_in_another_process(self) -> None:
        code = (
            "import hashlib\n"
            "from rouge_cli.reports.drawing import draw_files\n"
            "from tests.unit.reports.test_figures import a_figure\n"
            f"for drawn in draw_files([(a_figure(), suffix) for suffix in {PLOT_FORMATS!r}]):\n"
            "    print(hashlib.sha256(drawn).hexdigest())"
        )
        root = Path(__file__).parents[3]
        environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "7"}
        command = [sys.executable, "-c", code]
        other = subprocess.run(command, env=environment, capture_output=True, check=True)
        drawn = draw_files([(a_figure(), suffix) for suffix in PLOT_FORMATS])
        assert other.stdout.decode().split() == [hashlib.sha256(one).hexdigest() for one in drawn]

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
