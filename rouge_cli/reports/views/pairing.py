"""Which texts belong together, as a table with a row for each text: ``--dry-run``."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.table import Cell, Column, Document, Note, Role, Section, Table
from rouge_cli.reports.views.wording import counted
from rouge_cli.scoring.text_pairing import PairedEval, PairedText, Pairing

__all__ = ["PairingView"]

ABSENT = ("-", "-", "no peer")


@dataclass(frozen=True, slots=True)
class PairingView:
    """Which texts a run would score against which."""

    kind: ClassVar[str] = "pairing"
    pairing: Pairing

    def document(self) -> Document:
        """Return the table, the texts without words, and the totals; names are whole."""
        pairing = self.pairing
        unit = "element" if pairing.as_elements else "sentence"
        columns = (
            Column("EVAL", "l", Role.NAME),
            Column("text", "l", Role.NAME),
            Column(f"{unit}s", role=Role.LABEL),
            Column("words", role=Role.LABEL),
            Column("file", "l"),
        )
        rows = (
            tuple(map(Cell, row)) for one in pairing.evals for row in _rows(one, pairing.systems)
        )
        table = Table(columns, tuple(rows), is_long=True)
        notes = (*_empty_texts(pairing), _totals(pairing, unit))
        return Document((Section("pairing", (table,)),), tuple(map(Note.of, notes)))


def _rows(one: PairedEval, systems: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of an EVAL: its peers, then its models."""
    eval_id = escape_unprintable(one.id)
    for system, peer in zip(systems, one.peers, strict=True):
        yield eval_id, f"peer {escape_unprintable(system)}", *_cells(peer)
    for place, model in enumerate(one.models, 1):
        yield eval_id, f"model {place}", *_cells(model)


def _cells(text: PairedText | None) -> tuple[str, str, str]:
    """Return what is said of a text."""
    if text is None:
        return ABSENT
    return str(text.n_sentences), str(text.n_words), escape_unprintable(text.place)


def _empty_texts(pairing: Pairing) -> Iterator[str]:
    """Yield a line for each text without a word."""
    for one in pairing.evals:
        for text in chain(one.peers, one.models):
            if text is not None and not text.n_words:
                eval_id, place = escape_unprintable(one.id), escape_unprintable(text.place)
                yield f"No words: EVAL {eval_id}: {place}"


def _totals(pairing: Pairing, unit: str) -> str:
    """Return the line that adds everything up."""
    peers, models = list(pairing.peers), list(pairing.models)
    n_models = {len(one.models) for one in pairing.evals}
    each = counted(max(n_models), "model")
    if len(n_models) > 1:
        each = f"{min(n_models)} to {each}"
    counts = (
        counted(len(pairing.evals), "EVAL"),
        counted(len(pairing.systems), "system"),
        f"{each} each",
        counted(len(peers), "peer"),
    )
    return f"{', '.join(counts)}; peers: {_size(peers, unit)}; models: {_size(models, unit)}"


def _size(texts: Sequence[PairedText], unit: str) -> str:
    """Return how much is in some texts."""
    n_sentences = sum(text.n_sentences for text in texts)
    n_words = sum(text.n_words for text in texts)
    return f"{counted(n_sentences, unit)}, {counted(n_words, 'word')}"
