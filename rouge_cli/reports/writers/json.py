"""JSON with numbers as numbers; the schema of scores is docs/report.schema.json."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from rouge_cli.escapes import IN_JSON, escape_old_commands
from rouge_cli.reports import Screen, View

SPREAD = frozenset({"comparison", "correlation"})
"""Kinds of results that keep the form they came with: Python's own, and ASCII."""


def write(view: View, screen: Screen) -> Iterator[str]:
    """Yield the report, indented; lists of plain values stand on one line."""
    if view.kind in SPREAD:
        spread = json.dumps(view.data(), indent=2, allow_nan=False)
        yield from _lines([spread, "\n"], screen)
    else:
        yield from write_data(view.data(), screen)


def write_data(data: dict[str, Any], screen: Screen) -> Iterator[str]:
    """Yield data as JSON, indented; lists of plain values stand on one line."""
    return _lines(chain(_written(data, "\n"), ["\n"]), screen)


def _lines(parts: Iterable[str], screen: Screen) -> Iterator[str]:
    """Yield the parts of a report; what would be a command is the same string in another form."""
    for part in parts:
        yield escape_old_commands(part, IN_JSON) if screen.reads_commands else part


def _written(value: Any, newline: str) -> Iterator[str]:
    """Yield a value as JSON, in parts; `newline` is a line's end and the blanks of the next."""
    if isinstance(value, dict) and value:
        pairs = [(_scalar(key) + ": ", item) for key, item in value.items()]
        brackets = "{}"
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        pairs, brackets = [("", item) for item in value], "[]"
    else:
        yield _scalar(value)
        return
    deeper, before = newline + "  ", brackets[0]
    for key, item in pairs:
        yield before + deeper + key
        yield from _written(item, deeper)
        before = ","
    yield newline + brackets[1]


def _scalar(value: Any) -> str:
    """Write a value on one line; a byte that is not UTF-8 is written as a lone surrogate."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found.group()):04x}", text)
