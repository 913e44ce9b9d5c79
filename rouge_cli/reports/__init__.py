"""Results to text, a report a file."""
