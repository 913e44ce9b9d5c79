"""Throw broken and hostile input at everything that reads input: ``make fuzz``."""
