"""Files of records: JSONL, JSON, CSV, TSV and Parquet."""
