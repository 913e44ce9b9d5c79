"""Score a table of records with Spark: Parquet in, a folder of saved scores out.

    spark-submit examples/spark_rouge.py INPUT OUTPUT -n 2 -m
    rouge-cli OUTPUT --report table

INPUT has the columns id, system, prediction and references, or those that the options name; OUTPUT
is a new folder. Options are those of rouge-cli that say how each text is scored. rouge-cli has to
be installed on every machine of the cluster, in the same version, with pyarrow.
"""

import sys
from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from rouge_cli import RougeError, batches
from rouge_cli.cli.arguments import batch_options


def main(words: list[str]) -> None:
    """Score what the words of a command line say."""
    if len(words) < 2 or words[0].startswith("-"):
        sys.exit(f"usage: spark-submit {sys.argv[0]} INPUT OUTPUT [OPTIONS OF ROUGE-CLI]")
    source, target, *options = words
    # Workers are interpreters of their own: a module that lies beside the data is not for them.
    safe = ("spark.executorEnv.PYTHONSAFEPATH", "1")
    spark = SparkSession.builder.appName("rouge-cli").config(*safe).getOrCreate()
    try:
        score(spark, source, target, **batch_options(options))
    except RougeError as error:
        sys.exit(f"Error: {error}")
    finally:
        spark.stop()


def score(spark: SparkSession, source: str, target: str, **options: object) -> None:
    """Score a table into a new folder."""
    records = spark.read.parquet(source)
    # Options and columns are checked here, once, before any machine starts.
    plan = batches.plan(to_arrow_schema(records.schema), on_error="collect", **options)

    def count(parts: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return map(plan.count, parts)

    scores = records.mapInArrow(count, from_arrow_schema(plan.schema))
    scores.write.mode("errorifexists").parquet(target)
    # Last, so that only a folder with all parts can be reported.
    plan.write_header(target, n_records=records.count())


if __name__ == "__main__":
    main(sys.argv[1:])
