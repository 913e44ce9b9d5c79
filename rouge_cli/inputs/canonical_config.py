"""XML configurations as programs write them, by one expression: a third of what a parser costs.

What is read here means the same to an XML parser: ASCII without entities, comments or control
characters, each element in its place, names in capitals, double quotes, every EVAL once. Anything
else, and whatever is wrong in any way, is left to the parser, which has all the messages.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

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
_FILE = re.compile(rf"<[PM] {_ID}>{_NAME}</[PM]>")
_PEER = rf"<P {_ID}>{_NAME}</P>\s*".replace("(", "(?:")
_MODEL = rf"<M {_ID}>{_NAME}</M>\s*".replace("(", "(?:")
_PEER_ROOT = rf"<PEER-ROOT>{_NAME}</PEER-ROOT>\s*"
_MODEL_ROOT = rf"<MODEL-ROOT>{_NAME}</MODEL-ROOT>\s*"
_EVAL = re.compile(
    rf"<EVAL {_ID}>\s*(?:{_PEER_ROOT}{_MODEL_ROOT}|{_MODEL_ROOT}{_PEER_ROOT})"
    rf'<INPUT-FORMAT TYPE="({"|".join(TEXT_FORMATS)})">\s*</INPUT-FORMAT>\s*'
    rf"<PEERS>\s*((?:{_PEER})*)</PEERS>\s*<MODELS>\s*((?:{_MODEL})+)</MODELS>\s*</EVAL>\s*"
)


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
    found: list[re.Match[str]] = []
    end = start.end()
    while (one := _EVAL.match(text, end)) is not None:
        found.append(one)
        end = one.end()
    is_whole = text[end:].rstrip() == f"</{start[1]}>"
    are_distinct = len({one[1] for one in found}) == len(found) > 0
    return _evaluations(data, found) if is_whole and are_distinct else None


def _evaluations(data: bytes, found: Sequence[re.Match[str]]) -> list[Evaluation]:
    """Return the EVALs that were found in `data`, which has nothing else; at least one."""
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    named = list(_FILE.finditer(found[0].string))
    ids, names = [one[1] for one in named], [one[2].strip() for one in named]
    files = list(zip(ids, names, _lines(named, newlines), strict=True))
    evals: list[Evaluation] = []
    end = 0
    for match, line in zip(found, _lines(found, newlines), strict=True):
        eval_id, peers_first, models_second, models_first, peers_second, *more = match.groups()
        form, in_peers, in_models = more
        start, middle = end, end + in_peers.count("</P>")
        end = middle + in_models.count("</M>")
        peers = _sources(files[start:middle], peers_first or peers_second, form)
        by_id = _sources(files[middle:end], models_first or models_second, form)
        model_ids = tuple(ids[middle:end])
        models = tuple([by_id[one] for one in model_ids])
        evals.append(Evaluation(eval_id, peers, models, line, model_ids))
    return evals


def _sources(files: Sequence[tuple[str, str, int]], root: str, form: str) -> dict[str, TextSource]:
    """Return texts by ID; one that is used twice names the last file, as in the parser's."""
    folder = root.strip()
    sources = {}
    for text_id, name, line in files:
        sources[text_id] = TextSource(f"{folder}/{name}", form, line)
    return sources


def _lines(found: Sequence[re.Match[str]], newlines: NDArray[np.intp]) -> list[int]:
    """Return the line on which each match begins, counted from 1."""
    lines: list[int] = (np.searchsorted(newlines, [one.start() for one in found]) + 1).tolist()
    return lines
