"""Runs of the original that are stored here, and whether this machine reproduces them."""
