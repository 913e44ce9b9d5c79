"""What all results of the Python functions have: ways to show them."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import OptionError, RougeError

if TYPE_CHECKING:
    import pandas as pd

    from rouge_cli.reports.page import FiguredView, PageView

__all__ = ["Shown"]


class Shown(ABC):
    """Results that show themselves as the reports of the command line."""

    __slots__ = ()

    @abstractmethod
    def _view(self) -> "FiguredView":
        """Return the results as writers take them."""

    @abstractmethod
    def _page(self) -> "PageView":
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
        import json

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
        except ImportError:
            raise RougeError(
                "to_dataframe needs pandas, which is not installed: python -m pip install pandas"
            ) from None
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

    def to_html(self) -> str:
        """Return a page: tables, figures and, for scores, each EVAL; it needs no network.

        Figures are missing where vl-convert-python is not installed.
        """
        from rouge_cli.reports import write_report

        return "".join(write_report(self._page(), "html"))

    def to_figure(self, file_format: str = "svg", name: str | None = None) -> bytes:
        """Return a figure as a file.

        Parameters
        ----------
        file_format : str
            ``"svg"``, ``"png"`` or ``"pdf"``.
        name : str, optional
            Which figure, as ``--plot`` names it; by default the most important one.

        Raises
        ------
        OptionError
            If there is no such figure or format.
        RougeError
            If vl-convert-python is not installed.
        """
        from rouge_cli.reports.drawing import PLOT_FORMATS, draw_file

        known = {one.name: one for one in self._page().figures() if one.panels}
        wanted = name or next((one.name for one in self._view().figures()), "")
        if wanted not in known:
            raise OptionError(f"no figure {wanted!r} in this result; it has: {', '.join(known)}")
        if f".{file_format}" not in PLOT_FORMATS:
            formats = ", ".join(one[1:] for one in PLOT_FORMATS)
            raise OptionError(f"no format {file_format!r} for figures; known are: {formats}")
        return draw_file(known[wanted], f".{file_format}")

    def __str__(self) -> str:
        """Return the tables as text, 80 columns wide."""
        return self._report("table").rstrip("\n")

    def _repr_html_(self) -> str | None:
        """Return the tables for a notebook."""
        return self._report("notebook")

    def _report(self, kind: str) -> str:
        """Return a report of `REPORT_KINDS`."""
        # Imported late: few programs show what they compute.
        from rouge_cli.reports import write_report

        return "".join(write_report(self._view(), kind))
