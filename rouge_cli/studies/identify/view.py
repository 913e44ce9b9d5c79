"""The packages and options that could have printed some numbers, and the nearest others."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from rouge_cli.protocols.catalogue import PROTOCOLS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.document import Cell, Column, Document, Note, Role, Section, Table
from rouge_cli.reports.wording import counted, listed, measure_label, number
from rouge_cli.studies.identify import (
    Identification,
    PublishedNumber,
    Setting,
    SettingClass,
)

MOST_NAMED = 8
"""Protocols of a class in the first sentence."""

MORE_DECIMALS = 2
"""Decimals beyond those of the published numbers."""

MEANS = {
    "mean": "mean",
    "f-of-means": "F of means",
    "median-of-resamples": "median of resamples",
    "original": "bootstrap",
}
"""How tables name averages."""


@dataclass(frozen=True, slots=True)
class IdentificationView(View):
    """The settings that are consistent with published numbers, and the nearest others."""

    kind: ClassVar[str] = "identify"
    csv_path: ClassVar[str] = "shown.settings"
    result: Identification

    def document(self) -> Document:
        """Return both tables, and what the numbers can decide."""
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
    return [_percent(first.distance, published[0]), *map(_percent, first.values, published)]


def _settings(groups: Sequence[SettingClass]) -> Table:
    rows = []
    for group in groups:
        # Settings that differ in names alone share a row.
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


def _percent(value: float, published: PublishedNumber) -> str:
    return number(100 * value, max(published.decimals, 0) + MORE_DECIMALS)


def headline(result: Identification) -> str:
    """Say what is consistent, and how many settings that is."""
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
    """Name a class after the protocol that others are made of; a second sentence lists these."""
    leader = min(group.settings, key=lambda item: (package_order(item.name), len(item.name)))
    packages = {_package(item.name) for item in group.settings} - {_package(leader.name)}
    others = sorted(packages, key=package_order)
    name = f"{', '.join(filter(None, (leader.name, _details(leader))))}."
    if not others:
        return name
    return f"{name} {listed(others, MOST_NAMED)} print{'s' * (len(others) == 1)} the same."


def package_order(name: str) -> int:
    """Return a key that puts packages before those that are made of them, and ROUGE-1.5.5 first."""
    package = _package(name)
    return list(PROTOCOLS).index(package) if package in PROTOCOLS else -1


def _package(name: str) -> str:
    return re.split("[: ]", name, maxsplit=1)[0]


def _notes(result: Identification) -> Iterator[str]:
    if result.consistent:
        yield (
            "Settings of a class have the same means for these texts: no further decimal of these "
            "numbers tells them apart. Numbers are percentages, those of a class of its first "
            "setting."
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
            "EVALs, as its draws are fixed; numbers replace names of files, sorted as text."
        )
    if "within the error of the draws" in matches:
        yield (
            "within the error of the draws: the average is of 1000 resamples, which are drawn at "
            "random or in an unknown order; three standard errors and half a unit are allowed."
        )
        yield _orders(result)


def _orders(result: Identification) -> str:
    return f"Orders of EVALs that were tried for the bootstrap: {', '.join(result.orders)}."


def _decisive(result: Identification) -> str:
    ways = [
        f"{way.name or 'the same numbers'} with {counted(way.decimals, 'decimal')} "
        f"({way.n_groups} groups)"
        for way in result.telling
    ]
    if not ways:
        return "Neither further decimals nor another metric would tell them apart."
    return f"What would tell them apart: {'; '.join(ways)}."


def _chance(result: Identification) -> str:
    return (
        f"Numbers that have nothing to do with these texts, but are within a quarter of a point of "
        f"those of some setting, would be consistent with one in {result.chance:.1%} of cases."
        if result.chance >= 0.0005  # noqa: PLR2004
        else "Numbers that have nothing to do with these texts, but are within a quarter of a "
        "point of those of some setting, would hardly ever be consistent with one "
        f"({result.chance:.0e})."
    )
