"""Values with intervals, one below the other: systems in a metric, or differences of systems."""

from collections.abc import Sequence
from dataclasses import dataclass

from rouge_cli.reports.charts.style import ACCENT, CONTRAST, MUTED, panel
from rouge_cli.reports.figure import Spec

__all__ = ["Estimate", "interval_panel"]

ROW_HEIGHT = 24


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and what is known of its error.

    Parameters
    ----------
    name : str
        What stands beside it.
    value : float
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
    title, subtitle : str
    axis : str
        What the values are.
    estimates : sequence of Estimate
        What is marked is filled, and in another colour.
    has_zero : bool
        Whether there is a line at zero, as there is for differences.
    """
    bounds = [one.interval or (one.value, one.value) for one in estimates]
    values = [
        {
            "row": place,
            "name": one.name,
            "value": one.value,
            "lower": lower,
            "upper": upper,
            "marked": one.is_marked,
        }
        for place, (one, (lower, upper)) in enumerate(zip(estimates, bounds, strict=True))
    ]
    x = {"type": "quantitative", "title": axis, "scale": {"zero": has_zero, "padding": 8}}
    colour = {
        "condition": {"test": "datum.marked", "value": CONTRAST if has_zero else ACCENT},
        "value": MUTED if has_zero else ACCENT,
    }
    hollow = {"condition": {"test": "datum.marked", "value": 1}, "value": 0}
    layers: list[Spec] = [
        {
            "mark": {"type": "rule", "strokeWidth": 2, "strokeCap": "round"},
            "encoding": {"x": {"field": "lower", **x}, "x2": {"field": "upper"}, "color": colour},
        },
        {
            "mark": {"type": "point", "filled": False, "size": 55, "strokeWidth": 2},
            "encoding": {
                "x": {"field": "value", **x},
                "stroke": colour,
                "fill": colour,
                "fillOpacity": hollow,
            },
        },
    ]
    if has_zero:
        zero: Spec = {
            "data": {"values": [{"zero": 0}]},
            "mark": {"type": "rule", "color": MUTED, "strokeDash": [3, 3]},
            "encoding": {"x": {"field": "zero", **x}, "y": {"value": 0}, "y2": {"value": "height"}},
        }
        layers.insert(0, zero)
    rows = {
        "field": "name",
        "type": "nominal",
        "sort": {"field": "row", "op": "min"},
        "title": None,
        "axis": {"ticks": False, "domain": False, "labelPadding": 6},
    }
    for layer in layers[has_zero:]:
        layer["encoding"]["y"] = rows
    return panel(title, subtitle, values, layers, height={"step": ROW_HEIGHT})
