"""Which texts belong together, as a table with a row for each text: ``--dry-run``."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.document import Cell, Column, Document, Note, Role, Section, Table
from rouge_cli.reports.wording import counted
from rouge_cli.run.text_findings import PairedEval, PairedText, Pairing


@dataclass(frozen=True, slots=True)
class PairingView(View):
    """Which texts a run would score against which; a table only."""

    kind: ClassVar[str] = "pairing"
    pairing: Pairing

    def document(self) -> Document:
        """Return the table, the texts without words, and the totals; names are whole."""
        pairing = self.pairing
        unit = "element" if pairing.as_elements else "sentence"
        columns = (
            Column("text", "l", Role.NAME),
            Column("role", "l", Role.NAME),
            Column(f"{unit}s", role=Role.LABEL),
            Column("words", role=Role.LABEL),
            Column("file", "l"),
        )
        rows = tuple(row for paired in pairing.evals for row in _rows(paired, pairing.systems))
        table = Table(columns, rows, is_long=True)
        notes = (*_empty_texts(pairing), _totals(pairing, unit))
        return Document((Section("pairing", (table,)),), tuple(map(Note.of, notes)))


def _rows(paired: PairedEval, systems: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    names = [f"prediction {system}" for system in systems]
    names += [f"reference {number}" for number, _ in enumerate(paired.models, 1)]
    for name, text in zip(names, (*paired.peers, *paired.models), strict=True):
        cells = (
            ("-", "-", "no prediction")
            if text is None
            else (str(text.n_sentences), str(text.n_words), escape_unprintable(text.place))
        )
        yield tuple(map(Cell, (escape_unprintable(paired.id), escape_unprintable(name), *cells)))


def _empty_texts(pairing: Pairing) -> Iterator[str]:
    for paired in pairing.evals:
        for text in chain(paired.peers, paired.models):
            if text is not None and not text.n_words:
                eval_id, place = escape_unprintable(paired.id), escape_unprintable(text.place)
                yield f"No words: text {eval_id}: {place}"


def _totals(pairing: Pairing, unit: str) -> str:
    peers, models = list(pairing.peers), list(pairing.models)
    n_models = {len(paired.models) for paired in pairing.evals}
    each = counted(max(n_models), "reference")
    if len(n_models) > 1:
        each = f"{min(n_models)} to {each}"
    counts = (
        counted(len(pairing.evals), "text"),
        counted(len(pairing.systems), "system"),
        f"{each} each",
        counted(len(peers), "prediction"),
    )
    sizes = f"predictions: {_size(peers, unit)}; references: {_size(models, unit)}"
    return f"{', '.join(counts)}; {sizes}"


def _size(texts: Sequence[PairedText], unit: str) -> str:
    n_sentences = sum(text.n_sentences for text in texts)
    n_words = sum(text.n_words for text in texts)
    return f"{counted(n_sentences, unit)}, {counted(n_words, 'word')}"
