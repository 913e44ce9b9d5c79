"""The numbers of every protocol on the same outputs, next to the difference between systems."""

from typing import ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.charts import Estimate, interval_panel
from rouge_cli.reports.document import Cell, Column, Document, Figure, Note, Role, Section, Table
from rouge_cli.reports.wording import UNDEFINED, number
from rouge_cli.studies.protocols import ProtocolRow, ProtocolTable

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
            "Plain means, in percent. Protocols in a row print the same numbers, at two decimals; "
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
        for row in self.result.rows:
            means = row.means[place - 1]
            if means is None:
                continue
            shown = [number(100 * mean, DECIMALS) for mean in means]
            shown += [number(100 * (max(means) - min(means)), DECIMALS)] * (len(systems) > 1)
            rows.append((Cell(_name(row)), *map(Cell, shown)))
        return Table(tuple(columns), tuple(rows))

    def _spread(self, place: int) -> str:
        """Compare the effect of the package with the differences between systems."""
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
            estimates = []
            for row in self.result.rows:
                means = row.means[place]
                ends = None if means is None else (min(means), max(means))
                estimates.append(Estimate(_name(row), ends and ends[1], ends, is_marked=True))
            if any(estimate.interval for estimate in estimates):
                panels.append(
                    interval_panel(f"{metric} F", "", "mean F", estimates, has_long_names=True)
                )
        caption = (
            "Mean F by every protocol on the same outputs. The point is the best system; the line "
            "goes down to the worst one. Protocols with the same numbers share a row."
        )
        return (Figure("protocols", "Protocols", caption, tuple(panels), has_common_names=True),)


def _name(row: ProtocolRow) -> str:
    first, *others = row.names
    return f"{first} and {len(others)} more" if others else first
