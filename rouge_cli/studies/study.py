"""Studies: questions about the scores of systems, and the list of them all.

A study declares its options, chooses its systems, answers with a frozen record, and names the view
that shows it. Its command, help, completion, manual page, Python function and reports follow from
its line in `STUDIES`.

Nothing here imports NumPy, and neither do the modules of studies at their top: help and completion
read every declaration, and importing NumPy would take most of their time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, cast

from rouge_cli.errors import OptionError, name_advice

if TYPE_CHECKING:
    from rouge_cli.inputs.index import Input
    from rouge_cli.inputs.source import Source
    from rouge_cli.options.declaration import OptionGroup
    from rouge_cli.options.options import Options
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.protocols.engine import Map
    from rouge_cli.reports import View
    from rouge_cli.run.pipeline import RunContext
    from rouge_cli.scores.results import Results

__all__ = ["STUDIES", "Answer", "ListedStudy", "Result", "ScoreSource", "Study", "check_systems"]


class Result(Protocol):
    """A frozen record of the findings of a study."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the inputs and the result."""


class Answer(NamedTuple):
    """A result, and the scores behind it; None if they come from several runs."""

    result: Any
    scores: "Results | None" = None


class ScoreSource(NamedTuple):
    """Where a study gets its scores: texts to score, or saved scores.

    - `options`: how to score.
    - `open_context`: opens the environment of a run.
    - `visit`: called with the input and its scores.
    """

    source: "Source"
    options: "Options"
    open_context: "Callable[[], AbstractContextManager[RunContext]]"
    visit: "Callable[[Input, Results], None] | None" = None

    def scored(
        self, choose: Callable[[Sequence[str]], tuple[str, ...]]
    ) -> "tuple[Results, tuple[str, ...]]":
        """Score all systems, or read their saved scores; return these and the chosen systems.

        `choose` takes the IDs of all systems, and raises OptionError. It is called before the
        scoring if the systems are known by then.
        """
        from rouge_cli.run.pipeline import resolved_run

        run = resolved_run(self.source, self.options)
        readers = [] if self.visit is None else [self.visit]
        chosen: list[str] = []
        with self.open_context() as context:
            results = run.results(context, readers, lambda known: chosen.extend(choose(known)))
        # Systems that lack scores from elsewhere may have been left out.
        return results, choose([name for name in chosen if name in results.table.systems])

    @contextmanager
    def opened(self, what: str) -> "Iterator[tuple[Input, RunContext]]":
        """Open the texts for `what`, together with the environment of a run.

        Raises OptionError if the input holds saved scores.
        """
        from rouge_cli.run.pipeline import resolved_run

        texts = resolved_run(self.source, self.options).opened(f"{what} reads texts")
        with self.open_context() as context:
            yield texts, context

    @contextmanager
    def texts(self, what: str) -> "Iterator[tuple[Input, Map]]":
        """Open the texts for `what`, which tokenizes them, together with a map over processes.

        Raises OptionError if the input holds saved scores.
        """
        from rouge_cli.run.workers import ordered_map

        with self.opened(what) as (texts, context):
            # Tokenizing in Python gains nothing from threads.
            yield texts, partial(ordered_map, jobs=context.jobs(self.options, in_threads=False))


