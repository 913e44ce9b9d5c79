"""Explanations of scores."""
