"""Results that show themselves: as text, as HTML, as JSON, as a data frame."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import OptionError, RougeError, missing_package
from rouge_cli.options.scores import RAW_COUNTS
from rouge_cli.scores import results as scoring_results
from rouge_cli.scores.signature import signature

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

    def to_html(self, title: str | None = None) -> str:
        """Return a page: tables, figures and, for scores, each EVAL; it needs no network.

        Figures are missing where vl-convert-python is not installed.

        Parameters
        ----------
        title : str, optional
            By default it says what the page shows.
        """
        from rouge_cli.reports import write_report
        from rouge_cli.reports.page import Labelled

        return "".join(write_report(Labelled(self._page(), title), "html"))

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
            If vl-convert-python is not installed, or cannot draw.
        """
        from rouge_cli.reports.drawing import PLOT_FORMATS, draw_files

        known = {figure.name: figure for figure in self._page().figures() if figure.panels}
        name = name or next((figure.name for figure in self._view().figures()), "")
        if name not in known:
            raise OptionError(f"no figure {name!r} in this result; it has: {', '.join(known)}")
        if f".{file_format}" not in PLOT_FORMATS:
            formats = ", ".join(suffix[1:] for suffix in PLOT_FORMATS)
            raise OptionError(f"no format {file_format!r} for figures; known are: {formats}")
        return draw_files([(known[name], f".{file_format}")])[0]

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


NUMBERS = ("mean", "bootstrap_mean", "lower", "upper", "standard_error")


class Results(Shown, scoring_results.Results):
    """The scores of a run, by system and metric.

    ``results["ROUGE-2"]`` is a metric of the only system, ``results.systems["a"]["ROUGE-2"]`` that
    of one among several. Its ``.recall``, ``.precision`` and ``.f_measure`` each have

    - ``.mean``: the mean over the EVALs;
    - ``.bootstrap_mean``: what ROUGE-1.5.5 prints as the average; None without a bootstrap;
    - ``.interval``: lower and upper bound of the confidence interval, or None;
    - ``.per_eval``: a read-only array of float64, a score for each EVAL, in the order of the
      input.

    Printed, and as the last line of a cell in a notebook, they are a table. The options
    ``measures``, ``sort``, ``percent``, ``letters`` and ``per_eval`` say what it shows.

    Parameters
    ----------
    systems : mapping of str to SystemScores
        By system ID, in the order of print.
    warnings : tuple of str
        What the user should know of the inputs.
    """

    __slots__ = ()

    @property
    def signature(self) -> str:
        """All that affects a score, in one line: scores with equal signatures are comparable."""
        return signature(self.options)

    def _view(self) -> "View":
        """Return the scores as writers take them."""
        from rouge_cli.reports.views.scores import ScoreView

        return ScoreView(self)

    def _page(self) -> "View":
        """Return the scores, compared if they can be; raises OptionError for raw counts."""
        from rouge_cli.reports.views.scored_page import compared_page

        self._check_tables()
        return compared_page(self)

    def to_dataframe(self) -> "pd.DataFrame":
        """Return the scores as a data frame: a row for each system, metric and measure.

        Returns
        -------
        pandas.DataFrame
            With the columns of the CSV report; with ``per_eval=True`` also a row for each EVAL,
            whose ID is in the column ``eval``. What is absent is NaN or None.

        Raises
        ------
        RougeError
            If pandas is not installed.
        """
        # Without this, a column without any value would have the type object.
        return super().to_dataframe().astype(dict.fromkeys(NUMBERS, "float64"))

    def to_markdown(self) -> str:
        """Return the table in Markdown; raises OptionError for raw counts."""
        return self._table("markdown")

    def to_latex(self) -> str:
        """Return the table in LaTeX with booktabs; raises OptionError for raw counts."""
        return self._table("latex")

    def to_classic(self) -> str:
        """Return the report of ROUGE-1.5.5, byte for byte; raises OptionError without a bootstrap.

        A byte of an ID that is no UTF-8 stands in it as a lone surrogate.
        """
        if self.options.scores.resamples == 0 and self.options.scores.counting != RAW_COUNTS:
            raise OptionError("the classic report needs a bootstrap; score with resamples=1000")
        return self._report("classic")

    def __str__(self) -> str:
        """Return the table as text, 80 columns wide; of raw counts the classic report."""
        if self.options.scores.counting == RAW_COUNTS:
            return self.to_classic().rstrip("\n")
        return super().__str__()

    def __repr__(self) -> str:
        """Return how many systems there are, and the metrics."""
        n_systems = f"{len(self.systems)} system{'s' * (len(self.systems) != 1)}"
        return f"<Results: {', '.join((n_systems, *self.metric_names))}>"

    def _repr_html_(self) -> str | None:
        """Return the table for a notebook; None for raw counts, which have none."""
        if self.options.scores.counting == RAW_COUNTS:
            return None
        return super()._repr_html_()

    def _table(self, kind: str) -> str:
        """Return a report with systems in rows; raises OptionError for raw counts."""
        self._check_tables()
        return self._report(kind)

    def _check_tables(self) -> None:
        """Raise OptionError for raw counts, which have no table."""
        if self.options.scores.counting == RAW_COUNTS:
            raise OptionError(
                "no table has raw counts (counting=2); use to_classic, to_csv, to_json or "
                "to_dataframe"
            )
