"""What shows itself: as text, as HTML, as JSON, as a data frame."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import OptionError, RougeError, missing_package
from rouge_cli.options.reports import PageOptions

if TYPE_CHECKING:
    import pandas as pd

    from rouge_cli.reports import View


class Shown(ABC):
    """Results that show themselves as the reports of the command line."""

    __slots__ = ()

    @abstractmethod
    def _view(self) -> "View":
        """Return the results as writers take them."""

    @abstractmethod
    def _page(self) -> "View":
        """Return the results as the writer of pages takes them."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON report as dictionaries and lists."""
        return self._view().data()

    def to_json(self, indent: int | None = None) -> str:
        """Return the JSON report.

        Parameters
        ----------
        indent : int, optional
            Blanks by which each level stands further in; without it all is one line.
        """
        import json  # 3 ms that most programs do not need

        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def to_dataframe(self) -> "pd.DataFrame":
        """Return the rows of the CSV report as a data frame.

        Raises
        ------
        RougeError
            If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            remedy = "python -m pip install pandas"
            raise RougeError(missing_package(error, "to_dataframe needs pandas", remedy)) from None
        columns, *rows = self._view().rows()
        return pd.DataFrame(rows, columns=list(columns))

    def to_csv(self) -> str:
        """Return the CSV report."""
        return self._report("csv")

    def to_markdown(self) -> str:
        """Return the tables in Markdown."""
        return self._report("markdown")

    def to_latex(self) -> str:
        """Return the tables in LaTeX with booktabs."""
        return self._report("latex")

    def to_html(self, title: str | None = None, notes: str = "") -> str:
        """Return a page: tables, figures and, for scores, each EVAL; it needs no network.

        Figures are missing where vl-convert-python is not installed.

        Parameters
        ----------
        title : str, optional
            By default it says what the page shows.
        notes : str
            Markdown, shown below the title and the first sentence: without HTML and images, and
            with links of http, https and mailto only.
        """
        from rouge_cli.reports import write_report
        from rouge_cli.reports.page import Labelled

        return "".join(write_report(Labelled(self._page(), title, notes=notes), "html"))

    def to_figure(
        self,
        file_format: str = "svg",
        name: str | None = None,
        *,
        width: str | None = None,
        columns: int | None = None,
        font_size: float | None = None,
    ) -> bytes:
        """Return a figure as a file.

        Parameters
        ----------
        file_format : str
            ``"svg"``, ``"png"`` or ``"pdf"``.
        name : str, optional
            Which figure, as ``--plot`` names it; by default the most important one.
        width : str, optional
            With its unit, mm, cm, in or pt, such as ``"84mm"``; by default what fits a screen.
        columns : int, optional
            How many panels stand side by side; by default as many as fit.
        font_size : float, optional
            Of labels, in points; by default 7 with `width`, else 11.

        Raises
        ------
        OptionError
            If there is no such figure or format, or a size is malformed.
        RougeError
            If vl-convert-python is not installed, or cannot draw.
        """
        from rouge_cli.reports.drawing import PLOT_FORMATS, draw_files

        sizes = {"figure_width": width, "figure_columns": columns, "font_size": font_size}
        pages = PageOptions.of({key: size for key, size in sizes.items() if size is not None})
        known = {figure.name: figure for figure in self._page().figures() if figure.panels}
        name = name or next((figure.name for figure in self._view().figures()), "")
        if name not in known:
            raise OptionError(f"no figure {name!r} in this result; it has: {', '.join(known)}")
        if f".{file_format}" not in PLOT_FORMATS:
            formats = ", ".join(suffix[1:] for suffix in PLOT_FORMATS)
            raise OptionError(f"no format {file_format!r} for figures; known are: {formats}")
        return draw_files([(known[name], f".{file_format}")], pages.layout)[0]

    def __str__(self) -> str:
        """Return the tables as text, 80 columns wide."""
        return self._report("table").rstrip("\n")

    def _repr_html_(self) -> str | None:
        """Return the tables for a notebook."""
        return self._report("notebook")

    def _report(self, kind: str) -> str:
        """Return a report of `REPORT_KINDS`."""
        # Few programs show what they compute.
        from rouge_cli.reports import write_report

        return "".join(write_report(self._view(), kind))
