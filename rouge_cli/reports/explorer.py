"""The scores and texts of EVALs as a page carries them: packed, and unpacked by its script.

All text is ready to be shown: what does not print, or would turn the direction of a line, is
escaped here. What is packed is JSON, compressed, in base64, so that nothing in it can be taken for
a tag.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.escapes import escape_unprintable
from rouge_cli.metrics.ratios import UNITS
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scoring.score_table import ScoreTable, SystemTable

__all__ = [
    "EvalTexts",
    "Explorer",
    "Opening",
    "PackedTexts",
    "PairMarks",
    "ShownText",
    "explorer_of",
    "pack_texts",
]

WORD_EDGE = "\x7f"
"""Stands before and behind each word of a text; the one in a text itself is escaped."""

ROOM = 3_200_000
"""Characters that packed texts may take in a page."""

IN_TEXTS = str.maketrans("", "", f"\n{WORD_EDGE}")
"""What nearly every text has besides what prints."""

LEVEL = 6
KEPT = "\n\u200c\u200d\u200e\u200f"
"""Of all that does not print, what a script or the end of a sentence needs."""


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text as it is shown.

    Parameters
    ----------
    pieces : tuple of str
        What is between words, a word, what is between words, and so on, beginning and ending with
        what is not a word.
    tail : str
        What the limit cut off.
    """

    pieces: tuple[str, ...]
    tail: str = ""


@dataclass(frozen=True, slots=True)
class PairMarks:
    """What a metric finds in a peer and one of its models.

    Parameters
    ----------
    is_counted : bool
        Whether the score has a share in the pair, and no formula has chosen another model.
    peer, model : str
        A digit for each word: 0 matches nothing, 1 matches and does not count, 2 counts.
    values : tuple of float
        The scores of the pair alone.
    """

    metric: str
    is_counted: bool
    peer: str
    model: str
    hit: float
    model_count: float
    peer_count: float
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class EvalTexts:
    """The texts of an EVAL, with what matches in them.

    Parameters
    ----------
    names : tuple of str
        Who wrote each model.
    peers : mapping of str to ShownText
        By system.
    marks : mapping of str to tuple of tuple of PairMarks
        By system, for each model, for each metric.
    """

    models: tuple[ShownText, ...]
    names: tuple[str, ...]
    peers: Mapping[str, ShownText]
    marks: Mapping[str, tuple[tuple[PairMarks, ...], ...]]


@dataclass(frozen=True, slots=True)
class PackedTexts:
    """Texts as a page carries them.

    Parameters
    ----------
    eval_ids : tuple of str
        In the order in which they are packed.
    sizes : tuple of int
        How many EVALs each chunk has.
    """

    eval_ids: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    chunks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explorer:
    """What the script of a page needs to show EVALs.

    Parameters
    ----------
    note : str
        Which EVALs have texts, and why the others have none; empty if all do.
    scores : str
        Packed.
    texts : tuple of str
        Packed, chunk by chunk.
    """

    n_evals: int
    note: str
    scores: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """How EVALs are shown at first.

    Parameters
    ----------
    order : sequence of str
        The systems, as the page orders them.
    percent : bool
        Whether shares are shown times 100.
    chosen : str
        The measure: ``"ROUGE-1 F"``.
    """

    order: Sequence[str]
    percent: bool = False
    chosen: str = ""


def explorer_of(table: ScoreTable, texts: PackedTexts, note: str, opening: Opening) -> Explorer:
    """Pack what is known of all EVALs."""
    systems = [table.systems[name] for name in opening.order]
    eval_ids = list(dict.fromkeys(one for system in systems for one in system.eval_ids))
    place_of = {eval_id: place for place, eval_id in enumerate(eval_ids)}
    units = [_unit(systems, metric.name) for metric in table.metrics]
    content = {
        "systems": [escape_unprintable(system.id) for system in systems],
        "metrics": [[metric.name, list(metric.measures)] for metric in table.metrics],
        "evals": [escape_unprintable(one) for one in eval_ids],
        "scores": [list(_scores(one, units, place_of)) for one in systems],
        "counts": [list(_counts(one, place_of)) for one in systems],
        "units": units,
        "texts": [place_of[eval_id] for eval_id in texts.eval_ids],
        "chunks": list(texts.sizes),
        "percent": opening.percent,
        "chosen": opening.chosen,
    }
    return Explorer(len(eval_ids), note, _packed(content), texts.chunks)


