"""The numbers of other packages, reproduced to the last bit.

A protocol records the choices that a package makes: how texts become words, what is counted, how
counts become scores, and how scores become averages. One engine carries out all protocols.
"""

from collections.abc import Sequence
from typing import Any

from rouge_cli.protocols.catalogue import PROTOCOLS, find_protocol
from rouge_cli.protocols.engine import Texts, score_corpus, score_one
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.scoring import ProtocolError

__all__ = ["PROTOCOLS", "Protocol", "ProtocolError", "corpus", "score"]


def score(
    name: str | Protocol, prediction: str, references: Texts, **options: Any
) -> dict[str, Any]:
    """Compute what a package returns for one text.

    Parameters
    ----------
    name : str or Protocol
        A protocol or its name, such as ``"rouge"``, or ``"rouge@1.0.1"`` to require a version.
    prediction : str
    references : str or list of str
    **options
        The package's own arguments, by their names.

    Returns
    -------
    dict of str to dict or float
        For each metric, by the package's name for it: ``p``, ``r`` and ``f``, or a single number
        if the package returns nothing else.

    Raises
    ------
    ProtocolError
        If the package raises an exception on these texts; ``type_name`` is its type.
    OptionError
        If the protocol or one of its arguments is unknown.
    InputError
        If texts are not strings, or the package does not take as many references.

    Examples
    --------
    >>> from rouge_cli import protocols
    >>> protocols.score("rouge", "the cat sat", "the cat sat")["rouge-1"]["f"]
    0.999999995
    """
    return score_one(_chosen(name, options), prediction, references)


def corpus(
    name: str | Protocol,
    predictions: Sequence[str],
    references: Sequence[Texts],
    **options: Any,
) -> dict[str, Any]:
    """Compute what a package reports for many texts.

    Parameters
    ----------
    name : str or Protocol
        As in `score`.
    predictions : list of str
    references : list of str, or of lists of str
        The reference or references of each prediction.
    **options
        The package's own arguments, by their names.

    Returns
    -------
    dict of str to object
        For each metric, the means of the numbers that `score` returns for a text. If the package
        reports an interval, there are ``low``, ``mid`` and ``high``, each with these numbers. For
        wrappers of ROUGE-1.5.5 there are ``r``, ``p`` and ``f``, each a list of average, lower and
        upper bound. If the package has no average of its own, it is the plain mean.

    Raises
    ------
    ProtocolError, OptionError, InputError
        As `score`.
    """
    return score_corpus(_chosen(name, options), predictions, references)


def _chosen(name: str | Protocol, options: dict[str, Any]) -> Protocol:
    protocol = name if isinstance(name, Protocol) else find_protocol(name)
    return protocol.with_options(options)
