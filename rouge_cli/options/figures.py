"""Options of figure files: which figure, its file, its width and the size of its labels."""

import os
import re
from typing import Any

from rouge_cli.options.declaration import DECIMAL, path, several
from rouge_cli.quick_dataclass import dataclass

SCORE_FIGURES = ("forest", "differences", "distributions", "wins")
CORRELATION_FIGURES = ("agreement",)
PLAN_FIGURES = ("power",)
PROTOCOL_FIGURES = ("protocols",)
CONTEXT_FIGURES = ("context",)
FIGURES = (
    *(*SCORE_FIGURES, *CORRELATION_FIGURES, *PLAN_FIGURES),
    *(*PROTOCOL_FIGURES, *CONTEXT_FIGURES),
)

PLOT_SUFFIXES = (".svg", ".png", ".pdf")


@dataclass(frozen=True, slots=True)
class PlotFile:
    """A figure and its file, which ends in one of `PLOT_SUFFIXES`.

    `figure` is one of `FIGURES`, or None for the first figure of the command.
    """

    path: str
    figure: str | None = None

    def __str__(self) -> str:
        return self.path if self.figure is None else f"{self.figure}={self.path}"

    @property
    def suffix(self) -> str:
        """The suffix of the file, in lower case."""
        return self.path[self.path.rindex(".") :].lower()


class PlotFiles:
    """Reader of one or more ``FILE`` or ``FIGURE=FILE``."""

    values = FIGURES
    _expected = (
        f"a file whose name ends in {', '.join(PLOT_SUFFIXES[:-1])} or {PLOT_SUFFIXES[-1]}, alone "
        f"or after the name of a figure and '=': {', '.join(FIGURES)}"
    )

    def __call__(self, raw: Any) -> tuple[PlotFile, ...]:
        """Read a value; raises ValueError."""
        read = several(self._read, str | bytes | os.PathLike | PlotFile, self._expected)
        return read(raw)

    def _read(self, raw: Any) -> PlotFile:
        text = os.fsdecode(raw) if isinstance(raw, bytes | os.PathLike) else str(raw)
        name, equals, file = text.rpartition("=")
        figure = name.strip().lower() if equals else None
        is_known = figure is None or figure in FIGURES
        if not is_known or not file.lower().endswith(PLOT_SUFFIXES):
            raise ValueError(self._expected)
        return PlotFile(path(file), figure)


POINTS_OF = {"mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72.0, "pt": 1.0}  # points per unit
LENGTH = re.compile(rf"({DECIMAL}) ?({'|'.join(POINTS_OF)})")
NARROWEST, WIDEST = 30 * POINTS_OF["mm"], 1000 * POINTS_OF["mm"]
PAPER_FONT_SIZE, SCREEN_FONT_SIZE = 7.0, 11.0


class FigureWidth(str):
    """The width of a figure as typed, such as ``84mm``."""

    __slots__ = ()

    @property
    def points(self) -> float:
        """The width in points."""
        value, unit = LENGTH.fullmatch(self).groups()  # type: ignore[union-attr]
        return float(value) * POINTS_OF[unit]


def figure_width(raw: Any) -> FigureWidth:
    """Read the width of a figure."""
    match = LENGTH.fullmatch(raw.strip()) if isinstance(raw, str) else None
    if match is None or not NARROWEST <= FigureWidth(match[0]).points <= WIDEST:
        raise ValueError("a length from 30mm to 1000mm, such as 84mm, 8.4cm, 3.3in or 240pt")
    return FigureWidth(match[0])


@dataclass(frozen=True, slots=True)
class FigureLayout:
    """Width, number of columns of panels, and font size, in points; None for the screen default."""

    points: float | None = None
    columns: int | None = None
    font_size: float | None = None

    @property
    def scale(self) -> float:
        """The factor by which lengths for a screen are multiplied."""
        usual = SCREEN_FONT_SIZE if self.points is None else PAPER_FONT_SIZE
        return (self.font_size or usual) / SCREEN_FONT_SIZE


DEFAULT_LAYOUT = FigureLayout()
