"""Score a lazy frame of Polars on one machine: a query in, a folder of saved scores out.

    python examples/polars_rouge.py 'INPUT/*.parquet' OUTPUT -n 2 -m
    rouge-cli OUTPUT --report table

Batches stream: memory does not grow with the frame, and any query can select or join the records.
"""

import os
import sys

import polars
import pyarrow as pa
from pyarrow import parquet

from rouge_cli import RougeError, batches
from rouge_cli.cli.arguments import batch_options

BATCH = 10_000


def main(words: list[str]) -> None:
    """Score what the words of a command line say."""
    if len(words) < 2 or words[0].startswith("-"):
        sys.exit(f"usage: {sys.argv[0]} PATTERN OUTPUT [OPTIONS OF ROUGE-CLI]")
    source, target, *options = words
    try:
        score(polars.scan_parquet(source), target, **batch_options(options))
    except RougeError as error:
        sys.exit(f"Error: {error}")


def score(records: polars.LazyFrame, target: str, **options: object) -> None:
    """Score a lazy frame into a new folder, a part for each batch."""
    empty = records.collect_schema().to_frame()
    # Options and columns are checked here, before anything is read.
    plan = batches.plan(empty.to_arrow().schema, on_error="collect", **options)
    os.mkdir(target)
    n_records = 0
    for number, frame in enumerate(records.collect_batches(chunk_size=BATCH)):
        scores = map(plan.count, frame.to_arrow().to_batches())
        path = os.path.join(target, f"part-{number:05d}.parquet")
        parquet.write_table(pa.Table.from_batches(scores, plan.schema), path)
        n_records += len(frame)
    # Last, so that only a folder with all parts can be reported.
    plan.write_header(target, n_records=n_records)


if __name__ == "__main__":
    main(sys.argv[1:])
