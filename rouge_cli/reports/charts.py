"""Panels of figures: functions that turn numbers into Vega-Lite specifications.

Colours follow Okabe and Ito's palette, which colour-blind readers can tell apart. In pages,
``templates/page.css`` swaps each for a counterpart that suits a dark background.
"""

import json
import re
from collections.abc import Sequence
from math import isclose
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import Spec

INK, MUTED, FAINT = "#1f2328", "#59636e", "#d9dee3"
ACCENT, CONTRAST = "#0066b3", "#c44e00"
PANEL_WIDTH = 320
LABEL_WIDTH, LABEL_LETTERS, LINE_HEIGHT = 200, 18, 14
"""Maximum width of a name in pixels, maximum letters per line, and height of a line."""
WIDE_LABEL_WIDTH, WIDE_LABEL_LETTERS = 330, 50
"""The limits for long names, such as protocols with options."""
MOST_LINES = 8
"""Longer names lose their middle."""

INHERITED = frozenset(
    {
        *("__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
        *("__proto__", "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"),
        *("toLocaleString", "toString", "valueOf"),
    }
)
"""What every object of JavaScript has. Vega looks up each string of a specification among its
signals, finds these, and cannot draw."""

CONFIG: Spec = {
    "aria": False,
    "background": None,
    "font": "sans-serif",
    "view": {"stroke": None},
    "title": {
        "anchor": "start",
        "frame": "group",
        "color": INK,
        "fontSize": 13,
        "fontWeight": 600,
        "subtitleColor": MUTED,
        "subtitleFontSize": 11,
        "subtitlePadding": 4,
        "offset": 8,
    },
    "axis": {
        "domainColor": MUTED,
        "gridColor": FAINT,
        "tickColor": MUTED,
        "labelColor": INK,
        "titleColor": MUTED,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "titlePadding": 6,
        "labelLimit": LABEL_WIDTH,
        "labelFlush": False,
        "labelOverlap": "greedy",
        "tickCount": 5,
        "tickSize": 5,
    },
    "point": {"opacity": 1},
    # Drop every other number rather than let neighbours touch.
    "axisX": {"labelOverlap": "parity", "labelSeparation": 4},
    "axisY": {"grid": False},
    "legend": {
        "labelColor": INK,
        "titleColor": MUTED,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
    },
    "header": {"labelColor": INK, "labelFontSize": 11, "labelLimit": LABEL_WIDTH},
    "lineBreak": "\n",
}


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
        "autosize": {"type": "fit-x", "contains": "padding"},
        **more,
        "layer": list(layers),
    }


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
    """Return the axis of some values, with so many pixels on both sides of them."""
    ends = axis_ends(values, has_zero=has_zero)
    scale = {"domain": list(ends), "zero": False, "nice": True, "padding": padding}
    return {"type": "quantitative", "scale": scale}


ESTIMATE_HEIGHT = 24


@dataclass(frozen=True, slots=True)
class Estimate:
    """A named value with its uncertainty.

    `is_marked` highlights the best system or a significant difference. Values within `band` of zero
    are inconclusive, such as differences too small to detect. `note`, such as a p-value, appears on
    the right.
    """

    name: str
    value: float
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
    rows: list[dict[str, Any]] = []
    for row, estimate in enumerate(estimates):
        lower, upper = estimate.interval or (estimate.value, estimate.value)
        rows.append(
            {
                "row": row,
                "name": estimate.name,
                "value": estimate.value,
                "lower": lower,
                "upper": upper,
                "marked": estimate.is_marked,
            }
        )
    labels = [_wrapped(estimate.name, is_long=has_long_names) for estimate in estimates]
    n_lines = max(map(len, labels))
    size: dict[str, Any] = {"height": {"step": max(ESTIMATE_HEIGHT, n_lines * LINE_HEIGHT + 2)}}
    if has_long_names:
        size["width"] = PANEL_WIDTH + WIDE_LABEL_WIDTH - LABEL_WIDTH
    names = _names(labels, WIDE_LABEL_WIDTH if has_long_names else LABEL_WIDTH)
    ends = [row[end] for row in rows for end in ("lower", "value", "upper")]
    bands = [
        (row, estimate.band) for row, estimate in enumerate(estimates) if estimate.band is not None
    ]
    ends += [end for _, band in bands for end in (-band, band)]
    x = {"title": axis, **_axis(ends, 8, has_zero=has_zero)}
    colour = {
        "condition": {"test": "datum.marked", "value": CONTRAST if has_zero else ACCENT},
        "value": MUTED if has_zero else ACCENT,
    }
    notes = [estimate.note for estimate in estimates]
    # Notes make the axes independent: one layer draws the names, one the notes, the rest none.
    bare: Spec = {**names, "axis": None} if any(notes) else names
    layers = [_bars(x, bare, colour), _points(x, names, colour)]
    if has_zero:
        layers.insert(0, _zero(x))
    if bands:
        layers.insert(0, _bands(x, bare, bands))
    if any(notes):
        layers.insert(0, _notes(bare, notes))
        size["resolve"] = {"axis": {"y": "independent"}}
    return panel(title, subtitle, rows, layers, **size)


