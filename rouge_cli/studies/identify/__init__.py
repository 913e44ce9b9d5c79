"""The study ``identify``: the package and the options that printed some numbers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

from rouge_cli.errors import InputError, OptionError
from rouge_cli.options import readers
from rouge_cli.options.declaration import options_under
from rouge_cli.options.studies import (
    StudyOptions,
    lang_option,
    output_option,
    report_option,
    systems_option,
)
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.document import Cell, Column, Document, Note, Role, Section, Table
from rouge_cli.reports.rows import Shown
from rouge_cli.reports.wording import counted, listed, measure_label, number
from rouge_cli.studies.study import Answer, ScoreSource, Study

if TYPE_CHECKING:
    from rouge_cli.inputs.index import Input
    from rouge_cli.protocols.engine import TextPart

ORDERS = ("lines", "numbers-from-0", "numbers-from-1", "ids")
"""Orders in which other programs hand over EVALs. Numbers without leading zeros sort as text."""


class PublishedNumber(NamedTuple):
    """A number of a published table.

    `half_unit` is half of its last decimal place, as a share of 1; `decimals` counts the decimals
    that it has as a share of 1.
    """

    name: Annotated[str, Shown("The metric, such as ROUGE-L.", key="metric")]
    letter: Annotated[str, Shown("R, P or F.", key="measure")]
    text: Annotated[str, Shown("As typed, without a percent sign.")]
    value: Annotated[float, Shown("As a share of 1.")]
    half_unit: float
    decimals: int


_NAME = re.compile(
    r"(?:ROUGE|R)[-_ ]?(?P<metric>[1-9]|L-?SUM|L|W|SU?(?:\*|[0-9]{1,2}))(?:(?<=W)-1\.2)?"
    r"(?::(?P<letter>[RPF]))?",
    re.IGNORECASE,
)
_VALUE = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,17}))?(%?)")
EXPECTED = "numbers by metric, such as 'ROUGE-1=44.16 ROUGE-2=21.28 ROUGE-L:R=0.409'"


def published(raw: Any) -> tuple[PublishedNumber, ...]:
    """Read published numbers from a string, or from a mapping of metrics to numbers or texts.

    Raises ValueError if they are anything else, or if a number is given twice.
    """
    if isinstance(raw, Mapping):
        items = [(str(name), str(value)) for name, value in raw.items()]
    elif isinstance(raw, str):
        words = raw.replace(",", " ").split()
        items = [(name, value) for name, _, value in (word.partition("=") for word in words)]
    else:
        items = []
    matched = [(_NAME.fullmatch(name.strip()), _VALUE.fullmatch(text)) for name, text in items]
    known = [(name, value) for name, value in matched if name and value]
    # All numbers of a table have the same scale. Scores above 1 can only be percentages, and at
    # least one number of a table in percent is above 1.
    is_percent = any(value[3] or float(value[0].rstrip("%")) > 1 for _, value in known)
    numbers = tuple(_number(name, value, is_percent=is_percent) for name, value in known)
    if not items or len({number[:2] for number in numbers}) < len(items):
        raise ValueError(EXPECTED)
    return numbers


def _number(name: "re.Match[str]", value: "re.Match[str]", *, is_percent: bool) -> PublishedNumber:
    metric, letter = name["metric"].upper(), (name["letter"] or "F").upper()
    text, decimals = value[0].rstrip("%"), len(value[2] or "")
    unit = 100 if is_percent else 1
    return PublishedNumber(
        f"ROUGE-{'Lsum' if metric.endswith('SUM') else metric}",
        letter,
        text,
        float(text) / unit,
        0.5 * 10.0**-decimals / unit,
        decimals + 2 * is_percent,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A candidate, and how its numbers compare with the published ones.

    `means` are the plain means of the published metrics, around which resampled means scatter.
    `others` are the means that were not published, by metric and letter, such as ``"ROUGE-2 R"``.

    - `name`: The protocol with its options, as --protocol takes it.
    - `metric`: Which of the package's metrics is taken for ROUGE-L.
    - `direction`: Outputs against references as given, exchanged, or either if both agree.
    """

    name: Annotated[str, Shown(key="setting")]
    metric: Annotated[str, Shown(key="rouge_l")]
    sentences: Annotated[str, Shown("How sentences were found, if the caller decides.")]
    direction: Annotated[str, Shown()]
    mean: Annotated[str, Shown("mean, f-of-means, median-of-resamples or original.")]
    texts: Annotated[str, Shown("all, or how the texts were changed.")]
    n_texts: Annotated[int, Shown("Number of texts.")]
    match: Annotated[str, Shown("How the numbers agree; empty if they are not consistent.")]
    values: Annotated[tuple[float, ...], Shown("Of the published metrics, as shares of 1.")]
    means: tuple[float, ...]
    tolerances: Annotated[tuple[float, ...], Shown("Three standard errors of the draws.")]
    distance: Annotated[float, Shown("The greatest difference from a published number.")]
    others: Mapping[str, float]


