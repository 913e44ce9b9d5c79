"""What a person sees in the first lines of a line file: other formats, and where files part.

A shape is a row: a test of the first lines, and what to say. Lines of fairseq-generate are read.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from rouge_cli.errors import InputError
from rouge_cli.inputs.checks import AS_IS
from rouge_cli.inputs.records.rows import IDS, MODELS, PREDICTIONS, SYSTEMS

MOST_LINES = 100
"""Lines examined in each file."""

NEARLY_ALL = 0.9
FEWEST_ROWS, MOST_COLUMNS = 3, 40
_KNOWN_FIELDS = frozenset({*PREDICTIONS, *MODELS, *IDS, *SYSTEMS, "article", "document", "source"})
_FAIRSEQ_LINE = re.compile(rb"[STHDP]-[0-9]{1,12}\t")
_NUMBERED = re.compile(rb'"?([0-9]{1,12})"?[,;\t]')


def _are_nearly_all(lines: Sequence[bytes], test: Callable[[bytes], bool]) -> bool:
    return bool(lines) and sum(map(test, lines)) >= NEARLY_ALL * len(lines)


def _parsed(read: Callable[[str], Any], line: bytes) -> Any:
    try:
        return read(line.decode().strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _is_object(line: bytes) -> bool:
    if line.lstrip()[:1] != b"{":
        return False
    import json  # here and below: few files are of these shapes

    return isinstance(_parsed(json.loads, line), dict)


def _is_list(line: bytes) -> bool:
    # Python's parser is slow, and takes other things for lists of one item.
    starts, ends = (b"['", b'["', b"[['", b'[["'), (b"']", b'"]', b"']]", b'"]]')
    if not (line.lstrip().startswith(starts) and line.rstrip().endswith(ends)):
        return False
    import ast

    return isinstance(_parsed(ast.literal_eval, line), list)


def _are_rows(lines: Sequence[bytes]) -> bool:
    numbers = [int(match[1]) if (match := _NUMBERED.match(line)) else -1 for line in lines]
    if len(lines) >= FEWEST_ROWS and numbers == list(range(numbers[0], numbers[0] + len(lines))):
        return numbers[0] >= 0
    text = [line.decode("utf-8", "replace") for line in lines]
    # Most texts are longer than column names.
    if not text or len(re.findall(r"\w+", text[0])) > MOST_COLUMNS:
        return False
    import csv

    for mark in (",", ";", "\t"):
        try:
            header, *rows = csv.reader(text, delimiter=mark)
        except (csv.Error, ValueError):
            continue
        names = {name.strip().lower() for name in header}
        if len(header) > 1 and rows and names & _KNOWN_FIELDS:
            is_header = all(name and len(name.split()) == 1 for name in names)
            n_alike = sum(len(row) == len(header) for row in rows)
            return is_header and n_alike >= NEARLY_ALL * len(rows)
    return False


class Shape(NamedTuple):
    """Lines that are not texts: a test of the first of them, and advice."""

    has: Callable[[Sequence[bytes]], bool]
    what: str


SHAPES = (
    Shape(
        lambda lines: _are_nearly_all(lines, _is_object),
        "each line is a JSON object, not a text; score the file as records, rouge-cli {name}, or, "
        "if the references are in another file, with --references-from FILE",
    ),
    Shape(
        lambda lines: _are_nearly_all(lines, _is_list),
        "each line is a list as Python or JSON writes it, not a text; join the words of each with "
        "blanks, or its sentences with a mark for --sentence-separator",
    ),
    Shape(
        _are_rows,
        "each line is a row of a table, not a text; score the file as records, "
        "rouge-cli --records-format csv {name}, with a header that names the columns",
    ),
)
"""Shapes that line files are refused for."""


def first_lines(head: bytes) -> list[bytes]:
    """Return the first nonblank lines of a file, without a truncated one."""
    lines = head.split(b"\n")
    if len(lines) > 1:
        lines.pop()
    return [line for line in lines[:MOST_LINES] if line.strip()]


def returns_warnings(name: str, head: bytes) -> list[str]:
    """Return a warning about a file whose lines seem to end in carriage returns alone."""
    is_mac = head.count(b"\r") > 1 and b"\r\n" not in head and b"\n" not in head.rstrip(b"\n")
    if not is_mac:
        return []
    return [
        f"{name}: carriage returns and no newline, as on old Macs: all of it is one text; if each "
        "ends a line, convert it with: tr '\\r' '\\n' < FILE > NEW"
    ]


def refuse_shape(name: str, head: bytes) -> None:
    """Raise InputError if the first lines are no texts."""
    lines = first_lines(head)
    for shape in SHAPES:
        if shape.has(lines):
            raise InputError(f"{name}: {shape.what.format(name=name)}{AS_IS}")


def is_fairseq(head: bytes) -> bool:
    """Return whether lines are those of fairseq-generate."""
    return _are_nearly_all(first_lines(head), lambda line: _FAIRSEQ_LINE.match(line) is not None)


def fairseq_texts(name: str, lines: Iterable[bytes], letters: str) -> tuple[str, list[bytes]]:
    """Return the texts of fairseq-generate in the order of their numbers, and their letter.

    `letters` are those of the lines that are wanted, the first that is there before others. Of
    several for a number, the first is the best. Raises InputError if a number is missing.
    """
    by_letter: dict[str, dict[int, bytes]] = {}
    for line in lines:
        if _FAIRSEQ_LINE.match(line):
            key, *_, text = line.rstrip(b"\r").split(b"\t", 2 if line[:1] in b"HD" else 1)
            letter, number = key.decode().split("-")
            by_letter.setdefault(letter, {}).setdefault(int(number), text)
    letter = next((letter for letter in letters if letter in by_letter), "")
    texts = by_letter.get(letter, {})
    missing = next((n for n in range(len(texts)) if n not in texts), None)
    if missing is not None or not texts:
        what = f"no {letter}-{missing}" if texts else f"none begins with {letters[0]}-"
        raise InputError(
            f"{name}: lines of fairseq-generate, of which {what}; expected each number from 0 on"
        )
    return letter, [texts[number] for number in range(len(texts))]


def length_hints(
    names: Sequence[str], heads: Sequence[Sequence[bytes]], ends: Sequence[bytes]
) -> list[str]:
    """Return hints about line files of different lengths.

    `heads` are the first lines of each, `ends` the last line of each.
    """
    hints = [
        f"the last line of {name} is empty"
        for name, end in zip(names, ends, strict=True)
        if not end.strip()
    ]
    hints += [
        f"{name} holds carriage returns within lines"
        for name, head in zip(names, heads, strict=True)
        if any(b"\r" in line.rstrip(b"\r") for line in head)
    ]
    longest = max(range(len(names)), key=lambda n: len(heads[n]))
    shortest = min(range(len(names)), key=lambda n: len(heads[n]))
    line = _parting(heads[longest], heads[shortest])
    if line is not None and not hints:
        hints.append(
            f"line {line} of {names[longest]} fits line {line - 1} of {names[shortest]}, so a text "
            "may have a newline within: write a blank or <q> for it, and --sentence-separator '<q>'"
        )
    return hints


def _parting(long: Sequence[bytes], short: Sequence[bytes]) -> int | None:
    """Return the first line, from 1, that has more words of the line before than of its own."""
    words = [[set(line.lower().split()) for line in lines] for lines in (long, short)]
    for number, (here, before) in enumerate(zip(words[0][1:], words[1], strict=False), 2):
        beside = words[1][number - 1] if number <= len(words[1]) else set()
        if len(here & before) > len(here & beside):
            return number
    return None