def _bands(x: Spec, names: Spec, bands: Sequence[tuple[int, float]]) -> Spec:
    return {
        "data": {"values": [{"row": row, "low": -band, "high": band} for row, band in bands]},
        "mark": {"type": "rule", "strokeWidth": 11, "color": FAINT},
        "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}, "y": names},
    }


def _notes(names: Spec, notes: Sequence[str]) -> Spec:
    """Return an invisible layer whose right-hand axis carries the notes."""
    axis = {
        "orient": "right",
        "ticks": False,
        "domain": False,
        "labelPadding": 6,
        "labelColor": MUTED,
        "labelExpr": f"{json.dumps(notes)}[datum.value]",
    }
    return {"mark": {"type": "text", "text": ""}, "encoding": {"y": {**names, "axis": axis}}}


def _names(labels: Sequence[Sequence[str]], width: int) -> Spec:
    # Vega puts the first line in the middle of the row.
    offsets = [
        {
            "test": f"length({_label_of(labels)}) == {n}",
            "value": -(LINE_HEIGHT - 1) * (n - 1) / 2,
        }
        for n in sorted({len(lines) for lines in labels} - {1})
    ]
    return {
        # By row rather than by name, since shortened names may coincide.
        "field": "row",
        "type": "nominal",
        "title": None,
        "axis": {
            "ticks": False,
            "domain": False,
            "labelPadding": 6,
            "labelLimit": width,
            "labelExpr": _label_of(labels),
            **({"labelOffset": {"condition": offsets, "value": 0}} if offsets else {}),
        },
    }


def _label_of(labels: Sequence[Sequence[str]]) -> str:
    return f"{json.dumps(labels)}[datum.value]"


def _wrapped(name: str, *, is_long: bool = False) -> list[str]:
    """Break a name into lines, preferably after punctuation or spaces."""
    letters = WIDE_LABEL_LETTERS if is_long else LABEL_LETTERS
    sign = r"(?<=[,:])" if is_long else r"(?<=[\s,:;=/_.|+-])"
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
    # The blank does not show.
    return [f"{line} " if line in INHERITED else line for line in stripped]


def _bars(x: Spec, names: Spec, colour: Spec) -> Spec:
    ends = {"x": {"field": "lower", **x}, "x2": {"field": "upper"}}
    return {
        "mark": {"type": "rule", "strokeWidth": 2, "strokeCap": "round"},
        "encoding": {**ends, "y": names, "color": colour},
    }


def _points(x: Spec, names: Spec, colour: Spec) -> Spec:
    fill = {"condition": {"test": "datum.marked", "value": 1}, "value": 0}
    colours = {"stroke": colour, "fill": colour, "fillOpacity": fill}
    return {
        "mark": {"type": "point", "filled": False, "size": 55, "strokeWidth": 2},
        "encoding": {"x": {"field": "value", **x}, "y": names, **colours},
    }


def _zero(x: Spec) -> Spec:
    return {
        "data": {"values": [{"zero": 0}]},
        "mark": {"type": "rule", "color": MUTED, "strokeDash": [3, 3]},
        "encoding": {"x": {"field": "zero", **x}, "y": {"value": 0}, "y2": {"value": "height"}},
    }


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
    return {
        "title": {"text": title, "subtitle": subtitle},
        "data": {"values": [*rows, *means]},
        "facet": {
            "row": {"field": "row", "type": "nominal", "title": None, "header": _header(labels)}
        },
        "spacing": 6,
        "spec": {
            "width": PANEL_WIDTH - 120,
            "height": height,
            "layer": [
                {
                    "mark": {
                        "type": "area",
                        "interpolate": "step-after",
                        "color": ACCENT,
                        "fillOpacity": 0.3,
                        "line": {"color": ACCENT, "strokeWidth": 1, "interpolate": "step-after"},
                    },
                    "encoding": {"x": {"field": "from", **x}, "y": y},
                },
                {
                    "transform": [{"filter": "datum.mean != null"}],
                    "mark": {"type": "rule", "color": CONTRAST, "strokeWidth": 2},
                    "encoding": {"x": {"field": "mean", **x}},
                },
            ],
        },
    }


