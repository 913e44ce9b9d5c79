"""Draws figures with vl-convert, which needs neither a browser nor a network.

Figures are laid out in pixels of a screen, with labels of 11, and scaled as a whole for print.
"""

import base64
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import chain
from math import ceil
from typing import Any
from xml.etree import ElementTree

from rouge_cli.errors import OptionError, RougeError
from rouge_cli.escapes import escaped
from rouge_cli.options.reports import POINTS_OF, SCREEN_FONT_SIZE, PageOptions
from rouge_cli.progress import tracked
from rouge_cli.reports.charts import (
    CONFIG,
    MUTED,
    SMALLEST_SHARE,
    shortened,
    with_width,
    without_names,
    wrapped,
)
from rouge_cli.reports.document import Figure, Spec

VEGA_LITE = "5.20"  # version of the language; vl-convert supports several
SECONDS_TO_DRAW = 60  # timeout for each drawing; a drawing usually takes a second

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
"""Source of the program that draws, in a process of its own."""

PLOT_FORMATS = (".svg", ".png", ".pdf")
SHARP = 300 / 72  # pixels of a PNG per point: print needs about 300 per inch
GAP, MARGIN = 18, 8  # pixels between panels, and around all of them
SMALLEST_WIDTH = 100  # minimum width of readable axes with names beside them, in pixels
SINGLE_WIDTH = 240  # width of the axes of the only panel of a figure on a page
WIDTH_OF_LETTER = {"text": 7.5, "subtitle": 6.0}
MOST_LETTERS = 240  # titles that are longer, because of system names, lose their middle
MOST_IN_ROW = 3
PAGE_HEIGHT = 297 * POINTS_OF["mm"]  # the height of A4, in points
LEAST_ROWS, LEAST_FOLDED_ROWS = 0.8, 0.9
"""The least height of rows, as a share of the usual one, that leaves room for (folded) labels."""

Job = tuple[str, Any, Mapping[str, Any]]  # a function of vl-convert, its input, and its settings
SVG = "http://www.w3.org/2000/svg"
ElementTree.register_namespace("", SVG)
Plots = list[list[float]]
"""The areas between axes, in the unit of the drawing: left, top, width and height of each."""

INVISIBLE = ("role", "class", "pointer-events", "stroke-miterlimit", "version")
NUMBER = re.compile(r"-?(?<!\d)\d+\.\d{3,}(?:e-?\d+)?")
TRANSLATE = re.compile(r"translate\(([-\d.e]+),([-\d.e]+)\)")
AREA = re.compile(r"M0,0h([\d.]+)v([\d.]+)h")


def can_draw() -> bool:
    """Report whether vl-convert is installed, without loading it."""
    return find_spec("vl_convert") is not None


def check_drawing() -> None:
    """Refuse to draw without vl-convert; raises RougeError with the command that installs it."""
    if not can_draw():
        raise RougeError(
            "figures need vl-convert-python, which is not installed: "
            "python -m pip install vl-convert-python"
        )


def draw_panels(figures: Sequence[Figure]) -> list[list[tuple[str, Plots]]]:
    """Return the panels of each figure as compact SVG elements, without background and scripts.

    If the panels of a figure share names, a last drawing shows all of them, with the names once.
    Each drawing comes with its plots. Raises RougeError as `_drawn` does.
    """
    specs: list[list[Spec]] = []
    for figure in figures:
        least = SINGLE_WIDTH if len(figure.panels) == 1 else 0
        specs.append([_sized(panel, max(least, _axes_width(panel))) for panel in figure.panels])
        if _is_joined(figure):
            specs[-1].append(_arranged(replace(figure, key="")))
    drawn = iter(_svgs(list(chain.from_iterable(specs)), CONFIG))
    return [[_compact(next(drawn)) for _ in of_figure] for of_figure in specs]


def _compact(root: ElementTree.Element) -> tuple[str, Plots]:
    plots = list(_plots(root))
    _prune(root)
    # Put the size last, as attributes keep their order.
    size = {name: root.attrib.pop(name) for name in ("width", "height")}
    root.attrib.update(size)
    return ElementTree.tostring(root, "unicode"), plots


def _plots(element: ElementTree.Element, x: float = 0, y: float = 0) -> Iterator[list[float]]:
    """Yield the areas between axes; those of headers and titles have no width or height."""
    if moved := TRANSLATE.match(element.get("transform", "")):
        x, y = x + float(moved[1]), y + float(moved[2])
    if element.get("class") == "background" and (area := AREA.match(element.get("d", ""))):
        sides = float(area[1]), float(area[2])
        if min(sides) > 0:
            yield [round(length, 2) for length in (x, y, *sides)]
    for child in element:
        yield from _plots(child, x, y)


def _is_joined(figure: Figure) -> bool:
    return figure.has_common_names and len(figure.panels) > 1


ON_SCREEN = PageOptions()


