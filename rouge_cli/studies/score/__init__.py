"""The study ``score``: the scores themselves, and whether they are as required."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import OptionError
from rouge_cli.options.reports import SCORE_FIGURES, ReportOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.studies.study import Answer, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.inputs.index import Input
    from rouge_cli.metrics.counts import ScoredMetric
    from rouge_cli.options.options import Options
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.reports import View
    from rouge_cli.reports.document import Note
    from rouge_cli.run.pipeline import SavedRun, TextRun
    from rouge_cli.scores.results import Results
    from rouge_cli.studies.score.certificate import TextDigests
    from rouge_cli.studies.score.thresholds import Thresholds, Verdict

COMPARED = frozenset({"differences", "wins"})  # the figures that need a comparison of the systems


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The results of a run.

    - `run`: the run, if the scores were not at hand.
    - `thresholds`: requirements that could be read before scoring; see `judged`.
    - `texts`: notes with the texts of EVALs, for ``--texts``.
    - `digests`: of all texts, for ``--certificate``.
    """

    results: "Results"
    run: "TextRun | SavedRun | None" = None
    thresholds: "Thresholds | None" = None
    texts: "tuple[Note, ...]" = ()
    verdict: "Verdict | None" = None
    digests: "TextDigests | None" = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the inputs and the scores."""
        return self.results.warnings

    def judged(self) -> "Scored":
        """Compare the scores with what is required; raises OptionError and InputError."""
        # The metrics of saved scores are known only now.
        results = self.results
        thresholds = self.thresholds or _thresholds(results.options, results.table.metrics)
        return self if thresholds is None else replace(self, verdict=thresholds.check(results))


class ScoreStudy(Study):
    """Score predictions against their references.

    CONFIG is a file of records (.jsonl, .json, .csv, .tsv, .parquet), two files or two folders of
    texts, the original's XML configuration or, with -z, its file list; - is standard input. Several
    files of records, or of saved scores, are several systems, called by their names or as NAME=FILE
    says. SYSTEM_ID is the system to score in a configuration, unless -a asks for every one.
    """

    options = ReportOptions
    name = "score"
    view_class = "rouge_cli.studies.score.view:ScoreView"
    shows_evals = True
    figures = SCORE_FIGURES
    default_figure = "forest"
    fewest_systems = 1
    takes_system = True
    left_out = frozenset()

    def read(
        self, typed: Mapping[str, Any], checked: "Callable[..., Options]"
    ) -> "tuple[ReportOptions, Options]":
        """Check all options; those of reports are the study's own."""
        options = checked(typed)
        return options.reports, options

    def answer(
        self,
        results: "Results",
        systems: tuple[str, ...],
        asked: ReportOptions,
        scores: "ScoreOptions",
    ) -> Scored:
        """Return scores that are at hand."""
        return Scored(results)

    def run(self, source: ScoreSource, asked: ReportOptions) -> Answer:
        """Score, or read saved scores, once the requirements have been read."""
        from rouge_cli.run.pipeline import resolved_run

        run = resolved_run(source.source, source.options)
        if asked.show_texts and source.source.config is not None and not run.has_texts:
            raise OptionError(
                f"--texts: {source.source.name} holds saved scores, which have no texts"
            )
        thresholds = None if run.metrics is None else _thresholds(run.options, run.metrics)
        texts: list[Note] = []
        digests: list[TextDigests] = []

        def read_texts(source: "Input", results: "Results") -> None:
            from rouge_cli.studies.score.view import eval_texts, sort_column, sorted_systems

            systems = sorted_systems(results)
            texts.extend(eval_texts(source, systems, results.options, sort_column(results)))

        def digest_texts(source: "Input", results: "Results") -> None:
            from rouge_cli.studies.score.certificate import TextDigests

            digests.append(TextDigests.of(source))

        readers = [
            source.visit,
            read_texts if asked.show_texts else None,
            digest_texts if asked.certificate is not None else None,
        ]
        with source.open_context() as context:
            results = run.results(context, filter(None, readers))
        scored = Scored(results, run, thresholds, tuple(texts), digests=next(iter(digests), None))
        return Answer(scored, results)

    def view(self, answer: Answer, asked: ReportOptions) -> "View":
        """Return the scores, with the texts and the verdict."""
        from rouge_cli.studies.score.view import ScoreView

        scored: Scored = answer.result
        view = ScoreView(scored.results, texts=scored.texts)
        if scored.verdict is None:
            return view
        return replace(view, checks=scored.verdict.checks, bounds=scored.verdict.bounds)

    def page(self, answer: Answer, asked: ReportOptions) -> "View":
        """Return the page; its systems are compared if they can be and anything shows it."""
        from rouge_cli.studies.score.page import ScoredPage, compared_page

        results: Results = answer.result.results
        plots = results.options.pages.plot
        if asked.has_page or any(plot.figure in COMPARED for plot in plots):
            return compared_page(results)
        return ScoredPage(results)

    def bare_text(self, answer: Answer, asked: ReportOptions) -> Iterable[str] | None:
        """Return the number of ``--score-only``."""
        if asked.score_only is None:
            return None
        from rouge_cli.studies.score.view import single_score

        return single_score(asked.score_only, answer.result.results)


STUDY = ScoreStudy()


def _thresholds(options: "Options", metrics: "Sequence[ScoredMetric]") -> "Thresholds | None":
    if not options.thresholds.given():
        return None
    from rouge_cli.studies.score.thresholds import read_thresholds

    return read_thresholds(options, metrics)