def _header(labels: Sequence[Sequence[str]]) -> Spec:
    # Vega puts the first line in the middle of the row.
    is_lined = any(len(lines) > 1 for lines in labels)
    return {
        "labelAngle": 0,
        "labelAlign": "left",
        "labelAnchor": "end" if is_lined else "middle",
        "labelBaseline": "top" if is_lined else "middle",
        "labelExpr": _label_of(labels),
    }


def bin_edges(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges of `N_BINS` bins of equal width that cover all values."""
    return np.linspace(*axis_ends([float(values.min()), float(values.max())]), N_BINS + 1)


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
    layers: list[Spec] = [
        {
            "mark": {"type": "rect", "color": ACCENT},
            "encoding": {
                "x": {"field": "a", "title": axes[0], **span},
                "x2": {"field": "a2"},
                "y": {"field": "b", "title": axes[1], **span},
                "y2": {"field": "b2"},
                "opacity": {
                    "field": "n",
                    "type": "quantitative",
                    "title": "EVALs",
                    "scale": {"type": "sqrt", "range": [0.15, 1], "domainMin": 1},
                    # A symbol legend: a gradient would need an internal reference in the SVG.
                    # Its values are the least, the most, and the middle on a scale of roots.
                    "legend": {
                        "type": "symbol",
                        "symbolType": "square",
                        "format": "d",
                        "values": sorted({1, max(1, most // 4), most}),
                    },
                },
            },
        },
        {
            "data": {"values": [{"from": bounds[0], "to": bounds[-1]}]},
            "mark": {"type": "rule", "color": CONTRAST, "strokeDash": [4, 3]},
            "encoding": {
                "x": {"field": "from", **span},
                "x2": {"field": "to"},
                "y": {"field": "from", **span},
                "y2": {"field": "to"},
            },
        },
    ]
    # Fitting the width would not keep the panel square.
    size = {"width": WINS_SIZE, "height": WINS_SIZE, "autosize": "pad"}
    return panel(title, subtitle, values, layers, **size)


POWER_HEIGHT = 200


def power_panel(
    title: str, axis: str, curve: Sequence[tuple[int, float]], *, wanted: float, n_pilot: int
) -> Spec:
    """Return a panel with a power curve over the number of EVALs or clusters.

    `axis` says which of the two is counted. `wanted` is drawn as a horizontal line at the requested
    power, `n_pilot` as a vertical line at the size of the pilot.
    """
    values = [{"n": n, "power": power} for n, power in curve]
    y = {"type": "quantitative", "title": "Power", "scale": {"domain": [0, 1]}}
    x = {"type": "quantitative", "title": axis, "scale": {"zero": True}}
    layers: list[Spec] = [
        {
            "data": {"values": [{"wanted": wanted}]},
            "mark": {"type": "rule", "color": CONTRAST, "strokeDash": [4, 3]},
            "encoding": {"y": {"field": "wanted", **y}},
        },
        {
            "data": {"values": [{"pilot": n_pilot}]},
            "mark": {"type": "rule", "color": MUTED, "strokeDash": [2, 3]},
            "encoding": {"x": {"field": "pilot", **x}},
        },
        {
            "mark": {
                "type": "line",
                "color": ACCENT,
                "point": {"filled": True, "size": 35, "color": ACCENT},
            },
            "encoding": {"x": {"field": "n", **x}, "y": {"field": "power", **y}},
        },
    ]
    return panel(title, f"power {wanted:g}, pilot {n_pilot}", values, layers, height=POWER_HEIGHT)


AGREEMENT_HEIGHT = 220


def agreement_panel(
    title: str, subtitle: str, axes: tuple[str, str], systems: Sequence[tuple[str, float, float]]
) -> Spec:
    """Return a panel with a labelled point per system.

    `axes` labels the scores (horizontal) and the judgements (vertical); `systems` have a name, a
    mean score and a mean judgement.
    """
    values = [
        {"name": "\n".join(_wrapped(name)), "score": score, "judgement": judgement}
        for name, score, judgement in systems
    ]
    x = _axis([score for _, score, _ in systems], 14)
    y = _axis([judgement for _, _, judgement in systems], 14)
    encoding = {
        "x": {"field": "score", "title": axes[0], **x},
        "y": {"field": "judgement", "title": axes[1], **y},
    }
    layers: list[Spec] = [
        {"mark": {"type": "point", "filled": True, "size": 45, "color": ACCENT, "opacity": 1}},
        {
            "mark": {
                "type": "text",
                "align": "left",
                "baseline": "bottom",
                "dx": 5,
                "dy": -2,
                "fontSize": 10,
                "color": INK,
                "limit": LABEL_WIDTH,
            },
            "encoding": {"text": {"field": "name"}},
        },
    ]
    return panel(title, subtitle, values, layers, height=AGREEMENT_HEIGHT, encoding=encoding)
