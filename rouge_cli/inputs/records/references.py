"""References in a file of their own, joined to the predictions by ID: ``--references-from``."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from rouge_cli.errors import FoundError, InputError, Problems
from rouge_cli.inputs.records.reading import RecordFile
from rouge_cli.inputs.records.rows import RecordFields, RowProblem, choose_references
from rouge_cli.inputs.records.values import RecordReader, RecordTexts, present, read_or_none
from rouge_cli.options.inputs import InputOptions


class JoinedReferences:
    """The references of a file, by ID; several records of an ID are several references."""

    def __init__(self, file: RecordFile, inputs: InputOptions, texts: RecordTexts) -> None:
        self.name = file.origin.name
        self.id: str | None = None
        self._used: set[str] = set()
        # One field is read as both, as only the references are wanted.
        of_file = replace(inputs, prediction=inputs.references, references_from=None)
        of_file = replace(of_file, records_at=None, system=None, run=None)
        self._by_id: dict[str, tuple[bytes, ...]] = {}
        problems = Problems(self.name)
        reader: RecordReader | None = None
        with file.opened(of_file) as (runs, _):
            for row in chain.from_iterable(runs):
                if isinstance(row, RowProblem):
                    problems.add(
                        row.place, "; ".join(filter(None, (row.text, row.advice))), row.kind
                    )
                    continue
                place = file.origin.place(row.number)
                if reader is None:
                    fields = self._fields(row.record, inputs, place)
                    self.id = fields.id
                    reader = RecordReader(fields, file.default_system, texts)
                texts.number = row.number
                errors: list[ValueError] = []
                eval_id = read_or_none(errors, reader.eval_of, row.record, None)
                models = read_or_none(errors, reader.models_of, row.record)
                for error in errors:
                    problems.add_error(place, error)
                if eval_id is not None and models is not None:
                    self._by_id[eval_id] = self._by_id.get(eval_id, ()) + models
        problems.raise_any()
        if texts.drops_blank:
            self._by_id = {key: tuple(present(models)) for key, models in self._by_id.items()}

    def _fields(
        self, names: Mapping[str, object], inputs: InputOptions, place: str
    ) -> RecordFields:
        try:
            return choose_references(names, inputs)
        except ValueError as error:
            raise InputError(f"{self.name}, {place}: {error}") from None

    def check_id(self, name: str, path: str | None) -> None:
        """Refuse to join IDs with positions; raises InputError. `path` is that of file `name`."""
        if (path is None) != (self.id is None):
            with_ids, without = (self.name, name) if path is None else (name, self.name)
            raise InputError(
                f"{with_ids} has IDs, in field {path or self.id!r}, and {without} has none; name "
                "the field with --id"
            )

    def of(self, eval_id: str) -> tuple[bytes, ...]:
        """Return the references of an EVAL; raises ValueError if there are none."""
        if not (models := self._by_id.get(eval_id, ())):
            known = next(iter(self._by_id), "")
            raise FoundError(
                f"EVAL {eval_id}: no references in {self.name}, whose IDs are such as {known!r}",
                f"no references in {self.name}, whose IDs are such as {known!r}",
            )
        self._used.add(eval_id)
        return models

    def warnings(self) -> Sequence[str]:
        """Return a warning about references without a prediction."""
        unused = [eval_id for eval_id in self._by_id if eval_id not in self._used]
        if not unused:
            return ()
        ids = "1 ID has" if len(unused) == 1 else f"{len(unused)} IDs have"
        return (f"{self.name}: {ids} no prediction, the first {unused[0]}; not scored",)
