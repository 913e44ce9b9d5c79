"""What the tests of pages, and of parts of pages, read in them."""

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from typing import Any


class Reader(HTMLParser):
    """Notes all tags with their attributes, and the text of each element."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.is_balanced = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)
        self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self.is_balanced &= self.open[-1:] == [tag]
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]][-1] += data

    @property
    def attributes(self) -> set[str]:
        return {name for _, attributes in self.tags for name in attributes}


def read_page(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def inflated(text: str) -> str:
    """Return what the script of a page unpacks."""
    return zlib.decompress(base64.b64decode(text), -15).decode()


def payload(page: str) -> Any:
    """Return the scores in a page."""
    found = re.search(r'id="scores">([^<]*)<', page)
    assert found is not None
    return json.loads(inflated(found[1]))
