"""What all panels have in common: their size, type and colours.

The colours are Okabe and Ito's, or come near them: the colour-blind can tell them apart. In a page
each is exchanged for its sibling on a dark ground, see ``templates/page.css``.
"""

from collections.abc import Sequence
from typing import Any

from rouge_cli.reports.figure import Spec

__all__ = ["ACCENT", "CONFIG", "CONTRAST", "FAINT", "INK", "MUTED", "PANEL_WIDTH", "panel", "scale"]

INK, MUTED, FAINT = "#1f2328", "#59636e", "#d9dee3"
ACCENT, CONTRAST = "#0066b3", "#c44e00"
PANEL_WIDTH = 320
LABEL_WIDTH = 110
"""Longer names are cut; the tables have them whole."""

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
    },
    "point": {"opacity": 1},
    "axisY": {"grid": False},
    "legend": {
        "labelColor": INK,
        "titleColor": MUTED,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
    },
    "header": {"labelColor": INK, "labelFontSize": 11, "labelLimit": LABEL_WIDTH},
}


def panel(
    title: str, subtitle: str, values: Sequence[Spec], layers: Sequence[Spec], **more: Any
) -> Spec:
    """Return a panel of marks on top of each other.

    Parameters
    ----------
    values : sequence of Spec
        The rows of its data.
    layers : sequence of Spec
        A mark and its encoding each.
    **more
        Further keys, such as ``height`` and the ``encoding`` that all layers share.
    """
    return {
        "title": {"text": title, "subtitle": subtitle},
        "data": {"values": list(values)},
        "width": PANEL_WIDTH,
        "autosize": {"type": "fit-x", "contains": "padding"},
        **more,
        "layer": list(layers),
    }


def scale(is_share: bool, *, from_zero: bool = False) -> Spec:
    """Return the scale of an axis of scores; shares keep between 0 and 1."""
    return {"zero": from_zero, "nice": True, **({"clamp": True} if is_share else {})}
