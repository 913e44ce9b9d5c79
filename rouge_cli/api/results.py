"""Results that show themselves: as text, as HTML, as JSON, as a data frame."""

from typing import TYPE_CHECKING

from rouge_cli.api.shown import Shown
from rouge_cli.errors import OptionError
from rouge_cli.options.scores import RAW_COUNTS
from rouge_cli.scoring import results as scoring_results
from rouge_cli.scoring.signature import signature

if TYPE_CHECKING:
    import pandas as pd

    from rouge_cli.reports.page import FiguredView, PageView

__all__ = ["Results"]

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
        """All that moves a score, in one line: scores with the same one are comparable."""
        return signature(self.options)

    def _view(self) -> "FiguredView":
        """Return the scores as writers take them."""
        from rouge_cli.reports.views.scores import ScoreView

        return ScoreView(self)

    def _page(self) -> "PageView":
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
        # A column in which nothing is known would not be one of numbers otherwise.
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
        """Refuse raw counts, of which there is no table; raises OptionError."""
        if self.options.scores.counting == RAW_COUNTS:
            raise OptionError(
                "no table has raw counts (counting=2); use to_classic, to_csv, to_json or "
                "to_dataframe"
            )
