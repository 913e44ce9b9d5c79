"""Figures as a reader takes them: each mark, read off its axes, is a number of the tables."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

import rouge_cli
from rouge_cli.reports.charts import agreement_panel, has_room_for_names
from rouge_cli.reports.document import Cell, Figure, Page, Part, Spec
from rouge_cli.reports.drawing import draw_files

pytest.importorskip("vl_convert")

SAMPLE = Path(__file__).parents[3] / "fixtures" / "sample"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-\d+)?")
BASELINE = 3
"""So much lower than its tick a label of the axis upwards stands, in pixels."""

HALF_A_DIGIT = 5e-5
"""Tables have four decimals."""


class Mark(NamedTuple):
    """What is drawn, in pixels of the picture: what it is, its corner, and its own attributes."""

    role: str
    x: float
    y: float
    element: ElementTree.Element


def marks_of(element: ElementTree.Element, role: str, x: float, y: float) -> Iterator[Mark]:
    """Yield all that is drawn below an element."""
    shift = NUMBER.findall(element.get("transform", "").partition(")")[0]) or ["0", "0"]
    x, y = x + float(shift[0]), y + float(shift[1])
    role = f"{role} {element.get('class', '')}"
    if len(element) == 0:
        yield Mark(role, x, y, element)
    for child in element:
        yield from marks_of(child, role, x, y)


class Drawn:
    """A panel as it is drawn, and how its axes are read."""

    def __init__(self, svg: bytes) -> None:
        self._marks = list(marks_of(ElementTree.fromstring(svg), "", 0, 0))
        self._axes = [self._axis("middle", "x", 0), self._axis("end", "y", BASELINE)]

    def _axis(self, anchor: str, name: str, shift: float) -> list[tuple[float, float]]:
        """Return the position and the number of each label of an axis."""
        labels = [
            (getattr(mark, name) - shift, (mark.element.text or "").replace("\u2212", "-"))
            for mark in self._marks
            if "role-axis-label" in mark.role and mark.element.get("text-anchor") == anchor
        ]
        return [(at, float(text)) for at, text in labels if NUMBER.fullmatch(text)]

    def read(self, at: float, axis: int = 0) -> float:
        """Return the number at a position on the axis to the right (0) or upwards (1)."""
        labels = self._axes[axis]
        assert len(labels) > 1, "one label does not tell how long a distance is"
        (start, first), (end, last) = labels[0], labels[-1]
        return first + (at - start) * (last - first) / (end - start)

    def pixel(self, axis: int = 0) -> float:
        """Return how much a pixel is."""
        return abs(self.read(1, axis) - self.read(0, axis))

    def marks(self, kind: str) -> list[Mark]:
        """Return the marks of a kind, in the order of the data."""
        return [mark for mark in self._marks if f"mark-{kind} role-mark" in mark.role]

    def points(self, kind: str = "symbol") -> list[float]:
        """Return what marks show on the axis to the right."""
        return [self.read(mark.x) for mark in self.marks(kind)]

    def bars(self) -> list[list[float]]:
        """Return where lines to the right begin and end."""
        spans = [(mark.x, mark.x + float(mark.element.get("x2", 0))) for mark in self.marks("rule")]
        return [sorted(map(self.read, span)) for span in spans]

    def path(self, mark: Mark) -> NDArray[np.float64]:
        """Return the corners of an outline, in pixels of the picture; shape (n, 2)."""
        numbers = map(float, NUMBER.findall(mark.element.get("d", "")))
        corners = [(mark.x + x, mark.y + y) for x, y in zip(numbers, numbers, strict=True)]
        return np.array(corners)


def draw(panels: Iterable[Spec]) -> list[bytes]:
    return draw_files([(Figure("", "", "", (panel,)), ".svg") for panel in panels])


LONE = ["a x", "a b x"]
RUNS: Mapping[str, tuple[dict[str, list[str]], list[str], dict[str, Any]]] = {
    "a lone system": ({"a": LONE}, ["a b", "a b c"], {"resamples": 0}),
    "a lone text": ({"a": ["a x"]}, ["a b"], {}),
    "nothing matches": ({"a": ["x", "x"]}, ["a", "b"], {"resamples": 0}),
    "all matches": ({"a": ["a", "b"]}, ["a", "b"], {"resamples": 0, "percent": True}),
    "alike": ({"a": ["a x", "a x"], "b": ["x a", "x a"]}, ["a b", "a b"], {"resamples": 0}),
    "alike, with intervals": ({"a": ["a x"] * 3, "b": ["x a"] * 3}, ["a b c"] * 3, {}),
    "several": (
        {"a": ["a b", "x", "b"], "b": ["x", "c d x", "b"], "c": ["a", "c", "b y"]},
        ["a b c", "c d", "b"],
        {"percent": True},
    ),
}


class Run(NamedTuple):
    name: str
    results: rouge_cli.Results
    page: Page

    @property
    def factor(self) -> int:
        return 100 if self.results.options.reports.percent else 1

    @property
    def per_eval(self) -> list[NDArray[np.float64]]:
        systems = self.results.systems.values()
        return [system["ROUGE-1"].f_measure.per_eval * self.factor for system in systems]

    def part(self, name: str) -> Part:
        return next(part for part in self.page.parts if part.name == name)

    def cells(self, part: str, column: int) -> list[Cell]:
        return self.part(part).sections[0].tables[0].cells(column)

    def drawn(self, part: str) -> tuple[Drawn, float]:
        """Return the first panel of a part, and how exactly its numbers can be read."""
        panel = Drawn(pictures()[self.name, part])
        return panel, panel.pixel() + HALF_A_DIGIT * self.factor


@cache
def pictures() -> dict[tuple[str, str], bytes]:
    """Return the first panel of each figure of all runs, by run and part."""
    panels = {
        (name, part.name): part.figures[0].panels[0]
        for name in RUNS
        for part in run_of(name).page.parts
        if part.figures
    }
    return dict(zip(panels, draw(panels.values()), strict=True))


@cache
def run_of(name: str) -> Run:
    peers, models, options = RUNS[name]
    results = rouge_cli.evaluate(peers, models, max_ngram=1, lcs=False, **options)
    return Run(name, results, results._page().page())


@pytest.fixture(params=RUNS, scope="module")
def run(request: pytest.FixtureRequest) -> Run:
    return run_of(request.param)


def bounds(cells: Sequence[Cell], factor: int = 1) -> list[list[float]]:
    """Return the intervals of cells; of one that has none, the number at both ends."""
    return [[float(end) * factor for end in cell.interval or (cell.text,) * 2] for cell in cells]


def test_systems(run: Run) -> None:
    drawn, near = run.drawn("systems")
    cells = run.cells("systems", 2)
    assert drawn.points() == pytest.approx([float(cell.text) for cell in cells], abs=near)
    assert np.array(drawn.bars()) == pytest.approx(np.array(bounds(cells)), abs=near)


def test_distributions(run: Run) -> None:
    drawn, near = run.drawn("distributions")
    # Without resamples the table has the same means; with them it has those of the resamples.
    means = [scores.mean() for scores in run.per_eval]
    if run.results.options.scores.resamples == 0:
        table = [float(cell.text) for cell in run.cells("systems", 2)]
        assert sorted(means) == pytest.approx(sorted(table), abs=near)
    assert sorted(drawn.points("rule")) == pytest.approx(sorted(means), abs=near)
    outlines = sorted(raised(drawn, mark).tolist() for mark in drawn.marks("line"))
    for outline, scores in zip(outlines, sorted(map(sorted, run.per_eval)), strict=True):
        inside = [[low - near <= score <= high + near for score in scores] for low, high in outline]
        assert np.any(inside, axis=0).all()
        assert np.any(inside, axis=1).all()


def raised(drawn: Drawn, mark: Mark) -> NDArray[np.float64]:
    """Return where an outline leaves its ground: from and to, shape (n, 2)."""
    corners = drawn.path(mark)
    ground = corners[:, 1].max()
    spans = [
        (drawn.read(start), drawn.read(end))
        for (start, height), (end, _) in zip(corners[::2], corners[1::2], strict=False)
        if height < ground
    ]
    return np.array(spans)


@pytest.mark.parametrize("name", ["alike", "alike, with intervals", "several"])
def test_differences(name: str) -> None:
    run = run_of(name)
    drawn, near = run.drawn("differences")
    # A, B, A - B, interval: these are never times 100.
    values = [float(cell.text) * run.factor for cell in run.cells("differences", 2)]
    assert drawn.points() == pytest.approx(values, abs=near)
    zero, *bars = drawn.bars()
    assert zero == pytest.approx([0, 0], abs=near)
    intervals = bounds(run.cells("differences", 3), run.factor)
    assert np.array(bars) == pytest.approx(np.array(intervals), abs=near)


@pytest.mark.parametrize("name", ["alike", "several"])
def test_wins(name: str) -> None:
    run = run_of(name)
    drawn, _ = run.drawn("wins")
    pair = [cell.text for cell in (run.cells("wins", 0)[0], run.cells("wins", 1)[0])]
    systems = list(run.results.systems)
    points = np.stack([run.per_eval[systems.index(system)] for system in pair], axis=1)
    near = [drawn.pixel(0), drawn.pixel(1)]
    fields = []
    for mark in drawn.marks("rect"):
        x, y, width, height, _ = map(float, NUMBER.findall(mark.element.get("d", "")))
        x, y = mark.x + x, mark.y + y
        fields.append(
            [[drawn.read(x), drawn.read(y + height, 1)], [drawn.read(x + width), drawn.read(y, 1)]]
        )
    inside = [
        [((low - near <= point) & (point <= high + near)).all() for point in points]
        for low, high in np.array(fields)
    ]
    assert np.any(inside, axis=0).all()
    assert np.any(inside, axis=1).all()
    # Of the pair's EVALs, as many below the line of equal scores as the table says.
    wins = [int(run.cells("wins", column)[0].text) for column in (2, 3, 4)]
    assert wins == [
        int((np.sign(points[:, 0] - points[:, 1]) == sign).sum()) for sign in (1, 0, -1)
    ]


def test_judged_systems() -> None:
    places = [[(0.4665, 3.0)], [(0.2, 1.0), (0.2, 4.0)], [(0.0, 0.0)]]
    panels = []
    for points in places:
        systems = [(str(number), *point) for number, point in enumerate(points)]
        panels.append(agreement_panel("t", "s", ("x", "y"), systems))
    for points, svg in zip(places, draw(panels), strict=True):
        drawn = Drawn(svg)
        shown = [(drawn.read(mark.x), drawn.read(mark.y, 1)) for mark in drawn.marks("symbol")]
        for axis in (0, 1):
            values = [point[axis] for point in points]
            assert [point[axis] for point in shown] == pytest.approx(values, abs=drawn.pixel(axis))


def test_labels_touch_no_point_and_no_label() -> None:
    random = Random(1)
    systems = [(f"s{k}", random.random(), random.random()) for k in range(20)]
    assert has_room_for_names(systems)
    (svg,) = draw([agreement_panel("t", "s", ("x", "y"), systems)])
    drawn = Drawn(svg)
    points = [(mark.x, mark.y) for mark in drawn.marks("symbol")]
    boxes = []
    for mark in drawn.marks("text"):
        length = 5 * len(mark.element.text or "")
        share = {"start": 0, "middle": 0.5, "end": 1}[mark.element.attrib["text-anchor"]]
        # Letters of 11 pixels are some 8 high above the line that they are on.
        boxes.append((mark.x - share * length, mark.x + (1 - share) * length, mark.y - 8, mark.y))
    assert len(boxes) == len(points) == 20
    for left, right, top, bottom in boxes:
        assert not any(left < x < right and top < y < bottom for x, y in points)
    for one, other in combinations(boxes, 2):
        is_apart = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2]
        assert is_apart or other[3] <= one[2], (one, other)


def test_judgements(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")
    monkeypatch.chdir(SAMPLE)
    results = rouge_cli.evaluate_files("config.xml", all=True, max_ngram=1, lcs=False, resamples=0)
    study = rouge_cli.correlate(results, "judgements.csv", judgement=["coverage"], level=["system"])
    drawn = Drawn(*draw(study._page().figures()[0].panels[:1]))
    names = [mark.element.text for mark in drawn.marks("text")]
    scores = {name: system["ROUGE-1"].f_measure.mean for name, system in results.systems.items()}
    assert dict(zip(names, drawn.points(), strict=True)) == pytest.approx(scores, abs=drawn.pixel())


def test_power() -> None:
    pytest.importorskip("scipy")
    peers = ["a b", "x", "b", "c"]
    results = rouge_cli.evaluate(peers, ["a b c", "c d", "b", "c"], max_ngram=1, lcs=False)
    study = rouge_cli.plan(results, difference=0.1, spread=0.1)
    (figure,) = study._page().figures()
    drawn = Drawn(*draw(figure.panels[:1]))
    table = study._page().document().sections[1].tables[0]
    shown = [(drawn.read(mark.x), drawn.read(mark.y, 1)) for mark in drawn.marks("symbol")]
    for axis in (0, 1):
        values = [float(cell.text) for cell in table.cells(axis)]
        near = drawn.pixel(axis) + 10 * HALF_A_DIGIT
        assert [point[axis] for point in shown] == pytest.approx(values, abs=near)
