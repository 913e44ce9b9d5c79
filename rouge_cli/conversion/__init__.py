"""Any layout to any other: what is written scores the same."""
