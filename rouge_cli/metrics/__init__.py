"""The metrics: from tokens to hits, in plain Python and one file per family."""
