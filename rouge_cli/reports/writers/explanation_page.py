"""The page of explained EVALs: scores with their counts, and texts side by side with marks.

It has no script. The policy allows its style by hash, so no text can add another style.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby

from rouge_cli.reports.document import (
    ARROW,
    Document,
    Line,
    MarkedTexts,
    Passage,
    Span,
    Table,
    WordMark,
)
from rouge_cli.version import __version__

WORD_TAGS: Mapping[WordMark, str] = {
    WordMark.COUNTED: "b",
    WordMark.CLIPPED: "u",
    WordMark.QUIET: "span",
}
LEGEND = (
    "<b>On a coloured ground</b>: counts; <u>dotted</u>: matches, but is clipped; grey: matches "
    "nothing."
)
LISTED = 2
"""Deepest level in the table of contents: EVALs are 1, systems 2."""


def explanation_page(
    document: Document, marked: MarkedTexts, notes: str, style: str, policy: str
) -> Iterator[str]:
    """Yield the page of explained EVALs: scores with their counts, and texts side by side.

    It has no script. `notes` are HTML, and may be empty; `policy`, the content security policy,
    allows `style` by its hash, so that no text can add another style.
    """
    title = escape(document.title)
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<meta name="generator" content="rouge-cli {__version__}">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<header>\n"
        f'<p class="kicker">rouge-cli {__version__}</p>\n<h1>{title}</h1>\n'
    )
    if notes:
        yield f'<div class="notes" role="note" aria-label="Notes">\n{notes}</div>\n'
    legend = [LEGEND, *(f"{escape(entry)}." for entry in marked.legend)]
    yield f'<p class="legend">{" ".join(legend)}</p>\n'
    anchors = list(_anchors(marked.passages))
    yield from _contents(marked.passages, anchors)
    yield "</header>\n<main>\n"
    yield from _passages(marked.passages, anchors, document.title)
    for signature in document.signatures:
        yield f"<p><code>{escape(signature)}</code></p>\n"
    yield "</main>\n</body>\n</html>\n"


def _anchors(passages: Iterable[Passage]) -> Iterator[str]:
    """Yield an anchor per passage: ``eval-1`` for an EVAL, ``eval-1-1`` and so on below it."""
    n_evals = n_below = 0
    for passage in passages:
        is_eval = passage.level == 1
        n_evals, n_below = n_evals + is_eval, 0 if is_eval else n_below + 1
        yield f"eval-{n_evals}" + (f"-{n_below}" if n_below else "")


def _contents(passages: Sequence[Passage], anchors: Sequence[str]) -> Iterator[str]:
    listed = [
        f'<li><a href="#{anchor}">{escape(passage.heading)}</a></li>\n'
        for passage, anchor in zip(passages, anchors, strict=True)
        if passage.level <= LISTED
    ]
    # A single EVAL with a single system needs no list.
    if len(listed) > LISTED:
        yield f'<nav aria-label="EVALs and systems"><ul>\n{"".join(listed)}</ul></nav>\n'


def _passages(passages: Sequence[Passage], anchors: Sequence[str], title: str) -> Iterator[str]:
    """Yield the sections. An EVAL that is the title of the page has no heading of its own."""
    is_alone = sum(passage.level == 1 for passage in passages) == 1
    lowered = not (is_alone and passages[0].heading == title)
    for place, (passage, anchor) in enumerate(zip(passages, anchors, strict=True)):
        yield f'<section id="{anchor}" class="level-{passage.level}">\n'
        level = passage.level + lowered
        if level > 1:
            yield f"<h{level}>{escape(passage.heading)}</h{level}>\n"
        if passage.scores is not None:
            metrics = _metrics(passages, anchors, place)
            yield from _scores(passage.scores, passage.heading, metrics)
        for is_side, lines in groupby(passage.lines, key=lambda line: line.is_side):
            write = _sides if is_side else _list
            yield from write(lines)
        yield "</section>\n"


def _metrics(passages: Sequence[Passage], anchors: Sequence[str], place: int) -> Iterator[str]:
    system = passages[place].level
    for passage, anchor in zip(passages[place + 1 :], anchors[place + 1 :], strict=True):
        if passage.level <= system:
            return
        if passage.level == system + 1:
            yield anchor


def _scores(table: Table, heading: str, anchors: Iterable[str]) -> Iterator[str]:
    label = f"Scores, {escape(heading)}"
    yield f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">\n'
    yield "<table>\n<thead>\n<tr>"
    for column in table.columns:
        yield f'<th scope="col" class="{column.side}">{escape(column.heading)}</th>'
    yield "</tr>\n</thead>\n<tbody>\n"
    for (name, *values), anchor in zip(table.rows, anchors, strict=True):
        yield f'<tr><th scope="row" class="l"><a href="#{anchor}">{escape(name.text)}</a></th>'
        yield "".join(f'<td class="r">{escape(value.text)}</td>' for value in values)
        yield "</tr>\n"
    yield "</tbody>\n</table>\n</div>\n"


def _sides(lines: Iterable[Line]) -> Iterator[str]:
    yield '<div class="sides">\n'
    for line in lines:
        yield f'<figure class="side"><figcaption>{escape(line.label)}</figcaption>\n'
        for is_end, spans in groupby(line.spans, key=lambda span: span.ends_sentence):
            if not is_end:
                yield f'<p dir="auto">{_marked(spans)}</p>\n'
        yield "</figure>\n"
    yield "</div>\n"


def _list(lines: Iterable[Line]) -> Iterator[str]:
    yield "<dl>\n"
    for line in lines:
        yield f'<dt>{escape(line.label)}</dt><dd dir="auto">{_marked(line.spans)}</dd>\n'
    yield "</dl>\n"


def _marked(spans: Iterable[Span]) -> str:
    """Format words; neighbours with the same mark share an element."""
    pieces = []
    for mark, group in groupby(spans, key=lambda span: span.mark):
        text, tag = " ".join(map(_word, group)), WORD_TAGS.get(mark)
        pieces.append(text if tag is None else f"<{tag}>{text}</{tag}>")
    return " ".join(pieces)


def _word(span: Span) -> str:
    text = escape(span.text)
    if not span.stem:
        return text
    return f'{text}<small class="stem"> {ARROW}\N{NO-BREAK SPACE}{escape(span.stem)}</small>'
