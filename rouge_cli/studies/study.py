"""The interface of studies, which answer questions about the scores of systems, and their list.

A study declares its options, chooses the systems to look at, returns its answer as a frozen record,
and names the view that shows this record. Its line in `STUDIES` gives it a command, help,
completion, a manual page, a Python function and reports.

Neither this module nor the package of a study may import NumPy at its top level: help and
completion read every declaration, and importing NumPy would take most of their time.
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
    """The result of a study, and its scores; `scores` is None if they come from several runs."""

    result: Any
    scores: "Results | None" = None


class ScoreSource(NamedTuple):
    """The source of a study's scores: either texts to score, or saved scores.

    - `options`: how to score the texts.
    - `open_context`: opens the environment of a run, such as its processes.
    - `visit`: called with the texts and their scores after scoring; not for saved scores.
    """

    source: "Source"
    options: "Options"
    open_context: "Callable[[], AbstractContextManager[RunContext]]"
    visit: "Callable[[Input, Results], None] | None" = None

    def scored(
        self, choose: Callable[[Sequence[str]], tuple[str, ...]]
    ) -> "tuple[Results, tuple[str, ...]]":
        """Return the scores of all systems, and the IDs of the chosen ones.

        `choose` is called with the IDs of all systems, and returns those to study or raises
        OptionError. If the systems are known before scoring, so is this error.
        """
        from rouge_cli.run.pipeline import resolved_run

        run = resolved_run(self.source, self.options)
        readers = [] if self.visit is None else [self.visit]
        chosen: list[str] = []
        with self.open_context() as context:
            results = run.results(context, readers, lambda known: chosen.extend(choose(known)))
        # The run leaves out systems for which a file of external scores has none, so choose again.
        return results, choose([name for name in chosen if name in results.table.systems])

    @contextmanager
    def opened(self, what: str) -> "Iterator[tuple[Input, RunContext]]":
        """Open the texts, together with the environment of a run.

        Raises OptionError, which says that `what` reads texts, if the input holds saved scores.
        """
        from rouge_cli.run.pipeline import resolved_run

        texts = resolved_run(self.source, self.options).opened(f"{what} reads texts")
        with self.open_context() as context:
            yield texts, context

    @contextmanager
    def texts(self, what: str) -> "Iterator[tuple[Input, Map]]":
        """Open the texts, together with a `map` that spreads work over processes.

        Raises OptionError, which says that `what` reads texts, if the input holds saved scores.
        """
        from rouge_cli.run.workers import ordered_map

        with self.opened(what) as (texts, context):
            # Processes, since tokenizing in Python gains nothing from threads.
            yield texts, partial(ordered_map, jobs=context.jobs(self.options, in_threads=False))


class Study:
    """A question about the scores of systems; the docstring of a study is the help of its command.

    - `options`: the options of the study itself; those of scoring and of pages are added to them.
    - `name`: the key in `STUDIES`. Options that make no sense in a study list it in `not_for`.
    - `view_class`: the class that shows the result, as ``MODULE:CLASS``.
    - `shows_evals`: whether the page also shows single EVALs, of `page_scores`, with their texts.
    - `figures`: names in `rouge_cli.options.reports.FIGURES`; if empty, there is no ``--plot``.
    - `default_figure`: the figure that ``--plot FILE`` draws.
    - `fewest_systems`: the lowest number of systems that can be studied.
    - `needs`: subject and verb of the message about too few systems, such as ``compare needs``.
    - `takes_system`: whether a SYSTEM_ID may follow CONFIG.
    - `refusal`: the error message if a study that needs texts, and overrides `run`, gets results.
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
        """Options of intervals that the Python function takes besides those of the study."""
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
        """Check the options of a command, and return those of the study and those of scoring.

        `checked` is called with the options by name and with the groups to which they belong.
        Raises OptionError.
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

        By default all systems are scored, and without a bootstrap, whose intervals few studies use.
        """
        return {**given, "all": True, "resamples": 0}

    def choose(self, known: Sequence[str], asked: Any) -> tuple[str, ...]:
        """Choose the systems to study from those of the input, `known`; raises OptionError."""
        return check_systems(known, asked.system_ids, fewest=self.fewest_systems, needs=self.needs)

    def answer(
        self, results: "Results", systems: tuple[str, ...], asked: Any, scores: "ScoreOptions"
    ) -> Result:
        """Answer the question; a study that needs texts defines a `refusal` instead.

        Parameters
        ----------
        results : Results
            Scores that are means over EVALs.
        systems : tuple of str
            The systems that `choose` returned.
        asked : instance of `options`
            The options of the study.
        scores : ScoreOptions
            They hold the confidence of the study, which may differ from that of `results`.

        Raises
        ------
        OptionError, InputError
        """
        raise OptionError(self.refusal)

    def run(self, source: ScoreSource, asked: Any) -> Answer:
        """Get the scores, and answer; raises OptionError and InputError."""
        results, systems = source.scored(lambda known: self.choose(known, asked))
        return Answer(self.answer(results, systems, asked, source.options.scores), results)

    def view(self, answer: Answer, asked: Any) -> "View":
        """Return the view of the result, which writers turn into reports."""
        from pkgutil import resolve_name

        more = {"is_verbose": True} if asked.verbose else {}
        view: View = resolve_name(self.view_class)(answer.result, **more)
        return view

    def page(self, answer: Answer, asked: Any) -> "View":
        """Return the view for the HTML page, with all figures."""
        if not self.has_eval_page(asked):
            return self.view(answer, asked)
        from pkgutil import resolve_name

        # Loaded by name, since the page of scores imports `compare`, whose study imports this.
        page_class = resolve_name("rouge_cli.studies.score.page:study_page")
        scores = self.page_scores(cast("Results", answer.scores), asked)
        page: View = page_class(scores, answer.result)
        return page

    def has_eval_page(self, asked: Any) -> bool:
        """Return whether the page shows single EVALs besides tables and figures."""
        return self.shows_evals

    def page_scores(self, results: "Results", asked: Any) -> "Results":
        """Return the scores of single EVALs for the page; by default those of all systems."""
        return results

    def bare_text(self, answer: Answer, asked: Any) -> Iterable[str] | None:
        """Return a text to write instead of a report, or None for a report."""
        return None

    def files(self, answer: Answer, asked: Any) -> Mapping[str, Sequence[str]]:
        """Return, by path, the lines of the files that `StudyOptions.output_files` names."""
        return {}


def check_systems(
    known: Sequence[str], wanted: Sequence[str], *, fewest: int = 2, needs: str = "compare needs"
) -> tuple[str, ...]:
    """Return the systems to study: those `wanted` or, if it is empty, all of `known`.

    `fewest` is 1 or 2; `needs` is the subject and verb of the message about too few systems. Raises
    OptionError if there are too few, or if one is unknown or named twice.
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
    """An entry of `STUDIES`.

    `name` is that of the command and of the Python function; `module` defines `STUDY`; `summary`
    is a line of the help.
    """

    name: str
    module: str
    summary: str

    def load(self) -> Study:
        """Import the module, and return its study."""
        return cast("Study", import_module(self.module).STUDY)


STUDIES = {
    name: ListedStudy(name, f"rouge_cli.studies.{name}", summary)
    for name, summary in (
        ("score", "Score summaries against reference summaries (the default)."),
        ("compare", "Test which of several systems is better."),
        ("plan", "Say how many texts a comparison needs."),
        ("correlate", "Correlate scores with human judgements."),
        ("identify", "Say which package and options printed some numbers."),
        ("context", "Compare scores with those of sentences of the source."),
    )
}
"""The studies by name, in the order of the help. A new study needs a line here and a folder."""
