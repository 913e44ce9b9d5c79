"""Sentences to columns: limits, tokens, stopwords, stems."""
