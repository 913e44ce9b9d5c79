"""Find the records of a crawl that overlap too much, with DuckDB or Polars: nothing is averaged.

    python examples/crawl_overlap.py duckdb 'crawl/*.parquet' OVERLAPS.parquet 0.5
    python examples/crawl_overlap.py polars 'crawl/*.parquet' OVERLAPS.parquet 0.5

Each record has an id, a prediction (the page) and references (what it must not repeat); those whose
ROUGE-2 recall is at least the last argument are written. Batches stream: memory does not grow with
the crawl.
"""

import sys
from collections.abc import Iterator

import pyarrow as pa
from pyarrow import parquet

from rouge_cli import RougeError, Scorer

BATCH = 10_000
QUERY = 'SELECT id, prediction, "references" FROM read_parquet(?)'


def main(words: list[str]) -> None:
    """Find what the words of a command line say."""
    if len(words) != 4 or words[0] not in READERS:
        sys.exit(f"usage: {sys.argv[0]} {'|'.join(READERS)} PATTERN OUTPUT.parquet RECALL")
    engine, source, target, recall = words
    try:
        n_overlaps = find(READERS[engine](source), target, float(recall))
    except RougeError as error:
        sys.exit(f"Error: {error}")
    print(f"{n_overlaps} records overlap")


def find(records: Iterator[pa.RecordBatch], target: str, recall: float) -> int:
    """Write ID and recall of what overlaps, and return how many records these are."""
    scorer, writer, n_overlaps = Scorer(max_ngram=2, lcs=False), None, 0
    for batch in records:
        texts = (batch[name].to_pylist() for name in ("prediction", "references"))
        recalls = scorer.score(*texts)["ROUGE-2"][:, 0]
        table = pa.table({"id": batch["id"], "recall": recalls}).filter(recalls >= recall)
        writer = writer or parquet.ParquetWriter(target, table.schema)
        writer.write_table(table)
        n_overlaps += table.num_rows
    if writer is not None:
        writer.close()
    return n_overlaps


def from_duckdb(source: str) -> Iterator[pa.RecordBatch]:
    """Yield the records of some files; any query would do."""
    import duckdb

    yield from duckdb.sql(QUERY, params=[source]).to_arrow_reader(BATCH)


def from_polars(source: str) -> Iterator[pa.RecordBatch]:
    """Yield the records of some files; any lazy frame would do."""
    import polars

    columns = polars.scan_parquet(source).select("id", "prediction", "references")
    for frame in columns.collect_batches(chunk_size=BATCH):
        yield from frame.to_arrow().to_batches()


READERS = {"duckdb": from_duckdb, "polars": from_polars}

if __name__ == "__main__":
    main(sys.argv[1:])
