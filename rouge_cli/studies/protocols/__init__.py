"""``protocols --compare``: the numbers of every protocol on the same predictions.

It has the form, the options and the reports of a study, but is not among `STUDIES`: its command is
the one that lists protocols, and Python has `rouge_cli.protocols.corpus` instead.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from rouge_cli.escapes import escape_unprintable
from rouge_cli.options.declaration import options_under
from rouge_cli.options.reports import PROTOCOL_FIGURES
from rouge_cli.options.studies import (
    StudyOptions,
    lang_option,
    output_option,
    report_option,
    systems_option,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.document import Cell, Column, Document, Figure, Note, Role, Section, Table
from rouge_cli.reports.rows import Shown
from rouge_cli.reports.wording import UNDEFINED, number, short_names
from rouge_cli.studies.identify import package_order, texts_of
from rouge_cli.studies.study import Answer, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.protocols.engine import Map, TextPart

PROTOCOLS = "Compare"
option = options_under(PROTOCOLS)
METRICS = ("ROUGE-1", "ROUGE-2", "ROUGE-L")
DECIMALS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolsOptions(StudyOptions):
    """The options of ``protocols``."""

    compare: bool = option(
        "--compare: Score the predictions that CONFIG or the options name by every protocol.",
        is_common=True,
    )
    lang: str | None = lang_option(PROTOCOLS)
    report: str = report_option(PROTOCOLS)
    output: str | None = output_option(PROTOCOLS)
    system_ids: tuple[str, ...] = systems_option(
        PROTOCOLS, "A system to score; by default all of the input."
    )


@dataclass(frozen=True, slots=True)
class ProtocolRow:
    """The numbers of all systems by one or more protocols, whose numbers are the same.

    - `names`: The protocols with their options and, if a package has two, its ROUGE-L.
    - `means`: For each metric the mean F of each system, as shares of 1; null without it.
    """

    names: Annotated[tuple[str, ...], Shown(key="protocols")]
    means: Annotated[tuple[tuple[float, ...] | None, ...], Shown()]


class ProtocolMean(NamedTuple):
    """A row of CSV: the mean score of a system in a metric, by one protocol."""

    protocol: Annotated[str, Shown("The protocol with its options.")]
    system: Annotated[str, Shown("Name of the system.")]
    metric: Annotated[str, Shown("Name of the metric.")]
    measure: Annotated[str, Shown("R, P or F.")]
    mean: Annotated[float, Shown("Mean over the texts, as a share of 1.")]


@dataclass(frozen=True, slots=True)
class ProtocolTable:
    """The numbers of all systems by every protocol."""

    systems: Annotated[tuple[str, ...], Shown("The systems.")]
    n_texts: Annotated[tuple[int, ...], Shown("Number of texts of each system.")]
    metrics: Annotated[tuple[str, ...], Shown("The metrics.")]
    rows: Annotated[tuple[ProtocolRow, ...], Shown("Lowest first.")]
    remarks: Annotated[tuple[str, ...], Shown("What was left out.")]
    warnings: Annotated[tuple[str, ...], Shown("What to know of the inputs.")] = ()

    @property
    def numbers(self) -> Iterator[ProtocolMean]:
        """The rows of CSV: one for each protocol, metric and system."""
        for row in self.rows:
            for metric, means in zip(self.metrics, row.means, strict=True):
                for system, mean in zip(self.systems, means or (), strict=bool(means)):
                    for name in row.names:
                        yield ProtocolMean(name, system, metric, "F", mean)


class ProtocolsStudy(Study):
    """List the packages whose numbers --protocol computes, spell out one, or compare all of them.

    Below each package stands what is known to be wrong with its numbers. With NAME in the place of
    CONFIG, which may have options as --protocol takes them, its choices are written as TOML: a file
    of one's own begins with some of these lines. With --compare, CONFIG or the options name outputs
    as for score: they are scored by every protocol with its usual options.
    """

    options = ProtocolsOptions
    name = "protocols"
    view_class = "rouge_cli.studies.protocols:ProtocolsView"
    figures = PROTOCOL_FIGURES
    default_figure = "protocols"
    fewest_systems = 1
    refusal = "protocols --compare needs texts, not results"

    def run(self, source: ScoreSource, asked: ProtocolsOptions) -> Answer:
        with source.texts("--compare") as (texts, map_parts):
            systems = self.choose(texts.complete().order, asked)
            parts = [part for _, part in texts_of(texts, systems)]
            return Answer(protocol_table(systems, parts, map_parts, asked.lang))


STUDY = ProtocolsStudy()


def protocol_table(
    systems: Sequence[str],
    parts: "Sequence[TextPart]",
    map_parts: "Map" = map,
    lang: str | None = None,
) -> ProtocolTable:
    """Score the texts of systems by every protocol.

    `parts` are the texts of each system; `map_parts` is `map`, or spreads work over processes;
    `lang` is the language of the texts, if it is known.
    """
    scored = [_settings(part, map_parts, lang) for part in parts]
    remarks = [remark for _, of_system in scored for remark in of_system]
    # A protocol without numbers for some system is left out, as these could not be compared.
    known = [key for key in scored[0][0] if all(key in settings for settings, _ in scored)]
    rows: dict[tuple[tuple[int, ...] | None, ...], ProtocolRow] = {}
    for name, lcs in known:
        means = []
        for place in range(len(METRICS)):
            values = [settings[name, lcs][place] for settings, _ in scored]
            present = [value for value in values if value is not None]
            means.append(tuple(present) if len(present) == len(values) else None)
        # Protocols share a row if their numbers agree to the four decimals that tables show.
        shown = tuple(
            None if of_metric is None else tuple(round(10_000 * mean) for mean in of_metric)
            for of_metric in means
        )
        label = f"{name} ({lcs})" if lcs else name
        names = rows[shown].names if shown in rows else ()
        rows[shown] = ProtocolRow((*names, label), tuple(means))
    in_order = sorted(rows.values(), key=lambda row: max(row.means[-1] or (0.0,)))
    return ProtocolTable(
        tuple(systems),
        tuple(len(part.predictions) for part in parts),
        METRICS,
        tuple(in_order),
        tuple(dict.fromkeys(remarks)),
    )


Means = dict[tuple[str, str], tuple[float | None, ...]]


def _settings(
    part: "TextPart", map_parts: "Map", lang: str | None
) -> tuple[Means, tuple[str, ...]]:
    """Return the means of each protocol in `METRICS`, and remarks on what was left out.

    The keys are the protocol and, if its package has two kinds of ROUGE-L, the name of the kind.
    """
    from rouge_cli.studies.identify.identification import means_of

    means: Means = {}
    remarks: tuple[str, ...] = ()
    # Some packages print only ROUGE-L, or only ROUGE-1, and so do not print all three together.
    for names in (METRICS, METRICS[-1:], METRICS[:1]):
        known = {name for name, _ in means}
        settings, others = means_of(part, names, map_parts, without=known, lang=lang)
        remarks = remarks or others
        for setting in settings:
            by_name = dict(zip(names, setting.means, strict=True))
            row = tuple(by_name.get(name) for name in METRICS)
            means.setdefault((setting.name, setting.metric), row)
    return means, remarks


@dataclass(frozen=True, slots=True)
class ProtocolsView(View):
    """The numbers of the same predictions, which differ from protocol to protocol."""

    kind: ClassVar[str] = "protocols"
    csv_path: ClassVar[str] = "numbers"
    result: ProtocolTable

    def document(self) -> Document:
        """Return a table for each metric, with a column for each system."""
        systems, key = short_names([escape_unprintable(system) for system in self.result.systems])
        sections = [
            Section(f"protocols-{place}", (self._table(place, systems.values()),), f"{metric} F")
            for place, metric in enumerate(self.result.metrics, 1)
        ]
        notes = [
            "Plain means. The numbers of protocols in a row agree to four decimals; the JSON and "
            "CSV reports name them all.",
            *self.result.remarks,
            *([f"{key}."] if key else []),
        ]
        return Document(
            tuple(sections),
            tuple(map(Note.of, notes)),
            title="The same predictions by every protocol",
            headline=" ".join(map(self._spread, range(len(self.result.metrics)))),
        )

    def _table(self, place: int, systems: Collection[str]) -> Table:
        columns = [Column("protocol", "l", Role.NAME), *map(Column, systems)]
        columns += [Column("difference")] * (len(systems) > 1)
        rows = []
        for names, means in self._classes(place - 1):
            shown = [number(mean, DECIMALS) for mean in means]
            shown += [number(max(means) - min(means), DECIMALS)] * (len(systems) > 1)
            rows.append((Cell(_name(names)), *map(Cell, shown)))
        return Table(tuple(columns), tuple(rows))

    def _classes(self, place: int) -> list[tuple[list[str], tuple[float, ...]]]:
        classes: dict[tuple[str, ...], tuple[list[str], tuple[float, ...]]] = {}
        for row in self.result.rows:
            if (means := row.means[place]) is not None:
                shown = tuple(number(mean, DECIMALS) for mean in means)
                classes.setdefault(shown, ([], means))[0].extend(row.names)
        return sorted(classes.values(), key=lambda known: max(known[1]))

    def _spread(self, place: int) -> str:
        known = [means for row in self.result.rows if (means := row.means[place]) is not None]
        metric = self.result.metrics[place]
        if not known:
            return f"{metric}: {UNDEFINED}."
        moved = max(max(of_system) - min(of_system) for of_system in zip(*known, strict=True))
        text = f"A change of protocol alone moves {metric} F by up to {number(moved, DECIMALS)}"
        if len(self.result.systems) == 1:
            return f"{text}."
        apart = [max(means) - min(means) for means in known]
        return (
            f"{text}; within one, systems differ by {number(min(apart), DECIMALS)} to "
            f"{number(max(apart), DECIMALS)}."
        )

    def figures(self) -> tuple[Figure, ...]:
        """Return a panel for each metric, with the range of all systems for each protocol."""
        from rouge_cli.reports.charts import Estimate, interval_panel

        panels = []
        for place, metric in enumerate(self.result.metrics):
            estimates = [
                Estimate(_name(names), max(means), (min(means), max(means)), is_marked=True)
                for names, means in self._classes(place)
            ]
            if estimates:
                panels.append(
                    interval_panel(f"{metric} F", "", "mean F", estimates, has_long_names=True)
                )
        caption = (
            "Mean F by every protocol on the same predictions. The point is the best system; the "
            "line goes down to the worst one. Protocols with the same numbers share a row."
        )
        return (Figure("protocols", "Protocols", caption, tuple(panels)),)


def _name(names: Sequence[str]) -> str:
    first, *others = sorted(names, key=package_order)
    return f"{first} and {len(others)} more" if others else first
