"""What a reader or a terminal would take for something else, as it can be seen."""

__all__ = ["escape_unprintable"]


def escape_unprintable(text: str) -> str:
    r"""Return a text with everything that does not show, or moves the cursor, escaped.

    A newline becomes ``\n``, an escape character ``\x1b``, the byte FF in a name that is not
    UTF-8 ``\xff``; blanks and the letters of all scripts stay as they are.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    """Escape a character; a byte that is none stands in a name as a lone surrogate."""
    if "\udc80" <= one <= "\udcff":
        return f"\\x{ord(one) - 0xDC00:02x}"
    return one.encode("unicode_escape").decode("ascii")
