"""Values with intervals, one below the other: systems in a metric, or differences of systems."""

from collections.abc import Iterator, Sequence

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.charts.style import ACCENT, CONTRAST, MUTED, panel
from rouge_cli.reports.figure import Spec

__all__ = ["Estimate", "interval_panel"]

ROW_HEIGHT = 24

NAMES: Spec = {
    "field": "name",
    "type": "nominal",
    "sort": {"field": "row", "op": "min"},
    "title": None,
    "axis": {"ticks": False, "domain": False, "labelPadding": 6},
}
"""The names of estimates, in their order, from top to bottom."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and what is known of its error.

    Parameters
    ----------
    name : str
        What stands beside it.
    interval : tuple of two floats, or None
    is_marked : bool
        Whether it stands out: the best system, or a difference that is no chance.
    """

    name: str
    value: float
    interval: tuple[float, float] | None = None
    is_marked: bool = False


def interval_panel(
    title: str, subtitle: str, axis: str, estimates: Sequence[Estimate], *, has_zero: bool = False
) -> Spec:
    """Return a panel with a row for each estimate, in their order.

    Parameters
    ----------
    axis : str
        What the values are.
    estimates : sequence of Estimate
        What is marked is filled, and in another colour.
    has_zero : bool
        Whether there is a line at zero, as there is for differences.
    """
    x = {"type": "quantitative", "title": axis, "scale": {"zero": has_zero, "padding": 8}}
    colour = {
        "condition": {"test": "datum.marked", "value": CONTRAST if has_zero else ACCENT},
        "value": MUTED if has_zero else ACCENT,
    }
    layers = [*_bars(x, colour), *_points(x, colour)]
    if has_zero:
        layers.insert(0, _zero(x))
    return panel(title, subtitle, list(_rows(estimates)), layers, height={"step": ROW_HEIGHT})


def _rows(estimates: Sequence[Estimate]) -> Iterator[Spec]:
    """Yield the data of each estimate."""
    for place, one in enumerate(estimates):
        lower, upper = one.interval or (one.value, one.value)
        yield {
            "row": place,
            "name": one.name,
            "value": one.value,
            "lower": lower,
            "upper": upper,
            "marked": one.is_marked,
        }


def _bars(x: Spec, colour: Spec) -> Iterator[Spec]:
    """Yield the layer of the intervals."""
    ends = {"x": {"field": "lower", **x}, "x2": {"field": "upper"}}
    yield {
        "mark": {"type": "rule", "strokeWidth": 2, "strokeCap": "round"},
        "encoding": {**ends, "y": NAMES, "color": colour},
    }


def _points(x: Spec, colour: Spec) -> Iterator[Spec]:
    """Yield the layer of the values, those that are marked filled."""
    fill = {"condition": {"test": "datum.marked", "value": 1}, "value": 0}
    colours = {"stroke": colour, "fill": colour, "fillOpacity": fill}
    yield {
        "mark": {"type": "point", "filled": False, "size": 55, "strokeWidth": 2},
        "encoding": {"x": {"field": "value", **x}, "y": NAMES, **colours},
    }


def _zero(x: Spec) -> Spec:
    """Return the layer of the line at zero, from top to bottom."""
    return {
        "data": {"values": [{"zero": 0}]},
        "mark": {"type": "rule", "color": MUTED, "strokeDash": [3, 3]},
        "encoding": {"x": {"field": "zero", **x}, "y": {"value": 0}, "y2": {"value": "height"}},
    }
