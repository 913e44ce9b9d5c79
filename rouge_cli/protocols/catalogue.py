"""The list of protocols, and their names."""

from collections.abc import Mapping
from types import MappingProxyType

from rouge_cli.errors import OptionError, close_to
from rouge_cli.protocols import packages, rouge_score
from rouge_cli.protocols.protocol import Protocol

PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {
        protocol.name: protocol
        for protocol in (
            packages.ROUGE,
            packages.ROUGE_CHINESE,
            packages.LONGBENCH,
            packages.PY_ROUGE,
            packages.ROUGE_METRIC,
            packages.SUMEVAL,
            packages.EASY_ROUGE,
            packages.PYCOCOEVALCAP,
            rouge_score.ROUGE_SCORE,
            rouge_score.EVALUATE,
            rouge_score.DATASETS,
            rouge_score.XLSUM,
            rouge_score.T5,
            rouge_score.LM_EVAL,
            rouge_score.SCROLLS,
            rouge_score.TORCHMETRICS,
            packages.IGNITE,
            packages.TENSOR2TENSOR,
            packages.NAIVE_SET,
            packages.FILES2ROUGE,
            packages.PYROUGE,
            packages.PRESUMM,
        )
    }
)
"""The protocols by name."""


def find_protocol(name: str, what: str = "protocol") -> Protocol:
    """Return the protocol of a package, such as ``rouge`` or ``rouge@1.0.1``.

    Messages begin with `what` names it.

    Raises
    ------
    OptionError
        If none is known by this name, or it is that of another version.
    """
    known, _, version = name.partition("@")
    protocol = PROTOCOLS.get(known)
    if protocol is None:
        near = close_to(known, PROTOCOLS)
        hint = f"; did you mean {near}?" if near else ""
        raise OptionError(f"{what}: found {known!r}, expected one of {', '.join(PROTOCOLS)}{hint}")
    if version and version != protocol.version:
        expected = protocol.full_name if protocol.version else f"{known}, which has no versions"
        raise OptionError(f"{what}: found {name!r}, expected {expected}")
    return protocol
