"""Parallel line files: line N of each file belongs to EVAL N."""
