"""The table of ``--dry-run``, which shows, text by text, what a run would score against what."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from rouge_cli.errors import InputError
from rouge_cli.escapes import escape_unprintable
from rouge_cli.inputs.batch import InputText
from rouge_cli.inputs.index import Input
from rouge_cli.inputs.sentences import sentences_of
from rouge_cli.options.options import Options
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports import View
from rouge_cli.reports.document import Cell, Column, Document, Note, Role, Section, Table
from rouge_cli.reports.wording import counted
from rouge_cli.text.columns import TextDecodeError
from rouge_cli.text.tokenizer import load_tokenizer

Size = tuple[str, int, int]
"""The place of a text (its file, and the line if the file holds many texts), its number of
sentences, and its number of words. Lines count as sentences for Basic Elements. Words are counted
as the metrics do, before limits and stopwords."""


@dataclass(frozen=True, slots=True)
class PairingView(View):
    """The texts that a run would score, as a table only, without JSON or CSV.

    - `systems`: in print order.
    - `evals`: for each EVAL in which a system of the run has a peer, in input order: its ID, the
      peers of the systems (None for an absent one), and the models.
    - `unit`: the name of what is counted as a sentence.
    """

    kind: ClassVar[str] = "pairing"
    systems: Sequence[str]
    evals: Sequence[tuple[str, Sequence[Size | None], Sequence[Size]]]
    unit: str

    @classmethod
    def of(cls, source: Input, options: Options) -> "PairingView":
        """Read all texts of an input, and measure them; raises InputError."""
        # Words are counted as they are written, so no word list is loaded.
        whole = replace(options.texts, stem=False, stem_models=False, remove_stopwords=False)
        tokenizer = load_tokenizer(whole, {})

        def size(text: InputText) -> Size:
            try:
                (n_words,) = tokenizer.count_tokens([text.content])
            except TextDecodeError as error:
                raise InputError(f"{text.name}: {error}") from None
            return text.place, len(sentences_of(text.content)), n_words

        systems = source.complete().order
        evals = []
        for texts in source.evals():
            peers = {system: size(peer) for system, peer in texts.peers.items()}
            evals.append((texts.id, [*map(peers.get, systems)], [*map(size, texts.models)]))
        unit = "element" if options.metrics.reads_only_elements else "sentence"
        return cls(systems, evals, unit)

    def document(self) -> Document:
        names = [Column(name, "l", Role.NAME) for name in ("text", "role")]
        sizes = [Column(name, role=Role.LABEL) for name in (f"{self.unit}s", "words")]
        columns = (*names, *sizes, Column("file", "l"))
        table = Table(columns, tuple(self._rows()), is_long=True)
        empty = [
            f"No words: text {escape_unprintable(eval_id)}: {escape_unprintable(text[0])}"
            for eval_id, peers, models in self.evals
            for text in (*peers, *models)
            if text is not None and not text[2]
        ]
        notes = tuple(map(Note.of, (*empty, self._totals())))
        return Document((Section("pairing", (table,)),), notes)

    def _rows(self) -> Iterator[tuple[Cell, ...]]:
        for eval_id, peers, models in self.evals:
            names = [f"prediction {system}" for system in self.systems]
            names += [f"reference {number}" for number, _ in enumerate(models, 1)]
            for name, text in zip(names, (*peers, *models), strict=True):
                place, *numbers = ("no prediction", "-", "-") if text is None else map(str, text)
                ids = escape_unprintable(eval_id), escape_unprintable(name)
                yield tuple(map(Cell, (*ids, *numbers, escape_unprintable(place))))

    def _totals(self) -> str:
        all_peers = [peer for _, peers, _ in self.evals for peer in peers if peer is not None]
        all_models = [model for _, _, models in self.evals for model in models]
        n_models = {len(models) for _, _, models in self.evals}
        each = counted(max(n_models), "reference")
        if len(n_models) > 1:
            each = f"{min(n_models)} to {each}"
        counts = (
            counted(len(self.evals), "text"),
            counted(len(self.systems), "system"),
            f"{each} each",
            counted(len(all_peers), "prediction"),
        )
        peers, models = self._sum(all_peers), self._sum(all_models)
        return f"{', '.join(counts)}; predictions: {peers}; references: {models}"

    def _sum(self, texts: Sequence[Size]) -> str:
        n_sentences = sum(n_sentences for _, n_sentences, _ in texts)
        n_words = sum(n_words for _, _, n_words in texts)
        return f"{counted(n_sentences, self.unit)}, {counted(n_words, 'word')}"
