"""What a report draws, before it is drawn: panels that are specifications of Vega-Lite."""

from collections.abc import Mapping
from typing import Any

from rouge_cli.quick_dataclass import dataclass

__all__ = ["Figure", "Spec"]

Spec = Mapping[str, Any]
"""A specification of Vega-Lite: dictionaries, lists, strings and numbers."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Panels that belong together, mostly one for each metric.

    Parameters
    ----------
    name : str
        One of `rouge_cli.options.reports.FIGURES`.
    caption : str
        What is drawn, of how many EVALs, and what the intervals are.
    panels : tuple of Spec
        Each can be drawn alone; its title says what it shows.
    """

    name: str
    title: str
    caption: str
    panels: tuple[Spec, ...]
