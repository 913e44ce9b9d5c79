"""Check the built documentation: it loads nothing from other hosts, and every link in it works.

    python tools/check_site.py docs/_build/html

Links that a reader may follow to other hosts are allowed; scripts, styles, fonts and images that a
browser would fetch from there are not.
"""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["problems"]

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
NOT_LOADED = {"canonical", "next", "prev", "search", "index", "author"}
"""Relations of ``<link>`` that a browser does not fetch."""


class _Page(HTMLParser):
    """What a page loads, what it links to, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record what an element loads or links to."""
        values = {name: value for name, value in attrs if value is not None}
        if "id" in values:
            self.anchors.add(values["id"])
        if tag in LOADED and values.get("rel") not in NOT_LOADED:
            self.loaded += [values[LOADED[tag]]] if LOADED[tag] in values else []
        elif tag == "a" and "href" in values:
            self.links.append(values["href"])


def problems(folder: Path) -> Iterator[str]:
    """Yield a line for each problem of the site in `folder`."""
    pages = {path.resolve(): _Page(path.read_text("utf-8")) for path in folder.rglob("*.html")}
    if not pages:
        yield f"{folder}: no pages"
    for path, page in sorted(pages.items()):
        for address in page.loaded:
            if urlsplit(address).netloc:
                yield f"{path}: loads {address}"
        for address in page.links:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                yield f"{path}: no such page: {address}"
            elif target in pages and parts.fragment:
                unknown = {unquote(parts.fragment)} - pages[target].anchors
                yield from (f"{path}: no such anchor: {address}" for _ in unknown)
    for path in sorted(folder.rglob("*.css")):
        loaded = re.findall(
            r"(?:@import\s+|url\()['\"]?((?:https?:)?//[^'\")\s]+)", path.read_text("utf-8")
        )
        yield from (f"{path}: loads {address}" for address in loaded)


def main(folder: str) -> int:
    """Print all problems; return 1 if there are any."""
    found = list(problems(Path(folder)))
    for line in found:
        print(line)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
