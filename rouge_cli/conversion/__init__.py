"""Conversion between layouts, with the same scores."""
