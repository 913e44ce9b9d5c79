"""From a corpus to its score table."""
