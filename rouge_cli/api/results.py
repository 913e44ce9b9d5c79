"""The scores of a run, which show themselves and can be asked for more."""

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Unpack

from rouge_cli.api.shown import Shown
from rouge_cli.errors import OptionError, name_advice
from rouge_cli.options.scores import RAW_COUNTS
from rouge_cli.scores import results as scoring_results
from rouge_cli.scores.results import EvalOrder, RankedEval, sort_key
from rouge_cli.scores.signature import signature

if TYPE_CHECKING:
    import pandas as pd

    from rouge_cli.api.studies import Comparison
    from rouge_cli.options.keywords import ComparisonKeywords
    from rouge_cli.reports import View
    from rouge_cli.run.lone_pairs import ScoredPair
    from rouge_cli.studies.score.thresholds import Verdict


NUMBERS = ("mean", "bootstrap_mean", "lower", "upper", "standard_error")

SAME_FOR_ALL_PAIRS = ("options", "notes", "model_sharing", "fields")


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

    __slots__ = ("_pair",)

    _pair: "ScoredPair"

    @classmethod
    def of_pair(cls, pair: "ScoredPair") -> "Results":
        """Return the results of a lone pair, whose table and scores are made when asked for.

        Programs that score pair by pair read a number or two, and making all takes three times as
        long as to count.
        """
        results = cls.__new__(cls)
        for name in SAME_FOR_ALL_PAIRS:
            object.__setattr__(results, name, getattr(pair.like, name))
        object.__setattr__(results, "warnings", pair.warnings)
        object.__setattr__(results, "sentences_per_text", pair.sentences_per_text)
        object.__setattr__(results, "_pair", pair)
        return results

    if not TYPE_CHECKING:  # Else all names would be known.

        def __getattr__(self, name: str) -> Any:
            """Make the table or the scores of a lone pair, which nobody has asked for before."""
            if name not in {"table", "systems"}:
                message = f"{type(self).__name__!r} object has no attribute {name!r}"
                raise AttributeError(message, name=name, obj=self)
            made = self._pair.table() if name == "table" else self._pair.systems(self.table)
            object.__setattr__(self, name, made)
            return made

    @property
    def signature(self) -> str:
        """All that affects a score, in one line: scores with equal signatures are comparable."""
        return signature(self.options)

    def check(
        self,
        *,
        require: str | Sequence[str] = (),
        baseline: "str | PathLike[str] | scoring_results.Results | None" = None,
        max_drop: float | str | None = None,
        not_worse_than: float | str | None = None,
        anytime: bool = False,
    ) -> "Verdict":
        """Hold the scores against conditions and an earlier run, as the command line does.

        Parameters
        ----------
        require : str or sequence of str
            Conditions such as ``"ROUGE-2:F>=0.18"``.
        baseline : path or Results, optional
            The JSON report of an earlier run, with ``not_worse_than`` also its saved scores; or its
            results.
        max_drop : float, optional
            How far a mean may fall below that of the baseline; by default 0.
        not_worse_than : float, optional
            Compare EVAL by EVAL instead: a one-sided lower bound of the differences from the
            baseline, with the ``confidence`` of these results, has to lie above minus this.
        anytime : bool
            Whether this bound is to hold after any number of EVALs.

        Returns
        -------
        Verdict
            ``.failures``, a line for each score that is not as required; ``.warnings``; and
            ``.bounds``, the lower bounds, met or not.

        Raises
        ------
        OptionError, InputError
            For a condition or a baseline that cannot be used.
        """
        from rouge_cli.studies.score.thresholds import verdict_of

        conditions = {
            "require": (require,) if isinstance(require, str) else tuple(require),
            "max_drop": max_drop,
            "not_worse_than": not_worse_than,
            "anytime": anytime,
        }
        return verdict_of(self, baseline, conditions)

    def worst(
        self,
        n: int = 10,
        metric: str | None = None,
        *,
        system: str | None = None,
        against: str | None = None,
    ) -> "tuple[RankedEval, ...]":
        """Return the EVALs with the lowest scores of a system, the lowest first.

        Parameters
        ----------
        n : int
            How many at most.
        metric : str, optional
            Such as ``"ROUGE-2"`` or ``"ROUGE-2:R"``; by default F of the first metric. Of a metric
            of which lower is better, the EVALs with the highest scores.
        system : str, optional
            Its ID, if there are several systems.
        against : str, optional
            Another system: then those EVALs in which the first one loses most to it.

        Returns
        -------
        tuple of RankedEval
            With ``.id``, ``.score`` and, of the other system, ``.other``, as shares of 1.

        Raises
        ------
        OptionError
            If there is no such metric or system.

        Examples
        --------
        >>> import rouge_cli
        >>> texts = ["the cat sat", "a dog"], ["the cat sat", "the dog ran"]
        >>> results = rouge_cli.evaluate(*texts, max_ngram=1, resamples=0)
        >>> results.worst(1)
        (RankedEval(id='2', score=0.4, other=None),)
        """
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise OptionError(f"n: found {n!r}, expected a whole number from 1 on")
        scored, letter = sort_key(metric, self.table.metrics, option="metric")
        order = EvalOrder(scored.name, letter, worst=n, is_lower_better=scored.is_lower_better)
        other = None if against is None else self._system("against", against)
        others = [name for name in self.systems if name != against]
        if system is None and len(others) > 1:
            raise OptionError(f"system: there are several; name one of {', '.join(others)}")
        name = system or next(iter(others), next(iter(self.systems)))
        if name == against:
            raise OptionError(f"against: {against!r} is the system itself; name another")
        return tuple(order.chosen(self._system("system", name), other))

    def compare(self, **options: "Unpack[ComparisonKeywords]") -> "Comparison":
        """Say which of several systems is better, as `rouge_cli.compare` does with these results.

        Raises
        ------
        OptionError, InputError
        """
        # Few programs compare, and scoring starts without it.
        from rouge_cli.api.studies import compare_systems

        return compare_systems(self, options)

    def _system(self, name: str, system: str) -> scoring_results.SystemScores:
        """Return the scores of a system that an argument names; raises OptionError."""
        if system not in self.systems:
            advice = name_advice(str(system), list(self.systems))
            raise OptionError(f"{name}: no system {system!r}; {advice}")
        return self.systems[system]

    def _view(self) -> "View":
        """Return the scores as writers take them."""
        from rouge_cli.studies.score.view import ScoreView

        return ScoreView(self)

    def _page(self) -> "View":
        """Return the scores, compared if they can be; raises OptionError for raw counts."""
        from rouge_cli.studies.score.page import compared_page

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
