"""How often a comparison succeeds, by the number of EVALs."""

from collections.abc import Sequence

from rouge_cli.reports.charts.style import ACCENT, CONTRAST, MUTED, panel
from rouge_cli.reports.figure import Spec

__all__ = ["power_panel"]

HEIGHT = 200


def power_panel(
    title: str, axis: str, curve: Sequence[tuple[int, float]], *, wanted: float, n_pilot: int
) -> Spec:
    """Return a panel with the curve of power.

    Parameters
    ----------
    axis : str
        What is counted: EVALs or clusters.
    curve : sequence of (int, float)
        Numbers of them, and the power of each.
    wanted : float
        The power that is asked for: a line across.
    n_pilot : int
        How many the pilot has: a line upwards.
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
    return panel(title, f"power {wanted:g}, pilot {n_pilot}", values, layers, height=HEIGHT)
