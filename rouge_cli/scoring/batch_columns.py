"""The columns of rows of scores as Arrow has them: their types, their header, their values."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError
from rouge_cli.metrics.counts import InstanceScores, ScoredMetric
from rouge_cli.scoring.saved_scores import CLUSTER, ERRORS, HEADER, SEPARATOR

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["check_counts", "filled_columns", "header_of", "score_schema"]


def score_schema(
    metrics: Sequence[ScoredMetric],
    scores: Sequence[InstanceScores],
    header: Mapping[str, Any],
    *,
    with_errors: bool,
) -> "pa.Schema":
    """Return the columns of the rows that come back, of the types that the probe has."""
    import pyarrow as pa

    columns = [("system", pa.string()), ("eval", pa.string()), ("position", pa.int64())]
    if header[CLUSTER] is not None:
        columns.append((CLUSTER, pa.string()))
    for metric, one in zip(metrics, scores, strict=True):
        columns += [
            (f"{metric.name}{SEPARATOR}{key}", pa.from_numpy_dtype(values.dtype))
            for key, values in _arrays(metric, one)
        ]
    if with_errors:
        columns.append((ERRORS, pa.string()))
    return pa.schema(columns, metadata={HEADER: json.dumps(header)})


def header_of(schema: "pa.Schema") -> Any:
    """Return the header of saved scores from the metadata of a schema."""
    return json.loads(schema.metadata[HEADER.encode()])


def check_counts(metrics: Sequence[ScoredMetric], scores: Sequence[InstanceScores]) -> None:
    """Refuse counts that no column holds, as a large whole weight makes them; raises InputError."""
    for metric, one in zip(metrics, scores, strict=True):
        if any(values.dtype == object for _, values in _arrays(metric, one)):
            raise InputError(
                f"{metric.name} has counts beyond 63 bits; score the record on one machine, or "
                "with a smaller weight"
            )


def filled_columns(
    metric: ScoredMetric, pieces: Sequence[tuple[Sequence[int], InstanceScores]], n_rows: int
) -> dict[str, NDArray[Any]]:
    """Return the columns of a metric, with 0 where nothing was scored."""
    columns: dict[str, NDArray[Any]] = {}
    for places, scores in pieces:
        for key, values in _arrays(metric, scores):
            name = f"{metric.name}{SEPARATOR}{key}"
            columns.setdefault(name, np.zeros(n_rows, values.dtype))[places] = values
    return columns


def _arrays(metric: ScoredMetric, scores: InstanceScores) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield counts, measures and statistics by their names."""
    if scores.counts is not None:
        yield from scores.counts.arrays().items()
    yield from zip((*metric.measures, *metric.statistics), scores.values, strict=True)
