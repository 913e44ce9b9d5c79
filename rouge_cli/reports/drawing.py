"""Draws figures with vl-convert, which needs neither a browser nor a network.

The same figure is the same bytes each time, PDF included.
"""

import base64
import json
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

from rouge_cli.errors import RougeError
from rouge_cli.escapes import escaped
from rouge_cli.reports.charts import CONFIG
from rouge_cli.reports.document import Figure, Spec

VEGA_LITE = "5.20"
"""The version of the language; vl-convert has several."""

SECONDS_TO_DRAW = 60
"""For each drawing, at most: one takes a second."""

ENGINE = """
import base64, json, sys
sent = json.load(sys.stdin.buffer)
sys.path[:] = sent["path"]
import vl_convert
drawn = []
for name, spec, settings in sent["jobs"]:
    made = getattr(vl_convert, name)(spec, **settings)
    made = made.encode() if isinstance(made, str) else bytes(made)
    drawn.append(base64.b64encode(made).decode())
sys.stdout.write(json.dumps(drawn))
"""
"""The program of the process that draws."""

PLOT_FORMATS = (".svg", ".png", ".pdf")
MOST_IN_ROW = 3
SHARP = 3.0
"""Pixels of a PNG for each of the screen's: print needs about 300 an inch."""

SVG = "http://www.w3.org/2000/svg"
INVISIBLE = ("role", "class", "pointer-events", "stroke-miterlimit", "version")
NUMBER = re.compile(r"-?(?<!\d)\d+\.\d{3,}(?:e-?\d+)?")


def can_draw() -> bool:
    """Say whether vl-convert is installed; it is loaded in another process."""
    return find_spec("vl_convert") is not None


def check_drawing() -> None:
    """Refuse to draw without vl-convert; raises RougeError that says how to install it."""
    if not can_draw():
        raise RougeError(
            "figures need vl-convert-python, which is not installed: "
            "python -m pip install 'rouge-cli[report]'"
        )


def draw_panels(panels: Sequence[Spec]) -> list[str]:
    """Return panels as SVG elements for a page: small, without a ground, without a script.

    Raises RougeError as `_drawn` does.
    """
    settings = {"vl_version": VEGA_LITE}
    jobs = [("vegalite_to_svg", {**panel, "config": CONFIG}, settings) for panel in panels]
    return [_compact(content.decode()) for content in _drawn(jobs)]


def draw_files(figures: Sequence[tuple[Figure, str]]) -> list[bytes]:
    """Return figures as files, panels side by side; the suffix of each is one of `PLOT_FORMATS`.

    Raises RougeError as `_drawn` does.
    """
    jobs = []
    for figure, suffix in figures:
        sharpness = {"scale": SHARP} if suffix == ".png" else {}
        settings = {"vl_version": VEGA_LITE, **sharpness}
        jobs.append((f"vegalite_to_{suffix[1:]}", _whole(figure), settings))
    contents = _drawn(jobs)
    return [
        in_fixed_order(content) if suffix == ".pdf" else content
        for content, (_, suffix) in zip(contents, figures, strict=True)
    ]


def _drawn(jobs: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any]]]) -> list[bytes]:
    """Return what functions of vl-convert make of specifications, called in a process of its own.

    Why not here? The engine is large and in other languages: where memory or descriptors are few
    it ends its process, or raises what is no Exception.

    Raises RougeError if vl-convert is not installed, or does not draw.
    """
    if not jobs:
        return []
    check_drawing()
    sent = json.dumps({"path": sys.path, "jobs": jobs}).encode()
    command = [sys.executable or "python", "-c", ENGINE]
    most = SECONDS_TO_DRAW * len(jobs)
    try:
        ended = subprocess.run(command, input=sent, capture_output=True, timeout=most, check=False)
        if ended.returncode:
            raise _not_drawn(_end_of(ended))
        return [base64.b64decode(content) for content in json.loads(ended.stdout)]
    except subprocess.TimeoutExpired:
        raise _not_drawn(f"no result within {most} s") from None
    except OSError as error:
        raise _not_drawn(error.strerror or str(error)) from None
    except ValueError:
        raise _not_drawn("the process that draws was cut short") from None


def _not_drawn(reason: str) -> RougeError:
    """Return the error of figures that are not drawn."""
    return RougeError(
        f"figures cannot be drawn: {reason}; leave --plot out, and give --report html --no-figures"
    )


def _end_of(ended: subprocess.CompletedProcess[bytes]) -> str:
    """Return how a process ended that has not drawn: its last words, or its signal."""
    if ended.returncode < 0:
        name = signal.Signals(-ended.returncode).name
        return f"the process that draws was ended by {name}, perhaps for want of memory"
    lines = [line for line in ended.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    return escaped(lines[-1].strip()) if lines else f"exit code {ended.returncode}"


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
