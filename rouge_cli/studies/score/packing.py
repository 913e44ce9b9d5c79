"""Texts of EVALs, packed for a page: small, and quick to unpack in a browser.

A chunk is the marks of some EVALs in JSON, followed by their texts. Compression makes it short, and
so do two codes: the edges of words are left out where the page can find them; the states of a word
in three metrics are one letter.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rouge_cli.escapes import escape_unprintable
from rouge_cli.explanations.explanation import PairExplanation
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.scores.results import ScoreTable

WORD_EDGE = "\x7f"
"""Precedes and follows each word of a text. In the text itself the character is escaped."""

TEXT_EDGE, TAIL_EDGE = "\0", "\x1f"
"""Precede each text of a chunk, and the part that a limit cut off."""

ASCII_WORD = re.compile(r"([A-Za-z0-9]+)")
"""A word of a text without edges; the page uses the same expression."""

ROOM = 5_300_000
"""Most characters of packed texts in a page."""

CHUNK = 600_000
"""Fewest characters of texts in a chunk, except the last one."""

IN_TEXTS = str.maketrans("", "", f"\n{WORD_EDGE}")
"""Removes the unprintable characters that nearly every text has."""

LEVEL = 6
"""Of compression: 9 makes a page smaller by 2%, and takes four times as long."""
STATES, FIRST_LETTER, METRICS_A_LETTER = 3, ord("0"), 3

KEPT = "\n\u200c\u200d\u200e\u200f"
"""Unprintable characters that scripts and the ends of sentences need."""


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text on a page.

    `pieces` alternate between separators and words; the first and the last are separators. `tail`
    is the part that the limit cut off.
    """

    pieces: tuple[str, ...]
    tail: str = ""


@dataclass(frozen=True, slots=True)
class ShownEval:
    """The texts of an EVAL with their matches.

    `names` are those of the authors of the models; peers are by system. `marks`, by system, has for
    each model the pair in each metric that reads the same words as the page shows. `source` may be
    empty.
    """

    models: tuple[ShownText, ...]
    names: tuple[str, ...]
    peers: Mapping[str, ShownText]
    marks: Mapping[str, tuple[Mapping[str, PairExplanation], ...]]
    source: str = ""


@dataclass(frozen=True, slots=True)
class PackedTexts:
    """The packed texts of a page.

    - `eval_ids`: in the order of packing.
    - `sizes`: the number of EVALs in each chunk.
    - `note`: which EVALs have texts, and why the others do not; empty if all do.
    """

    eval_ids: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    chunks: tuple[str, ...] = ()
    note: str = ""


@dataclass(slots=True)
class _Loose:
    """A chunk before it is packed: EVALs, data on the texts of each, and all texts.

    `n_sources` is the number of characters of sources.
    """

    eval_ids: list[str]
    heads: list[dict[str, Any]]
    texts: list[str]
    n_sources: int = 0


def pack_texts(
    batches: Iterable[Sequence[tuple[str, ShownEval]]], table: ScoreTable, order: Sequence[str]
) -> PackedTexts:
    """Pack texts batch by batch until the page is full; the rest is not read.

    `order` has the systems in the order of the page.
    """
    place_of = {metric.name: place for place, metric in enumerate(table.metrics)}
    eval_ids: list[str] = []
    chunks: list[str] = []
    sizes: list[int] = []
    room = ROOM
    for unpacked in _together(_loose(batch, order, place_of) for batch in batches):
        chunk = packed(TEXT_EDGE.join((as_json(unpacked.heads), *unpacked.texts)))
        # Sources are asked for, whatever their size.
        share = unpacked.n_sources / max(1, sum(map(len, unpacked.texts)))
        room -= int(len(chunk) * (1 - share))
        if room < 0:
            break
        eval_ids += unpacked.eval_ids
        chunks.append(chunk)
        sizes.append(len(unpacked.eval_ids))
    return PackedTexts(tuple(eval_ids), tuple(sizes), tuple(chunks))


