"""What a reader or a terminal would take for something else, as it can be seen."""

import re

__all__ = [
    "COMMAND",
    "IN_JSON",
    "IN_XML",
    "escape_commands",
    "escape_controls",
    "escape_old_commands",
    "escape_on_screen",
    "escape_unprintable",
    "escaped",
]

COMMAND = re.compile(r"^(\s*)::", re.MULTILINE)
"""How a line begins that GitHub, where it shows what a workflow prints, takes for a command."""

OLD_COMMAND = "##["
"""What begins one anywhere in a line."""

IN_JSON, IN_XML = r"\u0023", "&#35;"
"""Its first sign in other forms."""

CONTROLS = {
    code: ascii(chr(code))[1:-1]
    for code in (*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A))
}
"""What a terminal takes for a command, or for the end or the turn of a line, to its escape."""

ON_SCREEN = {code: escape for code, escape in CONTROLS.items() if chr(code) not in "\t\n\x1b"}


def escape_commands(text: str) -> str:
    """Escape what GitHub takes for a command: an ID may be one, such as ``::stop-commands::``."""
    return escape_old_commands(COMMAND.sub(r"\1\\x3a:", text), r"\x23")


def escape_old_commands(text: str, sign: str) -> str:
    r"""Write the first sign of each ``##[`` as data may have it, such as ``\u0023`` in JSON."""
    return text.replace(OLD_COMMAND, f"{sign}#[")


def escape_controls(line: str) -> str:
    """Escape what a terminal takes for a command, in a line such as a message."""
    return line.translate(CONTROLS)


def escape_on_screen(report: str) -> str:
    """Escape the same in a whole report, whose colours need their codes: no ID in it has an ESC."""
    return report.translate(ON_SCREEN)


def escaped(text: str) -> str:
    """Return a name or an ID as it is, or escaped where it would break or blur a message.

    One that is empty stands in quotes.

    Source: specification, section 8.
    """
    return text if text.isprintable() and text else ascii(text)


def escape_unprintable(text: str) -> str:
    r"""Return a text with everything that does not show, or moves the cursor, escaped.

    A newline becomes ``\n``, an escape character ``\x1b``, the byte FF in a name that is not
    UTF-8 ``\xff``; blanks and the letters of all scripts stay as they are.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else _escape_of(one) for one in text)


def _escape_of(one: str) -> str:
    """Escape a character; a byte that is none stands in a name as a lone surrogate."""
    if "\udc80" <= one <= "\udcff":
        return f"\\x{ord(one) - 0xDC00:02x}"
    return one.encode("unicode_escape").decode("ascii")
