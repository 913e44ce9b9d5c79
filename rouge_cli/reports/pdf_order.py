"""Puts the objects of a PDF in the order in which they are reached, so that it is reproducible.

What draws figures numbers fonts and sorts resources by hashes that differ from run to run.
"""

import re
from itertools import pairwise

__all__ = ["in_fixed_order"]

TABLE = re.compile(rb"xref\n0 (\d+)\n((?:\d{10} \d{5} [fn]\s*\n)+)trailer\n")
REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
RESOURCES = re.compile(rb"(?<=<<\n)(?: +/\w+ \d+ 0 R\n){2,}")
STREAM = b"\nstream\n"

Objects = dict[int, bytes]
"""Number of each object to all between ``obj`` and the next object."""


def in_fixed_order(pdf: bytes) -> bytes:
    """Return a PDF with its objects, and the entries of its resources, in a fixed order.

    A PDF of another make than svg2pdf's, without a plain table of objects, is returned as it is.
    """
    table = TABLE.search(pdf)
    if table is None:
        return pdf
    objects = _objects(pdf[: table.start()], table[2])
    trailer = pdf[table.end() :].split(b"startxref")[0]
    order = _reached(objects, trailer)
    new_number = {old: new for new, old in enumerate(order, 1)}

    def renumbered(head: bytes) -> bytes:
        return REFERENCE.sub(lambda one: b"%d 0 R" % new_number[int(one[1])], head)

    start = min(int(line[:10]) for line in table[2].splitlines() if line[17:18] == b"n")
    written, offsets = [pdf[:start]], []
    position = start
    for old in order:
        head, separator, stream = objects[old].partition(STREAM)
        body = b"%d 0 obj" % new_number[old] + renumbered(head) + separator + stream
        offsets.append(position)
        position += len(body)
        written.append(body)
    lines = [b"0000000000 65535 f\r\n", *(b"%010d 00000 n\r\n" % one for one in offsets)]
    trailer = re.sub(rb"/Size \d+", b"/Size %d" % len(lines), renumbered(trailer))
    ending = b"startxref\n%d\n%%%%EOF" % position
    return b"".join([*written, b"xref\n0 %d\n" % len(lines), *lines, b"trailer\n", trailer, ending])


def _objects(content: bytes, table: bytes) -> Objects:
    """Cut the objects apart, where the table says that they begin."""
    starts = {
        int(line[:10]): number
        for number, line in enumerate(table.splitlines())
        if line[17:18] == b"n"
    }
    edges = [*sorted(starts), len(content)]
    found = {}
    for start, end in pairwise(edges):
        head, separator, stream = content[start:end].partition(STREAM)
        head = RESOURCES.sub(_sorted_lines, head.partition(b" obj")[2])
        found[starts[start]] = head + separator + stream
    return found


def _sorted_lines(found: re.Match[bytes]) -> bytes:
    """Sort the entries of a dictionary of resources."""
    return b"".join(sorted(found[0].splitlines(keepends=True)))


def _reached(objects: Objects, trailer: bytes) -> list[int]:
    """Return the objects in the order in which references lead to them; all others are lost."""
    order: dict[int, None] = {}
    waiting = _references(trailer)
    while waiting:
        number = waiting.pop(0)
        if number not in order:
            order[number] = None
            waiting = _references(objects[number].partition(STREAM)[0]) + waiting
    return list(order)


def _references(head: bytes) -> list[int]:
    """Return the objects that a dictionary refers to."""
    return [int(number) for number in REFERENCE.findall(head)]
