"""Panels of figures: functions that turn numbers into Vega-Lite specifications.

Colours follow Okabe and Ito's palette, which colour-blind readers can tell apart. In pages,
``templates/page.css`` swaps each for a counterpart that suits a dark background.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import dist, isclose
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Spec
from rouge_cli.reports.wording import read_template

CONFIG: Spec = json.loads(read_template("figures.json"))
"""The look of all figures. Where numbers of an axis would touch, every other one is dropped."""

INK, MUTED = CONFIG["title"]["color"], CONFIG["title"]["subtitleColor"]
FAINT = CONFIG["axis"]["gridColor"]
ACCENT, CONTRAST = "#0066b3", "#c44e00"
PANEL_WIDTH = 160  # usual width of the axes, in pixels; labels add to it
SMALLEST_SHARE = 0.85  # share of this width that axes without common names keep
LABEL_WIDTH, LABEL_LETTERS, LINE_HEIGHT = CONFIG["axis"]["labelLimit"], 22, 12
"""Maximum width of a name in pixels, maximum letters per line, and height of a line."""
WIDE_LABEL_WIDTH, WIDE_LABEL_LETTERS = 330, 50
"""The limits for long names, such as protocols with options."""
MOST_LINES = 8  # longer names lose their middle
BREAK = r"(?<=[\s,:;=/_|+-])|(?<=\.)(?!\d)"
"""Places where a name may be broken: not inside a version such as ``v0.1``."""

INHERITED = frozenset(
    {
        *("__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
        *("__proto__", "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"),
        *("toLocaleString", "toString", "valueOf"),
    }
)
"""Members of every JavaScript object. Vega looks up each string of a specification among its
signals, finds these members, and cannot draw."""


def panel(
    title: str, subtitle: str, values: Sequence[Spec], layers: Sequence[Spec], **more: Any
) -> Spec:
    """Return a panel whose `layers`, marks with their encodings, share the data in `values`.

    `more` holds additional keys, such as ``height`` or an ``encoding`` common to all layers.
    """
    return {
        "title": {"text": title, "subtitle": subtitle},
        "data": {"values": list(values)},
        "width": PANEL_WIDTH,
        **more,
        "layer": list(layers),
    }


def _layer(mark: str, encoding: Spec, values: Sequence[Spec] = (), **look: Any) -> Spec:
    """Return a layer of marks; it may have `values` of its own in place of those of the panel."""
    data = {"data": {"values": list(values)}} if values else {}
    return {**data, "mark": {"type": mark, **look}, "encoding": encoding}


def axis_ends(values: Sequence[float], *, has_zero: bool = False) -> tuple[float, float]:
    """Return the ends of an axis that covers all values and, with `has_zero`, zero.

    If all values are equal, the axis starts at zero: Vega would give an axis of length zero a
    single label, rounded to a whole number.
    """
    lowest, highest = min(values), max(values)
    if has_zero or isclose(lowest, highest):
        lowest, highest = min(0.0, lowest), max(0.0, highest)
    if isclose(lowest, highest, abs_tol=1e-12):
        return (-0.5, 0.5) if has_zero else (0.0, 1.0)
    return lowest, highest


def _axis(values: Sequence[float], padding: int, *, has_zero: bool = False) -> Spec:
    ends = axis_ends(values, has_zero=has_zero)
    scale = {"domain": list(ends), "zero": False, "nice": True, "padding": padding}
    return {"type": "quantitative", "scale": scale}


ROW_HEIGHT = 15


@dataclass(frozen=True, slots=True)
class Estimate:
    """A named value with its uncertainty.

    `is_marked` highlights the best system or a significant difference. Values within `band` of zero
    are inconclusive, such as differences too small to detect. `note`, such as a p-value, appears on
    the right. Without a `value` the row stays empty.
    """

    name: str
    value: float | None
    interval: tuple[float, float] | None = None
    is_marked: bool = False
    band: float | None = None
    note: str = ""


def interval_panel(  # noqa: PLR0913
    title: str,
    subtitle: str,
    axis: str,
    estimates: Sequence[Estimate],
    *,
    has_zero: bool = False,
    has_long_names: bool = False,
) -> Spec:
    """Return a panel with one row per estimate, in order; marked points are filled.

    `axis` names the unit. `has_zero` draws a line at zero, for differences. `has_long_names` allows
    more letters per line of a name.
    """
    labels = [_wrapped(estimate.name, is_long=has_long_names) for estimate in estimates]
    heights = [max(ROW_HEIGHT, LINE_HEIGHT * len(lines) + 3) for lines in labels]
    bottoms = list(accumulate(heights))
    centres = [bottom - height / 2 for bottom, height in zip(bottoms, heights, strict=True)]
    rows: list[dict[str, Any]] = []
    for centre, estimate in zip(centres, estimates, strict=True):
        if estimate.value is None:
            continue
        # Without an interval, the bar has no length.
        lower, upper = estimate.interval or (estimate.value, estimate.value)
        row = {"y": centre, "value": estimate.value, "lower": lower, "upper": upper}
        if estimate.band is not None:
            row |= {"low": -estimate.band, "high": estimate.band}
        rows.append({**row, "marked": estimate.is_marked, "note": estimate.note})
    keys = ("lower", "value", "upper", "low", "high")
    drawn = [row[key] for row in rows for key in keys if key in row]
    x = {"title": axis, **_axis(drawn, 8, has_zero=has_zero)}
    width = WIDE_LABEL_WIDTH if has_long_names else LABEL_WIDTH
    y = _names(labels, centres, bottoms[-1], width)
    layers = list(_interval_layers(rows, x, has_zero=has_zero))
    return panel(title, subtitle, rows, layers, height=bottoms[-1], encoding={"y": y})


def _interval_layers(rows: Sequence[Spec], x: Spec, *, has_zero: bool) -> Iterator[Spec]:
    if any("low" in row for row in rows):
        band = {"x": {"field": "low", **x}, "x2": {"field": "high"}}
        yield _layer("rule", band, strokeWidth=9, color=FAINT)
    if has_zero:
        ends = {"x": {"field": "zero", **x}, "y": {"value": 0}, "y2": {"value": "height"}}
        yield _layer("rule", ends, [{"zero": 0}], color=MUTED, strokeDash=[3, 3])
    marked = {"test": "datum.marked", "value": CONTRAST if has_zero else ACCENT}
    colour = {"condition": marked, "value": MUTED if has_zero else ACCENT}
    bar = {"x": {"field": "lower", **x}, "x2": {"field": "upper"}, "color": colour}
    yield _layer("rule", bar, strokeWidth=2, strokeCap="round")
    fill = {"condition": {"test": "datum.marked", "value": 1}, "value": 0}
    point = {"x": {"field": "value", **x}, "stroke": colour, "fill": colour, "fillOpacity": fill}
    yield _layer("point", point, filled=False, size=40, strokeWidth=2)
    if any(row["note"] for row in rows):
        note = {"x": {"value": "width"}, "text": {"field": "note"}}
        yield _layer("text", note, align="left", dx=6, color=MUTED)


def _names(
    labels: Sequence[Sequence[str]], centres: Sequence[float], height: float, width: int
) -> Spec:
    # By position rather than by name, since shortened names may coincide.
    label = f"{json.dumps(labels)}[indexof({json.dumps(centres)}, datum.value)]"
    # Vega centres the first line of a label in the row, so labels of n lines move up.
    offsets = [
        {"test": f"length({label}) == {n}", "value": -LINE_HEIGHT * (n - 1) / 2}
        for n in sorted({len(lines) for lines in labels} - {1})
    ]
    axis = {
        "values": list(centres),
        # Vega thins out more values than ticks.
        "tickCount": len(centres),
        "ticks": False,
        "domain": False,
        "labelPadding": 6,
        "labelLimit": width,
        "labelLineHeight": LINE_HEIGHT,
        "labelOverlap": False,
        "labelExpr": label,
        **({"labelOffset": {"condition": offsets, "value": 0}} if offsets else {}),
    }
    scale = {"domain": [0, height], "nice": False, "zero": False, "reverse": True}
    return {"field": "y", "type": "quantitative", "title": None, "scale": scale, "axis": axis}


def without_names(panel: Spec) -> Spec:
    """Return a panel whose rows have no names, for a place beside a panel with the same rows."""
    if "facet" in panel:
        row = panel["facet"]["row"]
        return {**panel, "facet": {"row": {**row, "header": {**row["header"], "labels": False}}}}
    y = panel["encoding"]["y"]
    axis = {**y["axis"], "labels": False}
    return {**panel, "encoding": {**panel["encoding"], "y": {**y, "axis": axis}}}


def with_width(panel: Spec, width: float) -> Spec:
    """Return a panel with axes of this width, in pixels; a square one stays square."""
    if "spec" in panel:
        return {**panel, "spec": {**panel["spec"], "width": width}}
    is_square = panel.get("height") == panel["width"]
    return {**panel, "width": width, **({"height": width} if is_square else {})}


def _wrapped(name: str, *, is_long: bool = False) -> list[str]:
    letters = WIDE_LABEL_LETTERS if is_long else LABEL_LETTERS
    sign = r"(?<=[,:])" if is_long else BREAK
    return wrapped(shortened(name, MOST_LINES * letters * 3 // 4), letters, sign)


def shortened(name: str, most: int) -> str:
    """Return a name of at most `most` letters, with the middle of a longer one left out."""
    if len(name) <= most:
        return name
    end = (most - 1) // 2
    return f"{name[: most - 1 - end]}\N{HORIZONTAL ELLIPSIS}{name[-end:]}"


def wrapped(text: str, letters: int, sign: str = r"(?<=\s)") -> list[str]:
    """Break a text into lines of at most `letters` characters, preferably after a `sign`."""
    lines = [""]
    for piece in re.split(sign, text):
        if lines[-1] and len(lines[-1] + piece.rstrip()) > letters:
            lines.append("")
        lines[-1] += piece
        while len(lines[-1].rstrip()) > letters:
            lines[-1:] = [lines[-1][:letters], lines[-1][letters:]]
    stripped = [line.rstrip() for line in lines]
    # A trailing blank does not show, but makes the line another string than the member.
    return [f"{line} " if line in INHERITED else line for line in stripped]


MATRIX_LETTERS = 9.5
MOST_NUMBERS = 12  # systems whose matrix has room for numbers
Cells = Mapping[tuple[int, int], tuple[str, int]]


def matrix_panel(title: str, subtitle: str, names: Sequence[str], cells: Cells) -> Spec:
    """Return a matrix of systems, best first: row minus column, shaded where it is significant.

    `cells` has for each row and column the difference as text, and 1 if the row is significantly
    better, -1 if it is significantly worse, and 0 otherwise. Columns are labelled by row number.
    """
    n, is_small = len(names), len(names) <= MOST_NUMBERS
    # The signs 0, 1 and -1 are indices of a blank, a plus and a minus.
    values = [
        {"row": row, "column": column, "sign": sign, "text": text if is_small else " +\u2212"[sign]}
        for (row, column), (text, sign) in cells.items()
    ]
    labels = [" ".join((name, str(k))) for k, name in enumerate(names, 1)]
    ranks: Spec = {"type": "ordinal", "title": None, "scale": {"domain": list(range(n))}}
    bare: Spec = {"ticks": False, "domain": False, "grid": False}
    column = {**bare, "orient": "top", "labelExpr": "format(datum.value + 1, 'd')", "labelAngle": 0}
    row = {**bare, "labelOverlap": False, "labelExpr": f"{json.dumps(labels)}[datum.value]"}
    shades = {"domain": [-1, 0, 1], "range": [CONTRAST, FAINT, ACCENT]}
    colour = {"field": "sign", "type": "nominal", "scale": shades, "legend": None}
    ink = {"condition": {"test": "datum.sign == 0", "value": INK}, "value": "white"}
    layers = [
        _layer("rect", {"color": colour}, stroke="white"),
        _layer("text", {"text": {"field": "text"}, "color": ink}, fontSize=MATRIX_LETTERS),
    ]
    encoding = {
        "x": {"field": "column", **ranks, "axis": column},
        "y": {"field": "row", **ranks, "axis": row},
    }
    return panel(title, subtitle, values, layers, height=n * ROW_HEIGHT + 1, encoding=encoding)


N_BINS = 25
HISTOGRAM_HEIGHT = 44


def histogram_panel(
    title: str, subtitle: str, axis: str, scores: Sequence[tuple[str, NDArray[np.float64]]]
) -> Spec:
    """Return a panel with a histogram and the mean of each system; all share the same bins.

    `axis` names the scores; `scores` pairs each system's name with its values.
    """
    edges = bin_edges(np.concatenate([values for _, values in scores]))
    labels = [_wrapped(name) for name, _ in scores]
    rows = []
    for k, (_, values) in enumerate(scores):
        counts, _ = np.histogram(values, edges)
        # The last corner, at zero, closes the outline.
        corners = zip(edges.tolist(), [*counts.tolist(), 0], strict=True)
        rows += [{"row": k, "from": edge, "n": count} for edge, count in corners]
    means = [{"row": k, "mean": float(values.mean())} for k, (_, values) in enumerate(scores)]
    height = max(HISTOGRAM_HEIGHT, LINE_HEIGHT * max(map(len, labels)))
    domain = {"domain": edges[[0, -1]].tolist(), "zero": False, "nice": False}
    x = {"type": "quantitative", "title": axis, "scale": domain}
    y = {"field": "n", "type": "quantitative", "axis": None, "title": None}
    steps: dict[str, Any] = {"interpolate": "step-after"}
    outline = {"color": ACCENT, "strokeWidth": 1, **steps}
    counts_of_bins = {"x": {"field": "from", **x}, "y": y}
    mean = _layer("rule", {"x": {"field": "mean", **x}}, color=CONTRAST, strokeWidth=2)
    layers = [
        _layer("area", counts_of_bins, color=ACCENT, fillOpacity=0.3, line=outline, **steps),
        {"transform": [{"filter": "datum.mean != null"}], **mean},
    ]
    header = {"row": {"field": "row", "type": "nominal", "title": None, "header": _header(labels)}}
    return {
        "title": {"text": title, "subtitle": subtitle},
        "data": {"values": [*rows, *means]},
        "facet": header,
        "spacing": 6,
        "spec": {"width": PANEL_WIDTH, "height": height, "layer": layers},
    }


def _header(labels: Sequence[Sequence[str]]) -> Spec:
    # Vega centres the first line of a label, so one with several lines starts at the top instead.
    is_lined = any(len(lines) > 1 for lines in labels)
    return {
        "labelAngle": 0,
        "labelAlign": "left",
        "labelAnchor": "end" if is_lined else "middle",
        "labelBaseline": "top" if is_lined else "middle",
        "labelExpr": f"{json.dumps(labels)}[datum.value]",
    }


def bin_edges(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges of `N_BINS` bins of equal width that cover all values.

    Inner edges are rounded, since they appear in the addresses of pages.
    """
    edges = np.linspace(*axis_ends([float(values.min()), float(values.max())]), N_BINS + 1)
    edges[1:-1] = [float(f"{edge:.12g}") for edge in edges[1:-1]]
    return edges


