"""Scores for batches of records, for engines that run on many machines.

Any engine that maps Arrow record batches can score with `count_batch`, whose result depends only on
its arguments. It returns saved scores, which ``rouge-cli FOLDER`` combines and reports.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.api.arguments import check_names
from rouge_cli.errors import InputError, OptionError, Problems
from rouge_cli.inputs.records import rows as record_rows
from rouge_cli.inputs.records import tables
from rouge_cli.inputs.records.reading import record_texts
from rouge_cli.inputs.sentences import sentence_splitter
from rouge_cli.metrics.counts import InstanceScores, ScoredMetric
from rouge_cli.metrics.metric import metrics_of, prepared_columns
from rouge_cli.options.inputs import BATCHES, InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.options import DEFAULT_PRESET, OPTIONS, Options, PresetOptions, with_added
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.texts import TextOptions
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.run.counting import BatchScorer, ScoredBatch
from rouge_cli.scores.columns import run_metrics
from rouge_cli.scores.saved_scores import score_header, write_header
from rouge_cli.scores.score_files import CLUSTER, ERRORS, HEADER, SEPARATOR, import_pyarrow
from rouge_cli.scores.signature import scored_signature
from rouge_cli.text.tokenizer import load_tokenizer

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Plan", "count_batch", "plan"]

COLUMNS = tuple(
    names[0]
    for names in (record_rows.IDS, record_rows.SYSTEMS, record_rows.PREDICTIONS, record_rows.MODELS)
)
"""The default names of the columns of a batch."""

RAISE, COLLECT = "raise", "collect"

TAKEN = frozenset(
    {*PresetOptions.options(), *MetricOptions.options(), *TextOptions.options()}
    | {*ScoreOptions.options(), *InputOptions.of_layout(BATCHES)}
)

PROBE = tables.BatchRow("X", "1", None, None, b"a", (b"a",))
"""A record that is scored to find the names of the counts, and packages that are missing."""

ScoredRows = tuple[Sequence[int], ScoredBatch]  # the numbers of some rows, and their scores


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Checked options and what follows from them; `plan` makes it once for all machines.

    - `fields`: the columns to read.
    - `schema`: the schema of the batches that `count` returns; its metadata contain the header of
      saved scores.
    - `signature`: everything that affects a score, in one line.
    - `on_error`: ``"raise"`` or ``"collect"``, as in `count_batch`.
    """

    options: Options
    fields: record_rows.RecordFields
    schema: "pa.Schema"
    signature: str
    on_error: str
    metrics: tuple[ScoredMetric, ...]

    def count(self, record_batch: "pa.RecordBatch") -> "pa.RecordBatch":
        """Score a batch as `count_batch` does."""
        texts = record_texts(self.options.inputs, self.options.metrics)
        tables.check_columns(record_batch.schema.names, self.fields)
        records = tables.records_of(record_batch, self.fields)
        rows = tables.read_rows(records, self.fields, texts)
        if texts.has_lists and not self.options.input_facts.has_lists:
            known = self.options.with_input_facts(has_lists=True)
            if scored_signature(known) != scored_signature(self.options):
                raise InputError(
                    "found lists of sentences, and the columns of the plan hold strings; give "
                    "batches.plan the schema of the batches"
                )
        problems = {number: row.problem for number, row in enumerate(rows) if row.problem}
        self._raise_any(rows, problems)
        readable = [number for number, row in enumerate(rows) if not row.problem]
        scorer = BatchScorer(self.options, load_tokenizer(self.options.texts, {}))
        scored = list(self._scored(rows, readable, scorer, problems))
        self._raise_any(rows, problems)
        return self._batch(rows, scored, problems)

    def write_header(self, folder: str, n_records: int | None = None) -> None:
        """Write the header of the parts in a folder, once all of them are written.

        It is for engines such as Spark, which write Parquet without the metadata of the schema. The
        file is called ``_rouge_cli_scores.json``; engines do not read it as a part.

        Parameters
        ----------
        n_records : int, optional
            Number of records; a report on a different number of scores is then refused.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        n_rows = None if n_records is None else n_records * len(self.fields.predictions)
        write_header(json.loads(self.schema.metadata[HEADER.encode()]), folder, n_rows)

    def _raise_any(self, rows: Sequence[tables.BatchRow], problems: Mapping[int, str]) -> None:
        if self.on_error == RAISE:
            lines = ((rows[number].name, problem) for number, problem in problems.items())
            Problems.of("", lines).raise_any()

    def _scored(
        self,
        rows: Sequence[tables.BatchRow],
        numbers: Sequence[int],
        scorer: BatchScorer,
        problems: dict[int, str],
    ) -> Iterator[ScoredRows]:
        """Score the rows with these numbers, and add those that cannot be scored to `problems`."""
        if not numbers:
            return
        try:
            batch = tables.batch_of([rows[number] for number in numbers])
            scored = scorer(batch)
            for metric, of_metric in zip(self.metrics, scored.scores, strict=True):
                if any(values.dtype == object for _, values in _arrays(metric, of_metric)):
                    raise InputError(
                        f"{metric.name} has counts beyond 63 bits; score the record on one "
                        "machine, or with a smaller weight"
                    )
        except (InputError, OptionError) as error:
            if self.on_error == RAISE:
                raise
            if len(numbers) == 1:
                problems[numbers[0]] = str(error)
                return
            # The error does not say which record is bad. If only a few are, halving the batch finds
            # them in few steps.
            half = len(numbers) // 2
            for part in (numbers[:half], numbers[half:]):
                yield from self._scored(rows, part, scorer, problems)
            return
        empty = self.options.texts.empty
        if empty != "warn":
            outcome = "; left out" if empty == "skip" else ""
            problem = f"no tokens in the prediction or in a reference{outcome}"
            is_empty = scored.is_empty.tolist()
            problems |= dict.fromkeys(compress(numbers, is_empty), problem)
        yield numbers, scored

    def _batch(
        self,
        rows: Sequence[tables.BatchRow],
        scored: Sequence[ScoredRows],
        problems: Mapping[int, str],
    ) -> "pa.RecordBatch":
        import pyarrow as pa

        is_bad = np.isin(np.arange(len(rows)), list(problems))
        columns: dict[str, Any] = {
            "system": [row.system for row in rows],
            "eval": [row.eval_id for row in rows],
            "position": [row.position for row in rows],
            CLUSTER: [row.cluster for row in rows],
            ERRORS: [problems.get(number) for number in range(len(rows))],
        }
        for column, metric in enumerate(self.metrics):
            pieces = [(numbers, portion.scores[column]) for numbers, portion in scored]
            columns |= _filled_columns(metric, pieces, len(rows))
        arrays = [
            pa.array(
                columns.get(field.name, np.zeros(len(rows))),
                field.type,
                mask=is_bad if SEPARATOR in field.name else None,
            )
            for field in self.schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


def count_batch(
    record_batch: "pa.RecordBatch", *, on_error: str = RAISE, **options: Any
) -> "pa.RecordBatch":
    """Score the records of a batch, and return rows of the score table in the order of the records.

    Records are scored independently, so they can be divided into batches in any way and order. The
    function can be sent to other machines. Its only state are caches of plans and stems.

    Parameters
    ----------
    record_batch : pyarrow.RecordBatch
        Has the columns ``id``, ``system``, ``prediction`` and ``references``, or those that the
        options name; without a column for the system, every system is called X. An optional column
        ``position`` of integers orders the EVALs in reports.
    on_error : str
        ``"raise"``: a bad record is an error. ``"collect"``: its row has no scores, and the column
        ``errors`` says why.
    **options
        Options by their long names, as in `rouge_cli.evaluate`. Options of averages and reports are
        refused, or stored for the report.

    Returns
    -------
    pyarrow.RecordBatch
        ``system``, ``eval``, ``position``, perhaps ``cluster``; for each metric its counts, such as
        ``ROUGE-1/hit``, and its measures, such as ``ROUGE-1/F``; perhaps ``errors``. Counts are
        integers, except those of ROUGE-W, which are float64.

    Raises
    ------
    OptionError
        For the same reasons as in `plan`.
    InputError
        If records are bad; the message names their IDs.
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
    # Lists cannot be keys of the cache.
    frozen = (
        (name, tuple(value) if isinstance(value, list) else value)
        for name, value in options.items()
    )
    return _cached_plan(record_batch.schema, on_error, tuple(frozen)).count(record_batch)


