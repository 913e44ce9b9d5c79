"""Score a table of records with Ray: Parquet in, a folder of saved scores out.

    python examples/ray_rouge.py INPUT.parquet OUTPUT -n 2 -m
    rouge-cli OUTPUT --report table

A block of the input is a task. Started on a machine of a cluster, the program uses all of it; then
OUTPUT has to be a path that all machines reach.
"""

import os
import sys

import pyarrow as pa
import ray

from rouge_cli import RougeError, batches
from rouge_cli.cli.arguments import batch_options

BATCH = 10_000


def main(words: list[str]) -> None:
    """Score what the words of a command line say."""
    if len(words) < 2 or words[0].startswith("-"):
        sys.exit(f"usage: {sys.argv[0]} INPUT.parquet OUTPUT [OPTIONS OF ROUGE-CLI]")
    source, target, *options = words
    try:
        score(ray.data.read_parquet(source), target, **batch_options(options))
    except RougeError as error:
        sys.exit(f"Error: {error}")


def score(records: ray.data.Dataset, target: str, **options: object) -> None:
    """Score a data set into a new folder."""
    # Options and columns are checked here, once, before any task starts.
    plan = batches.plan(records.schema().base_schema, on_error="collect", **options)

    def count(table: pa.Table) -> pa.Table:
        return pa.Table.from_batches(map(plan.count, table.to_batches()), plan.schema)

    os.mkdir(target)
    scores = records.map_batches(count, batch_format="pyarrow", batch_size=BATCH)
    scores.write_parquet(os.path.abspath(target))
    # Last, so that only a folder with all parts can be reported.
    plan.write_header(target, n_records=records.count())


if __name__ == "__main__":
    main(sys.argv[1:])
