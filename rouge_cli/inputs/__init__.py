"""Inputs: layouts to EVALs, files to texts, formats to sentences."""
