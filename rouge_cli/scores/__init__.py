"""Score tables: averages, the bootstrap, joined and saved scores."""
