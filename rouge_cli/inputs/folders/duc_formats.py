"""How texts with DUC names are written: ``.html`` is SEE, unless there is no SEE in it."""

import re
from collections.abc import Iterable

from rouge_cli.escapes import escaped
from rouge_cli.inputs.files import read_file
from rouge_cli.inputs.formats.see import read_see

__all__ = ["duc_formats"]

SEE_SUFFIXES = (".html", ".htm")
_LAST_SENTENCE = b'\n<a name="1">[1]</a> <a href="#1" id=1>last'
_TAG = re.compile(rb"<[A-Za-z/!]")


def duc_formats(paths: Iterable[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Find out the format of texts.

    Parameters
    ----------
    paths : iterable of str
        One that cannot be read is no problem here.

    Returns
    -------
    formats : dict of str to str
        By path: SEE for ``.html`` and ``.htm`` with a sentence of SEE in it, otherwise SPL.
    notices : tuple of str
        A line if texts are taken for SPL that have tags in them: these count as words.
    """
    formats: dict[str, str] = {}
    with_tags: list[str] = []
    for path in paths:
        if path not in formats:
            formats[path], has_tags = _format(path)
            with_tags += [path] if has_tags else []
    if not with_tags:
        return formats, ()
    more = f", and {len(with_tags) - 1} more" if len(with_tags) > 1 else ""
    where = f"{escaped(with_tags[0])}{more}"
    return formats, (f"HTML without a sentence of SEE is read as SPL, tags are words: {where}",)


def _format(path: str) -> tuple[str, bool]:
    """Return the format of a text, and whether it is SPL with tags."""
    if not path.lower().endswith(SEE_SUFFIXES):
        return "SPL", False
    try:
        raw = read_file(path)
    except OSError:
        return "SEE", False
    # One more sentence, because the only one of a text may be empty.
    is_see = read_see(raw + _LAST_SENTENCE) != b"last"
    return ("SEE", False) if is_see else ("SPL", bool(_TAG.search(raw)))
