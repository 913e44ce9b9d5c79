"""XML configurations as programs write them, by one expression: a third of what a parser costs.

What is read here means the same to an XML parser: ASCII without entities, comments or control
characters, each element in its place, names in capitals, double quotes, every EVAL once. Anything
else, and whatever is wrong in any way, is left to the parser, which has all the messages.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.inputs.file_columns import FileColumns
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


def read_canonical(data: bytes) -> Sequence[Evaluation] | None:
    """Read a configuration in which nothing is unusual.

    Parameters
    ----------
    data : bytes
        The configuration.

    Returns
    -------
    sequence of Evaluation or None
        What the parser would come to, in columns if each EVAL has one peer; None leaves it to the
        parser.
    """
    if data.translate(None, _USUAL_BYTES):
        return None
    text = data.decode("ascii")
    start = _START.match(text)
    if start is None:
        return None
    matches: list[re.Match[str]] = []
    end = start.end()
    while (one := _EVAL.match(text, end)) is not None:
        matches.append(one)
        end = one.end()
    is_whole = text[end:].rstrip() == f"</{start[1]}>"
    if not is_whole or not matches:
        return None
    found = _found(data, matches)
    if len({*found.ids}) < len(found.ids):
        return None
    columns = _columns(found)
    return _evaluations(found) if columns is None else columns


class _Found(NamedTuple):
    """What was found, as columns.

    Parameters
    ----------
    ids, formats, peer_roots, model_roots : tuple of str
        Of each EVAL.
    n_peers, n_models : tuple of int
        Of each EVAL.
    lines : list of int
        Of each EVAL.
    text_ids, text_names, text_lines : list
        Of each text: EVAL by EVAL, the peers and then the models.
    """

    ids: tuple[str, ...]
    formats: tuple[str, ...]
    peer_roots: tuple[str, ...]
    model_roots: tuple[str, ...]
    n_peers: tuple[int, ...]
    n_models: tuple[int, ...]
    lines: list[int]
    text_ids: list[str]
    text_names: list[str]
    text_lines: list[int]


def _found(data: bytes, matches: Sequence[re.Match[str]]) -> _Found:
    """Return what the matches of EVALs hold; `data` has nothing else, and at least one."""
    newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    named = list(_FILE.finditer(matches[0].string))
    ids, formats, *roots_and_numbers = zip(*map(_parts, matches), strict=True)
    peer_roots, model_roots, n_peers, n_models = roots_and_numbers
    return _Found(
        ids,
        formats,
        peer_roots,
        model_roots,
        n_peers,
        n_models,
        _lines(matches, newlines),
        [one[1] for one in named],
        [one[2].strip() for one in named],
        _lines(named, newlines),
    )


def _parts(match: re.Match[str]) -> tuple[str, str, str, str, int, int]:
    """Return the first columns of an EVAL."""
    eval_id, peers_first, models_second, models_first, peers_second, *more = match.groups()
    form, in_peers, in_models = more
    peer_root = (peers_first or peers_second).strip()
    model_root = (models_first or models_second).strip()
    return eval_id, form, peer_root, model_root, in_peers.count("</P>"), in_models.count("</M>")


def _columns(found: _Found) -> FileColumns | None:
    """Return EVALs that have one peer each, all of one system; None for others."""
    if {*found.n_peers} != {1} or len({*found.formats}) > 1:
        return None
    starts = np.cumsum([0, *found.n_models]) + np.arange(len(found.ids) + 1)
    bounds = starts.tolist()
    systems = {found.text_ids[start] for start in bounds[:-1]}
    models = (found.text_ids[start + 1 : stop] for start, stop in pairwise(bounds))
    has_several = max(found.n_models) > 1
    if len(systems) > 1 or (has_several and any(len({*ids}) < len(ids) for ids in models)):
        return None
    # Behind its models goes the peer, which stood before them.
    order = np.arange(1, bounds[-1] + 1)
    order[starts[1:] - 1] = starts[:-1]
    roots = np.repeat(np.array(found.model_roots, object), np.diff(starts))
    roots[starts[1:] - 1] = found.peer_roots
    texts, text_roots = order.tolist(), roots.tolist()
    return FileColumns(
        systems.pop(),
        found.formats[0],
        list(found.ids),
        found.lines,
        bounds,
        [f"{root}/{found.text_names[text]}" for root, text in zip(text_roots, texts, strict=True)],
        np.array(found.text_lines)[order],
        [found.text_ids[text] for text in texts],
    )


def _evaluations(found: _Found) -> list[Evaluation]:
    """Return EVALs of any kind."""
    files = list(zip(found.text_ids, found.text_names, found.text_lines, strict=True))
    evals: list[Evaluation] = []
    end = 0
    for eval_id, form, peer_root, model_root, n_peers, n_models, line in zip(
        *found[:7], strict=True
    ):
        start, middle = end, end + n_peers
        end = middle + n_models
        peers = _sources(files[start:middle], peer_root, form)
        by_id = _sources(files[middle:end], model_root, form)
        model_ids = tuple(found.text_ids[middle:end])
        models = tuple([by_id[one] for one in model_ids])
        evals.append(Evaluation(eval_id, peers, models, line, model_ids))
    return evals


def _sources(files: Sequence[tuple[str, str, int]], root: str, form: str) -> dict[str, TextSource]:
    """Return texts by ID; one that is used twice names the last file, as in the parser's."""
    return {text_id: TextSource(f"{root}/{name}", form, line) for text_id, name, line in files}


def _lines(found: Sequence[re.Match[str]], newlines: NDArray[np.intp]) -> list[int]:
    """Return the line on which each match begins, counted from 1."""
    lines: list[int] = (np.searchsorted(newlines, [one.start() for one in found]) + 1).tolist()
    return lines
