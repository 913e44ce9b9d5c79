"""Explanations in all the forms that ``explain`` writes."""

from collections.abc import Iterator

from rouge_cli.reports import Screen
from rouge_cli.reports.views.explanation import ExplanationView
from rouge_cli.reports.writers import (
    explanation_html,
    explanation_markdown,
    explanation_text,
    json,
)

__all__ = ["write_explanation"]


def write_explanation(view: ExplanationView, kind: str, screen: Screen) -> Iterator[str]:
    """Return an explanation, in parts; `kind` is one of `EXPLANATION_REPORTS`."""
    if kind == "json":
        return json.write_data(view.data(), screen)
    if kind == "markdown":
        return explanation_markdown.write(view)
    if kind == "html":
        return explanation_html.write(view)
    return explanation_text.write(view, screen)
