"""Base classes of results, with a method for each report; and the scores that options name.

Reports depend on scores, so this module imports them by name when a method is called.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Self

from rouge_cli.errors import OptionError, RougeError, missing_package
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.options.reports import PageOptions
from rouge_cli.options.scores import SINGLE_MEASURE, NamedScore, Requirement, named_metric
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    import pandas as pd


class Reportable(ABC):
    """Results that can be written as any report of the command line."""

    __slots__ = ()

    @abstractmethod
    def _view(self) -> Any:
        """Return the `rouge_cli.reports.View` for all reports except pages."""

    @abstractmethod
    def _page(self) -> Any:
        """Return the `rouge_cli.reports.View` for pages and figures."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON report as dictionaries and lists."""
        data: dict[str, Any] = self._view().data()
        return data

    def to_json(self, indent: int | None = None) -> str:
        """Return the JSON report.

        Parameters
        ----------
        indent : int, optional
            Spaces of indentation for each level; without it, the report is one line.
        """
        import json  # here, since it takes 3 ms, and most programs write no JSON

        return json.dumps(self.to_dict(), indent=indent, allow_nan=False)

    def to_dataframe(self) -> "pd.DataFrame":
        """Return the rows of the CSV report as a data frame.

        Raises
        ------
        RougeError
            If pandas is not installed.
        """
        frames = import_pandas("to_dataframe")
        columns, *rows = self._view().rows()
        frame: pd.DataFrame = frames.DataFrame(rows, columns=list(columns))
        return frame

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
        """Return a page with tables, figures and, for scores, each EVAL; it needs no network.

        Without vl-convert-python, the page has no figures.

        Parameters
        ----------
        title : str, optional
            By default, the title says what the page shows.
        notes : str
            Markdown, shown below the title and the first sentence. HTML and images are not
            supported, and links may use http, https and mailto only.
        """
        restyled = resolve_name("rouge_cli.reports:Restyled")
        return _written(restyled(self._page(), title=title, notes=notes), "html")

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
            The name of the figure, as in ``--plot``; by default the most important one.
        width : str, optional
            A length in mm, cm, in or pt, such as ``"84mm"``; by default the figure fits a screen.
        columns : int, optional
            The number of panels side by side; by default as many as fit.
        font_size : float, optional
            The size of labels, in points; by default 7 with `width`, else 11.

        Raises
        ------
        OptionError
            If there is no such figure or format, or a size is malformed.
        RougeError
            If vl-convert-python is not installed, or cannot draw.
        """
        drawing = resolve_name("rouge_cli.reports.drawing")
        sizes = {"figure_width": width, "figure_columns": columns, "font_size": font_size}
        pages = PageOptions.of({key: size for key, size in sizes.items() if size is not None})
        known = {figure.name: figure for figure in self._page().figures() if figure.panels}
        name = name or next((figure.name for figure in self._view().figures()), "")
        if name not in known:
            raise OptionError(f"no figure {name!r} in this result; it has: {', '.join(known)}")
        if f".{file_format}" not in drawing.PLOT_FORMATS:
            formats = ", ".join(suffix[1:] for suffix in drawing.PLOT_FORMATS)
            raise OptionError(f"no format {file_format!r} for figures; known are: {formats}")
        drawn: list[bytes] = drawing.draw_files([(known[name], f".{file_format}")], pages)
        return drawn[0]

    def __str__(self) -> str:
        """Return the tables as text, 80 columns wide."""
        return self._report("table").rstrip("\n")

    def _repr_html_(self) -> str | None:
        return self._report("notebook")

    def _report(self, kind: str) -> str:
        return _written(self._view(), kind)


class PairResults(Reportable):
    """Base of results. The results of a single pair build their table and scores on first use."""

    __slots__ = ("_build",)

    @classmethod
    def of_pair(
        cls,
        like: Any,
        build: Callable[[str, Any], Any],
        warnings: tuple[str, ...],
        sentences_per_text: float | None,
    ) -> Self:
        """Return the results of a pair, which differ from `like` in scores and warnings only.

        ``build("table", results)`` returns their table, ``build("systems", results)`` their scores.
        Programs that score pair by pair read only a number or two, and building the whole table
        takes three times as long as counting.
        """
        results = cls.__new__(cls)
        for name in ("options", "notes", "model_sharing", "fields"):
            object.__setattr__(results, name, getattr(like, name))
        object.__setattr__(results, "warnings", warnings)
        object.__setattr__(results, "sentences_per_text", sentences_per_text)
        object.__setattr__(results, "_build", build)
        return results

    if not TYPE_CHECKING:  # Otherwise type checkers would accept any name.

        def __getattr__(self, name: str) -> Any:
            """Build the table or the scores of a pair on first access."""
            if name not in {"table", "systems"}:
                message = f"{type(self).__name__!r} object has no attribute {name!r}"
                raise AttributeError(message, name=name, obj=self)
            made = self._build(name, self)
            object.__setattr__(self, name, made)
            return made


def _written(view: Any, kind: str) -> str:
    return "".join(resolve_name("rouge_cli.reports:write_report")(view, kind))


def import_pandas(user: str) -> Any:
    """Import pandas; raises RougeError that names `user`, the method that needs it."""
    try:
        import pandas as pd
    except ImportError as error:
        remedy = "python -m pip install pandas"
        raise RougeError(missing_package(error, f"{user} needs pandas", remedy)) from None
    return pd


def wide_frame(systems: Mapping[str, Any]) -> "pd.DataFrame":
    """Return the scores of each text as a data frame, as described at `Results.frame`."""
    pandas = import_pandas("frame")
    frames = {
        system.id: pandas.DataFrame(
            {
                name if letter == SINGLE_MEASURE else f"{name} {letter}": measure.per_eval
                for name, metric in system.metrics.items()
                for letter, measure in metric.measures.items()
            },
            index=pandas.Index(list(system.eval_ids), name="id"),
        )
        for system in systems.values()
    }
    frame: pd.DataFrame = pandas.concat(frames, names=["system"])
    return frame if len(frames) > 1 else frame.droplevel("system")


# The score that an option names, and the EVALs in its order.


@dataclass(frozen=True, slots=True)
class RankedEval:
    """An EVAL with the score that ranks it, and the score of a second system, if there is one."""

    id: str
    score: float
    other: float | None = None

    @property
    def key(self) -> float:
        """The score by which EVALs are sorted, or its lead over the other system in units of 1e-5.

        Two scores of 5 decimals differ by whole units. Without rounding, equal differences could
        differ in the last bit of a double.
        """
        return self.score if self.other is None else round((self.score - self.other) * 1e5)


@dataclass(frozen=True, slots=True)
class EvalOrder:
    """A ranking of EVALs by a score, which may be limited to its top and bottom.

    `best` and `worst` are the numbers of EVALs to select from each end. If both are None, all EVALs
    are selected, the best first.
    """

    metric: str
    letter: str
    best: int | None = None
    worst: int | None = None
    is_lower_better: bool = False

    def chosen(self, system: Any, other: Any = None) -> list[RankedEval]:
        """Return the selected EVALs of a system; ties keep the input order.

        The best come first, then the others of the worst, from the very worst up. With `other`, the
        EVALs that both systems have are ranked by the difference of their scores. Systems are
        `SystemScores`, whose module imports this one.
        """
        scores = self._scores(system)
        ranked = [RankedEval(name, score) for name, score in scores.items()]
        if other is not None:
            others = self._scores(other)
            common = [name for name in scores if name in others]
            ranked = [RankedEval(name, scores[name], others[name]) for name in common]
        sign = 1 if self.is_lower_better else -1
        if self.best is None and self.worst is None:
            return sorted(ranked, key=lambda ranked: sign * ranked.key)
        best = sorted(ranked, key=lambda ranked: sign * ranked.key)[: self.best or 0]
        worst = sorted(ranked, key=lambda ranked: -sign * ranked.key)[: self.worst or 0]
        return [*best, *(ranked for ranked in worst if ranked not in best)]

    def _scores(self, system: Any) -> dict[str, float]:
        per_eval = system[self.metric].measures[self.letter].per_eval
        return dict(zip(system.eval_ids, per_eval.tolist(), strict=True))


def sort_key(
    key: str | None, metrics: Sequence[ScoredMetric], letters: str = "F", option: str = "--sort"
) -> tuple[ScoredMetric, str]:
    """Return the metric and the letter of the measure that a key of ``--sort`` names.

    `key` is ``METRIC``, ``METRIC:R`` or None, which means the first printed metric and measure.
    `metrics` are those of the run, `letters` the printed measures, and `option` the name of the
    option in messages. Raises OptionError if the run has no such metric.
    """
    if key is None:
        return metrics[0], shown_letters(metrics[0].measures, letters)[0]
    name, colon, letter = key.strip().partition(":")
    spelt = named_metric(name, [metric.name for metric in metrics])
    for metric in metrics:
        wanted = letter.upper() if colon else shown_letters(metric.measures, letters)[0]
        if metric.name == spelt and wanted in metric.measures:
            return metric, wanted
    names = ", ".join(metric.name for metric in metrics)
    *others, last = dict.fromkeys(
        f":{measure}" for metric in metrics for measure in metric.measures
    )
    known = f"{', '.join(others)} or {last}" if others else last
    raise OptionError(
        f"{option}: found {key!r}, expected a metric of this run ({names}), alone or with {known}"
    )


def score_key(
    wanted: NamedScore | Requirement,
    known: Mapping[str, Collection[str]],
    option: str = "--score-only",
) -> str:
    """Return the name of a score's metric as the run spells it.

    `known` maps the metrics of the run to the letters of their measures; `option` is the name of
    the option in messages. Raises OptionError if the run lacks the metric or the measure.
    """
    name = named_metric(wanted.metric, list(known))
    if name is None:
        raise OptionError(
            f"{option}: no metric {wanted.metric!r} in this run; the metrics are: "
            f"{', '.join(known) or 'none'}"
        )
    if wanted.measure not in known[name]:
        raise OptionError(
            f"{option}: {name} has no measure {wanted.measure}; it has {', '.join(known[name])}"
        )
    return name


def shown_letters(measures: Sequence[str], letters: str) -> Sequence[str]:
    """Return the measures to print: those in `letters`, or all if the metric has none of these."""
    return [letter for letter in letters if letter in measures] or measures