def draw_files(
    figures: Sequence[tuple[Figure, str]],
    layout: PageOptions = ON_SCREEN,
    warn: Callable[[str], None] = lambda message: None,
) -> list[bytes]:
    """Return figures as files; the suffix of each is one of `PLOT_FORMATS`.

    `layout` has their width and the size of their letters. Figures for print that are taller than
    a page get smaller rows; if that is not enough, `warn` is called. Raises OptionError if panels
    would be too narrow, RougeError as `_drawn` does.
    """
    rooms = _measured([figure for figure, _ in figures]) if layout.points else []
    specs = [
        _fitted(figure, rooms[k], layout) if rooms else _arranged(figure, layout.figure_columns)
        for k, (figure, _) in enumerate(figures)
    ]
    config = {**CONFIG, "background": "white"}
    drawn = _svgs(specs, config)
    if layout.points:
        # Heights are known only after drawing, so figures that are too tall are drawn again.
        excesses = [_height(root) - PAGE_HEIGHT / layout.scale for root in drawn]
        tall = [k for k, excess in enumerate(excesses) if excess > 0]
        lower = _svgs([_with_lower_rows(specs[k], excesses[k]) for k in tall], config)
        for k, root in zip(tall, lower, strict=True):
            drawn[k] = root
            if _height(root) * layout.scale > PAGE_HEIGHT:
                warn(
                    f"the figure {figures[k][0].name} is taller than a page of A4 (297mm); give a "
                    "larger --width, such as 174mm, or a smaller --font-size"
                )
    for (_, suffix), root in zip(figures, drawn, strict=True):
        _scale(root, layout, suffix)
    svgs = [ElementTree.tostring(root, "unicode") for root in drawn]
    jobs: dict[int, Job] = {}
    for k, (_, suffix) in enumerate(figures):
        if suffix != ".svg":
            sharpness = {"scale": SHARP} if suffix == ".png" else {}
            jobs[k] = (f"svg_to_{suffix[1:]}", svgs[k], sharpness)
    converted = dict(zip(jobs, _drawn(list(jobs.values())), strict=True))
    return [converted.get(k, svg.encode()) for k, svg in enumerate(svgs)]


def _height(root: ElementTree.Element) -> float:
    return float(root.attrib["height"])


def _scale(root: ElementTree.Element, layout: PageOptions, suffix: str) -> None:
    """Set the size of a drawing, which is shrunk if labels took more room than measured."""
    width, height = (float(root.attrib[side]) for side in ("width", "height"))
    scale = layout.scale
    if layout.points is not None:
        wide = max(width, layout.points / scale)
        root.set("viewBox", f"0 0 {wide:g} {height:g}")
        root[0].set("width", f"{wide:g}")  # the background
        scale, width = layout.points / wide, wide
    # Millimetres only in SVG: the converters to PNG and PDF assume the resolution of a screen.
    has_unit = layout.points is not None and suffix == ".svg"
    unit, points = ("mm", POINTS_OF["mm"]) if has_unit else ("", 1.0)
    for side, length in (("width", width), ("height", height)):
        root.set(side, f"{length * scale / points:g}{unit}")


def _with_lower_rows(spec: Spec, excess: float) -> Spec:
    """Return a specification whose panels of intervals are lower, by `excess` pixels in total."""
    panels, n_columns = spec["concat"], spec["columns"]
    whole = sum(
        max(panel.get("height", 0) for panel in panels[first : first + n_columns])
        for first in range(0, len(panels), n_columns)
    )
    lower = []
    for panel in panels:
        axis = panel.get("encoding", {}).get("y", {}).get("axis", {})
        least = LEAST_FOLDED_ROWS if "labelOffset" in axis else LEAST_ROWS
        share = max(least, 1 - excess / whole) if "labelLineHeight" in axis else 1
        lower.append(panel if share == 1 else {**panel, "height": panel["height"] * share})
    return {**spec, "concat": lower}


def _measured(figures: Sequence[Figure]) -> list[list[float]]:
    """Return the widths beside the axes of all panels, and then of those without names, if any."""
    panels = [
        [*figure.panels, *(map(without_names, figure.panels) if _is_joined(figure) else ())]
        for figure in figures
    ]
    specs = [_sized(panel, _axes_width(panel)) for panel in chain.from_iterable(panels)]
    drawn = iter(_svgs(specs, CONFIG))
    return [
        [float(next(drawn).attrib["width"]) - _axes_width(panel) for panel in of_figure]
        for of_figure in panels
    ]


def _axes_width(panel: Spec) -> float:
    width: float = panel.get("spec", panel)["width"]
    return width


