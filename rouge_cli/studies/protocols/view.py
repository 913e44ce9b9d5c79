"""The numbers of every protocol on the same outputs, next to the difference between systems."""

from collections.abc import Sequence
from typing import ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.charts import Estimate, interval_panel
from rouge_cli.reports.document import Cell, Column, Document, Figure, Note, Role, Section, Table
from rouge_cli.reports.wording import UNDEFINED, number
from rouge_cli.studies.identify.view import package_order
from rouge_cli.studies.protocols import ProtocolTable

DECIMALS = 2


@dataclass(frozen=True, slots=True)
class ProtocolsView(View):
    """The effect of a change of package alone."""

    kind: ClassVar[str] = "protocols"
    csv_path: ClassVar[str] = "numbers"
    result: ProtocolTable

    def document(self) -> Document:
        """Return a table for each metric, with a column for each system."""
        sections = [
            Section(f"protocols-{place}", (self._of_metric(place),), f"{metric} F")
            for place, metric in enumerate(self.result.metrics, 1)
        ]
        notes = [
            "Plain means, in percent. Protocols in a row print the same numbers, at two decimals: "
            "'and 2 more' are in the reports as JSON and CSV.",
            *self.result.remarks,
        ]
        return Document(
            tuple(sections),
            tuple(map(Note.of, notes)),
            title="The same outputs by every protocol",
            headline=" ".join(map(self._spread, range(len(self.result.metrics)))),
        )

    def _of_metric(self, place: int) -> Table:
        systems = self.result.systems
        columns = [Column("protocol", "l", Role.NAME)]
        columns += [Column(escape_unprintable(system)) for system in systems]
        columns += [Column("difference")] * (len(systems) > 1)
        rows = []
        for names, means in self._classes(place - 1):
            shown = [number(100 * mean, DECIMALS) for mean in means]
            shown += [number(100 * (max(means) - min(means)), DECIMALS)] * (len(systems) > 1)
            rows.append((Cell(_name(names)), *map(Cell, shown)))
        return Table(tuple(columns), tuple(rows))

    def _classes(self, place: int) -> list[tuple[list[str], tuple[float, ...]]]:
        classes: dict[tuple[str, ...], tuple[list[str], tuple[float, ...]]] = {}
        for row in self.result.rows:
            if (means := row.means[place]) is not None:
                shown = tuple(number(100 * mean, DECIMALS) for mean in means)
                classes.setdefault(shown, ([], means))[0].extend(row.names)
        return sorted(classes.values(), key=lambda known: max(known[1]))

    def _spread(self, place: int) -> str:
        known = [row.means[place] for row in self.result.rows if row.means[place] is not None]
        columns = list(zip(*filter(None, known), strict=True))
        if not columns:
            return f"{self.result.metrics[place]}: {UNDEFINED}."
        moved = max(max(column) - min(column) for column in columns)
        text = (
            f"A change of protocol alone moves {self.result.metrics[place]} F by up to "
            f"{number(100 * moved, 1)} points"
        )
        if len(self.result.systems) == 1:
            return f"{text}."
        apart = [100 * (max(means) - min(means)) for means in known if means is not None]
        return (
            f"{text}; within one, systems differ by {number(min(apart), 1)} to "
            f"{number(max(apart), 1)}."
        )

    def figures(self) -> tuple[Figure, ...]:
        """Return a panel for each metric: for each protocol all systems, lowest to highest."""
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
            "Mean F by every protocol on the same outputs. The point is the best system; the line "
            "goes down to the worst one. Protocols with the same numbers share a row."
        )
        return (Figure("protocols", "Protocols", caption, tuple(panels)),)


def _name(names: Sequence[str]) -> str:
    first, *others = sorted(names, key=package_order)
    return f"{first} and {len(others)} more" if others else first
