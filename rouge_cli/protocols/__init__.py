"""Other packages' numbers: what they print for the same texts, to the last bit.

A protocol is a record of choices: how texts become words, what is counted, how counts become scores
and scores become averages. One engine carries out all of them.
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
    """Return what a package returns for one text.

    Parameters
    ----------
    name : str or Protocol
        Such as ``"rouge"``, or ``"rouge@1.0.1"`` for a version.
    prediction : str
    references : str or list of str
    **options
        The package's own arguments, by their names.

    Returns
    -------
    dict of str to dict or float
        By the names of the package's metrics: ``p``, ``r`` and ``f``, or F alone where the package
        has nothing else.

    Raises
    ------
    ProtocolError
        If the package raises an exception on these texts; ``type_name`` is its type.
    OptionError
        If there is no such protocol, or no such argument.
    InputError
        If texts are no strings, or the package takes another number of references.

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
    """Return what a package reports for many texts.

    Parameters
    ----------
    name : str or Protocol
        As in `score`.
    predictions : list of str
    references : list of str, or of lists of str
        For each prediction.
    **options
        The package's own arguments, by their names.

    Returns
    -------
    dict of str to object
        By metric what `score` returns for a text: of the mean. Where the package reports an
        interval, ``low``, ``mid`` and ``high`` of each; for wrappers of ROUGE-1.5.5 ``r``, ``p``
        and ``f``, each with average, lower and upper bound. A package without an average of its
        own has the plain mean here.

    Raises
    ------
    ProtocolError, OptionError, InputError
        As `score`.
    """
    return score_corpus(_chosen(name, options), predictions, references)


def _chosen(name: str | Protocol, options: dict[str, Any]) -> Protocol:
    protocol = name if isinstance(name, Protocol) else find_protocol(name)
    return protocol.with_options(options)