def _fitted(figure: Figure, rooms: Sequence[float], layout: PageOptions) -> Spec:
    n_panels, scale = len(figure.panels), layout.scale
    inner = (layout.points or 0) / scale - 2 * MARGIN
    # The first panel of a row has names beside its axes; the others may not.
    first, other = max(rooms[:n_panels]), max(rooms[-n_panels:])
    least = SMALLEST_WIDTH
    if not figure.has_common_names:
        least = int(SMALLEST_SHARE * max(map(_axes_width, figure.panels)))

    def width(n_columns: int) -> float:
        return (inner - first - (n_columns - 1) * (other + GAP)) / n_columns

    fitting = [n for n in range(1, n_panels + 1) if width(n) >= least]
    n_columns = min(layout.figure_columns or max(fitting, default=1), n_panels)
    if n_columns not in fitting:
        whole = first + (n_columns - 1) * (other + GAP) + n_columns * least
        needed = (whole + 2 * MARGIN) * scale / POINTS_OF["mm"]
        panels = "a panel" if n_columns == 1 else f"{n_columns} panels side by side"
        raise OptionError(
            f"--width: {panels} with letters of {scale * SCREEN_FONT_SIZE:g} points need "
            f"{ceil(needed)}mm; give a larger --width, a smaller --font-size, or fewer "
            "--columns"
        )
    if layout.figure_columns is None:
        # If five of six panels would fit in a row, they still become two rows of three.
        n_columns = ceil(n_panels / ceil(n_panels / n_columns))
    return _arranged(figure, n_columns, width(n_columns))


def _arranged(figure: Figure, n_columns: int | None = None, width: float | None = None) -> Spec:
    """Return a specification of all panels; only the first of a row has names if all share them."""
    n_panels = len(figure.panels)
    n_columns = min(n_columns or MOST_IN_ROW, n_panels)
    named = [
        panel if place % n_columns == 0 or not _is_joined(figure) else without_names(panel)
        for place, panel in enumerate(figure.panels)
    ]
    sized = [_sized(panel, width or _axes_width(panel)) for panel in named]
    for first in range(0, n_panels, n_columns):
        _level(sized[first : first + n_columns])
    title = {}
    if figure.key:
        whole = sum(map(_axes_width, sized[:n_columns])) + GAP * n_columns
        key = {"text": wrapped(figure.key, int(whole / WIDTH_OF_LETTER["subtitle"]), "(?<= )")}
        look = {"fontSize": 11, "fontWeight": "normal", "color": MUTED}
        title = {"title": {**key, **look, "orient": "bottom", "anchor": "start", "frame": "bounds"}}
    grid = {"columns": n_columns, "spacing": GAP, "align": "each", "padding": MARGIN}
    return {"concat": sized, **grid, **title}


def _level(panels: Sequence[dict[str, Any]]) -> None:
    for part in WIDTH_OF_LETTER:
        most = max(len(panel["title"][part]) for panel in panels)
        for panel in panels:
            lines = panel["title"][part]
            panel["title"][part] = lines + [" "] * (most - len(lines))


def _sized(panel: Spec, width: float) -> dict[str, Any]:
    """Return a panel with axes of this width, in pixels, and titles in lines that fit it."""
    letters = {part: max(12, int(width / of_letter)) for part, of_letter in WIDTH_OF_LETTER.items()}
    title = {
        part: wrapped(shortened(text, MOST_LETTERS), letters[part])
        for part, text in panel["title"].items()
    }
    sized = with_width(panel, width)
    return {**_with_lines_of_axes(sized, letters["subtitle"]), "title": title}


def _with_lines_of_axes(value: Any, letters: int) -> Any:
    """Break the titles of axes, wherever they are in a specification, into lines."""
    if isinstance(value, list):
        return [_with_lines_of_axes(part, letters) for part in value]
    if not isinstance(value, Mapping):
        return value
    changed = {}
    for name, part in value.items():
        if name == "title" and isinstance(part, str):
            changed[name] = wrapped(shortened(part, MOST_LETTERS), letters)
        else:
            changed[name] = part if name == "data" else _with_lines_of_axes(part, letters)
    return changed


def _svgs(specs: Sequence[Spec], config: Spec) -> list[ElementTree.Element]:
    settings = {"vl_version": VEGA_LITE}
    jobs: list[Job] = [("vegalite_to_svg", {**spec, "config": config}, settings) for spec in specs]
    return [ElementTree.fromstring(content) for content in _drawn(jobs)]


def _drawn(jobs: Sequence[Job]) -> list[bytes]:
    """Run vl-convert on specifications, in another process.

    Not in this process, because the engine is compiled: if memory or descriptors run short, it ends
    its process, or raises something other than an Exception.

    Raises RougeError if vl-convert is not installed or fails.
    """
    if not jobs:
        return []
    check_drawing()
    if not sys.executable:
        raise _not_drawn("Python does not know its own program, which draws in another process")
    sent = json.dumps({"path": sys.path, "jobs": jobs}).encode()
    # -P keeps out a json.py in the working folder. -E ignores variables that the caller of
    # install-shim's script has set for its own Python.
    flags = ["-P", "-E"] if sys.flags.ignore_environment else ["-P"]
    command = [sys.executable, *flags, "-c", ENGINE]
    most = SECONDS_TO_DRAW * len(jobs)
    try:
        for _ in tracked([command], "Drawing", [len(jobs)]):
            ended = subprocess.run(
                command, input=sent, capture_output=True, timeout=most, check=False
            )
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
