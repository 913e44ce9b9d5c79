"""What is drawn, and what a page holds."""

import os
from collections.abc import Iterable
from typing import Any

from rouge_cli.options.declaration import ItemError, OptionGroup, option
from rouge_cli.options.values import path, switch
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "CORRELATION_FIGURES",
    "FIGURES",
    "PLAN_FIGURES",
    "SCORE_FIGURES",
    "PageOptions",
    "PlotFile",
    "PlotFiles",
]

OUTPUT = "Output"

SCORE_FIGURES = ("forest", "differences", "distributions", "wins")
CORRELATION_FIGURES = ("agreement",)
PLAN_FIGURES = ("power",)
FIGURES = (*SCORE_FIGURES, *CORRELATION_FIGURES, *PLAN_FIGURES)
"""Every figure that some command has."""

PLOT_SUFFIXES = (".svg", ".png", ".pdf")


@dataclass(frozen=True, slots=True)
class PlotFile:
    """A figure, and where it goes.

    Parameters
    ----------
    path : str
        Ends in one of `PLOT_SUFFIXES`.
    figure : str or None
        One of `FIGURES`; None for the first one that a command has.
    """

    path: str
    figure: str | None = None

    def __str__(self) -> str:
        """Return it as typed."""
        return self.path if self.figure is None else f"{self.figure}={self.path}"

    @property
    def suffix(self) -> str:
        """What the name of the file ends in, in small letters."""
        return self.path[self.path.rindex(".") :].lower()


class PlotFiles:
    """A reader of ``FILE`` or ``FIGURE=FILE``, one or several."""

    values = FIGURES
    _expected = (
        f"a file whose name ends in {', '.join(PLOT_SUFFIXES[:-1])} or {PLOT_SUFFIXES[-1]}, alone "
        f"or behind the name of a figure and '=': {', '.join(FIGURES)}"
    )

    def __call__(self, given: Any) -> tuple[PlotFile, ...]:
        """Return the figures."""
        if isinstance(given, str | bytes | os.PathLike | PlotFile):
            return (self._read(given),)
        if not isinstance(given, Iterable):
            raise ValueError(self._expected)
        return tuple(map(self._read, given))

    def _read(self, given: Any) -> PlotFile:
        """Read one figure."""
        if isinstance(given, PlotFile):
            return given
        name, equals, file = _text(given).rpartition("=")
        figure = name.strip().lower() if equals else None
        is_known = figure is None or figure in FIGURES
        if not is_known or not file.lower().endswith(PLOT_SUFFIXES):
            raise ItemError(given, self._expected)
        return PlotFile(path(file), figure)


def _text(given: Any) -> str:
    """Return what was typed, or a path."""
    return os.fsdecode(given) if isinstance(given, bytes | os.PathLike) else str(given)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions(OptionGroup):
    """What is drawn of a result, and what its page holds."""

    plot: tuple[PlotFile, ...] = option(
        "--plot [FIGURE=]FILE",
        OUTPUT,
        "Draw a figure (.svg, .png, .pdf), by default the first one that the command has; repeat "
        "for several.",
        PlotFiles(),
        (),
        is_many=True,
    )
    page_texts: bool = option(
        "--no-texts",
        OUTPUT,
        "Leave the texts out of --report html, as for confidential data.",
        switch,
        True,
        off=True,
    )
