"""Studies: which system is better, how well scores agree with human judgements, and more."""
