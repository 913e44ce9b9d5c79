"""The sentences of raw text, by NLTK's trained Punkt model: ``split_summaries=True``."""

from collections.abc import Callable

from rouge_cli.inputs.sentences import punkt_splitter

__all__ = ["punkt_lines", "punkt_sentences"]


def punkt_lines() -> Callable[[bytes], bytes]:
    """Return what puts a newline between the sentences of a text, as ``--sentences nltk`` does.

    Raises
    ------
    InputError
        If the model is not installed.
    """
    return punkt_splitter("split_summaries")


def punkt_sentences() -> Callable[[str], list[str]]:
    """Return what ``rouge_score`` splits with: NLTK's ``sent_tokenize``, newlines and all.

    Raises
    ------
    InputError
        If the model is not installed.
    """
    punkt_lines()
    from nltk.tokenize import sent_tokenize

    split: Callable[[str], list[str]] = sent_tokenize
    return split
