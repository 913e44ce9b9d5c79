"""Score a data set of Hugging Face in place: ``Dataset.map`` over batches of Arrow.

python examples/datasets_rouge.py INPUT.parquet OUTPUT -n 2 -m
rouge-cli OUTPUT --report table
"""

import os
import sys

import pyarrow as pa
from datasets import Dataset

from rouge_cli import RougeError, batches
from rouge_cli.cli.arguments import batch_options


def main(words: list[str]) -> None:
    """Score what the words of a command line say."""
    if len(words) < 2 or words[0].startswith("-"):
        sys.exit(f"usage: {sys.argv[0]} INPUT.parquet OUTPUT [OPTIONS OF ROUGE-CLI]")
    source, target, *options = words
    try:
        score(Dataset.from_parquet(source), target, **batch_options(options))
    except RougeError as error:
        sys.exit(f"Error: {error}")


def score(records: Dataset, target: str, n_processes: int = 2, **options: object) -> None:
    """Score a data set into a new folder."""
    plan = batches.plan(records.features.arrow_schema, on_error="collect", **options)

    def count(table: pa.Table) -> pa.Table:
        return pa.Table.from_batches(map(plan.count, table.to_batches()), plan.schema)

    scores = records.with_format("arrow").map(
        count, batched=True, remove_columns=records.column_names, num_proc=n_processes
    )
    os.mkdir(target)
    scores.to_parquet(os.path.join(target, "part-00000.parquet"))
    plan.write_header(target, n_records=len(records))


if __name__ == "__main__":
    main(sys.argv[1:])