def pack_texts(
    batches: Iterable[Sequence[tuple[str, EvalTexts]]], table: ScoreTable, order: Sequence[str]
) -> PackedTexts:
    """Pack texts batch by batch, until the page has no more room.

    Parameters
    ----------
    batches : iterable of sequences of (str, EvalTexts)
        EVALs and their texts; read only as far as there is room.
    order : sequence of str
        The systems, as the page orders them.
    """
    eval_ids: list[str] = []
    chunks: list[str] = []
    sizes: list[int] = []
    room = ROOM
    for batch in batches:
        chunk = _packed([_texts(texts, order, table) for _, texts in batch])
        room -= len(chunk)
        if room < 0:
            break
        eval_ids += [eval_id for eval_id, _ in batch]
        chunks.append(chunk)
        sizes.append(len(batch))
    return PackedTexts(tuple(eval_ids), tuple(sizes), tuple(chunks))


def _packed(content: Any) -> str:
    """Return JSON, compressed, in base64."""
    plain = json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    # Without a header, as the name of the format in the script says; bytes that are no text are
    # escaped before.
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(packer.compress(plain.encode()) + packer.flush()).decode()


def _unit(systems: Sequence[SystemTable], metric: str) -> int:
    """Return by what the scores of a metric are divided: whole numbers are shorter."""
    columns = [system.columns[metric] for system in systems]
    is_rounded = all(np.array_equal(np.rint(c.values * UNITS) / UNITS, c.values) for c in columns)
    return int(UNITS) if is_rounded else 1


def _scores(
    system: SystemTable, units: Sequence[int], place_of: Mapping[str, int]
) -> Iterator[list[list[Any]]]:
    """Yield for each metric, for each measure the scores of all EVALs; None where there is none."""
    for unit, column in zip(units, system.columns.values(), strict=True):
        yield [_spread(_whole(values, unit), system, place_of) for values in column.values]


def _whole(values: NDArray[np.float64], unit: int) -> list[Any]:
    """Return scores as whole numbers of a unit, or as they are."""
    whole = values if unit == 1 else np.rint(values * unit).astype(np.int64)
    return list(whole.tolist())


def _spread(values: list[Any], system: SystemTable, place_of: Mapping[str, int]) -> list[Any]:
    """Return the values of a system in the order of all EVALs."""
    if len(values) == len(place_of):
        return values
    found = dict(zip(system.eval_ids, values, strict=True))
    return [found.get(eval_id) for eval_id in place_of]


def _counts(system: SystemTable, place_of: Mapping[str, int]) -> Iterator[list[list[Any]] | None]:
    """Yield for each metric hits, model counts and peer counts; None if it does not count."""
    for column in system.columns.values():
        if column.counts is None:
            yield None
            continue
        counts = column.counts
        arrays = (counts.hit, counts.model_count, counts.peer_count)
        yield [_spread(_finite(values), system, place_of) for values in arrays]


def _finite(values: NDArray[Any]) -> list[Any]:
    """Return counts as JSON can hold them."""
    if values.dtype.kind == "i":
        return list(values.tolist())
    return [one if abs(one) < float("inf") else None for one in values.tolist()]


def _texts(found: EvalTexts, systems: Sequence[str], table: ScoreTable) -> dict[str, Any]:
    """Return the texts of an EVAL, the marks by place of system, model and metric."""
    place_of = {metric.name: place for place, metric in enumerate(table.metrics)}
    return {
        "m": [_text(one) for one in found.models],
        "n": [escape_unprintable(name) for name in found.names],
        "p": [_text(found.peers[one]) if one in found.peers else None for one in systems],
        "k": [
            [
                {
                    str(place_of[one.metric]): [
                        one.peer, one.model, one.hit, one.model_count, one.peer_count,
                        int(one.is_counted), *one.values,
                    ]
                    for one in of_model
                }
                for of_model in found.marks.get(system, ())
            ]
            for system in systems
        ],
    }  # fmt: skip


def _text(text: ShownText) -> list[str]:
    """Return a text with the edges of its words, and what was cut off."""
    read = WORD_EDGE.join(text.pieces)
    is_plain = read.translate(IN_TEXTS).isprintable()
    if not is_plain or read.count(WORD_EDGE) != len(text.pieces) - 1:
        read = WORD_EDGE.join(map(_shown, text.pieces))
    return [read, _shown(text.tail)] if text.tail else [read]


def _shown(piece: str) -> str:
    """Escape what does not print, but for what texts need."""
    if piece.isprintable():
        return piece
    return "".join(
        one if one in KEPT else " " if one.isspace() else escape_unprintable(one) for one in piece
    )