@lru_cache(maxsize=16)
def _cached_plan(schema: "pa.Schema", on_error: str, options: tuple[tuple[str, Any], ...]) -> Plan:
    return plan(schema, on_error=on_error, **dict(options))


def plan(schema: "pa.Schema | None" = None, /, *, on_error: str = RAISE, **options: Any) -> Plan:
    """Check options once, before a cluster starts.

    Parameters
    ----------
    schema : pyarrow.Schema, optional
        Schema of the batches. Without it, they have the columns ``id``, ``system``, ``prediction``
        and ``references``, with strings as texts.
    on_error, **options
        The same as in `count_batch`.

    Returns
    -------
    Plan
        ``.schema`` and ``.signature`` describe the scored batches; ``.count(batch)`` is
        `count_batch` with these options; ``.write_header(folder)`` completes a folder of parts.

    Raises
    ------
    OptionError
        If an option is unknown, has an invalid value, or does not apply to batches.
    InputError
        If columns are missing, occur twice, or have a type that cannot hold a text or an ID; the
        message names all of them. Also if a package that the options need is not installed.
    RougeError
        If pyarrow is not installed.
    """
    pa, _ = import_pyarrow("batches")
    if on_error not in {RAISE, COLLECT}:
        raise OptionError(f"on_error: found {on_error!r}, expected {RAISE!r} or {COLLECT!r}")
    checked = _checked(options, on_error)
    if schema is None:
        schema = pa.schema(dict.fromkeys(COLUMNS, pa.null()))
    fields = _fields(schema.names, checked.inputs)
    has_lists = tables.check_schema(schema, fields)
    sentence_splitter(checked.inputs.sentences)
    known = checked.with_input_facts(n_references="var", has_lists=has_lists)
    # Raises OptionError for two metrics with the same name.
    run_metrics(known)
    metrics = prepared_columns(metrics_of(known.metrics))
    probed = BatchScorer(known, load_tokenizer(known.texts, {}))(tables.batch_of([PROBE]))
    names = [list(scores.counts.arrays()) if scores.counts else [] for scores in probed.scores]
    header = score_header(known, list(zip(metrics, names, strict=True)))
    made = _score_schema(metrics, probed.scores, header, with_errors=on_error == COLLECT)
    return Plan(known, fields, made, header["signature"], on_error, metrics)


