"""How the scores of EVALs are spread: a histogram for each system, one below the other."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rouge_cli.reports.charts.style import ACCENT, CONTRAST, PANEL_WIDTH
from rouge_cli.reports.figure import Spec

__all__ = ["histogram_panel"]

N_BINS = 25
ROW_HEIGHT = 44


def histogram_panel(
    title: str, subtitle: str, axis: str, scores: Sequence[tuple[str, NDArray[np.float64]]]
) -> Spec:
    """Return a panel with a histogram for each system, all with the same bins.

    Parameters
    ----------
    axis : str
        What the scores are.
    scores : sequence of (str, ndarray of float64)
        The name of each system, and its scores; a line shows their mean.
    """
    edges = bin_edges(np.concatenate([values for _, values in scores]))
    rows = [row for name, values in scores for row in _outline(name, values, edges)]
    means = [{"name": name, "mean": float(values.mean())} for name, values in scores]
    x = {"type": "quantitative", "title": axis, "scale": {"zero": False, "nice": False}}
    y = {"field": "n", "type": "quantitative", "axis": None, "title": None}
    return {
        "title": {"text": title, "subtitle": subtitle},
        "data": {"values": rows},
        "facet": {
            "row": {
                "field": "name",
                "type": "nominal",
                "sort": [name for name, _ in scores],
                "title": None,
                "header": {"labelAngle": 0, "labelAlign": "left", "labelBaseline": "middle"},
            }
        },
        "spacing": 6,
        "spec": {
            "width": PANEL_WIDTH - 120,
            "height": ROW_HEIGHT,
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
    } | {"data": {"values": [*rows, *means]}}


def bin_edges(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the edges of bins of equal width that hold all values."""
    lowest, highest = float(values.min()), float(values.max())
    if lowest == highest:
        lowest, highest = lowest - 0.5, highest + 0.5
    return np.linspace(lowest, highest, N_BINS + 1)


def _outline(
    name: str, values: NDArray[np.float64], edges: NDArray[np.float64]
) -> list[dict[str, object]]:
    """Return where each bin begins and how many scores are in it; the last one ends at zero."""
    counts, _ = np.histogram(values, edges)
    corners = zip(edges.tolist(), [*counts.tolist(), 0], strict=True)
    return [{"name": name, "from": round(edge, 6), "n": count} for edge, count in corners]
