"""Escapes for text that a terminal, or a CI system that shows output, might take for a command."""

IN_TEXT, IN_JSON, IN_XML = r"\x{code:02x}", r"\u{code:04x}", "&#{code};"
"""Templates of escaped ASCII characters: `code` is the number, `sign` the character itself."""

# Characters that control a terminal, end a line, or change the direction of text, with escapes.
CONTROLS = {
    code: ascii(chr(code))[1:-1]
    for code in (*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A))
}

MOST_CHARACTERS, KEPT_CHARACTERS = 4_000, 1_500
"""Length above which a line loses its middle, and how many characters it keeps at each end."""

ON_SCREEN = {code: escape for code, escape in CONTROLS.items() if chr(code) not in "\t\n\x1b"}


def escape_controls(line: str) -> str:
    """Escape the control characters of a line, such as a message, and shorten a very long one."""
    # An ID in a message may have megabytes.
    if len(line) > MOST_CHARACTERS:
        n_left_out = len(line) - 2 * KEPT_CHARACTERS
        line = f"{line[:KEPT_CHARACTERS]} [{n_left_out:,} characters] {line[-KEPT_CHARACTERS:]}"
    return line.translate(CONTROLS)


def escape_on_screen(report: str) -> str:
    """Escape the control characters of a report, except ESC, with which its colours begin."""
    # The IDs in a report are escaped already, so no ESC is theirs.
    return report.translate(ON_SCREEN)


def escaped(text: str) -> str:
    """Quote and escape a name or ID that is empty or not printable; others are unchanged.

    Source: specification, section 8.
    """
    return text if text.isprintable() and text else ascii(text)


def escape_unprintable(text: str) -> str:
    r"""Escape all characters that are invisible or move the cursor.

    A newline becomes ``\n``, an escape character ``\x1b``, and the byte FF in a name that is not
    UTF-8 ``\xff``. Blanks and letters of all scripts are kept.
    """
    if text.isprintable():
        return text
    escaped_text = ""
    for char in text:
        if char.isprintable():
            escaped_text += char
        elif "\udc80" <= char <= "\udcff":
            # A lone surrogate represents a byte of a name that is not UTF-8.
            escaped_text += f"\\x{ord(char) - 0xDC00:02x}"
        else:
            escaped_text += char.encode("unicode_escape").decode("ascii")
    return escaped_text