def _checked(given: Mapping[str, Any], on_error: str) -> Options:
    check_names(given, may_be_bytes=False)
    given = with_added(given)
    for name, value in given.items():
        if name not in OPTIONS or value is None or value is False:
            continue
        declared = OPTIONS[name]
        if name in InputOptions.options() and name not in TAKEN:
            raise OptionError(f"{declared.spelling} is about files, and not for batches")
        if (reason := declared.not_for.get("batches")) is not None:
            raise OptionError(f"{declared.spelling} is not for batches: {reason}")
        if name not in TAKEN:
            raise OptionError(f"{declared.spelling} is not for batches; give it to the report")
    options = Options.of(given, DEFAULT_PRESET)
    if options.texts.empty == "skip" and on_error == RAISE:
        raise OptionError("empty='skip' needs on_error='collect', which says what is left out")
    return options


def _fields(names: Sequence[str], inputs: InputOptions) -> record_rows.RecordFields:
    try:
        fields = record_rows.choose_fields(names, inputs)
    except ValueError as error:
        raise InputError(f"batches: {error}") from None
    if fields.id is None:
        raise InputError(
            "batches: no column of IDs, which have to be the same in whatever batch a record is; "
            f"name it with id=; found {', '.join(names)}"
        )
    return fields


# The columns of the score table as Arrow arrays.


def _score_schema(
    metrics: Sequence[ScoredMetric],
    scores: Sequence[InstanceScores],
    header: Mapping[str, Any],
    *,
    with_errors: bool,
) -> "pa.Schema":
    import pyarrow as pa

    columns = [("system", pa.string()), ("eval", pa.string()), ("position", pa.int64())]
    if header[CLUSTER] is not None:
        columns.append((CLUSTER, pa.string()))
    for metric, of_metric in zip(metrics, scores, strict=True):
        columns += [
            (f"{metric.name}{SEPARATOR}{key}", pa.from_numpy_dtype(values.dtype))
            for key, values in _arrays(metric, of_metric)
        ]
    if with_errors:
        columns.append((ERRORS, pa.string()))
    return pa.schema(columns, metadata={HEADER: json.dumps(header)})


def _filled_columns(
    metric: ScoredMetric, pieces: Sequence[tuple[Sequence[int], InstanceScores]], n_rows: int
) -> dict[str, NDArray[Any]]:
    columns: dict[str, NDArray[Any]] = {}
    for numbers, scores in pieces:
        for key, values in _arrays(metric, scores):
            name = f"{metric.name}{SEPARATOR}{key}"
            columns.setdefault(name, np.zeros(n_rows, values.dtype))[numbers] = values
    return columns


def _arrays(metric: ScoredMetric, scores: InstanceScores) -> Iterator[tuple[str, NDArray[Any]]]:
    if scores.counts is not None:
        for name, values in scores.counts.arrays().items():
            # Small counts have a narrow type, but all batches must have the same schema.
            yield name, values.astype(np.int64) if values.dtype.kind in "iu" else values
    yield from zip(metric.rows, scores.values, strict=True)
