"""The socket of studies: what is asked of the scores of systems, and the list of all studies.

A study declares its options, says which systems it takes, and answers with a frozen record. Its
command, help, completion, manual page, Python function and kinds of reports follow from `STUDIES`;
`rouge_cli.reports.views` says which view shows the answer.

Nothing here imports NumPy, and neither do the modules of studies at their top: help and completion
read every declaration, and importing NumPy would take most of their time.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, cast

from rouge_cli.errors import OptionError, name_advice

if TYPE_CHECKING:
    from rouge_cli.inputs.corpus import Corpus
    from rouge_cli.inputs.source import Source
    from rouge_cli.options.options import Options
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.options.studies import StudyOptions
    from rouge_cli.protocols.shared_counts import Map
    from rouge_cli.run.pipeline import RunContext
    from rouge_cli.scores.results import Results

__all__ = ["STUDIES", "Answer", "ListedStudy", "Result", "ScoreSource", "Study", "check_systems"]


class Result(Protocol):
    """What every study returns: a frozen record of its findings."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of the inputs and of the result."""


class Answer(NamedTuple):
    """What a study returns, and its scores; None if they come from several runs."""

    result: Any
    scores: "Results | None" = None


class ScoreSource(NamedTuple):
    """Where the scores of a study come from: texts to be scored, or saved scores.

    - `options`: of the scores, all systems among them.
    - `open_context`: opens what a run takes from its environment.
    - `visit`: called with the corpus and its scores while the texts can be read.
    """

    source: "Source"
    options: "Options"
    open_context: "Callable[[], AbstractContextManager[RunContext]]"
    visit: "Callable[[Corpus, Results], None] | None" = None

    def scored(
        self, choose: Callable[[Sequence[str]], tuple[str, ...]]
    ) -> "tuple[Results, tuple[str, ...]]":
        """Score all systems, or read their saved scores; return them, and those that are chosen.

        `choose` takes the IDs of all systems, before any is scored if they are known, and raises
        OptionError.
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
    def opened(self, what: str) -> "Iterator[tuple[Corpus, RunContext]]":
        """Open the texts for `what`, with the surroundings of a run.

        Raises OptionError if there are scores in place of texts.
        """
        from rouge_cli.run.pipeline import resolved_run

        texts = resolved_run(self.source, self.options).opened(f"{what} reads texts")
        with self.open_context() as context, texts as (corpus, _):
            yield corpus, context

    @contextmanager
    def texts(self, what: str) -> "Iterator[tuple[Corpus, Map]]":
        """Open the texts, for `what` that finds its own words in them, and a map over processes.

        Raises OptionError as `opened` does.
        """
        from rouge_cli.run.workers import ordered_map

        with self.opened(what) as (corpus, context):
            # Words are found in Python, so there are processes and no threads.
            yield corpus, partial(ordered_map, jobs=context.jobs(self.options, in_threads=False))


class Study(ABC):
    """A question about the scores of systems; the docstring of a study is the help of its command.

    Attributes
    ----------
    options : subclass of StudyOptions
        The options of the study itself; those that say what is scored, and how, are added.
    name : str
        In `STUDIES`, and in `Option.not_for` of the options that have no meaning in the study.
    shows_evals : bool
        Whether its page shows every EVAL of `page_scores`, with texts, and the result among them.
    figures : tuple of str
        Names in `rouge_cli.options.reports.FIGURES`; without any there is no ``--plot``.
    default_figure : str
        The one that ``--plot FILE`` draws.
    fewest_systems : int
    needs : str
        What asks for so many, for the message.
    """

    options: "ClassVar[type[StudyOptions]]"
    name: ClassVar[str] = ""
    shows_evals: ClassVar[bool] = False
    figures: ClassVar[tuple[str, ...]] = ()
    default_figure: ClassVar[str] = ""
    fewest_systems: ClassVar[int] = 2
    needs: ClassVar[str] = "the study needs"

    @property
    def left_out(self) -> frozenset[str]:
        """Options of scores and pages that the study does not offer."""
        from rouge_cli.options.options import left_out

        return left_out("study", self.name, shows_evals=self.shows_evals)

    @property
    def python_options(self) -> tuple[str, ...]:
        """Options of scores that the Python function takes besides those of the study."""
        from rouge_cli.options.declaration import Step
        from rouge_cli.options.scores import ScoreOptions

        declared = ScoreOptions.options()
        elsewhere = self.left_out | self.options.options().keys()
        return tuple(
            name
            for name in declared
            if declared[name].step == Step.INTERVALS and name not in elsewhere
        )

    def scoring(self, given: Mapping[str, Any], asked: Any) -> Mapping[str, Any]:
        """Return the options of scores, by name and as typed; raises OptionError.

        All systems are scored; without a bootstrap, since few studies read its intervals.
        """
        return {**given, "all": True, "resamples": 0}

    def choose(self, known: Sequence[str], asked: Any) -> tuple[str, ...]:
        """Return the systems to study, of all that are known; raises OptionError."""
        return check_systems(known, asked.system_ids, fewest=self.fewest_systems, needs=self.needs)

    @abstractmethod
    def answer(
        self, results: "Results", systems: tuple[str, ...], asked: Any, scores: "ScoreOptions"
    ) -> Result:
        """Answer from scores.

        Parameters
        ----------
        results : Results
            Means over EVALs.
        systems : tuple of str
            As `choose` returns them.
        asked : instance of `options`
        scores : ScoreOptions
            With the confidence that is asked for, which need not be that of `results`.

        Raises
        ------
        OptionError, InputError
        """

    def run(self, source: ScoreSource, asked: Any) -> Answer:
        """Score, and answer; raises OptionError and InputError."""
        results, systems = source.scored(lambda known: self.choose(known, asked))
        return Answer(self.answer(results, systems, asked, source.options.scores), results)

    def files(self, answer: Answer, asked: Any) -> Mapping[str, Sequence[str]]:
        """Return the lines of the files in `StudyOptions.output_files`, by path."""
        return {}

    def has_eval_page(self, asked: Any) -> bool:
        """Say whether the page shows EVALs, and is not the tables and figures alone."""
        return self.shows_evals

    def page_scores(self, results: "Results", asked: Any) -> "Results":
        """Return the scores that a page shows EVAL by EVAL, of the systems that are studied."""
        return results


def check_systems(
    known: Sequence[str], wanted: Sequence[str], *, fewest: int = 2, needs: str = "compare needs"
) -> tuple[str, ...]:
    """Return the systems to study: those that are wanted, or all.

    `known` has at least one system; `wanted` is empty for all. `needs` names what asks for so many,
    for the message. Raises OptionError if a system is not known or is wanted twice, or if there are
    too few.
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
    """An entry of the list.

    Parameters
    ----------
    name : str
        Of the command, and of the Python function.
    module : str
        The module whose `STUDY` is the study; imported when it is asked for.
    summary : str
        What the front page of the help and the manual page say of it.
    """

    name: str
    module: str
    summary: str

    def load(self) -> Study:
        """Import the study."""
        return cast("Study", import_module(self.module).STUDY)


STUDIES = {
    study.name: study
    for study in (
        ListedStudy(
            "compare", "rouge_cli.studies.compare", "Test which of several systems is better."
        ),
        ListedStudy("plan", "rouge_cli.studies.plan", "Say how many EVALs a comparison needs."),
        ListedStudy(
            "correlate", "rouge_cli.studies.correlate", "Correlate scores with human judgements."
        ),
        ListedStudy(
            "identify",
            "rouge_cli.studies.identify",
            "Say which package and options printed some numbers.",
        ),
        ListedStudy(
            "context",
            "rouge_cli.studies.context",
            "Put scores beside what sentences of the source reach.",
        ),
    )
}
"""Every study by its name, in the order of help; a new one is a line here, its module, its view."""