class Study:
    """A question about the scores of systems; the docstring of a study is the help of its command.

    - `options`: those of the study itself; those of scoring and of pages are added.
    - `name`: its key in `STUDIES`; options that have no meaning in the study name it in `not_for`.
    - `view_class`: ``MODULE:CLASS`` of the view, which is made from the result.
    - `shows_evals`: whether its page also shows the EVALs of `page_scores` with their texts.
    - `figures`: names in `rouge_cli.options.reports.FIGURES`; without any there is no ``--plot``.
    - `default_figure`: the figure that ``--plot FILE`` draws.
    - `needs`: the subject of the message about fewer than `fewest_systems`.
    - `takes_system`: whether a SYSTEM_ID may follow CONFIG.
    - `refusal`: the message about results, of a study that needs texts and overrides `run`.
    """

    options: "ClassVar[type[OptionGroup]]"
    name: ClassVar[str] = ""
    view_class: ClassVar[str]
    shows_evals: ClassVar[bool] = False
    figures: ClassVar[tuple[str, ...]] = ()
    default_figure: ClassVar[str] = ""
    fewest_systems: ClassVar[int] = 2
    needs: ClassVar[str] = "the study needs"
    takes_system: ClassVar[bool] = False
    refusal: ClassVar[str] = ""

    @property
    def left_out(self) -> frozenset[str]:
        """Options of scoring and of pages that the study does not offer."""
        from rouge_cli.options.options import left_out

        names = left_out("study", self.name, shows_evals=self.shows_evals)
        return names if self.figures else names | {"plot"}

    @property
    def python_options(self) -> tuple[str, ...]:
        """Options of scores that the Python function takes besides those of the study."""
        from rouge_cli.options.declaration import Step
        from rouge_cli.options.scores import ScoreOptions

        elsewhere = self.left_out | self.options.options().keys()
        of_intervals = (
            name for name, x in ScoreOptions.options().items() if x.step == Step.INTERVALS
        )
        return tuple(name for name in of_intervals if name not in elsewhere)

    def read(
        self, typed: Mapping[str, Any], checked: "Callable[..., Options]"
    ) -> "tuple[Any, Options]":
        """Check the options of a command; return those of the study, and those of scoring.

        `checked` takes values by name and the groups of options to check. Raises OptionError.
        """
        from rouge_cli.options.options import SCORING
        from rouge_cli.options.scores import MEAN_OVER_EVALS

        asked = self.options.of(typed)
        options = checked(self.scoring(typed, asked), *SCORING)
        if options.scores.counting != MEAN_OVER_EVALS:
            raise OptionError(
                f"-t/--counting: found '{options.scores.counting}', expected 0; the tests are on "
                "means over texts, and counts that are pooled over texts have no scores to draw "
                "from"
            )
        return asked, options

    def scoring(self, given: Mapping[str, Any], asked: Any) -> Mapping[str, Any]:
        """Return the options of scoring, by name and as typed; raises OptionError.

        By default all systems are scored, without a bootstrap: few studies read its intervals.
        """
        return {**given, "all": True, "resamples": 0}

    def choose(self, known: Sequence[str], asked: Any) -> tuple[str, ...]:
        """Choose the systems to study from those of the input; raises OptionError."""
        return check_systems(known, asked.system_ids, fewest=self.fewest_systems, needs=self.needs)

    def answer(
        self, results: "Results", systems: tuple[str, ...], asked: Any, scores: "ScoreOptions"
    ) -> Result:
        """Answer from scores; a study that needs the texts has a `refusal` in its place.

        Parameters
        ----------
        results : Results
            Means over EVALs.
        systems : tuple of str
            As `choose` returns them.
        asked : instance of `options`
        scores : ScoreOptions
            Their confidence is that of the study, which may differ from that of `results`.

        Raises
        ------
        OptionError, InputError
        """
        raise OptionError(self.refusal)

    def run(self, source: ScoreSource, asked: Any) -> Answer:
        """Score and answer; raises OptionError and InputError."""
        results, systems = source.scored(lambda known: self.choose(known, asked))
        return Answer(self.answer(results, systems, asked, source.options.scores), results)

    def view(self, answer: Answer, asked: Any) -> "View":
        """Return the result as writers take it."""
        from pkgutil import resolve_name

        more = {"is_verbose": True} if asked.verbose else {}
        view: View = resolve_name(self.view_class)(answer.result, **more)
        return view

    def page(self, answer: Answer, asked: Any) -> "View":
        """Return the result as the writer of pages takes it, and with all figures."""
        if not self.has_eval_page(asked):
            return self.view(answer, asked)
        from pkgutil import resolve_name

        # By name: the page of scores also shows comparisons, and so imports that study.
        page_class = resolve_name("rouge_cli.studies.score.page:study_page")
        scores = self.page_scores(cast("Results", answer.scores), asked)
        page: View = page_class(scores, answer.result)
        return page

    def has_eval_page(self, asked: Any) -> bool:
        """Return whether the page shows EVALs, and not only tables and figures."""
        return self.shows_evals

    def page_scores(self, results: "Results", asked: Any) -> "Results":
        """Return the scores that a page shows EVAL by EVAL, of the studied systems."""
        return results

    def bare_text(self, answer: Answer, asked: Any) -> Iterable[str] | None:
        """Return the text that is written in place of a report, or None."""
        return None

    def files(self, answer: Answer, asked: Any) -> Mapping[str, Sequence[str]]:
        """Return the lines of the files in `StudyOptions.output_files`, by path."""
        return {}


def check_systems(
    known: Sequence[str], wanted: Sequence[str], *, fewest: int = 2, needs: str = "compare needs"
) -> tuple[str, ...]:
    """Return the systems to study: `wanted`, or by default all of `known`, at least one.

    `needs` is the subject of the message about too few systems. Raises OptionError for too few
    systems, or one that is unknown or named twice.
    """
    for system in wanted:
        if system not in known:
            raise OptionError(f"--system-id: no system {system!r}; {name_advice(system, known)}")
        if wanted.count(system) > 1:
            raise OptionError(f"--system-id: {system!r} is given twice; give each system once")
    chosen = tuple(wanted or known)
    if len(chosen) < fewest:
        source = "--system-id leaves" if wanted else "the input has"
        raise OptionError(f"{source} one system, {chosen[0]!r}; {needs} two or more")
    return chosen


class ListedStudy(NamedTuple):
    """An entry of `STUDIES`: the command and Python function, the module of `STUDY`, the help."""

    name: str
    module: str
    summary: str

    def load(self) -> Study:
        """Import the study."""
        return cast("Study", import_module(self.module).STUDY)


STUDIES = {
    name: ListedStudy(name, f"rouge_cli.studies.{name}", summary)
    for name, summary in (
        ("score", "Score summaries against reference summaries (the default)."),
        ("compare", "Test which of several systems is better."),
        ("plan", "Say how many texts a comparison needs."),
        ("correlate", "Correlate scores with human judgements."),
        ("identify", "Say which package and options printed some numbers."),
        ("context", "Put scores beside what sentences of the source reach."),
    )
}
"""The studies by name, in the order of the help. A new study is a line here and its folder."""
