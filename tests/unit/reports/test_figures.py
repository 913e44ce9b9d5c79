"""Figures: what is in their specifications, and how they are drawn."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from importlib.resources import files
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from rouge_cli.errors import OptionError, RougeError
from rouge_cli.options.reports import PageOptions
from rouge_cli.reports import charts, drawing
from rouge_cli.reports.charts import Estimate, histogram_panel, interval_panel, wins_panel
from rouge_cli.reports.document import Figure, Spec
from rouge_cli.reports.drawing import check_drawing, draw_files, draw_panels
from rouge_cli.reports.wording import short_names
from rouge_cli.studies.score.page import shared_wins, wins_figure
from rouge_cli.studies.score.view import forest_figure
from rouge_cli.studies.score_columns import ScoreColumn
from tests.unit.reports.made import made

F = ScoreColumn("ROUGE-1", "F")
FIXED = (".svg", ".png")
"""Formats with the same bytes each time."""

HOSTILE = "<script>&\"'</script>"


def drawn_alone(panels: Iterable[Spec]) -> list[str]:
    """Draw panels, each as the only one of a figure of a page."""
    return [svg for ((svg, _),) in draw_panels([Figure("", "", "", (panel,)) for panel in panels])]


def a_panel(name: str = "a") -> Spec:
    """Return a panel of two estimates."""
    estimates = [Estimate(name, 0.5, (0.25, 0.75), is_marked=True), Estimate("b", 0.25)]
    return interval_panel("ROUGE-1 F", "2 texts", "Mean", estimates)


def test_bands_and_notes() -> None:
    estimates = [
        Estimate("a", 0.5, (0.25, 0.75), band=0.2, note="p 0.0123"),
        Estimate("b", -0.25, band=1.5, note="p <.0001"),
        Estimate("c", 0.1, note="p 0.9"),
        Estimate("d", None, note="not drawn"),
    ]
    panel = interval_panel("ROUGE-1 F", "2 texts", "Difference", estimates, has_zero=True)
    values = panel["data"]["values"]
    assert [(row.get("low"), row.get("high")) for row in values] == [
        (-0.2, 0.2),
        (-1.5, 1.5),
        (None, None),
    ]
    # The axis holds the bands too.
    assert panel["layer"][0]["encoding"]["x"]["scale"]["domain"] == [-1.5, 1.5]
    assert labels_of(panel) == [["a"], ["b"], ["c"], ["d"]]
    pytest.importorskip("vl_convert")
    (svg,) = drawn_alone([panel])
    words = texts_of(ElementTree.fromstring(svg))
    for once in ("a", "b", "c", "d", "p 0.0123", "p <.0001", "p 0.9"):
        assert words.count(once) == 1
    assert "not drawn" not in words


def labels_of(panel: Spec) -> list[list[str]]:
    """Return the lines of the names of a panel."""
    expression = panel["encoding"]["y"]["axis"]["labelExpr"]
    labels: list[list[str]] = json.loads(expression.partition("[indexof")[0])
    return labels


def test_long_names_are_wrapped() -> None:
    # 22 letters at most: behind a sign, as the next piece would make 26.
    estimates = [Estimate("cropped300 \u2212 noisyandalong", 0.5), Estimate("b", 0.25)]
    panel = interval_panel("ROUGE-1 F", "", "Mean", estimates)
    assert labels_of(panel) == [["cropped300 \u2212", "noisyandalong"], ["b"]]
    # Of a protocol 50: 43 and 49 letters, behind the comma.
    name = "py-rouge:stemming=false,limit_length=false,weight_factor=1.2,apply_avg=false,x=true"
    wide = interval_panel("", "", "", [Estimate(name, 0.5)], has_long_names=True)
    ((first, second),) = labels_of(wide)
    assert first == "py-rouge:stemming=false,limit_length=false,"
    assert first + second == name
    # Nowhere to cut: after each 22. Of more than 8 * 22 * 3 / 4 = 132 the middle is left out.
    sheer = interval_panel("", "", "", [Estimate("x" * 50, 0.5)])
    assert labels_of(sheer) == [["x" * 22, "x" * 22, "x" * 6]]
    ends = interval_panel("", "", "", [Estimate(f"a{'x' * 200}b", 0.5)] * 2)
    first, second = ("".join(lines) for lines in labels_of(ends))
    assert first == second == f"a{'x' * 65}\u2026{'x' * 64}b"
    # Not inside a version.
    version = interval_panel("", "", "", [Estimate("Mistral-7B-Instruct-v0.12", 0.5)])
    assert labels_of(version) == [["Mistral-7B-Instruct-", "v0.12"]]
    # Only the tall row is taller: two lines of 12 and 3 around them, and 15; three lines.
    assert [one["height"] for one in (panel, sheer)] == [27 + 15, 39]
    pytest.importorskip("vl_convert")
    drawn = drawn_alone([panel, wide, sheer, ends])
    assert all(piece in drawn[0] for piece in ("cropped300 \u2212", "noisyandalong"))
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
        charts.power_panel(name, name, [(10, 0.5), (20, 0.9)], 20, wanted=0.8, n_pilot=10),
        charts.agreement_panel(name, name, (name, name), [(name, 0.5, 3)]),
    ]


def test_names_that_every_object_of_javascript_has() -> None:
    pytest.importorskip("vl_convert")
    drawn = iter(drawn_alone([panel for name in INHERITED for panel in panels_of(name)]))
    for name in INHERITED:
        # Longer names are cut into lines.
        start = f">{name[:12]}"
        # Title, second title (that of a curve is its power), axes, and the system if there is one.
        assert [next(drawn).count(start) for _ in range(5)] == [4, 4, 4, 2, 5]


def test_wins() -> None:
    # Scores of both are 0.1, 0.2, ... by their order; systems without the same EVALs share 2 and 3.
    results = made({"a": [0.2], "b": [0.3]}, {"a": "123", "b": "324"})
    scores, wins = shared_wins(results, ("a", "b"), F)
    # EVAL 2: 0.2 of a, 0.2 of b; EVAL 3: 0.3 of a, 0.1 of b.
    assert scores.tolist() == [[0.2, 0.3], [0.2, 0.1]]
    assert wins == [1, 1, 0]
    figure = wins_figure(results, ("a", "b"), [F])
    assert figure.panels[0]["title"]["subtitle"] == "a 1, equal 1, b 0 texts"
    assert sum(row["n"] for row in figure.panels[0]["data"]["values"]) == 2


def test_titles_say_metric_size_and_interval() -> None:
    results = made({"a": [0.2], "b": [0.3]})
    # The best of a metric of errors is the lowest.
    errors = ScoreColumn("ROUGE-1", "F", is_lower_better=True)
    for names, column in (["b", "a"], F), (["a", "b"], errors):
        figure = forest_figure(results, names, [column])
        assert "the best is filled" in figure.caption
        (panel,) = figure.panels
        assert [row["marked"] for row in panel["data"]["values"]] == [True, False]
        assert panel["title"] == {"text": "ROUGE-1 F", "subtitle": "2 texts"}
        bar, _ = panel["layer"]
        assert bar["encoding"]["x"]["title"] == "Mean ROUGE-1 F, 95% interval"
    assert "best" not in forest_figure(results, ["a"], [F]).caption


def test_every_colour_has_a_sibling_on_a_dark_ground() -> None:
    css = (files("rouge_cli.reports") / "templates" / "page.css").read_text("utf-8")
    for colour in (charts.INK, charts.MUTED, charts.ACCENT, charts.CONTRAST):
        assert f'.panel [fill="{colour}"]' in css
    for colour in (charts.MUTED, charts.FAINT, charts.ACCENT, charts.CONTRAST):
        assert f'.panel [stroke="{colour}"]' in css


def test_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(RougeError, match=re.escape("pip install vl-convert-python")):
        check_drawing()


class TestDrawing:
    """What needs vl-convert."""

    @pytest.fixture(autouse=True)
    def _drawn(self) -> None:
        pytest.importorskip("vl_convert")

    def test_names_are_text(self) -> None:
        root = ElementTree.fromstring(drawn_alone([a_panel(HOSTILE)])[0])
        # Behind the slash a new line begins.
        assert HOSTILE in "".join(texts_of(root))
        assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
            *("svg", "g", "path", "line", "text", "tspan", "rect")
        }

    def test_nothing_that_a_strict_policy_refuses(self) -> None:
        svg = drawn_alone([a_panel()])[0]
        assert not re.search(r"style=|class=|id=|href|url\(", svg)

    def test_size_does_not_grow_with_the_evals(self) -> None:
        generator = np.random.default_rng(1)
        scores = [generator.random((2, n)) for n in (1_000, 100_000)]
        maps = [wins_panel("t", "s", ("a", "b"), pairs) for pairs in scores]
        histogram = histogram_panel("t", "s", "x", [("a", scores[1][0])])
        *sizes, size = map(len, drawn_alone([*maps, histogram]))
        assert max(sizes) < 80_000
        assert size < 6_000

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
            drawn_alone([a_panel()])
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
        layout = PageOptions.of({"figure_width": width})
        wanted = [(figure, suffix) for suffix in (".svg", ".pdf", ".png") for figure in figures]
        drawn = draw_files(wanted, layout)
        for svg, pdf, png in zip(drawn[:2], drawn[2:4], drawn[4:], strict=True):
            root = ElementTree.fromstring(svg)
            assert root.get("width") == width
            assert sizes_of(root) == pytest.approx([7, 7 * 13 / 11], abs=0.01)
            box = re.search(rb"MediaBox \[0 0 ([\d.]+) ", pdf)
            assert box is not None
            assert float(box[1]) == pytest.approx(points, abs=0.01)
            assert b"FontFile" in pdf
            # At 300 an inch.
            assert int.from_bytes(png[16:20], "big") == pytest.approx(points / 72 * 300, abs=1)

    @pytest.mark.parametrize(("n_systems", "n_metrics"), [(2, 6), (12, 3), (25, 1), (25, 6)])
    def test_many_systems_in_print(self, n_systems: int, n_metrics: int) -> None:
        """Heights, and sizes of letters, of figures whose systems have long names.

        What all names share is left out, so that each has a row of 15 pixels, and 6 panels are at
        most two rows at 174 mm. Around them are 110 pixels for titles, axes and the key of a row of
        panels, all times 7 / 11 for labels of 7 points. A page of A4 has 297 mm, 842 points: taller
        figures have rows of 12 pixels.
        """
        names = [f"facebook/bart-large-cnn-epoch{k}-lr3e-5-seed42" for k in range(n_systems)]
        scores = {name: [0.3 - k / 100] * n_metrics for k, name in enumerate(names)}
        results = made(scores, max_ngram=n_metrics)
        columns = [ScoreColumn(f"ROUGE-{n}", "F") for n in range(1, n_metrics + 1)]
        figure = forest_figure(results, names, columns)
        for width, most_rows in (("84mm", n_metrics), ("174mm", 2 if n_metrics > 3 else 1)):
            layout = PageOptions.of({"figure_width": width})
            svg, pdf = draw_files([(figure, ".svg"), (figure, ".pdf")], layout)
            root = ElementTree.fromstring(svg)
            most = most_rows * (15 * n_systems + 110) * 7 / 11 + 40
            assert float(root.attrib["height"].removesuffix("mm")) / 25.4 * 72 < most
            box = re.search(rb"MediaBox \[0 0 [\d.]+ ([\d.]+)", pdf)
            assert box is not None
            assert float(box[1]) < most
            assert min(sizes_of(root)) == pytest.approx(7, abs=0.05)
            texts = texts_of(root)
            # Once for each row of panels.
            assert 1 <= texts.count("\u2026epoch0\u2026") <= most_rows
            assert "facebook/bart-large-cnn-" in " ".join(texts)
            if n_metrics <= 3:
                assert float(box[1]) <= 842

    def test_figures_that_no_page_holds(self) -> None:
        # Six panels of 40 rows of 12 pixels, times 7 / 11, have 1833 points.
        estimates = [Estimate(f"system {k}", k / 100) for k in range(40)]
        panels = (interval_panel("ROUGE-1 F", "9 texts", "Mean", estimates),) * 6
        figure = Figure("forest", "", "", panels, has_common_names=True)
        layout = PageOptions.of({"figure_width": "84mm"})
        warnings: list[str] = []
        draw_files([(figure, ".svg")], layout, warnings.append)
        assert warnings == [
            "the figure forest is taller than a page of A4 (297mm); give a larger --width, such as "
            "174mm, or a smaller --font-size"
        ]

    def test_no_program_is_looked_for_by_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # On Windows, one called python in the working folder would come first.
        monkeypatch.setattr("sys.executable", "")
        with pytest.raises(RougeError, match="Python does not know its own program"):
            drawn_alone([a_panel()])

    def test_columns_and_font_size(self) -> None:
        figure = Figure("", "", "", (a_panel(),) * 3)
        heights = {}
        for columns in (1, 2, 3):
            layout = PageOptions.of({"figure_columns": columns, "font_size": "8.5"})
            root = ElementTree.fromstring(draw_files([(figure, ".svg")], layout)[0])
            heights[columns] = float(root.attrib["height"])
            assert min(sizes_of(root)) == pytest.approx(8.5, abs=0.01)
        # Three rows of panels, two, and one.
        assert heights[1] - heights[2] == pytest.approx(heights[2] - heights[3], abs=1)
        assert heights[1] > 2.5 * heights[3]

    def test_panels_that_would_be_too_narrow(self) -> None:
        # Axes keep 136 pixels (85% of 160): two of them, 18 between and 8 around are 306 pixels,
        # 195 points for letters of 7, which with the names is more than 70 mm, 198 points.
        figure = Figure("", "", "", (a_panel(),) * 2)
        layout = PageOptions.of({"figure_width": "70mm", "figure_columns": 2})
        with pytest.raises(
            OptionError, match=r"2 panels side by side .* of 7 points need"
        ) as error:
            draw_files([(figure, ".svg")], layout)
        needed = re.findall(r"need (\d+mm)", str(error.value))
        layout = PageOptions.of({"figure_width": needed[0], "figure_columns": 2})
        draw_files([(figure, ".svg")], layout)

    def test_maps_are_square_and_keep_to_their_width(self) -> None:
        name = "Llama-3.1-8B-Instruct, lora-r16, temperature 0.7"
        scores = np.array([[0.0, 1.0], [1.0, 0.0]])
        panel = wins_panel(
            "t", f"{name} 27, equal 0, {name} 3", (f"{name}, ROUGE-1", f"{name}, ROUGE-1"), scores
        )
        layout = PageOptions.of({"figure_width": "84mm"})
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
        (svg,) = drawn_alone([wins_panel("", "", ("a", "b"), scores)])
        assert texts_of(ElementTree.fromstring(svg))[-3:] == ["1", "3", "texts"]

    def test_the_same_bytes_in_another_process(self) -> None:
        code = (
            "import hashlib\n"
            "from rouge_cli.reports.drawing import draw_files\n"
            "from tests.unit.reports.test_figures import a_figure\n"
            f"for drawn in draw_files([(a_figure(), suffix) for suffix in {FIXED!r}]):\n"
            "    print(hashlib.sha256(drawn).hexdigest())"
        )
        root = Path(__file__).parents[3]
        environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "7"}
        command = [sys.executable, "-c", code]
        other = subprocess.run(command, env=environment, capture_output=True, check=True)
        drawn = draw_files([(a_figure(), suffix) for suffix in FIXED])
        assert other.stdout.decode().split() == [hashlib.sha256(one).hexdigest() for one in drawn]


def texts_of(root: ElementTree.Element) -> list[str]:
    return [element.text for element in root.iter() if element.text]


def sizes_of(root: ElementTree.Element) -> list[float]:
    """Return the sizes of the letters of a drawing in points, the smallest first."""
    length, points = root.attrib["width"], 1.0
    if length.endswith("mm"):
        length, points = length.removesuffix("mm"), 72 / 25.4
    scale = float(length) * points / float(root.attrib["viewBox"].split()[2])
    sizes = {element.get("font-size", "").removesuffix("px") for element in root.iter()} - {""}
    return sorted(scale * float(size) for size in sizes)


def a_figure() -> Figure:
    """Return a figure with letters of two fonts."""
    return Figure("forest", "Systems", "Means.", (a_panel(), a_panel("\u4e2d\u6587")))


def test_names_of_systems_that_would_overlap_are_numbers() -> None:
    apart = [("a system", 0.1, 1.0), ("another", 0.2, 2.0), ("the third", 0.3, 3.0)]
    assert charts.has_room_for_names(apart)
    # The labels of two near points are on both sides; of ten at one place some have no place.
    assert charts.has_room_for_names([*apart, ("near", 0.3, 3.01)])
    near = [*apart, *((f"near to it {k}", 0.3, 3.01) for k in range(10))]
    assert not charts.has_room_for_names(near)
    panel = charts.agreement_panel("t", "s", ("x", "y"), near, is_numbered=True)
    labels = [row["name"].split(",") for row in panel["data"]["values"]]
    assert sorted(map(int, chain.from_iterable(labels))) == list(range(1, 14))
    assert max(map(len, labels)) > 1
    assert len(panel["layer"][0]["data"]["values"]) == 13


def test_a_matrix_of_many_systems() -> None:
    panel = charts.matrix_panel("t", "s", ["a", "b"], {(0, 1): ("1.5", 1), (1, 0): ("-1.5", -1)})
    assert [(row["text"], row["sign"]) for row in panel["data"]["values"]] == [
        ("1.5", 1),
        ("-1.5", -1),
    ]
    names = [f"s{k}" for k in range(25)]
    pytest.importorskip("vl_convert")
    (svg,) = drawn_alone([charts.matrix_panel("t", "s", names, {(0, 1): ("1.5", 1)})])
    # Cells of so many have signs.
    assert ">+<" in svg
    assert ">1.5<" not in svg
    assert ">s24 25<" in svg


def test_what_long_names_share_is_left_out() -> None:
    names = [f"facebook/bart-large-cnn-epoch{k}-seed42" for k in range(2)]
    short, key = short_names(names)
    assert list(short.values()) == ["\u2026epoch0\u2026", "\u2026epoch1\u2026"]
    assert key == "\u2026 at the start of a name: facebook/bart-large-cnn-; at its end: -seed42"
    # Parts end at separators, and not inside a version.
    long = [f"facebook/bart-v0.{k}-lr3e-5-warmup500-epoch{k}" for k in (1, 2)]
    short, key = short_names(long)
    assert list(short.values()) == ["\u2026v0.1-\u2026epoch1", "\u2026v0.2-\u2026epoch2"]
    assert key == "\u2026 at the start of a name: facebook/bart-; within it: lr3e-5-warmup500-"
    short, _ = short_names(["an-open-model-v0.11-instruct", "an-open-model-v0.12-instruct"])
    assert list(short.values()) == ["\u2026v0.11\u2026", "\u2026v0.12\u2026"]
    # Short names, a lone name, and names that share little stay as they are.
    for kept in (["sys-a", "sys-b"], ["a" * 60], ["a" * 30, "b" * 30]):
        assert short_names(kept) == ({name: name for name in kept}, "")
