"""Columns to counts: a family of metrics a file, all pairs of a block at once."""
