"""Score a table of records with Dask: Parquet in, a folder of saved scores out.

    python examples/dask_rouge.py INPUT.parquet OUTPUT -n 2 -m
    rouge-cli OUTPUT --report table

A row group of the input is a task, and a part of the output. A task that is done twice, as when a
worker dies, writes the same part.
"""

import os
import sys
from functools import partial

import pyarrow as pa
from dask.distributed import Client
from pyarrow import parquet

from rouge_cli import RougeError, batches
from rouge_cli.cli.arguments import batch_options


def main(words: list[str]) -> None:
    """Score what the words of a command line say, with a worker for each processor."""
    if len(words) < 2 or words[0].startswith("-"):
        sys.exit(f"usage: {sys.argv[0]} INPUT.parquet OUTPUT [OPTIONS OF ROUGE-CLI]")
    source, target, *options = words
    # Workers are new interpreters: a module that lies beside the data is not for them.
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        with Client(threads_per_worker=1) as client:
            score(client, source, target, **batch_options(options))
    except RougeError as error:
        sys.exit(f"Error: {error}")


def score(client: Client, source: str, target: str, **options: object) -> None:
    """Score a table into a new folder."""
    table = parquet.ParquetFile(source)
    # Options and columns are checked here, once, before any task starts.
    plan = batches.plan(table.schema_arrow, on_error="collect", **options)
    os.mkdir(target)
    write = partial(write_part, plan, source, target)
    client.gather(client.map(write, range(table.num_row_groups)))
    # Last, so that only a folder with all parts can be reported.
    plan.write_header(target, n_records=table.metadata.num_rows)


def write_part(plan: batches.Plan, source: str, target: str, number: int) -> None:
    """Score a row group, and write its scores whole or not at all."""
    records = parquet.ParquetFile(source).iter_batches(row_groups=[number])
    path = os.path.join(target, f"part-{number:05d}.parquet")
    partial_path = os.path.join(target, f".part-{number:05d}-{os.getpid()}")
    parquet.write_table(pa.Table.from_batches(map(plan.count, records), plan.schema), partial_path)
    os.replace(partial_path, path)


if __name__ == "__main__":
    main(sys.argv[1:])
