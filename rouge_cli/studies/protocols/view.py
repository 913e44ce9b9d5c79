"""The numbers of every protocol on the same outputs, next to the difference between systems."""

from collections.abc import Iterator
from typing import ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.charts import Estimate, interval_panel
from rouge_cli.reports.document import Cell, Column, Document, Figure, Note, Role, Section, Table
from rouge_cli.reports.fields import (
    COUNT,
    NUMBER,
    PROGRAM,
    TEXT,
    Field,
    Nullable,
    Record,
    Value,
    list_of,
)
from rouge_cli.reports.wording import UNDEFINED, number
from rouge_cli.studies.protocols import ProtocolRow, ProtocolTable

DECIMALS = 2

# fmt: off
ROW = Record((
    Field("protocols", list_of(TEXT), "names"),
    Field("means", list_of(Nullable(list_of(NUMBER))),
        about="for each metric the mean F of each system"),
))
TABLE = Record((
    *PROGRAM,
    Field("systems", list_of(TEXT), "table.systems"),
    Field("n_texts", list_of(COUNT), "table.n_texts"),
    Field("metrics", list_of(TEXT), "table.metrics"),
    Field("rows", list_of(ROW), "table.rows"),
    Field("remarks", list_of(TEXT), "table.remarks"),
    Field("warnings", list_of(TEXT), "table.warnings"),
))
# fmt: on


@dataclass(frozen=True, slots=True)
class ProtocolsView(View):
    """What a change of package alone is worth."""

    kind: ClassVar[str] = "protocols"
    fields: ClassVar[Record] = TABLE
    columns: ClassVar[tuple[str, ...]] = ("protocol", "system", "metric", "measure", "mean")
    table: ProtocolTable

    def document(self) -> Document:
        """Return a table for each metric, with a column for each system."""
        sections = [
            Section(f"protocols-{place}", (self._of_metric(place),), f"{metric} F")
            for place, metric in enumerate(self.table.metrics, 1)
        ]
        notes = [
            "Plain means, in percent. Protocols in a row print the same numbers, at two decimals; "
            "'and 2 more' are in the reports as JSON and CSV.",
            *self.table.remarks,
        ]
        return Document(
            tuple(sections),
            tuple(map(Note.of, notes)),
            title="The same outputs by every protocol",
            headline=" ".join(map(self._spread, range(len(self.table.metrics)))),
        )

    def _of_metric(self, place: int) -> Table:
        """Make the table of a metric."""
        systems = self.table.systems
        columns = [Column("protocol", "l", Role.NAME)]
        columns += [Column(escape_unprintable(system)) for system in systems]
        columns += [Column("difference")] * (len(systems) > 1)
        rows = []
        for row in self.table.rows:
            means = row.means[place - 1]
            if means is None:
                continue
            shown = [number(100 * mean, DECIMALS) for mean in means]
            shown += [number(100 * (max(means) - min(means)), DECIMALS)] * (len(systems) > 1)
            rows.append((Cell(_name(row)), *map(Cell, shown)))
        return Table(tuple(columns), tuple(rows))

    def _spread(self, place: int) -> str:
        """Say what a change of package moves, and by what the systems differ."""
        known = [row.means[place] for row in self.table.rows if row.means[place] is not None]
        columns = list(zip(*filter(None, known), strict=True))
        if not columns:
            return f"{self.table.metrics[place]}: {UNDEFINED}."
        moved = max(max(column) - min(column) for column in columns)
        text = (
            f"A change of protocol alone moves {self.table.metrics[place]} F by up to "
            f"{number(100 * moved, 1)} points"
        )
        if len(self.table.systems) == 1:
            return f"{text}."
        apart = [100 * (max(means) - min(means)) for means in known if means is not None]
        return (
            f"{text}; within one, systems differ by {number(min(apart), 1)} to "
            f"{number(max(apart), 1)}."
        )

    def records(self) -> Iterator[dict[str, Value]]:
        """Yield a row for each protocol, system and metric."""
        for row in self.table.rows:
            for metric, means in zip(self.table.metrics, row.means, strict=True):
                for system, mean in zip(self.table.systems, means or (), strict=bool(means)):
                    for name in row.names:
                        yield {
                            "protocol": name,
                            "system": system,
                            "metric": metric,
                            "measure": "F",
                            "mean": mean,
                        }

    def figures(self) -> tuple[Figure, ...]:
        """Return a panel for each metric: for each protocol all systems, lowest to highest."""
        panels = []
        for place, metric in enumerate(self.table.metrics):
            estimates = [
                Estimate(
                    min(row.names, key=len), max(means), (min(means), max(means)), is_marked=True
                )
                for row in self.table.rows
                if (means := row.means[place]) is not None
            ]
            if estimates:
                panels.append(
                    interval_panel(f"{metric} F", "", "mean F", estimates, has_long_names=True)
                )
        caption = (
            "Mean F by every protocol on the same outputs. The point is the best system; the line "
            "goes down to the worst one. Of protocols with the same numbers one is named."
        )
        return (Figure("protocols", "Protocols", caption, tuple(panels)),)


def _name(row: ProtocolRow) -> str:
    """Name a row by its first protocol, and say how many more there are."""
    first, *others = row.names
    return f"{first} and {len(others)} more" if others else first
