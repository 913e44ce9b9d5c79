"""Batches of records to rows of the score table, for engines that run on many machines.

Any engine that maps Arrow record batches can score with `count_batch`: it is a function of its
arguments. What it returns are saved scores, which ``rouge-cli FOLDER`` puts together and reports.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rouge_cli.api.lists import check_names
from rouge_cli.errors import InputError, OptionError, Problems
from rouge_cli.inputs.record_batches import BatchPortion, BatchRow, check_columns, read_rows
from rouge_cli.inputs.records.fields import RecordFields, choose_fields
from rouge_cli.inputs.records.texts import RESPONSES, RecordTexts
from rouge_cli.inputs.sentences import sentence_splitter
from rouge_cli.metrics.counts import ScoredMetric
from rouge_cli.metrics.metric import prepared_metrics
from rouge_cli.options.every import OPTIONS, Options
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.presets import PresetOptions
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.batch_columns import (
    check_counts,
    filled_columns,
    header_of,
    score_schema,
)
from rouge_cli.scoring.counting import ScoredPortion, score_portion
from rouge_cli.scoring.memory import keep_freed_memory
from rouge_cli.scoring.saved_scores import (
    CLUSTER,
    ERRORS,
    SEPARATOR,
    import_pyarrow,
    score_header,
    write_header,
)
from rouge_cli.scoring.signature import scored_signature
from rouge_cli.text.tokenizer import Tokenizer, load_tokenizer

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Plan", "count_batch", "plan"]

COLUMNS = ("id", "system", "prediction", "references")
"""What a batch has if nobody says otherwise."""

RAISE, COLLECT = "raise", "collect"

OF_RECORDS = ("prediction", "references", "id", "system", "cluster")
"""Options of inputs that say which columns are read."""

OF_SENTENCES = ("sentence_separator", "sentences")

TAKEN = frozenset(
    {*PresetOptions.options(), *MetricOptions.options(), *TextOptions.options()}
    | {*ScoreOptions.options(), *OF_RECORDS, *OF_SENTENCES}
)

NOT_TAKEN = {
    "jackknife": "it scores an EVAL several times; score the texts on one machine",
    "humans": "it scores an EVAL several times; score the texts on one machine",
    "basic_elements": "it is for files in the format SIMPLE",
}

PROBE = BatchRow("X", "1", None, None, b"a", (b"a",))
"""Scored to see that all which the options need is installed, and what is counted."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Checked options, and what comes of them: made once by `plan`, and sent to every machine.

    Parameters
    ----------
    fields : RecordFields
        The columns that are read.
    schema : pyarrow.Schema
        What `count` returns. The metadata hold the header of saved scores.
    signature : str
        All that moves a score.
    on_error : str
        ``"raise"`` or ``"collect"``.
    """

    options: Options
    fields: RecordFields
    schema: "pa.Schema"
    signature: str
    on_error: str
    metrics: tuple[ScoredMetric, ...]

    def count(self, record_batch: "pa.RecordBatch") -> "pa.RecordBatch":
        """Score a batch, see `count_batch`."""
        keep_freed_memory()
        texts = RecordTexts(
            self.options.inputs.sentence_separator, sentence_splitter(self.options.inputs.sentences)
        )
        check_columns(record_batch.schema.names, self.fields)
        rows = read_rows(record_batch.to_pylist(), self.fields, texts)
        self._check_lists(texts)
        good = [place for place, row in enumerate(rows) if not row.problem]
        problems = {place: row.problem for place, row in enumerate(rows) if row.problem}
        self._raise_any(rows, problems)
        scored = list(self._scored(rows, good, load_tokenizer(self.options.texts, {})))
        for places, found in scored:
            problems |= _problems_of(places, found, self.options.texts.empty)
        self._raise_any(rows, problems)
        return self._batch(rows, scored, problems)

    def write_header(self, folder: str, n_records: int | None = None) -> None:
        """Write what `rouge-cli` has to know of the parts in a folder, once all are written.

        It is for engines that write Parquet without the metadata of the schema, as Spark does. The
        file is called ``_rouge_cli_scores.json``, which engines do not take for a part.

        Parameters
        ----------
        n_records : int, optional
            How many records there were: the report is refused if there are more or fewer scores.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        n_rows = None if n_records is None else n_records * len(self.fields.predictions)
        write_header(header_of(self.schema), folder, n_rows)

    def _check_lists(self, texts: RecordTexts) -> None:
        """Refuse lists of sentences that the signature does not know of; raises InputError."""
        if texts.has_lists and not self.options.input_facts.has_lists:
            known = self.options.knowing(has_lists=True)
            if scored_signature(known) != scored_signature(self.options):
                raise InputError(
                    "found lists of sentences, and the columns of the plan hold strings; give "
                    "batches.plan the schema of the batches"
                )

    def _raise_any(self, rows: Sequence[BatchRow], problems: Mapping[int, str]) -> None:
        """Raise InputError with the IDs of bad records, unless they are collected."""
        if self.on_error == RAISE:
            found = Problems()
            for place, problem in problems.items():
                found.add(rows[place].name, problem)
            found.raise_any()

    def _scored(
        self, rows: Sequence[BatchRow], places: Sequence[int], tokenizer: Tokenizer
    ) -> Iterator[tuple[Sequence[int], ScoredPortion | str]]:
        """Yield places and their scores, or what is wrong with the record at a place."""
        if not places:
            return
        try:
            portion = BatchPortion([rows[place] for place in places])
            scored = score_portion(portion, self.options, tokenizer)
            check_counts(self.metrics, scored.scores)
        except (InputError, OptionError) as error:
            if self.on_error == RAISE:
                raise
            if len(places) == 1:
                yield places, str(error)
                return
            # Halves of halves find what cannot be scored, and score the rest.
            half = len(places) // 2
            yield from self._scored(rows, places[:half], tokenizer)
            yield from self._scored(rows, places[half:], tokenizer)
            return
        yield places, scored

    def _batch(
        self,
        rows: Sequence[BatchRow],
        scored: Sequence[tuple[Sequence[int], ScoredPortion | str]],
        problems: Mapping[int, str],
    ) -> "pa.RecordBatch":
        """Put scores and problems into a batch, a row for each one that was read."""
        import pyarrow as pa

        is_bad = np.isin(np.arange(len(rows)), list(problems))
        columns: dict[str, Any] = {
            "system": [row.system for row in rows],
            "eval": [row.eval_id for row in rows],
            "position": [row.position for row in rows],
            CLUSTER: [row.cluster for row in rows],
            ERRORS: [problems.get(place) for place in range(len(rows))],
        }
        for number, metric in enumerate(self.metrics):
            pieces = [
                (places, found.scores[number])
                for places, found in scored
                if isinstance(found, ScoredPortion)
            ]
            columns |= filled_columns(metric, pieces, len(rows))
        arrays = [
            pa.array(
                columns.get(one.name, np.zeros(len(rows))),
                one.type,
                mask=is_bad if SEPARATOR in one.name else None,
            )
            for one in self.schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


def count_batch(
    record_batch: "pa.RecordBatch", *, on_error: str = RAISE, **options: Any
) -> "pa.RecordBatch":
    """Score the records of a batch: rows of the score table, in the order of the records.

    A record is scored by itself, so batches can be cut and ordered in any way. The function can be
    sent to other machines; it keeps nothing but the stems that it remembers.

    Parameters
    ----------
    record_batch : pyarrow.RecordBatch
        With the columns ``id``, ``system``, ``prediction`` and ``references``, or those that the
        options name; without a system all are called X. A column ``position`` of whole numbers, if
        there is one, orders the EVALs of reports.
    on_error : str
        ``"raise"``: a bad record is an error. ``"collect"``: its row has no scores, and the column
        ``errors`` says why.
    **options
        Options by their long names, as `rouge_cli.evaluate` takes them; those of averages and
        reports are for the report, and refused or only remembered here.

    Returns
    -------
    pyarrow.RecordBatch
        ``system``, ``eval``, ``position``, perhaps ``cluster``; for each metric its counts, such as
        ``ROUGE-1/hit``, and its measures, such as ``ROUGE-1/F``; perhaps ``errors``. Counts are
        whole numbers, those of ROUGE-W float64.

    Raises
    ------
    OptionError
        As `plan`.
    InputError
        Naming the IDs of bad records.
    RougeError
        If pyarrow is not installed.

    Examples
    --------
    >>> import pyarrow
    >>> from rouge_cli import batches
    >>> records = [{"id": "d1", "system": "a", "prediction": "the cat", "references": ["a cat"]}]
    >>> batch = pyarrow.RecordBatch.from_pylist(records)
    >>> batches.count_batch(batch, max_ngram=1, lcs=False).to_pylist()[0]["ROUGE-1/F"]
    0.5
    """
    frozen = ((name, tuple(one) if isinstance(one, list) else one) for name, one in options.items())
    return _cached_plan(record_batch.schema, on_error, tuple(frozen)).count(record_batch)


@lru_cache(maxsize=16)
def _cached_plan(schema: "pa.Schema", on_error: str, options: tuple[tuple[str, Any], ...]) -> Plan:
    """Return the plan for a schema, which many batches have."""
    return plan(schema, on_error=on_error, **dict(options))


def plan(schema: "pa.Schema | None" = None, /, *, on_error: str = RAISE, **options: Any) -> Plan:
    """Check options once, before a cluster starts.

    Parameters
    ----------
    schema : pyarrow.Schema, optional
        Of the batches; without it they have ``id``, ``system``, ``prediction`` and ``references``,
        whose texts are strings.
    on_error, **options
        As `count_batch` takes them.

    Returns
    -------
    Plan
        ``.schema`` and ``.signature`` of what will come back; ``.count(batch)`` is `count_batch`
        with these options; ``.write_header(folder)`` completes a folder of parts.

    Raises
    ------
    OptionError
        An option that is unknown, has no such value, or has no meaning for batches.
    InputError
        Columns that are not there, or something that the options need and is not installed.
    RougeError
        If pyarrow is not installed.
    """
    import_pyarrow("batches")
    if on_error not in {RAISE, COLLECT}:
        raise OptionError(f"on_error: found {on_error!r}, expected {RAISE!r} or {COLLECT!r}")
    checked = _checked(options, on_error)
    fields = _fields(schema, checked.inputs)
    sentence_splitter(checked.inputs.sentences)
    known = checked.knowing(n_references="var", has_lists=_has_lists(schema, fields))
    metrics = prepared_metrics(known.metrics)
    portion = score_portion(BatchPortion([PROBE]), known, load_tokenizer(known.texts, {}))
    names = [list(one.counts.arrays()) if one.counts else [] for one in portion.scores]
    header = score_header(known, list(zip(metrics, names, strict=True)))
    made = score_schema(metrics, portion.scores, header, with_errors=on_error == COLLECT)
    return Plan(known, fields, made, header["signature"], on_error, metrics)


def _checked(given: Mapping[str, Any], on_error: str) -> Options:
    """Check options by their names; raises OptionError and InputError."""
    check_names(given, may_be_bytes=False)
    for name, value in given.items():
        if name not in OPTIONS or value is None or value is False:
            continue
        if name in InputOptions.options() and name not in TAKEN:
            raise OptionError(f"{OPTIONS[name].spelling} is about files, and not for batches")
        if name in NOT_TAKEN:
            raise OptionError(f"{OPTIONS[name].spelling} is not for batches: {NOT_TAKEN[name]}")
        if name not in TAKEN:
            raise OptionError(f"{OPTIONS[name].spelling} is not for batches; give it to the report")
    options = Options.of(given)
    if options.texts.empty == "skip" and on_error == RAISE:
        raise OptionError("empty='skip' needs on_error='collect', which says what is left out")
    return options


def _fields(schema: "pa.Schema | None", inputs: InputOptions) -> RecordFields:
    """Choose the columns to read; raises InputError."""
    names = COLUMNS if schema is None else schema.names
    try:
        fields = choose_fields(names, inputs)
    except ValueError as error:
        raise InputError(f"batches: {error}") from None
    if fields.id is None:
        raise InputError(
            "batches: no column of IDs, which have to be the same in whatever batch a record is; "
            f"name it with id=; found {', '.join(names)}"
        )
    absent = [path for path in fields.paths if not {path, path.partition(".")[0]} & {*names}]
    if absent:
        raise InputError(f"batches: no column {absent[0]!r}; found {', '.join(names)}")
    check_columns(names, fields)
    return fields


def _has_lists(schema: "pa.Schema | None", fields: RecordFields) -> bool:
    """Say whether texts are lists of sentences, by the types of their columns."""
    if schema is None:
        return False
    peers = [path for _, path in fields.predictions if path in schema.names]
    models = [path for path in fields.references if path in schema.names]
    is_lone = int(not fields.is_lone_model)
    return any(_list_depth(schema.field(path).type) > (path in RESPONSES) for path in peers) or any(
        _list_depth(schema.field(path).type) > is_lone for path in models
    )


def _list_depth(kind: Any) -> int:
    """Return how many lists are in each other in a type of Arrow."""
    from pyarrow import types

    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return 1 + _list_depth(kind.value_type) if is_list else 0


def _problems_of(places: Sequence[int], found: ScoredPortion | str, empty: str) -> dict[int, str]:
    """Return what is wrong with records that were scored, or could not be, by their places."""
    if isinstance(found, str):
        return dict.fromkeys(places, found)
    if empty == "warn":
        return {}
    outcome = "; left out" if empty == "skip" else ""
    problem = f"no tokens in the prediction or in a reference{outcome}"
    return {
        place: problem
        for place, is_empty in zip(places, found.is_empty.tolist(), strict=True)
        if is_empty
    }
