"""Measure rouge-cli: ``make bench``. See README.md here."""
