"""Tokenizers: from texts to columns of tokens, with limits, stopwords and stems."""
