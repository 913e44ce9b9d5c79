"""Configuration of the documentation; `make docs` builds it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from rouge_cli import __version__
from rouge_cli.cli.group import WHOLE_HELP
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.reports import ReportFile

ROOT = Path(__file__).resolve().parents[1]

project = "rouge-cli"
author = "The rouge-cli developers"
project_copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_click",
    "sphinx_copybutton",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
default_role = "py:obj"
smartquotes = False
html_theme = "furo"
html_title = f"rouge-cli {version}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {
    "source_repository": "https://github.com/rouge-cli/rouge-cli/",
    "source_branch": "main",
    "source_directory": "docs/",
}
pygments_style = "friendly"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
# Parameters and their types stand in the docstrings.
autodoc_typehints = "none"
numpydoc_show_class_members = False

copybutton_selector = "div.highlight-sh pre, div.highlight-python pre"

autosummary_generate = False
# A single backtick in a docstring is a link where there is something to link to, code otherwise.
nitpick_ignore_regex = [("py:obj", ".*")]


class GitHubAnchors(SphinxTransform):
    """Give each section the anchor that GitHub gives it, so that links work on both."""

    default_priority = 500

    def apply(self) -> None:
        """Put the anchor in front of those that docutils has chosen."""
        for section in self.document.findall(nodes.section):
            anchor = section.get("slug")
            if anchor and anchor not in self.document.ids:
                section["ids"].insert(0, anchor)
                self.document.ids[anchor] = section


class Table(Directive):
    """A table that is made from the code."""

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the cells of the head, and then of each row."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Write the table in Markdown, and let the parser of the page read it."""
        head, *rows = (f"| {' | '.join(cells)} |" for cells in self.rows())
        rule = re.sub(r"[^|]+", " --- ", head)
        content = nodes.Element()
        self.state.nested_parse(StringList([head, rule, *rows]), self.content_offset, content)
        return content.children


class PackageTable(Table):
    """The folders of the package, each with the first line of its docstring."""

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Read the docstrings, without importing anything."""
        yield "folder", "content"
        for path in sorted((ROOT / "rouge_cli").glob("*/__init__.py")):
            summary = (ast.get_docstring(ast.parse(path.read_bytes())) or "").partition("\n")[0]
            yield f"`{path.parent.relative_to(ROOT)}`", summary.replace("``", "`")


class OptionTable(Table):
    """The options of scoring under their names in Python."""

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Read the declarations."""
        yield "Python", "command line", "default"
        yield "`add`", "`--add`", "`()`"
        for name, declared in OPTIONS.items():
            if declared.kind is not None:
                continue
            names = " ".join(f"`{one}`" for one in (declared.letter, declared.long) if one)
            default = shown_in_python(Options().values()[name])
            yield f"`{name}`", names, f"`{default}`"


def shown_in_python(value: object) -> str:
    """Return a default as Python writes it."""
    if isinstance(value, ReportFile):
        return f'"{value}"'
    if isinstance(value, tuple) and len(value) == 1:
        return shown_in_python(value[0])
    return repr(getattr(value, "value", value)).replace("'", '"')


def shown_default(name: str) -> str | None:
    """Return the default of a scoring option as pages show it, if it has one."""
    value = Options().values()[name]
    if value is None or value == ():
        return None
    first = value[0] if isinstance(value, tuple) else value
    return str(getattr(first, "text", first))


def default_of(command: click.Command, option: str) -> str | None:
    """Return the default of an option of a command that its help does not tell, if it has one."""
    for parameter in command.params:
        declared = OPTIONS.get(parameter.name or "")
        if declared is None or declared.metavar is None or option not in parameter.opts:
            continue
        # Some commands have options of their own under the names of scoring options.
        if declared.help == getattr(parameter, "help", None) and "default" not in declared.help:
            return shown_default(parameter.name or "")
    return None


def group_options(app: Sphinx, ctx: click.Context, lines: list[str]) -> None:
    """Put options of a command below the headings that its help gives them; show defaults."""
    ctx.meta[WHOLE_HELP] = True
    headings = {}
    heading = ""
    for line in ctx.command.get_help(ctx).splitlines():
        if line.endswith(":") and not line.startswith(" "):
            heading = line.removesuffix(":")
        elif option := re.match(r"  ((?:-\w, )?)(-[\w-]+)", line):
            headings[option[2]] = headings[option[1].strip(", ")] = heading
    grouped: dict[str, list[str]] = {name: [] for name in dict.fromkeys(headings.values())}
    group: list[str] = []
    default = None
    for line in lines:
        if option := re.match(r"\.\. option:: (.*)", line):
            name = next(n for n in re.findall(r"(?:^|, )(-[\w-]+)", option[1]) if n in headings)
            group = grouped[headings[name]]
            group.append(line)
            default = default_of(ctx.command, name)
        elif default and line.strip():
            group.append(f"{line} Default: ``{default}``.")
            default = None
        else:
            group.append(line.replace("\\", "\\\\"))
    lines.clear()
    for name, options in grouped.items():
        lines += [f"**{name}**" * (name != "Options" and bool(options)), "", *options, ""]


def setup(app: Sphinx) -> None:
    """Register what this project adds to Sphinx."""
    app.add_directive("package", PackageTable)
    app.add_directive("python-options", OptionTable)
    app.add_transform(GitHubAnchors)
    app.connect("sphinx-click-process-options", group_options)
