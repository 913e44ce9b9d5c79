"""XML configurations as programs write them, by one expression: a third of what a parser costs.

What is read here means the same to an XML parser: ASCII without entities, comments or control
characters, each element in its place, names in capitals, double quotes, every EVAL once. Anything
else, and whatever is wrong in any way, is left to the parser, which has all the messages.
"""

import re

from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.options.inputs import TEXT_FORMATS

__all__ = ["read_canonical"]

_USUAL_BYTES = bytes(range(32, 127)) + b"\t\n"

_ID = r'ID="([^"<>&\t\n]+)"'
# A name has more than white space in it. No two parts of an expression side by side can take the
# same character, so that none of them goes far back.
_NAME = r"(\s*[^<>&\s][^<>&]*)"
_START = re.compile(
    r'(?:<\?xml version="1\.0"(?: encoding="(?:UTF-8|utf-8)")?\?>\s*)?'
    r'<(ROUGE[-_]EVAL)(?: version="[0-9.]*")?>\s*'
)
_FILE = re.compile(rf"<[PM] {_ID}>{_NAME}</[PM]>(\s*)")
_PEER = rf"<P {_ID}>{_NAME}</P>\s*".replace("(", "(?:")
_MODEL = rf"<M {_ID}>{_NAME}</M>\s*".replace("(", "(?:")
_PEER_ROOT = rf"<PEER-ROOT>{_NAME}</PEER-ROOT>\s*"
_MODEL_ROOT = rf"<MODEL-ROOT>{_NAME}</MODEL-ROOT>\s*"
_EVAL = re.compile(
    rf"<EVAL {_ID}>\s*(?:{_PEER_ROOT}{_MODEL_ROOT}|{_MODEL_ROOT}{_PEER_ROOT})"
    rf'<INPUT-FORMAT TYPE="({"|".join(TEXT_FORMATS)})">\s*</INPUT-FORMAT>\s*'
    rf"<PEERS>\s*((?:{_PEER})*)</PEERS>\s*<MODELS>\s*((?:{_MODEL})+)</MODELS>\s*</EVAL>\s*"
)
_PEERS, _MODELS = 7, 8
"""Groups of `_EVAL`."""


def read_canonical(data: bytes) -> list[Evaluation] | None:
    """Read a configuration in which nothing is unusual.

    Parameters
    ----------
    data : bytes
        The configuration.

    Returns
    -------
    list of Evaluation or None
        What the parser would come to; None leaves it to the parser.
    """
    if data.translate(None, _USUAL_BYTES):
        return None
    text = data.decode("ascii")
    start = _START.match(text)
    if start is None:
        return None
    end = start.end()
    evals: list[Evaluation] = []
    place, line = 0, 1
    while (found := _EVAL.match(text, end)) is not None:
        line += text.count("\n", place, found.start())
        place, end = found.span()
        evals.append(_evaluation(found, line))
    is_whole = text[end:].rstrip() == f"</{start[1]}>"
    are_distinct = len({one.id for one in evals}) == len(evals) > 0
    return evals if is_whole and are_distinct else None


def _evaluation(found: re.Match[str], line: int) -> Evaluation:
    """Return an EVAL; a P or M ID that is used twice names the last file, as in the parser's."""
    eval_id, peers_first, models_second, models_first, peers_second, *more = found.groups()
    form, peers, models = more
    text, start = found.string, found.start()
    peer_line = line + text.count("\n", start, found.start(_PEERS))
    peer_sources = _files(peers, (peers_first or peers_second).strip(), form, peer_line)
    model_line = line + text.count("\n", start, found.start(_MODELS))
    model_sources = _files(models, (models_first or models_second).strip(), form, model_line)
    by_id = dict(model_sources)
    ids = tuple([one for one, _ in model_sources])
    in_order = tuple([by_id[one] for one in ids])
    return Evaluation(eval_id, dict(peer_sources), in_order, line, ids)


def _files(section: str, root: str, form: str, line: int) -> list[tuple[str, TextSource]]:
    """Return the texts of PEERS or MODELS with their IDs; the first is named on the given line."""
    sources = []
    for text_id, name, gap in _FILE.findall(section):
        sources.append((text_id, TextSource(f"{root}/{name.strip()}", form, line)))
        line += name.count("\n") + gap.count("\n")
    return sources
