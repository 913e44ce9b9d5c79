"""Which way of reading texts belongs to the parameters of a scorer."""

import warnings
from collections.abc import Callable

from rouge_cli.compat.likeness import GOOGLE
from rouge_cli.compat.readers import OriginalReader, Reader, Tokenizing, TokenReader, at_newlines
from rouge_cli.compat.splitting import punkt_lines, punkt_sentences
from rouge_cli.compat.tokenizers import DefaultTokenizer

__all__ = ["choose_reader"]

TO_THE_CALLER = 3
"""Of the constructor that calls this."""


def choose_reader(
    use_stemmer: bool, needs_punkt: bool, tokenizer: Tokenizing | None, like: str
) -> Reader:
    """Return what reads texts.

    Parameters
    ----------
    use_stemmer : bool
    needs_punkt : bool
        Whether sentences are to be found by NLTK's Punkt model.
    tokenizer : Tokenizing or None
    like : str

    Raises
    ------
    TypeError
        If the tokenizer is none.
    InputError
        If the Punkt model is not installed.
    """
    if tokenizer is not None:
        _check_tokenizer(tokenizer, use_stemmer)
    elif like != GOOGLE:
        return OriginalReader(use_stemmer, punkt_lines() if needs_punkt else None)
    split: Callable[[str], list[str]] = punkt_sentences() if needs_punkt else at_newlines
    return TokenReader(tokenizer or DefaultTokenizer(use_stemmer), split)


def _check_tokenizer(tokenizer: object, use_stemmer: bool) -> None:
    """Raise TypeError for what is no tokenizer; warn of a stemmer that it does not use."""
    if not callable(getattr(tokenizer, "tokenize", None)):
        raise TypeError(
            f"tokenizer: found {tokenizer!r}, expected an object with a method tokenize"
        )
    if use_stemmer:
        warnings.warn(
            "use_stemmer has no effect on a tokenizer of your own; let it stem itself",
            stacklevel=TO_THE_CALLER + 1,
        )
