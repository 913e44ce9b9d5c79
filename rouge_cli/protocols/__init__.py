"""The numbers of other packages, reproduced to the last bit.

A protocol records the choices that a package makes: how texts become words, what is counted, how
counts become scores, and how scores become averages. One engine carries out all protocols.
"""

from rouge_cli.protocols.catalogue import PROTOCOLS
from rouge_cli.protocols.engine import corpus, score
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.scoring import ProtocolError

__all__ = ["PROTOCOLS", "Protocol", "ProtocolError", "corpus", "score"]
