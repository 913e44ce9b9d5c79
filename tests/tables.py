"""Tables of cases as text: what is given, and below it, indented, what is expected.

A line that is indented by four blanks goes on in the one above, behind a blank; one that begins
with ``# `` is a remark, and an empty one parts two subjects.
"""


def rows_of(table: str) -> list[tuple[str, list[str]]]:
    """Return what is given, each with the lines that are expected."""
    rows: list[list[str]] = []
    for line in table.splitlines():
        if line.startswith("    "):
            rows[-1][-1] += line[3:]
        elif line.startswith("  "):
            rows[-1].append(line[2:])
        elif line and not line.startswith("# "):
            rows.append([line])
    return [(given, expected) for given, *expected in rows]
