"""Measure rouge-cli: ``make bench``. See README.md in this folder."""
