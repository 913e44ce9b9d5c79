"""The study ``score``: the scores themselves, and whether they meet the requirements."""

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
    from rouge_cli.studies.score.thresholds import Judge, Verdict

COMPARED = frozenset({"differences", "wins"})  # figures that need a comparison of the systems


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The scores of a run, and what reports add to them.

    - `run`: the run that computed them; None if there were results already.
    - `judge`: compares them with the requirements, if these could be read before scoring.
    - `texts`: notes with the texts of EVALs, for ``--texts``.
    - `verdict`: the outcome of this comparison, which `judged` sets.
    - `digests`: the digests of all texts, for ``--certificate``.
    """

    results: "Results"
    run: "TextRun | SavedRun | None" = None
    judge: "Judge | None" = None
    texts: "tuple[Note, ...]" = ()
    verdict: "Verdict | None" = None
    digests: "TextDigests | None" = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the inputs and the scores."""
        return self.results.warnings

    def judged(self) -> "Scored":
        """Return the scores with their verdict; raises OptionError and InputError."""
        # The metrics of saved scores are known only now, so their requirements are read only now.
        results = self.results
        judge = self.judge or _judge_of(results.options, results.table.metrics)
        return self if judge is None else replace(self, verdict=judge(results))


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
        """Check all options, and return those of reports, which are the study's own, and all."""
        options = checked(typed)
        return options.reports, options

    def answer(
        self,
        results: "Results",
        systems: tuple[str, ...],
        asked: ReportOptions,
        scores: "ScoreOptions",
    ) -> Scored:
        """Return results that have been computed before."""
        return Scored(results)

    def run(self, source: ScoreSource, asked: ReportOptions) -> Answer:
        from rouge_cli.run.pipeline import resolved_run

        run = resolved_run(source.source, source.options)
        if asked.show_texts and source.source.config is not None and not run.has_texts:
            raise OptionError(
                f"--texts: {source.source.name} holds saved scores, which have no texts"
            )
        judge = None if run.metrics is None else _judge_of(run.options, run.metrics)
        texts: list[Note] = []
        digests: list[TextDigests] = []

        def read_again(source: "Input", results: "Results") -> None:
            if asked.show_texts:
                from rouge_cli.studies.score.view import eval_texts

                texts.extend(eval_texts(source, results))
            if asked.certificate is not None:
                from rouge_cli.studies.score.certificate import TextDigests

                digests.append(TextDigests.of(source))

        # These read the texts again, after scoring, while the input is still open.
        is_read_again = asked.show_texts or asked.certificate is not None
        readers = [source.visit, read_again if is_read_again else None]
        with source.open_context() as context:
            results = run.results(context, filter(None, readers))
        scored = Scored(results, run, judge, tuple(texts), digests=next(iter(digests), None))
        return Answer(scored, results)

    def view(self, answer: Answer, asked: ReportOptions) -> "View":
        from rouge_cli.studies.score.view import ScoreView

        scored: Scored = answer.result
        view = ScoreView(scored.results, texts=scored.texts)
        if scored.verdict is None:
            return view
        return replace(view, checks=scored.verdict.checks, bounds=scored.verdict.bounds)

    def page(self, answer: Answer, asked: ReportOptions) -> "View":
        """Return the page; systems are compared if that is possible and anything shows it."""
        from rouge_cli.studies.score.page import ScoredPage, compared_page

        results: Results = answer.result.results
        plots = results.options.pages.plot
        if asked.has_page or any(plot.figure in COMPARED for plot in plots):
            return compared_page(results)
        return ScoredPage(results)

    def bare_text(self, answer: Answer, asked: ReportOptions) -> Iterable[str] | None:
        if asked.score_only is None:
            return None
        from rouge_cli.studies.score.view import single_score

        return single_score(asked.score_only, answer.result.results)


STUDY = ScoreStudy()


def _judge_of(options: "Options", metrics: "Sequence[ScoredMetric]") -> "Judge | None":
    if not options.thresholds.given():
        return None
    from rouge_cli.studies.score.thresholds import read_thresholds

    return read_thresholds(options, metrics)
