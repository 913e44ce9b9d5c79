"""Which texts belong together, as a table in plain text: a row for each text."""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain

from rouge_cli.reports.visible import visible
from rouge_cli.scoring.text_pairing import PairedEval, PairedText, Pairing

__all__ = ["pairing_report"]

ABSENT = "no peer"
GAP = "  "

Row = tuple[str, str, str, str, str]


def pairing_report(pairing: Pairing) -> Iterator[str]:
    """Yield the table, the texts without words, and the totals, line by line.

    Names are printed whole, so a line may be long; control characters are shown escaped.

    Parameters
    ----------
    pairing : Pairing
    """
    unit = "elements" if pairing.as_elements else "sentences"
    rows: list[Row] = [("EVAL", "text", unit, "words", "file")]
    for one in pairing.evals:
        rows += _rows(one, pairing.systems)
    widths = [max(map(_width, column)) for column in list(zip(*rows, strict=True))[:-1]]
    for row in rows:
        yield _line(row, widths)
    yield "\n"
    yield from _empty_texts(pairing)
    yield _totals(pairing, unit)


def _rows(one: PairedEval, systems: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of an EVAL: its peers, then its models."""
    eval_id = visible(one.id)
    for system, peer in zip(systems, one.peers, strict=True):
        yield _row(eval_id, f"peer {visible(system)}", peer)
    for number, model in enumerate(one.models, 1):
        yield _row(eval_id, f"model {number}", model)


def _row(eval_id: str, name: str, text: PairedText | None) -> Row:
    """Return the row of a text."""
    if text is None:
        return eval_id, name, "-", "-", ABSENT
    return eval_id, name, str(text.n_sentences), str(text.n_words), visible(text.place)


def _line(row: Row, widths: Sequence[int]) -> str:
    """Align names to the left and numbers to the right."""
    pads = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=False)]
    eval_id, name, n_sentences, n_words, place = row
    cells = (eval_id + pads[0], name + pads[1], pads[2] + n_sentences, pads[3] + n_words, place)
    return GAP.join(cells) + "\n"


def _empty_texts(pairing: Pairing) -> Iterator[str]:
    """Yield a line for each text without a word."""
    for one in pairing.evals:
        for text in chain(one.peers, one.models):
            if text is not None and not text.n_words:
                yield f"No words: EVAL {visible(one.id)}: {visible(text.place)}\n"


def _totals(pairing: Pairing, unit: str) -> str:
    """Return the line that adds everything up."""
    peers, models = list(pairing.peers), list(pairing.models)
    n_models = {len(one.models) for one in pairing.evals}
    each = _count(max(n_models), "models")
    if len(n_models) > 1:
        each = f"{min(n_models)} to {each}"
    counts = (
        _count(len(pairing.evals), "EVALs"),
        _count(len(pairing.systems), "systems"),
        f"{each} each",
        _count(len(peers), "peers"),
    )
    return f"{', '.join(counts)}; peers: {_size(peers, unit)}; models: {_size(models, unit)}\n"


def _size(texts: Sequence[PairedText], unit: str) -> str:
    """Return how much is in some texts."""
    n_sentences = sum(text.n_sentences for text in texts)
    n_words = sum(text.n_words for text in texts)
    return f"{_count(n_sentences, unit)}, {_count(n_words, 'words')}"


def _count(number: int, plural: str) -> str:
    """Return a number and what it counts."""
    return f"{number} {plural if number != 1 else plural[:-1]}"


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))
