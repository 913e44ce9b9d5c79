"""Draws figures with vl-convert, which needs neither a browser nor a network.

A figure has the same bytes each time, in PDF too.
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
from math import ceil
from typing import Any
from xml.etree import ElementTree

from rouge_cli.errors import OptionError, RougeError
from rouge_cli.escapes import escaped
from rouge_cli.options.figures import DEFAULT_LAYOUT, POINTS_OF, SCREEN_FONT_SIZE, FigureLayout
from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.charts import CONFIG, PANEL_WIDTH, shortened, wrapped
from rouge_cli.reports.document import Figure, Spec

VEGA_LITE = "5.20"
"""Version of the language; vl-convert supports several."""

SECONDS_TO_DRAW = 60
"""Timeout for each drawing; a drawing usually takes a second."""

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
"""The program that the drawing process runs."""

PLOT_FORMATS = (".svg", ".png", ".pdf")
SHARP = 300 / 72
"""Pixels of a PNG per point: print needs about 300 per inch."""
GAP, MARGIN = 20.0, 8.0
"""Points between panels, and around all of them."""
SMALLEST_SHARE = 0.85
"""Share of its usual width below which a panel moves to the next row."""
SMALLEST_WIDTH = 180.0
"""Minimum width of a readable panel, in screen pixels."""
WIDTH_OF_LETTER = {"text": 7.5, "subtitle": 6.0}
ROOM_OF_NAMES = 80.0
MOST_LETTERS = 240
"""Titles that are longer, because of system names, lose their middle."""

LENGTHS = frozenset(
    {
        *("fontSize", "labelFontSize", "titleFontSize", "subtitleFontSize", "labelOffset"),
        *("labelLimit", "labelPadding", "titlePadding", "subtitlePadding", "offset", "padding"),
        *("strokeWidth", "strokeDash", "tickSize", "spacing", "dx", "dy", "limit", "step"),
        *("width", "height", "symbolStrokeWidth", "rowPadding"),
    }
)
AREAS = frozenset({"size", "symbolSize"})
"""Properties of a specification that `_in_points` scales: lengths linearly, areas by the square."""

MOST_IN_ROW = 3

Job = tuple[str, Any, Mapping[str, Any]]
"""A function of vl-convert, its input, and its settings."""

SVG = "http://www.w3.org/2000/svg"
INVISIBLE = ("role", "class", "pointer-events", "stroke-miterlimit", "version")
NUMBER = re.compile(r"-?(?<!\d)\d+\.\d{3,}(?:e-?\d+)?")


def can_draw() -> bool:
    """Report whether vl-convert is installed, without loading it."""
    return find_spec("vl_convert") is not None


def check_drawing() -> None:
    """Refuse to draw without vl-convert; raises RougeError with the command that installs it."""
    if not can_draw():
        raise RougeError(
            "figures need vl-convert-python, which is not installed: "
            "python -m pip install 'rouge-cli[report]'"
        )


def draw_panels(panels: Sequence[Spec]) -> list[str]:
    """Return panels as compact SVG elements for a page, without background and scripts.

    Raises RougeError as `_drawn` does.
    """
    settings = {"vl_version": VEGA_LITE}
    jobs: list[Job] = [
        ("vegalite_to_svg", {**_with_lines(panel, _usual_width(panel)), "config": CONFIG}, settings)
        for panel in panels
    ]
    ElementTree.register_namespace("", SVG)
    drawings = []
    for content in _drawn(jobs):
        root = ElementTree.fromstring(content)
        _prune(root)
        # Put the size last, as attributes keep their order.
        size = {name: root.attrib.pop(name) for name in ("width", "height")}
        root.attrib.update(size)
        drawings.append(ElementTree.tostring(root, "unicode"))
    return drawings


def draw_files(
    figures: Sequence[tuple[Figure, str]], layout: FigureLayout = DEFAULT_LAYOUT
) -> list[bytes]:
    """Return figures as files; the suffix of each is one of `PLOT_FORMATS`.

    `layout` sets their width and the size of their letters. Raises OptionError if panels would be
    too narrow, RougeError as `_drawn` does.
    """
    cells = [_cells(figure, layout) for figure, _ in figures]
    panels = iter(_fitted([cell for of_figure in cells for cell in of_figure]))
    contents: list[bytes] = []
    jobs: dict[int, Job] = {}
    for (_, suffix), of_figure in zip(figures, cells, strict=True):
        svg = _whole([next(panels) for _ in of_figure], of_figure[0].n_columns, layout, suffix)
        if suffix != ".svg":
            sharpness = {"scale": SHARP} if suffix == ".png" else {}
            jobs[len(contents)] = (f"svg_to_{suffix[1:]}", svg, sharpness)
        contents.append(svg.encode())
    for (k, job), content in zip(jobs.items(), _drawn(list(jobs.values())), strict=True):
        contents[k] = in_fixed_order(content) if job[0] == "svg_to_pdf" else content
    return contents


@dataclass(frozen=True, slots=True)
class _Cell:
    """A panel in points, its total width, and the number of columns of its figure."""

    panel: Spec
    config: Spec
    width: float
    n_columns: int


def _cells(figure: Figure, layout: FigureLayout) -> list[_Cell]:
    scale, n_panels = layout.scale, len(figure.panels)
    width = scale * max(map(_usual_width, figure.panels))
    n_columns = min(layout.columns or MOST_IN_ROW, n_panels)
    if layout.points is not None:
        inner, least = layout.points - 2 * MARGIN + GAP, SMALLEST_WIDTH * scale + GAP
        n_fitting = max(1, int(inner / (width * SMALLEST_SHARE + GAP)))
        n_columns = min(layout.columns or n_fitting, n_panels)
        if inner < least * n_columns:
            needed = (n_columns * least - GAP + 2 * MARGIN) / POINTS_OF["mm"]
            panels = "a panel" if n_columns == 1 else f"{n_columns} panels side by side"
            raise OptionError(
                f"--width: {panels} with letters of {scale * SCREEN_FONT_SIZE:g} points need "
                f"{ceil(needed)}mm; give a larger --width, a smaller --font-size, or fewer "
                "--columns"
            )
        width = inner / n_columns - GAP
    config = _in_points(CONFIG, scale)
    return [
        _Cell(_in_points(_with_lines(panel, width / scale), scale), config, width, n_columns)
        for panel in figure.panels
    ]


def _is_measured(panel: Spec) -> bool:
    """Tell panels whose width is that of the axes alone: labels add to it when drawn."""
    return "facet" in panel or panel.get("autosize") == "pad"


def _usual_width(panel: Spec) -> float:
    width: float = PANEL_WIDTH if _is_measured(panel) else panel.get("width", PANEL_WIDTH)
    return width


def _with_lines(panel: Spec, width: float) -> dict[str, Any]:
    title = {
        key: wrapped(shortened(text, MOST_LETTERS), max(12, int(width / WIDTH_OF_LETTER[key])))
        for key, text in panel["title"].items()
    }
    letters = max(12, int((width - ROOM_OF_NAMES) / WIDTH_OF_LETTER["subtitle"]))
    return {**_with_lines_of_axes(panel, letters), "title": title}


def _with_lines_of_axes(value: Any, letters: int) -> Any:
    if isinstance(value, list):
        return [_with_lines_of_axes(part, letters) for part in value]
    if not isinstance(value, Mapping):
        return value
    return {
        name: wrapped(shortened(part, MOST_LETTERS), letters)
        if name == "title" and isinstance(part, str)
        else part
        if name == "data"
        else _with_lines_of_axes(part, letters)
        for name, part in value.items()
    }


def _in_points(value: Any, scale: float, power: int = 0) -> Any:
    """Multiply the lengths of a specification by `scale`, and its areas by the square of it."""
    if isinstance(value, Mapping):
        powers = {name: power or (name in LENGTHS) + 2 * (name in AREAS) for name in value}
        return {
            name: part if name == "data" else _in_points(part, scale, powers[name])
            for name, part in value.items()
        }
    if isinstance(value, list):
        return [_in_points(part, scale, power) for part in value]
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return round(value * scale**power, 4) if power and is_number else value


def _fitted(cells: Sequence[_Cell]) -> list[ElementTree.Element]:
    """Draw panels to fit their cells; measured ones twice, to find the width of the labels."""
    specs = [
        cell.panel if _is_measured(cell.panel) else {**cell.panel, "width": cell.width}
        for cell in cells
    ]
    drawn = _svgs(specs, cells)
    measured = [k for k, cell in enumerate(cells) if _is_measured(cell.panel)]
    for k in measured:
        panel, missing = specs[k], cells[k].width - float(drawn[k].attrib["width"])
        axes = panel.get("spec", panel)
        width = max(axes["width"] + missing, 1)
        # A heat map stays square.
        if "spec" in panel:
            specs[k] = {**panel, "spec": {**axes, "width": width}}
        else:
            specs[k] = {**panel, "width": width, "height": width}
    redrawn = _svgs([specs[k] for k in measured], [cells[k] for k in measured])
    for k, svg in zip(measured, redrawn, strict=True):
        drawn[k] = svg
    return drawn


def _svgs(specs: Sequence[Spec], cells: Sequence[_Cell]) -> list[ElementTree.Element]:
    settings = {"vl_version": VEGA_LITE}
    jobs: list[Job] = [
        ("vegalite_to_svg", {**spec, "config": cell.config}, settings)
        for spec, cell in zip(specs, cells, strict=True)
    ]
    return [ElementTree.fromstring(content) for content in _drawn(jobs)]


def _whole(
    panels: Sequence[ElementTree.Element], n_columns: int, layout: FigureLayout, suffix: str
) -> str:
    """Arrange panels in rows on a white background; all lengths are points."""
    ElementTree.register_namespace("", SVG)
    root = ElementTree.Element(f"{{{SVG}}}svg")
    ground = ElementTree.SubElement(root, f"{{{SVG}}}rect", {"fill": "white"})
    widest = max(float(panel.attrib["width"]) for panel in panels)
    top = MARGIN
    for k in range(0, len(panels), n_columns):
        row = panels[k : k + n_columns]
        for column, panel in enumerate(row):
            corner = f"translate({MARGIN + column * (widest + GAP):g},{top:g})"
            group = ElementTree.SubElement(root, f"{{{SVG}}}g", {"transform": corner})
            group.extend(panel)
        top += max(float(panel.attrib["height"]) for panel in row) + GAP
    width = layout.points or 2 * MARGIN + n_columns * (widest + GAP) - GAP
    height = top - GAP + MARGIN
    ground.attrib.update({"width": f"{width:g}", "height": f"{height:g}"})
    # The converters to PNG and PDF take millimetres for those of a screen.
    has_unit = layout.points is not None and suffix == ".svg"
    unit, points = ("mm", POINTS_OF["mm"]) if has_unit else ("", 1.0)
    root.attrib.update(
        {
            "width": f"{width / points:g}{unit}",
            "height": f"{height / points:g}{unit}",
            "viewBox": f"0 0 {width:g} {height:g}",
        }
    )
    return ElementTree.tostring(root, "unicode")


def _drawn(jobs: Sequence[Job]) -> list[bytes]:
    """Run vl-convert on specifications, in another process.

    Why not in this one? The engine is large and compiled: short of memory or descriptors, it ends
    its process, or raises something other than an Exception.

    Raises RougeError if vl-convert is not installed or fails.
    """
    if not jobs:
        return []
    check_drawing()
    if not sys.executable:
        raise _not_drawn("Python does not know its own program, which draws in another process")
    sent = json.dumps({"path": sys.path, "jobs": jobs}).encode()
    # -P: no json.py from the working folder. -E: no variables that the caller of install-shim's
    # script has set for its own Python.
    flags = ["-P", "-E"] if sys.flags.ignore_environment else ["-P"]
    command = [sys.executable, *flags, "-c", ENGINE]
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
    return RougeError(
        f"figures cannot be drawn: {reason}; leave --plot out, and give --report html --no-figures"
    )


def _end_of(ended: subprocess.CompletedProcess[bytes]) -> str:
    if ended.returncode < 0:
        name = signal.Signals(-ended.returncode).name
        return f"the process that draws was ended by {name}, perhaps for want of memory"
    lines = [line for line in ended.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    return escaped(lines[-1].strip()) if lines else f"exit code {ended.returncode}"


def _prune(element: ElementTree.Element) -> None:
    """Remove invisible elements, groups without attributes, and excess digits."""
    kept: list[ElementTree.Element] = []
    for child in element:
        _prune(child)
        is_group = child.tag == f"{{{SVG}}}g"
        is_hidden = child.get("display") == "none" or child.get("opacity") == "0"
        is_empty = child.get("d") in {"", "M0,0h0v0h0Z"} or (is_group and len(child) == 0)
        if not (is_hidden or is_empty):
            kept += child if is_group and not child.attrib else [child]
    element[:] = kept
    element.attrib = {
        name: NUMBER.sub(lambda match: f"{round(float(match[0]), 2):g}", value)
        for name, value in element.attrib.items()
        if name not in INVISIBLE
        and not name.startswith("aria-")
        and (name, value) not in {("opacity", "1"), ("transform", "translate(0,0)")}
    }


TABLE = re.compile(rb"xref\n0 (\d+)\n((?:\d{10} \d{5} [fn]\s*\n)+)trailer\n")
REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
RESOURCES = re.compile(rb"(?<=<<\n)(?: +/\w+ \d+ 0 R\n){2,}")
STREAM = b"\nstream\n"

Objects = dict[int, bytes]
"""Object number to everything between ``obj`` and the next object."""


def in_fixed_order(pdf: bytes) -> bytes:
    """Return a PDF with its objects and resource entries in a fixed order.

    A PDF without a plain table of objects, which svg2pdf would not write, is returned unchanged.
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
    starts = {
        int(line[:10]): number
        for number, line in enumerate(table.splitlines())
        if line[17:18] == b"n"
    }
    edges = [*sorted(starts), len(content)]
    objects = {}
    for start, end in pairwise(edges):
        head, separator, stream = content[start:end].partition(STREAM)
        head = RESOURCES.sub(
            lambda match: b"".join(sorted(match[0].splitlines(keepends=True))),
            head.partition(b" obj")[2],
        )
        objects[starts[start]] = head + separator + stream
    return objects


def _reached(objects: Objects, trailer: bytes) -> list[int]:
    """Return the numbers of reachable objects in depth-first order of reference."""
    order: dict[int, None] = {}
    waiting = REFERENCE.findall(trailer)
    while waiting:
        number = int(waiting.pop(0))
        if number not in order:
            order[number] = None
            waiting = REFERENCE.findall(objects[number].partition(STREAM)[0]) + waiting
    return list(order)
