"""What all results of the Python functions have: ways to show them."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import RougeError

if TYPE_CHECKING:
    import pandas as pd

    from rouge_cli.reports import DataView

__all__ = ["Shown"]


class Shown(ABC):
    """Results that show themselves as the reports of the command line."""

    __slots__ = ()

    @abstractmethod
    def _view(self) -> "DataView":
        """Return the results as writers take them."""

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