WINS_SIZE = 220


def wins_panel(
    title: str, subtitle: str, axes: tuple[str, str], scores: NDArray[np.float64]
) -> Spec:
    """Return a heat map of the EVALs by the scores of two systems.

    `axes` labels the scores of A (horizontal) and B (vertical); `scores` has shape (2, n_evals).
    """
    edges = bin_edges(scores)
    counts, _, _ = np.histogram2d(scores[0], scores[1], bins=[edges, edges])
    bounds, most = edges.tolist(), int(counts.max())
    values = [
        {"a": bounds[i], "a2": bounds[i + 1], "b": bounds[j], "b2": bounds[j + 1], "n": int(n)}
        for (i, j), n in np.ndenumerate(counts)
        if n
    ]
    domain = {"zero": False, "nice": False, "domain": [bounds[0], bounds[-1]]}
    span = {"type": "quantitative", "scale": domain}
    # A symbol legend, since a gradient would need an internal reference in the SVG. On a scale of
    # square roots, a quarter of the maximum is the middle.
    legend = {"type": "symbol", "symbolType": "square", "format": "d"}
    scale = {"type": "sqrt", "range": [0.15, 1], "domainMin": 1}
    opacity = {"field": "n", "type": "quantitative", "title": "texts", "scale": scale}
    opacity["legend"] = {**legend, "values": sorted({1, max(1, most // 4), most})}
    cells = {
        "x": {"field": "a", "title": axes[0], **span},
        "x2": {"field": "a2"},
        "y": {"field": "b", "title": axes[1], **span},
        "y2": {"field": "b2"},
        "opacity": opacity,
    }
    start, end = {"field": "from", **span}, {"field": "to"}
    diagonal = {"x": start, "x2": end, "y": start, "y2": end}
    ends = [{"from": bounds[0], "to": bounds[-1]}]
    layers = [
        _layer("rect", cells, color=ACCENT),
        _layer("rule", diagonal, ends, color=CONTRAST, strokeDash=[4, 3]),
    ]
    return panel(title, subtitle, values, layers, width=WINS_SIZE, height=WINS_SIZE)


POWER_WIDTH, POWER_HEIGHT = 260, 200


def power_panel(  # noqa: PLR0913
    title: str,
    axis: str,
    curve: Sequence[tuple[int, float]],
    most: int,
    *,
    wanted: float,
    n_pilot: int,
) -> Spec:
    """Return a panel with a power curve over the number of EVALs or clusters.

    `axis` is the label of the horizontal axis, which ends at `most`. A horizontal line shows the
    required power, `wanted`, and a vertical one the size of the pilot, `n_pilot`.
    """
    values = [{"n": n, "power": power} for n, power in curve]
    y = {"type": "quantitative", "title": "Power", "scale": {"domain": [0, 1]}}
    x = {"type": "quantitative", "title": axis, "scale": {"domain": [0, most], "nice": False}}
    point = {"filled": True, "size": 35, "color": ACCENT}
    at_power, at_pilot = {"y": {"field": "wanted", **y}}, {"x": {"field": "pilot", **x}}
    points = {"x": {"field": "n", **x}, "y": {"field": "power", **y}}
    layers = [
        _layer("rule", at_power, [{"wanted": wanted}], color=CONTRAST, strokeDash=[4, 3]),
        _layer("rule", at_pilot, [{"pilot": n_pilot}], color=MUTED, strokeDash=[2, 3]),
        _layer("line", points, color=ACCENT, point=point),
    ]
    size = {"width": POWER_WIDTH, "height": POWER_HEIGHT}
    return panel(title, f"power {wanted:g}, pilot {n_pilot}", values, layers, **size)


AGREEMENT_WIDTH, AGREEMENT_HEIGHT = 220, 200
LETTER_WIDTH, LABEL_HEIGHT, LABEL_GAP, RADIUS = 6.3, 13, 5, 4
"""Sizes in pixels, for labels of size 11: average width of a letter, height of a line, gap between
a label and its point, and radius of a point."""

PLACES = ((1, 1), (1, 0), (-1, 1), (-1, 0), (1, -1), (-1, -1), (0, 1), (0, -1))
"""Possible places of a label relative to its point, as steps right and up; the best comes first."""

Place = tuple[int, int]


def agreement_panel(
    title: str,
    subtitle: str,
    axes: tuple[str, str],
    systems: Sequence[tuple[str, float, float]],
    *,
    is_numbered: bool = False,
) -> Spec:
    """Return a panel with a point per system.

    `axes` labels the scores (horizontal) and the judgements (vertical); `systems` have a name, a
    mean score and a mean judgement. With `is_numbered`, points are labelled with the numbers of the
    systems; a number without room joins the label of the nearest point.
    """
    values = [
        {"name": name, "score": x, "judgement": y, "right": right, "up": up}
        for name, x, y, (right, up) in _labels(systems, is_numbered=is_numbered)
    ]
    points = [{"score": score, "judgement": judgement} for _, score, judgement in systems]
    encoding = {
        "x": {"field": "score", "title": axes[0], **_axis([x for _, x, _ in systems], 14)},
        "y": {"field": "judgement", "title": axes[1], **_axis([y for _, _, y in systems], 14)},
    }
    look: dict[str, Any] = {
        "align": {"expr": "['right', 'center', 'left'][datum.right + 1]"},
        "baseline": {"expr": "['top', 'middle', 'bottom'][datum.up + 1]"},
        "dx": {"expr": f"{LABEL_GAP} * datum.right"},
        "dy": {"expr": f"(datum.right ? -1 : -{LABEL_GAP}) * datum.up"},
    }
    layers = [
        _layer("point", {}, points, filled=True, size=40, color=ACCENT),
        _layer("text", {"text": {"field": "name"}}, color=INK, **look),
    ]
    size = {"width": AGREEMENT_WIDTH, "height": AGREEMENT_HEIGHT}
    return panel(title, subtitle, values, layers, **size, encoding=encoding)


def _pixels(systems: Sequence[tuple[str, float, float]]) -> list[tuple[float, float]]:
    """Return the pixels of the points in the narrowest panel: labels that fit it fit all panels."""
    _, *sides = (list(side) for side in zip(*systems, strict=True))
    lengths = SMALLEST_SHARE * AGREEMENT_WIDTH, AGREEMENT_HEIGHT
    pixels = []
    for values, length in zip(sides, lengths, strict=True):
        low, high = axis_ends(values)
        pixels.append([14 + (length - 28) * (value - low) / (high - low) for value in values])
    return list(zip(*pixels, strict=True))


def _places(names: Sequence[str], points: Sequence[tuple[float, float]]) -> list[Place | None]:
    """Return a place for each label where it touches no other label or point, or else None."""
    places: list[Place | None] = []
    taken = [(x - RADIUS, x + RADIUS, y - RADIUS, y + RADIUS) for x, y in points]
    for number, (name, (x, y)) in enumerate(zip(names, points, strict=True)):
        length = LETTER_WIDTH * len(name)
        others = [*taken[:number], *taken[number + 1 :]]
        for right, up in PLACES:
            start = x + LABEL_GAP * right + length * (right - 1) / 2
            low = y + (1 if right else LABEL_GAP) * up + LABEL_HEIGHT * (up - 1) / 2
            box = start, start + length, low, low + LABEL_HEIGHT
            is_inside = min(start, low) >= 0 and box[1] <= SMALLEST_SHARE * AGREEMENT_WIDTH
            if is_inside and not any(_overlap(box, other) for other in others):
                taken.append(box)
                places.append((right, up))
                break
        else:
            places.append(None)
    return places


def _overlap(box: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return box[0] < other[1] and other[0] < box[1] and box[2] < other[3] and other[2] < box[3]


def has_room_for_names(systems: Sequence[tuple[str, float, float]]) -> bool:
    """Return whether each name of an agreement panel has a free place."""
    return None not in _places([name for name, *_ in systems], _pixels(systems))


def _labels(
    systems: Sequence[tuple[str, float, float]], *, is_numbered: bool
) -> Iterator[tuple[str, float, float, Place]]:
    """Yield each label with the score and the judgement of its point, and the label's place."""
    points = _pixels(systems)
    names = [str(n) if is_numbered else name for n, (name, *_) in enumerate(systems, 1)]
    places = _places(names, points)
    shown = [n for n, place in enumerate(places) if place is not None] or [0]
    # A label without a place joins that of the nearest point which has one.
    together = {n: [names[n]] for n in shown}
    for n in sorted(set(range(len(names))).difference(shown)):
        nearest = min(shown, key=lambda other: dist(points[n], points[other]))
        together[nearest].append(names[n])
    for n, of_label in together.items():
        yield ",".join(of_label), *systems[n][1:], places[n] or PLACES[0]
