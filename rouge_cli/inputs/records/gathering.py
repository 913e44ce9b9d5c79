"""Files of records: rows to EVALs, or all that is wrong with them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rouge_cli.errors import InputError
from rouge_cli.inputs.evaluation import Evaluation
from rouge_cli.inputs.records.fields import RecordFields, choose_fields
from rouge_cli.inputs.records.groups import RecordGroups, RecordSource
from rouge_cli.inputs.records.rows import Row, RowProblem
from rouge_cli.inputs.records.texts import RecordTexts
from rouge_cli.options.every import Options

__all__ = ["MOST_PROBLEMS", "Records", "gather_records"]

MOST_PROBLEMS = 20
"""More are counted, not named: in a long file one mistake may be on every line."""


@dataclass(frozen=True, slots=True)
class Records:
    """What a file of records comes to.

    Parameters
    ----------
    evals : list of Evaluation
        In the order in which their IDs appear first; their texts are contents.
    fields : RecordFields
        What was read of each record.
    """

    evals: list[Evaluation]
    fields: RecordFields


@dataclass(slots=True)
class _Problems:
    """What is wrong with a file, so far."""

    name: str
    found: list[str] = field(default_factory=list)
    n_unnamed: int = 0

    def add(self, place: str, text: str) -> None:
        """Add a problem at a place of the file."""
        self.extend([f"{self.name}, {place}: {text}" if place else f"{self.name}: {text}"])

    def extend(self, messages: Iterable[str]) -> None:
        """Add whole messages; beyond `MOST_PROBLEMS` only count them."""
        for message in messages:
            if len(self.found) < MOST_PROBLEMS:
                self.found.append(message)
            else:
                self.n_unnamed += 1

    def raise_any(self) -> None:
        """Raise InputError if there is a problem."""
        if self.n_unnamed:
            raise InputError([*self.found, f"{self.name}: ... and {self.n_unnamed} more"])
        if self.found:
            raise InputError(self.found)


def gather_records(
    rows: Iterable[Row | RowProblem], source: RecordSource, texts: RecordTexts, options: Options
) -> Records:
    """Make EVALs of rows.

    Parameters
    ----------
    rows : iterable of Row or RowProblem
        May raise InputError, which ends them.
    source : RecordSource
    texts : RecordTexts
    options : Options

    Returns
    -------
    Records
        At least one EVAL, each with a peer and a model.

    Raises
    ------
    InputError
        All that is wrong, up to `MOST_PROBLEMS`; or that there is no record at all.
    """
    problems = _Problems(source.name)
    groups: RecordGroups | None = None
    try:
        for row in rows:
            if isinstance(row, RowProblem):
                problems.add(row.place, row.text)
                continue
            if groups is None:
                # The fields of the first record hold for all.
                fields = _fields_of(row, source, options)
                groups = RecordGroups(source, fields, texts, problems.add)
            groups.add(row)
    except InputError as error:
        problems.extend(error.problems)
    # What an EVAL lacks may stand in a record that could not be read.
    problems.raise_any()
    if groups is None:
        raise InputError(f"{source.name}: no records; expected at least one")
    groups.check_models()
    problems.raise_any()
    return Records(groups.evaluations(), fields)


def _fields_of(row: Row, source: RecordSource, options: Options) -> RecordFields:
    """Choose the fields; raises InputError."""
    try:
        return choose_fields(row.record, options)
    except ValueError as error:
        raise InputError(f"{source.name}, {source.place(row.number)}: {error}") from None
