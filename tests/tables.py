"""Tables of cases as text: what is given, and below it, indented, what is expected.

A line that is indented by four blanks goes on in the one above, behind a blank.
"""


def rows_of(table: str) -> list[tuple[str, list[str]]]:
    """Return what is given, each with the lines that are expected."""
    rows: list[tuple[str, list[str]]] = []
    for line in table.strip("\n").split("\n"):
        if line.startswith("    "):
            rows[-1][1][-1] += line[3:]
        elif line.startswith("  "):
            rows[-1][1].append(line[2:])
        else:
            rows.append((line, []))
    return rows
