"""The user's notes on a page: Markdown converted to HTML that neither runs nor loads anything."""

from collections.abc import Iterable, Iterator
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from rouge_cli.escapes import CONTROLS

SCHEMES = ("http://", "https://", "mailto:")
"""Schemes of links that are kept. Other links become plain text: relative addresses, for instance,
lead nowhere once a page has been sent to somebody."""

SIDES = {"text-align:left": "l", "text-align:center": "c", "text-align:right": "r"}
"""CSS class by style, since pages allow no inline styles."""

INVISIBLE = {code: escape for code, escape in CONTROLS.items() if chr(code) not in "\t\n"}
DEEPEST = 6


class _Markdown(MarkdownIt):
    """CommonMark with tables, without HTML."""

    def __init__(self) -> None:
        super().__init__("commonmark", {"html": False})
        self.enable(["table", "strikethrough"])

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name in the base class
        """Accept every link: `_plain` replaces unwanted links by their text."""
        return True


def notes_html(text: str) -> str:
    """Convert Markdown to HTML for the place below the title; empty for blank text.

    Headings start at ``h2`` and skip no level. HTML is shown as text, images as their alternative
    text, and links with a scheme other than `SCHEMES` as their text.
    """
    markdown = _Markdown()
    lines = text.replace("\r\n", "\n").translate(INVISIBLE)
    tokens = list(_fitted(markdown.parse(lines)))
    return str(markdown.renderer.render(tokens, markdown.options, {}))


def _fitted(tokens: Iterable[Token]) -> Iterator[Token]:
    tokens = list(tokens)
    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    above = 1
    for token in tokens:
        if token.type == "heading_open":
            above = min(int(token.tag[1]) - min(levels) + 2, above + 1, DEEPEST)
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{above}"
        if style := token.attrs.pop("style", None):
            token.attrs["class"] = SIDES[str(style)]
        if token.children is not None:
            token.children = list(_plain(token.children))
        else:
            token.content = token.content.translate(INVISIBLE)
        yield token


def _plain(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield inline tokens, with images and unwanted links reduced to text."""
    are_links: list[bool] = []
    for token in tokens:
        # The parser has decoded entities, including those of invisible characters.
        token.content = token.content.translate(INVISIBLE)
        if token.type == "image":
            yield Token("text", "", 0, content=token.content)
            continue
        if token.type == "link_open":
            address: Any = token.attrs["href"]
            are_links.append(address.lower().startswith(SCHEMES))
            token.attrs = {"href": address, "rel": "noopener noreferrer"}
        if token.type not in {"link_open", "link_close"} or are_links[-1]:
            yield token
        if token.type == "link_close":
            are_links.pop()
