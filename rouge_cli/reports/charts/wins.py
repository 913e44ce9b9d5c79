"""A against B, EVAL by EVAL, as a map of counts: its size does not grow with the EVALs."""

import numpy as np
from numpy.typing import NDArray

from rouge_cli.reports.charts.distributions import bin_edges
from rouge_cli.reports.charts.style import ACCENT, CONTRAST, panel
from rouge_cli.reports.figure import Spec

__all__ = ["wins_panel"]

PAIR = 2
HEIGHT = 240


def wins_panel(
    title: str, subtitle: str, axes: tuple[str, str], scores: NDArray[np.float64]
) -> Spec:
    """Return a panel in which the darkness of a field says how many EVALs are in it.

    Parameters
    ----------
    axes : tuple of two str
        What the scores of A (to the right) and of B (upwards) are.
    scores : ndarray of float64, shape (2, n_evals)
        Of A and of B.
    """
    edges = bin_edges(scores)
    counts, _, _ = np.histogram2d(scores[0], scores[1], bins=[edges, edges])
    bounds = [round(edge, 6) for edge in edges.tolist()]
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
                    "legend": None,
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
    return panel(title, subtitle, values, layers, height=HEIGHT)
