"""The study ``context``: scores compared with those of humans and of extracts from the source."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

from rouge_cli.errors import OptionError, Problems, name_advice
from rouge_cli.escapes import escape_unprintable
from rouge_cli.options import readers
from rouge_cli.options.declaration import options_under
from rouge_cli.options.reports import CONTEXT_FIGURES
from rouge_cli.options.scores import SINGLE_MEASURE
from rouge_cli.options.studies import (
    StudyOptions,
    measures_option,
    output_option,
    report_option,
    seed_option,
    systems_option,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.document import Cell, Column, Document, Figure, Note, Role, Section, Table
from rouge_cli.reports.rows import Shown
from rouge_cli.reports.wording import counted, number
from rouge_cli.studies.study import Answer, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.inputs.index import Input
    from rouge_cli.options.options import Options
    from rouge_cli.run.pipeline import RunContext
    from rouge_cli.scores.results import Results

CONTEXT = "Context"
option = options_under(CONTEXT)
# The rules of `rouge_cli.metrics.sources`, repeated here since that module loads NumPy.
RULES = CLIPPED, SETS, PRESUMM = ("clipped", "sets", "presumm")
SOURCES = "sources"  # the system of the sources, if the texts are lists
SYSTEM, HUMAN = "system", "human"
LEAD, RANDOM, ORACLE, BEST = "lead", "random", "oracle", "best"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextOptions(StudyOptions):
    """The options of ``context``."""

    sources: str = option(
        "--sources SYSTEM: The system of the input whose texts are the sources that were "
        "summarised.",
        readers.string,
        "",
        is_required=True,
    )
    take: int | None = option(
        "--take K: How many sentences of the source to take; by default the references' mean "
        "number.",
        readers.whole(1, 1000),
        is_common=True,
    )
    best: bool = option(
        "--best: Also the best combination of at most K sentences, of all that there are.",
        is_common=True,
    )
    rule: str = option(
        "--rule RULE: How the oracle counts n-grams: clipped (by default), as ROUGE does; sets, "
        "each once; or presumm, as PreSumm does, in words of its own.",
        readers.choice(*RULES),
        CLIPPED,
    )
    labels: str | None = option(
        "--labels FILE: Write the numbers of the sentences that the oracle takes to FILE, a JSON "
        "line a text.",
        readers.path,
        python_advice="take them from result.labels",
        is_common=True,
    )
    measures: str = measures_option(CONTEXT, "Which of R, P and F, such as RPF; by default F.")
    seed: int = seed_option(CONTEXT, "Seed of the random sentences; by default 2004.")
    report: str = report_option(CONTEXT)
    output: str | None = output_option(CONTEXT)
    system_ids: tuple[str, ...] = systems_option(
        CONTEXT, "A system to show; by default all but the sources."
    )

    def output_files(self) -> Mapping[str, str]:
        return {} if self.labels is None else {self.labels: "--labels"}


class ContextScore(NamedTuple):
    """The mean of one measure of a metric, with its interval."""

    metric: Annotated[str, Shown("Name of the metric.")]
    measure: Annotated[str, Shown("R, P or F.")]
    mean: Annotated[float, Shown("Mean over the texts.", write=4)]
    interval: Annotated[tuple[float, float] | None, Shown("Of the mean; null without a bootstrap.")]


@dataclass(frozen=True, slots=True)
class ContextRow:
    """A system, a human, or a selection of sentences.

    - `kind`: A system, a human who wrote references, or how sentences of the source were chosen.
    """

    name: Annotated[str, Shown("Of the system, the human or the selection.", heading=" ")]
    kind: Annotated[str, Shown(schema={"enum": [SYSTEM, HUMAN, LEAD, RANDOM, ORACLE, BEST]})]
    n_evals: Annotated[int, Shown("Number of texts.")]
    scores: Annotated[tuple[ContextScore, ...], Shown("Of each metric and measure.")]

    @property
    def by_column(self) -> Mapping[tuple[str, str], ContextScore]:
        """The scores by metric and letter."""
        return {(score.metric, score.measure): score for score in self.scores}


@dataclass(frozen=True, slots=True)
class Context:
    """The scores of systems, of extracts from the source, and of humans.

    `labels` lists the sentences that each oracle takes in each EVAL, numbered from 0.
    """

    labels: tuple[Mapping[str, Any], ...]
    n_evals: Annotated[int, Shown("Number of texts of the run.", column="")]
    take: Annotated[int, Shown("The most sentences of a selection.")]
    rule: Annotated[str, Shown("How the oracle counts n-grams.", schema={"enum": [*RULES]})]
    is_jackknifed: Annotated[
        bool,
        Shown("Whether everything is measured against all references but one, as humans must be."),
    ]
    rows: Annotated[tuple[ContextRow, ...], Shown("Systems, humans and selections.")]
    warnings: Annotated[tuple[str, ...], Shown("What to know of the inputs and the result.")]
    signature: Annotated[str, Shown("Everything that affects a score.")]


class ContextStudy(Study):
    """Say what scores are worth, by comparison with sentences of the source and with humans.

    CONFIG or the options name the texts, as for score; one of the systems holds the sources that
    were summarised, and --sources names it. Shown are the lead of the source, sentences drawn at
    random, the extractive oracle, which takes sentence after sentence as long as ROUGE-1 F plus
    ROUGE-2 F grows, the systems, and, where every text has two references or more, the humans who
    wrote them, each and everything else measured against all references but one.
    """

    options = ContextOptions
    name = "context"
    view_class = "rouge_cli.studies.context:ContextView"
    figures = CONTEXT_FIGURES
    default_figure = "context"
    fewest_systems = 1
    refusal = "context needs texts, not results: context(predictions, references, ...)"

    def scoring(self, given: Mapping[str, Any], asked: Any) -> Mapping[str, Any]:
        """Return the options of scores: of all systems, with the bootstrap of ``score``."""
        return {**given, "all": True}

    def choose(self, known: Sequence[str], asked: ContextOptions) -> tuple[str, ...]:
        """Return the systems to show, without the sources; raises OptionError."""
        if asked.sources not in known:
            advice = name_advice(asked.sources, known)
            raise OptionError(f"--sources: no system {asked.sources!r}; {advice}")
        others = [system for system in known if system != asked.sources]
        if not others and not asked.system_ids:
            return ()
        return super().choose(others, asked)

    def run(self, source: ScoreSource, asked: ContextOptions) -> Answer:
        with source.opened("context") as (texts, context):
            systems = self.choose(texts.complete().order, asked)
            return context_of(texts, systems, asked, source.options, context)

    def files(self, answer: Answer, asked: ContextOptions) -> Mapping[str, Sequence[str]]:
        if asked.labels is None:
            return {}
        import json

        lines = [json.dumps(label, ensure_ascii=False) + "\n" for label in answer.result.labels]
        return {asked.labels: lines}


STUDY = ContextStudy()


def context_of(
    source: "Input",
    systems: tuple[str, ...],
    asked: ContextOptions,
    options: "Options",
    context: "RunContext",
) -> Answer:
    """Score systems, selections and humans; raises InputError and OptionError."""
    from rouge_cli.run.pipeline import score_input
    from rouge_cli.scores.signature import signature
    from rouge_cli.studies.context.extracts import (
        chosen_sentences,
        sentences_to_take,
        with_extracts,
    )

    # An EVAL must have a source, but may lack the text of a system.
    evals = list(source.evals())
    missing = (
        (f"text {texts.id}", f"no source: system {asked.sources!r} has no prediction")
        for texts in evals
        if asked.sources not in texts.peers
    )
    Problems.of("", missing).raise_any()
    take = asked.take or sentences_to_take(evals)
    selections, labels, remarks = chosen_sentences(evals, take, asked, options, context.environment)
    ways = (LEAD, RANDOM, ORACLE, *([BEST] if asked.best else []))
    selected = {f"{way}-{take}": way for way in ways}
    # Humans can only be scored against the other models, so everything else is, too.
    is_jackknifed = all(len(texts.models) > 1 for texts in evals)
    options = options.changed(jackknife=is_jackknifed, humans=is_jackknifed)
    whole = with_extracts(source, evals, systems, selections, selected)
    results = score_input(whole, options, context)
    kinds = {**dict.fromkeys(systems, SYSTEM), **selected}
    rows = [
        _row(results, name, kinds.get(name, HUMAN), asked.measures)
        for name in (*selected, *systems, *sorted(results.systems.keys() - kinds.keys()))
    ]
    comparison = Context(
        labels=tuple(labels),
        n_evals=len(evals),
        take=take,
        rule=asked.rule,
        is_jackknifed=is_jackknifed,
        rows=tuple(rows),
        warnings=(*source.index.warnings, *results.warnings, *remarks),
        signature=signature(results.options),
    )
    return Answer(comparison, results)


def _row(results: "Results", name: str, kind: str, measures: str) -> ContextRow:
    system = results.systems[name]
    scores = tuple(
        ContextScore(metric.name, letter, measure.mean, measure.interval)
        for metric in system
        for letter, measure in metric.measures.items()
        if letter in measures or letter == SINGLE_MEASURE
    )
    return ContextRow(name, kind, len(system.eval_ids), scores)


DECIMALS = 4

_COUNTED = {
    CLIPPED: "counted as ROUGE does.",
    SETS: "counted once each.",
    PRESUMM: "counted as PreSumm does.",
}


@dataclass(frozen=True, slots=True)
class ContextView(View):
    """The scores of systems, extracts and humans, as a table and a figure."""

    kind: ClassVar[str] = "context"
    csv_path: ClassVar[str] = "rows.scores"
    result: Context

    def document(self) -> Document:
        """Return a table of all rows, in ascending order of the first metric."""
        columns = (Column("", "l", Role.NAME), *map(Column, self._measures()))
        rows = []
        for row in self._in_order():
            means = [number(score.mean, DECIMALS) for score in row.scores]
            rows.append(tuple(map(Cell, (escape_unprintable(row.name), *means))))
        n_texts = counted(self.result.n_evals, "text")
        return Document(
            (Section("context", (Table(columns, tuple(rows)),), n_texts),),
            tuple(map(Note.of, self._notes())),
            (self.result.signature,),
            title="What scores are worth",
            headline=" ".join(starmap(self._range, enumerate(self._measures()))),
        )

    def _measures(self) -> list[str]:
        # Every row has the scores of all measures, in the same order.
        return [f"{score.metric} {score.measure}" for score in self.result.rows[0].scores]

    def _in_order(self) -> list[ContextRow]:
        return sorted(self.result.rows, key=lambda row: row.scores[0].mean)

    def _range(self, place: int, measure: str) -> str:
        means = [(row.kind, row.scores[place].mean, row.name) for row in self.result.rows]
        of_kind = {kind: number(mean, DECIMALS) for kind, mean, _ in means}
        text = (
            f"{measure}: {of_kind[RANDOM]} by random sentences, {of_kind[LEAD]} by the lead, "
            f"{of_kind[ORACLE]} by the oracle"
        )
        systems = [(mean, name) for kind, mean, name in means if kind == SYSTEM]
        if systems:
            best, name = max(systems, key=itemgetter(0))
            text += f"; the best system, {escape_unprintable(name)}, has {number(best, DECIMALS)}"
        humans = sorted({number(mean, DECIMALS) for kind, mean, _ in means if kind == HUMAN})
        if humans:
            text += f", humans {' to '.join(dict.fromkeys((humans[0], humans[-1])))}"
        return f"{text}."

    def _notes(self) -> Iterator[str]:
        context = self.result
        names = {row.kind: row.name for row in context.rows}
        plural = "s" * (context.take > 1)
        yield (
            f"Plain means. {names[LEAD]}: the first {context.take} sentence{plural} of the source; "
            f"{names[RANDOM]}: as many at random; {names[ORACLE]}: at most as many, one after the "
            "other, as long as ROUGE-1 F plus ROUGE-2 F against the references grows, its n-grams "
            + _COUNTED[context.rule]
        )
        if BEST in names:
            yield f"{names[BEST]}: the best combination of at most as many sentences."
        if context.is_jackknifed:
            yield (
                "Everything is measured against all references but one, and averaged, so that the "
                "humans who wrote the references can stand beside it."
            )

    def figures(self) -> tuple[Figure, ...]:
        """Return a panel for each metric, in ascending order of the first; systems are filled."""
        from rouge_cli.reports.charts import Estimate, interval_panel

        panels = []
        for place, measure in enumerate(self._measures()):
            estimates = []
            for row in self._in_order():
                name, score = escape_unprintable(row.name), row.scores[place]
                estimates.append(Estimate(name, score.mean, score.interval, row.kind == SYSTEM))
            panels.append(interval_panel(measure, "", "mean", estimates))
        caption = (
            "Systems (filled) beside selections of sentences of the source"
            + (" and the humans who wrote the references" if self.result.is_jackknifed else "")
            + ", lowest first, with bootstrap intervals."
        )
        title = "What scores are worth"
        return (Figure("context", title, caption, tuple(panels), has_common_names=True),)
