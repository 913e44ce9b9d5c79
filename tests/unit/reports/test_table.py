"""The model of a table: its parts, its groups, and what a title can say for a column."""

import pytest

from rouge_cli.reports.document import BEST, TIED, Cell, Column, Note, Role, Section, Table

LABEL = Column("System", "l", Role.NAME)


def table(*columns: Column) -> Table:
    """Make a table with a label, other columns, and a row of numbers."""
    return Table((LABEL, *columns), (tuple(Cell(str(k)) for k in range(len(columns) + 1)),))


@pytest.mark.parametrize(
    ("widths", "room", "parts"),
    [
        ([3, 3, 3], 9, [[1, 2, 3]]),
        ([3, 3, 3], 8, [[1, 2], [3]]),
        ([9, 1, 1], 3, [[1], [2, 3]]),
        ([1], -5, [[1]]),
        ([], 5, [[]]),
    ],
)
def test_parts(widths: list[float], room: float, parts: list[list[int]]) -> None:
    made = table(*(Column("x") for _ in widths))
    assert list(made.parts([8, *widths], room)) == [[0, *part] for part in parts]


def test_groups_stay_together() -> None:
    made = table(Column("a"), Column("b", group="g"), Column("c", group="g"), Column("d"))
    assert list(made.groups()) == [
        ("", range(1)), ("", range(1, 2)), ("g", range(2, 4)), ("", range(4, 5)),
    ]  # fmt: skip
    assert list(made.parts([8, 3, 3, 3, 3], 6)) == [[0, 1], [0, 2, 3], [0, 4]]


def test_a_title_says_what_all_rows_have_in_common() -> None:
    made = table(Column("N", common="5 texts"), Column("x"))
    section = Section("name", (made, table(Column("N"))), "Title").narrowed()
    assert section.title == "Title, 5 texts"
    assert section.tables == (Table((LABEL, Column("x")), ((Cell("0"), Cell("2")),)),
                              table(Column("N")))  # fmt: skip
    assert Section("name", (table(Column("x")),)).narrowed().title == ""


def test_notes_name_the_marks() -> None:
    note = Note(((BEST, "the best."), (TIED, "not told apart."), ("", "More.")))
    assert note.text({BEST: "*", TIED: "~"}) == "*: the best. ~: not told apart. More."
    assert Note.of("Plain.").text({}) == "Plain."
