"""Draws figures with vl-convert, which needs neither a browser nor a network.

The same figure is the same bytes each time, PDF included.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

from rouge_cli.errors import RougeError, missing_package
from rouge_cli.reports.charts import CONFIG
from rouge_cli.reports.document import Figure, Spec

VEGA_LITE = "5.20"
"""The version of the language; vl-convert has several."""

PLOT_FORMATS = (".svg", ".png", ".pdf")
MOST_IN_ROW = 3
SHARP = 3.0
"""Pixels of a PNG for each of the screen's: print needs about 300 an inch."""

SVG = "http://www.w3.org/2000/svg"
INVISIBLE = ("role", "class", "pointer-events", "stroke-miterlimit", "version")
NUMBER = re.compile(r"-?(?<!\d)\d+\.\d{3,}(?:e-?\d+)?")


def can_draw() -> bool:
    """Say whether vl-convert is installed."""
    try:
        _vl_convert()
    except RougeError:
        return False
    return True


def check_drawing() -> None:
    """Refuse to draw without vl-convert; raises RougeError that says how to install it."""
    _vl_convert()


def _vl_convert() -> Any:
    """Import vl-convert."""
    try:
        import vl_convert
    except ImportError as error:
        remedy = "python -m pip install 'rouge-cli[report]'"
        raise RougeError(missing_package(error, "figures need vl-convert-python", remedy)) from None
    return vl_convert


def draw_panel(panel: Spec) -> str:
    """Return a panel as an SVG element for a page: small, without a ground, without a script.

    Raises RougeError if vl-convert is not installed.
    """
    svg = _vl_convert().vegalite_to_svg({**panel, "config": CONFIG}, vl_version=VEGA_LITE)
    return _compact(svg)


def draw_file(figure: Figure, suffix: str) -> bytes:
    """Return a figure as a file, panels side by side; `suffix` is one of `PLOT_FORMATS`.

    Raises RougeError if vl-convert is not installed.
    """
    library = _vl_convert()
    spec = _whole(figure)
    if suffix == ".png":
        return bytes(library.vegalite_to_png(spec, vl_version=VEGA_LITE, scale=SHARP))
    if suffix == ".pdf":
        return in_fixed_order(bytes(library.vegalite_to_pdf(spec, vl_version=VEGA_LITE)))
    return str(library.vegalite_to_svg(spec, vl_version=VEGA_LITE)).encode()


def _whole(figure: Figure) -> dict[str, Any]:
    """Return all panels of a figure as one specification, on white."""
    panels = [
        {key: value for key, value in panel.items() if key != "autosize"} for panel in figure.panels
    ]
    columns = min(MOST_IN_ROW, len(panels))
    return {
        "concat": panels,
        "columns": columns,
        "spacing": 28,
        "padding": 12,
        "config": {**CONFIG, "background": "white"},
    }


def _compact(svg: str) -> str:
    """Leave out of an SVG what does not show."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(svg)
    _prune(root)
    width, height = root.attrib.pop("width"), root.attrib.pop("height")
    root.attrib.update({"width": width, "height": height})
    return ElementTree.tostring(root, "unicode")


def _prune(element: ElementTree.Element) -> None:
    """Drop invisible parts below an element, and attributes that say nothing."""
    kept: list[ElementTree.Element] = []
    for child in element:
        _prune(child)
        if not _is_invisible(child):
            kept += _unwrapped(child)
    element[:] = kept
    element.attrib = _plain(element.attrib)


def _is_invisible(element: ElementTree.Element) -> bool:
    """Say whether an element draws nothing."""
    if element.get("display") == "none" or element.get("d") in {"", "M0,0h0v0h0Z"}:
        return True
    if element.get("opacity") == "0":
        return True
    is_group = element.tag == f"{{{SVG}}}g"
    return is_group and len(element) == 0


def _unwrapped(element: ElementTree.Element) -> Sequence[ElementTree.Element]:
    """Return what is in a group that says nothing itself, or the element."""
    return list(element) if element.tag == f"{{{SVG}}}g" and not element.attrib else [element]


def _plain(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes that show, with two decimals."""
    return {
        name: NUMBER.sub(_rounded, value)
        for name, value in attributes.items()
        if name not in INVISIBLE
        and not name.startswith("aria-")
        and (name, value) not in {("opacity", "1"), ("transform", "translate(0,0)")}
    }


def _rounded(match: re.Match[str]) -> str:
    """Write a number with two decimals at most."""
    return f"{round(float(match[0]), 2):g}"


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
        return REFERENCE.sub(lambda match: b"%d 0 R" % new_number[int(match[1])], head)

    start = min(int(line[:10]) for line in table[2].splitlines() if line[17:18] == b"n")
    written, offsets = [pdf[:start]], []
    position = start
    for old in order:
        head, separator, stream = objects[old].partition(STREAM)
        body = b"%d 0 obj" % new_number[old] + renumbered(head) + separator + stream
        offsets.append(position)
        position += len(body)
        written.append(body)
    lines = [b"0000000000 65535 f\r\n", *(b"%010d 00000 n\r\n" % offset for offset in offsets)]
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
    objects = {}
    for start, end in pairwise(edges):
        head, separator, stream = content[start:end].partition(STREAM)
        head = RESOURCES.sub(_sorted_lines, head.partition(b" obj")[2])
        objects[starts[start]] = head + separator + stream
    return objects


def _sorted_lines(match: re.Match[bytes]) -> bytes:
    """Sort the entries of a dictionary of resources."""
    return b"".join(sorted(match[0].splitlines(keepends=True)))


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
