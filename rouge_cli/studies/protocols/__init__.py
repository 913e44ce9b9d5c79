"""``protocols --compare``: the numbers of every protocol on the same outputs.

It is a study by its frame, options and reports. Its command is that of the list of protocols, and
Python has `rouge_cli.protocols.corpus`, so that it is not among `STUDIES`.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import option
from rouge_cli.options.figures import PROTOCOL_FIGURES
from rouge_cli.options.studies import (
    StudyOptions,
    lang_option,
    output_option,
    report_option,
    systems_option,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.rows import Shown
from rouge_cli.studies.identify import texts_of
from rouge_cli.studies.study import Answer, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.options.scores import ScoreOptions
    from rouge_cli.protocols.engine import Map, TextPart
    from rouge_cli.scores.results import Results

PROTOCOLS = "Compare"
METRICS = ("ROUGE-1", "ROUGE-2", "ROUGE-L")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolsOptions(StudyOptions):
    """The options of ``protocols``."""

    compare: bool = option(
        "--compare",
        PROTOCOLS,
        "Score the outputs that CONFIG or the options name by every protocol.",
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
    """Settings that give the same numbers for all systems."""

    names: Annotated[
        tuple[str, ...],
        Shown(
            "The protocols with their options and, if a package has two, its ROUGE-L.",
            key="protocols",
        ),
    ]
    means: Annotated[
        tuple[tuple[float, ...] | None, ...],
        Shown("For each metric the mean F of each system, as shares of 1; null without it."),
    ]


class ProtocolMean(NamedTuple):
    """A row of CSV."""

    protocol: Annotated[str, Shown("The protocol with its options.")]
    system: Annotated[str, Shown("Name of the system.")]
    metric: Annotated[str, Shown("Name of the metric.")]
    measure: Annotated[str, Shown("R, P or F.")]
    mean: Annotated[float, Shown("Mean over the texts, as a share of 1.")]


@dataclass(frozen=True, slots=True)
class ProtocolTable:
    """The numbers of every protocol."""

    systems: Annotated[tuple[str, ...], Shown("The systems.")]
    n_texts: Annotated[tuple[int, ...], Shown("Number of texts of each system.")]
    metrics: Annotated[tuple[str, ...], Shown("The metrics.")]
    rows: Annotated[tuple[ProtocolRow, ...], Shown("Lowest first.")]
    remarks: Annotated[tuple[str, ...], Shown("What was left out.")]
    warnings: Annotated[tuple[str, ...], Shown("What to know of the inputs.")] = ()

    @property
    def numbers(self) -> Iterator[ProtocolMean]:
        """Each protocol, metric and system by itself."""
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
    view_class = "rouge_cli.studies.protocols.view:ProtocolsView"
    figures = PROTOCOL_FIGURES
    default_figure = "protocols"
    fewest_systems = 1

    def answer(
        self,
        results: "Results",
        systems: tuple[str, ...],
        asked: ProtocolsOptions,
        scores: "ScoreOptions",
    ) -> ProtocolTable:
        """Refuse results: other packages find other words in the texts."""
        raise OptionError("protocols --compare needs texts, not results")

    def run(self, source: ScoreSource, asked: ProtocolsOptions) -> Answer:
        """Score every system by every protocol."""
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
    """Score the texts of systems by every protocol; `lang` is their language, if it is known."""
    scored = [_settings(part, map_parts, lang) for part in parts]
    remarks = [remark for _, of_system in scored for remark in of_system]
    known = [key for key in scored[0][0] if all(key in settings for settings, _ in scored)]
    rows: dict[tuple[tuple[int, ...] | None, ...], ProtocolRow] = {}
    for name, lcs in known:
        means = []
        for number in range(len(METRICS)):
            values = [settings[name, lcs][number] for settings, _ in scored]
            present = [value for value in values if value is not None]
            means.append(tuple(present) if len(present) == len(values) else None)
        # As reports show them: in percent, with two decimals.
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
    """Return means by protocol and by the package's name of its ROUGE-L, and remarks."""
    from rouge_cli.studies.identify.identification import means_of

    means: Means = {}
    remarks: tuple[str, ...] = ()
    # Some packages print ROUGE-L alone, or ROUGE-1.
    for names in (METRICS, METRICS[-1:], METRICS[:1]):
        known = {name for name, _ in means}
        settings, others = means_of(part, names, map_parts, without=known, lang=lang)
        remarks = remarks or others
        for setting in settings:
            by_name = dict(zip(names, setting.means, strict=True))
            row = tuple(by_name.get(name) for name in METRICS)
            means.setdefault((setting.name, setting.metric), row)
    return means, remarks