def as_json(content: Any) -> str:
    """Return compact JSON for the script of a page."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def packed(plain: str) -> str:
    """Compress a text. Base64 contains nothing that looks like a tag."""
    # Without a header: the script unpacks "deflate-raw".
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL + 1)
    return base64.b64encode(packer.compress(plain.encode()) + packer.flush()).decode()


def _together(batches: Iterable[_Loose]) -> Iterator[_Loose]:
    """Join batches into chunks: larger chunks compress better."""
    chunk, n_characters = _Loose([], [], []), 0
    for batch in batches:
        chunk.eval_ids.extend(batch.eval_ids)
        chunk.heads.extend(batch.heads)
        chunk.texts.extend(batch.texts)
        chunk.n_sources += batch.n_sources
        n_characters += sum(map(len, batch.texts))
        if n_characters >= CHUNK:
            yield chunk
            chunk, n_characters = _Loose([], [], []), 0
    if chunk.eval_ids:
        yield chunk


def _loose(
    batch: Sequence[tuple[str, ShownEval]], systems: Sequence[str], place_of: Mapping[str, int]
) -> _Loose:
    """Return a batch as a chunk. The texts of an EVAL are its models, its peers, and its source."""
    heads, texts, n_sources = [], [], 0
    for _, shown in batch:
        peers = [shown.peers.get(system) for system in systems]
        texts += [_text(text) for text in (*shown.models, *filter(None, peers))]
        if shown.source:
            texts.append(_shown(shown.source))
            n_sources += len(shown.source)
        heads.append(
            {
                "m": len(shown.models),
                "n": [escape_unprintable(name) for name in shown.names],
                "p": [int(peer is not None) for peer in peers],
                "s": int(bool(shown.source)),
                "k": [
                    [
                        _marks(marks, place_of, len(shown.models))
                        for marks in shown.marks.get(name, ())
                    ]
                    for name in systems
                ],
            }
        )
    return _Loose([eval_id for eval_id, _ in batch], heads, texts, n_sources)


def _marks(
    marks: Mapping[str, PairExplanation], place_of: Mapping[str, int], n_models: int
) -> list[Any]:
    """Return the places of the metrics, the states of words on both sides, and the counts.

    A single model has the counts and scores of the EVAL, which are left out.
    """
    pairs = list(marks.values())
    sides = [pair.peer_states for pair in pairs], [pair.model_states for pair in pairs]
    states = [letters for group in zip(*map(_letters, sides), strict=True) for letters in group]
    packed_marks: list[Any] = [[place_of[metric] for metric in marks], states]
    if n_models > 1:
        tallies = [(pair.tally, int(pair.is_counted)) for pair in pairs]
        packed_marks.append(
            [[t.hit, t.model_count, t.peer_count, counted, *t.values] for t, counted in tallies]
        )
    return packed_marks


def _letters(states: Sequence[bytes]) -> Iterator[str]:
    """Yield a letter per word that encodes its states in three metrics at a time."""
    for start in range(0, len(states), METRICS_A_LETTER):
        group = states[start : start + METRICS_A_LETTER]
        numbers = sum(
            np.frombuffer(of_metric, np.uint8) * np.uint8(STATES**place)
            for place, of_metric in enumerate(group)
        )
        yield (numbers + np.uint8(FIRST_LETTER)).tobytes().decode("ascii")


def _text(text: ShownText) -> str:
    """Return a text with the edges of its words, and its tail.

    The edges are left out if the page finds the same words with `ASCII_WORD`.
    """
    whole = "".join(text.pieces)
    if whole.translate(IN_TEXTS).isprintable() and WORD_EDGE not in whole:
        is_split = len(text.pieces) == 1 or ASCII_WORD.split(whole) == list(text.pieces)
        read = whole if is_split else WORD_EDGE.join(text.pieces)
    else:
        read = WORD_EDGE.join(map(_shown, text.pieces))
    return f"{read}{TAIL_EDGE}{_shown(text.tail)}" if text.tail else read


def _shown(piece: str) -> str:
    """Escape unprintable characters, except those of `KEPT`."""
    if piece.isprintable():
        return piece
    return "".join(
        character
        if character in KEPT
        else " "
        if character.isspace()
        else escape_unprintable(character)
        for character in piece
    )