class SettingClass(NamedTuple):
    """Settings that print the same numbers for these texts, and therefore cannot be told apart."""

    letter: Annotated[str, Shown("Of the class, the nearest first.", key="class")]
    settings: Annotated[tuple[Setting, ...], Shown("Settings with the same numbers.")]

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers of the first setting."""
        return self.settings[0].values


class Telling(NamedTuple):
    """A further number that would tell consistent settings apart."""

    name: Annotated[
        str,
        Shown("A metric with its measure; empty for decimals of the same numbers.", key="metric"),
    ]
    decimals: Annotated[int, Shown("Decimals of a share of 1.")]
    n_groups: Annotated[int, Shown("Into how many groups they fall.", key="groups")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identification:
    """The settings that could have printed some published numbers.

    - `telling`: What would tell the consistent ones apart, the best first.
    - `chance`: How often numbers that have nothing to do with the texts, but lie within a quarter
      of a point of those of some setting, fit any setting.
    """

    system: Annotated[str, Shown("The system whose texts were scored.", column="")]
    n_texts: Annotated[int, Shown("Number of its texts.", column="")]
    published: Annotated[tuple[PublishedNumber, ...], Shown("The published numbers.")]
    n_tried: Annotated[int, Shown("Number of settings that were tried.", key="tried", column="")]
    orders: Annotated[tuple[str, ...], Shown("Orders of texts that were tried.")]
    is_deep: Annotated[bool, Shown("Whether texts were changed too.", key="deep", column="")]
    consistent: Annotated[tuple[SettingClass, ...], Shown("What fits, in classes.")]
    nearest: Annotated[tuple[SettingClass, ...], Shown("Of all others, the nearest.")]
    telling: Annotated[tuple[Telling, ...], Shown()]
    chance: Annotated[float, Shown(column="")]
    remarks: Annotated[tuple[str, ...], Shown("What was not tried.")]
    warnings: Annotated[tuple[str, ...], Shown("What to know of the inputs.")] = ()

    @property
    def shown(self) -> tuple[SettingClass, ...]:
        """The rows of CSV: the consistent classes, then the nearest others, without a letter."""
        return (*self.consistent, *(group._replace(letter="") for group in self.nearest))


IDENTIFY = "Identify"
option = options_under(IDENTIFY)


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyOptions(StudyOptions):
    """The options of ``identify``."""

    published: tuple[PublishedNumber, ...] = option(
        "--published NUMBERS: The numbers, by metric and with all their decimals, such as "
        "'ROUGE-1=44.16 ROUGE-2=21.28 ROUGE-L=40.90'; F unless :R or :P follows the metric.",
        published,
        (),
        is_required=True,
    )
    order: str | None = option(
        "--order ORDER: The order of the texts for the bootstrap of ROUGE-1.5.5: "
        f"{', '.join(ORDERS[:-1])} or {ORDERS[-1]}; by default all of them.",
        readers.choice(*ORDERS),
        is_common=True,
    )
    deep: bool = option(
        "--deep: Change the texts too, as people do: lower case, other tokens, cut to a length, a "
        "subset.",
        is_common=True,
    )
    lang: str | None = lang_option(IDENTIFY)
    report: str = report_option(IDENTIFY)
    output: str | None = output_option(IDENTIFY)
    system_ids: tuple[str, ...] = systems_option(
        IDENTIFY, "The system whose numbers they are; not needed if the input has one."
    )


class IdentifyStudy(Study):
    """Say which packages and options could have printed published numbers.

    CONFIG or the options name predictions and references, as for score; --published has numbers.
    Every protocol is tried with its usual options, in several ways to find sentences, and with
    predictions and references exchanged. The answer is a set: what is consistent with the numbers,
    what of it nothing can tell apart, what comes near, and what would decide.
    """

    options = IdentifyOptions
    name = "identify"
    view_class = "rouge_cli.studies.identify:IdentificationView"
    fewest_systems = 1
    refusal = "identify needs texts, not results: identify(predictions, references)"

    def choose(self, known: Sequence[str], asked: IdentifyOptions) -> tuple[str, ...]:
        """Return the only system to which the numbers can belong; raises OptionError."""
        systems = super().choose(known, asked)
        if len(systems) > 1:
            raise OptionError(
                f"there are {len(systems)} systems: {', '.join(map(repr, systems))}; say with "
                "--system-id whose numbers they are"
            )
        return systems

    def run(self, source: ScoreSource, asked: IdentifyOptions) -> Answer:
        from rouge_cli.studies.identify.identification import identify_texts

        with source.texts("identify") as (texts, map_parts):
            (system,) = self.choose(texts.complete().order, asked)
            ((eval_ids, part),) = texts_of(texts, [system])
            return Answer(
                identify_texts(part, asked, system=system, eval_ids=eval_ids, map_parts=map_parts)
            )


STUDY = IdentifyStudy()


def texts_of(source: "Input", systems: Sequence[str]) -> "list[tuple[list[str], TextPart]]":
    """Return, for each system, the IDs of its EVALs and its texts with their references.

    Raises InputError if a text is not UTF-8.
    """
    # All systems together, so that the input is read once.
    from rouge_cli.protocols.engine import TextPart

    parts: dict[str, tuple[list[str], list[str], list[tuple[str, ...]]]]
    parts = {system: ([], [], []) for system in systems}
    try:
        for texts in source.evals():
            if wanted := texts.peers.keys() & parts.keys():
                models = tuple(model.content.decode() for model in texts.models)
            for system in wanted:
                eval_ids, predictions, references = parts[system]
                eval_ids.append(texts.id)
                predictions.append(texts.peers[system].content.decode())
                references.append(models)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{source.index.name}: a text is not UTF-8 ({error.reason}), which other packages "
            "need; save it as UTF-8"
        ) from None
    return [(ids, TextPart(peers, models)) for ids, peers, models in parts.values()]


# The tables: the settings that could have printed the numbers, and the nearest of the others.

MOST_NAMED = 8  # maximum number of protocols of a class that the headline names
MORE_DECIMALS = 2  # decimals that tables show in addition to those of the published numbers

MEANS = {
    "mean": "mean",
    "f-of-means": "F of means",
    "median-of-resamples": "median of resamples",
    "original": "bootstrap",
}
"""The names of averages in tables."""


@dataclass(frozen=True, slots=True)
class IdentificationView(View):
    """The settings that are consistent with published numbers, and the nearest others."""

    kind: ClassVar[str] = "identify"
    csv_path: ClassVar[str] = "shown.settings"
    result: Identification

    def document(self) -> Document:
        result = self.result
        sections = []
        if result.consistent:
            rows = [(item.letter, *_values(item, result.published)) for item in result.consistent]
            numbers = _table(("class",), rows, result.published)
            tables = (numbers, _settings(result.consistent))
            sections.append(Section("consistent", tables, "Consistent"))
        if result.nearest:
            table = _nearest(result.nearest, result.published)
            sections.append(Section("nearest", (table,), "Nearest of the others"))
        return Document(
            tuple(sections),
            tuple(map(Note.of, _notes(result))),
            title="Whose numbers these are",
            headline=headline(result),
        )


def _table(
    names: Sequence[str], rows: Iterable[Sequence[str]], published: Sequence[PublishedNumber] = ()
) -> Table:
    columns = [Column(name, "l", Role.LABEL if name == "class" else Role.NAME) for name in names]
    if published:
        labels = [measure_label(item.name, item.letter) for item in published]
        columns += map(Column, ("distance", *labels))
    return Table(tuple(columns), tuple(tuple(map(Cell, row)) for row in rows))


def _values(group: SettingClass, published: Sequence[PublishedNumber]) -> list[str]:
    first = group.settings[0]
    return [_shown(first.distance, published[0]), *map(_shown, first.values, published)]


def _settings(groups: Sequence[SettingClass]) -> Table:
    rows = []
    for group in groups:
        # Settings that differ only in their names share a row.
        alike: dict[Any, list[Setting]] = {}
        for item in group.settings:
            key = (item.metric, item.sentences, item.direction, item.mean, item.texts, item.match)
            alike.setdefault(key, []).append(item)
        for first, *others in alike.values():
            names = ", ".join(item.name for item in (first, *others))
            rows.append(
                (group.letter, names, _details(first), f"{MEANS[first.mean]}, {first.match}")
            )
    return _table(("class", "setting", "with", "average"), rows)


def _nearest(groups: Sequence[SettingClass], published: Sequence[PublishedNumber]) -> Table:
    rows = []
    for group in groups:
        setting, *others = group.settings
        names = f"{setting.name} and {len(others)} more" if others else setting.name
        average = "" if setting.mean == "mean" else MEANS[setting.mean]
        details = ", ".join(filter(None, (_details(setting), average)))
        rows.append((names, details, *_values(group, published)))
    return _table(("setting", "with"), rows, published)


def _details(setting: Setting) -> str:
    details = (
        setting.metric,
        setting.sentences and f"sentences {setting.sentences}",
        {"exchanged": "outputs as references", "either": "either way round"}.get(setting.direction),
        setting.texts if setting.texts != "all" else "",
    )
    return ", ".join(filter(None, details))


def _shown(value: float, published: PublishedNumber) -> str:
    return number(value, max(published.decimals, 2) + MORE_DECIMALS)


def headline(result: Identification) -> str:
    """Return a sentence on the consistent settings, and on how many there are."""
    numbers = ", ".join(f"{measure_label(x.name, x.letter)} {x.text}" for x in result.published)
    tried = counted(result.n_tried, "setting")
    n_consistent = sum(len(group.settings) for group in result.consistent)
    if not n_consistent:
        return f"Nothing is consistent with {numbers}: {tried} tried."
    first, *others = result.consistent
    others_too = ""
    if others:
        classes = "One other class is" if len(others) == 1 else f"{len(others)} other classes are"
        others_too = f" {classes} consistent, too."
    fitting = f"{n_consistent} of {tried} fit {numbers}"
    return (
        f"Consistent with {_named(first)}{others_too} {fitting}; {counted(result.n_texts, 'text')}."
    )


def _named(group: SettingClass) -> str:
    # The class is named after the protocol on which its others are built, which a second sentence
    # lists.
    leader = min(group.settings, key=lambda item: (package_order(item.name), len(item.name)))
    packages = {_package(item.name) for item in group.settings} - {_package(leader.name)}
    others = sorted(packages, key=package_order)
    name = f"{', '.join(filter(None, (leader.name, _details(leader))))}."
    if not others:
        return name
    return f"{name} {listed(others, MOST_NAMED)} print{'s' * (len(others) == 1)} the same."


def package_order(name: str) -> int:
    """Return a sort key that puts ROUGE-1.5.5 first, and packages before those built on them."""
    from rouge_cli.protocols.catalogue import PROTOCOLS

    package = _package(name)
    return list(PROTOCOLS).index(package) if package in PROTOCOLS else -1


def _package(name: str) -> str:
    return re.split("[: ]", name, maxsplit=1)[0]


def _notes(result: Identification) -> Iterator[str]:
    if result.consistent:
        yield (
            "Settings of a class have the same means for these texts: no further decimal of these "
            "numbers tells them apart. The numbers of a class are those of its first setting."
        )
        yield from _matches(result)
        if sum(len(group.settings) for group in result.consistent) > 1:
            yield _decisive(result)
    else:
        yield _orders(result)
    yield _chance(result)
    if not result.is_deep and not result.consistent:
        yield (
            "What else is usual: a subset of the texts, other tokens, texts that were cut or put "
            "in lower case. --deep tries these."
        )
    yield from result.remarks


def _matches(result: Identification) -> Iterator[str]:
    matches = {setting.match for group in result.consistent for setting in group.settings}
    if any(match.startswith("exact in") for match in matches):
        yield (
            "exact in the order: means of the bootstrap of ROUGE-1.5.5 depend on the order of the "
            "texts, as its draws are fixed; numbers replace names of files, sorted as text."
        )
    if "within the error of the draws" in matches:
        yield (
            "within the error of the draws: the average is of 1000 resamples, which are drawn at "
            "random or in an unknown order; three standard errors and half a unit are allowed."
        )
        yield _orders(result)


def _orders(result: Identification) -> str:
    return f"Orders of texts that were tried for the bootstrap: {', '.join(result.orders)}."


def _decisive(result: Identification) -> str:
    ways = [
        f"{way.name or 'the same numbers'} with {counted(way.decimals, 'decimal')} "
        f"({way.n_groups} groups)"
        for way in result.telling
    ]
    if not ways:
        return "Neither further decimals nor another metric would tell them apart."
    return f"What would tell them apart, as shares of 1: {'; '.join(ways)}."


def _chance(result: Identification) -> str:
    fit = f"be consistent with one in {result.chance:.1%} of cases"
    if result.chance < 0.0005:  # noqa: PLR2004 - it would read 0.0%
        fit = f"hardly ever be consistent with one ({result.chance:.0e})"
    return (
        "Numbers that have nothing to do with these texts, but are within a quarter of a "
        f"percentage point of those of some setting, would {fit}."
    )
