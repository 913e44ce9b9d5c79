"""Tokens in, hits out: the reference of every metric in plain Python, a family a file."""
