"""Across systems and humans: which system is better, how well scores agree with judgements."""
