"""Configuration of the documentation; `make docs` builds it."""

import ast
import re
import sys
from pathlib import Path

import click
from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rouge_cli import __version__
from rouge_cli.options import OPTIONS, Options

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


class PackageTable(Directive):
    """A table of the folders of the package, each with the first line of its docstring."""

    def run(self) -> list[nodes.Node]:
        """Read the docstrings, and let the parser of the page read the table."""
        lines = ["| folder | content |", "| --- | --- |"]
        for path in sorted((ROOT / "rouge_cli").glob("*/__init__.py")):
            summary = (ast.get_docstring(ast.parse(path.read_bytes())) or "").partition("\n")[0]
            lines.append(f"| `{path.parent.relative_to(ROOT)}` | {summary.replace('``', '`')} |")
        content = nodes.Element()
        self.state.nested_parse(StringList(lines), self.content_offset, content)
        return content.children


def default_of(command: click.Command, option: str) -> str | None:
    """Return the default of a scoring option as the reference shows it, if it has one."""
    for parameter in command.params:
        if option in parameter.opts and parameter.name in OPTIONS:
            declared = OPTIONS[parameter.name]
            value = getattr(Options(), parameter.name)
            if declared.help != getattr(parameter, "help", None) or declared.metavar is None:
                return None
            return None if value is None or value == () else str(getattr(value, "text", value))
    return None


def group_options(app: Sphinx, ctx: click.Context, lines: list[str]) -> None:
    """Put options of a command below the headings that its help gives them; show defaults."""
    headings = {}
    heading = ""
    for line in ctx.command.get_help(ctx).splitlines():
        if line.endswith(":") and not line.startswith(" "):
            heading = line.removesuffix(":")
        elif option := re.match(r"  (?:-\w, )?(-[\w-]+)", line):
            headings[option[1]] = heading
    grouped: dict[str, list[str]] = {name: [] for name in dict.fromkeys(headings.values())}
    group: list[str] = []
    for line in lines:
        if option := re.match(r"\.\. option:: (.*)", line):
            (name,) = (n for n in re.findall(r"(?:^|, )(-[\w-]+)", option[1]) if n in headings)
            group = grouped[headings[name]]
            group.append(line)
            if default := default_of(ctx.command, name):
                group += ["", f"    :default: ``{default}``"]
        else:
            group.append(line.replace("\\", "\\\\"))
    lines.clear()
    for name, options in grouped.items():
        lines += [f"**{name}**" * (name != "Options" and bool(options)), "", *options, ""]


def setup(app: Sphinx) -> None:
    """Register what this project adds to Sphinx."""
    app.add_directive("package", PackageTable)
    app.add_transform(GitHubAnchors)
    app.connect("sphinx-click-process-options", group_options)
