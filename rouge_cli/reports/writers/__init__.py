"""The report formats; `REPORT_KINDS` names the function of each."""

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def environment(*, is_tight: bool = False) -> "Environment":
    """Return the templates of reports.

    If they are tight, each line of a template that is not a statement becomes one line of output.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    templates = Environment(
        loader=PackageLoader("rouge_cli.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=is_tight,
        lstrip_blocks=is_tight,
        keep_trailing_newline=is_tight,
    )
    # Pages of explained texts escape quotes as the standard library does.
    templates.filters["text"] = lambda text: Markup(escape(text))
    return templates
