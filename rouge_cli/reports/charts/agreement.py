"""Systems by what a metric and what people say of them."""

from collections.abc import Sequence

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.charts.style import ACCENT, INK, panel
from rouge_cli.reports.figure import Spec

__all__ = ["JudgedSystem", "agreement_panel"]

HEIGHT = 220


@dataclass(frozen=True, slots=True)
class JudgedSystem:
    """A system, its mean score and its mean judgement."""

    name: str
    score: float
    judgement: float


def agreement_panel(
    title: str, subtitle: str, axes: tuple[str, str], systems: Sequence[JudgedSystem]
) -> Spec:
    """Return a panel with a named point for each system.

    Parameters
    ----------
    axes : tuple of two str
        What the scores (to the right) and the judgements (upwards) are.
    """
    values = [{"name": one.name, "score": one.score, "judgement": one.judgement} for one in systems]
    spread = {"type": "quantitative", "scale": {"zero": False, "padding": 14}}
    encoding = {
        "x": {"field": "score", "title": axes[0], **spread},
        "y": {"field": "judgement", "title": axes[1], **spread},
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
                "limit": 90,
            },
            "encoding": {"text": {"field": "name"}},
        },
    ]
    return panel(title, subtitle, values, layers, height=HEIGHT, encoding=encoding)
