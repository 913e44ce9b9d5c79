"""Which texts belong together, as a table with a row for each text: ``--dry-run``."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import ClassVar

from rouge_cli.escapes import escape_unprintable
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.document import Cell, Column, Document, Note, Role, Section, Table
from rouge_cli.reports.fields import COUNT, PROGRAM, TEXT, Field, Nullable, Record, Value, list_of
from rouge_cli.reports.wording import counted
from rouge_cli.run.text_findings import PairedEval, PairedText, Pairing

ABSENT = ("-", "-", "no peer")

PAIRED_TEXT = Record(
    (
        Field("file", TEXT, "place"),
        Field("sentences", COUNT, "n_sentences"),
        Field("words", COUNT, "n_words"),
    )
)
PAIRED_EVAL = Record(
    (
        Field("id"),
        Field("peers", list_of(Nullable(PAIRED_TEXT))),
        Field("models", list_of(PAIRED_TEXT)),
    ),
    {"eval": lambda paired: paired.id},
)
PAIRING = Record(
    (
        *PROGRAM,
        Field("systems", list_of(TEXT), "pairing.systems"),
        Field("evals", list_of(PAIRED_EVAL), "pairing.evals"),
    )
)


@dataclass(frozen=True, slots=True)
class PairingView(View):
    """Which texts a run would score against which."""

    kind: ClassVar[str] = "pairing"
    fields: ClassVar[Record] = PAIRING
    columns: ClassVar[tuple[str, ...]] = ("eval", "text", "sentences", "words", "file")
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
            tuple(map(Cell, row))
            for paired in pairing.evals
            for row in _rows(paired, pairing.systems)
        )
        table = Table(columns, tuple(rows), is_long=True)
        notes = (*_empty_texts(pairing), _totals(pairing, unit))
        return Document((Section("pairing", (table,)),), tuple(map(Note.of, notes)))

    def records(self) -> Iterator[dict[str, Value]]:
        """Yield a row for each text: the peers of an EVAL, then its models."""
        for paired in self.pairing.evals:
            of_eval = PAIRED_EVAL.cells(paired, self.columns)
            for name, text in _named(paired, self.pairing.systems):
                cells = {} if text is None else PAIRED_TEXT.cells(text, self.columns)
                yield {**of_eval, "text": name, **cells}


def _named(paired: PairedEval, systems: Sequence[str]) -> Iterator[tuple[str, PairedText | None]]:
    """Yield the texts of an EVAL with their names: its peers, then its models."""
    for system, peer in zip(systems, paired.peers, strict=True):
        yield f"peer {system}", peer
    for number, model in enumerate(paired.models, 1):
        yield f"model {number}", model


def _rows(paired: PairedEval, systems: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of an EVAL."""
    for name, text in _named(paired, systems):
        yield escape_unprintable(paired.id), escape_unprintable(name), *_cells(text)


def _cells(text: PairedText | None) -> tuple[str, str, str]:
    """Return the cells that describe a text."""
    if text is None:
        return ABSENT
    return str(text.n_sentences), str(text.n_words), escape_unprintable(text.place)


def _empty_texts(pairing: Pairing) -> Iterator[str]:
    """Yield a line for each text without a word."""
    for paired in pairing.evals:
        for text in chain(paired.peers, paired.models):
            if text is not None and not text.n_words:
                eval_id, place = escape_unprintable(paired.id), escape_unprintable(text.place)
                yield f"No words: EVAL {eval_id}: {place}"


def _totals(pairing: Pairing, unit: str) -> str:
    """Return the line that adds everything up."""
    peers, models = list(pairing.peers), list(pairing.models)
    n_models = {len(paired.models) for paired in pairing.evals}
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
