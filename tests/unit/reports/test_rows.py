"""Annotated records as JSON, CSV, schema and table: what nests, what is absent, what is named."""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.reports.document import BETTER, Cell, Column, Role
from rouge_cli.reports.rows import (
    NUMBER_OR_NULL,
    PathColumn,
    Shown,
    csv_rows,
    data_of,
    fields_of,
    table_of,
)
from tools.json_schemas import json_schema


class Score(NamedTuple):
    """What is inline in its holder."""

    metric: Annotated[str, Shown("Metric.")]
    letter: str
    is_lower: Annotated[bool, Shown("Only if so.", key="lower", column="", optional=True)] = False


class Chance(NamedTuple):
    """A nested record, whose columns are named after it."""

    p: Annotated[float, Shown("The p.", write=2, column="p_{}")]
    bounds: Annotated[tuple[float, float] | None, Shown("Its bounds.", write=1, column="bound_{}")]


class Part(NamedTuple):
    """A row of CSV of another class."""

    name: Annotated[str, Shown("Only CSV has it here.", key=None, column="name")]
    size: Annotated[int, Shown("Size.")]


class Item(NamedTuple):
    """A row with all kinds of values."""

    score: Annotated[Score, Shown(is_inline=True)]
    name: Annotated[str, Shown("Name.")]
    difference: Annotated[float, Shown("Difference.", "A - B", 1, is_signed=True)]
    chance: Annotated[Chance, Shown("Test.")]
    other: Annotated[Chance | None, Shown("Test.", column="alt", optional=True)] = None
    parts: Annotated[tuple[Part, ...], Shown("Parts.")] = ()


class Root(NamedTuple):
    """A result."""

    items: Annotated[tuple[Item, ...], Shown("Items.")]
    seed: Annotated[int, Shown("Seed.")] = 7

    @property
    def rows(self) -> Iterator[Any]:
        """Each item, followed by its parts."""
        for item in self.items:
            yield item
            yield from item.parts


ITEM = Item(Score("R", "F"), "a", 0.5, Chance(0.25, (0.1, 0.3)))
FULL = Item(
    Score("S", "S", is_lower=True),
    "b",
    -1.0,
    Chance(0.5, None),
    Chance(1.0, (2, 3)),
    (Part("b", 4),),
)


def test_json_has_inline_values_and_lacks_absent_ones() -> None:
    assert data_of(ITEM) == {
        "metric": "R",
        "name": "a",
        "difference": 0.5,
        "chance": {"p": 0.25, "bounds": [0.1, 0.3]},
        "parts": [],
    }
    assert data_of(FULL)["lower"] is True
    assert data_of(FULL)["parts"] == [{"size": 4}]
    assert [field.name for field in fields_of(Item)][:2] == ["score.metric", "score.is_lower"]


def test_csv_shares_columns_between_classes_of_rows() -> None:
    columns, *rows = csv_rows(Root((ITEM, FULL)), "rows")
    assert columns == (
        *("metric", "name", "difference", "p_chance", "lower_chance", "upper_chance"),
        *("p_alt", "lower_alt", "upper_alt", "seed", "size"),
    )
    assert rows == [
        ("R", "a", 0.5, 0.25, 0.1, 0.3, None, None, None, 7, None),
        ("S", "b", -1.0, 0.5, None, None, 1.0, 2, 3, 7, None),
        (None, "b", None, None, None, None, None, None, None, 7, 4),
    ]


def test_csv_lacks_optional_columns_without_values() -> None:
    columns, row = csv_rows(Root((ITEM,)), "items")
    assert "p_alt" not in columns
    assert row[-1] == 7
    # Without rows the columns are those that any row would have.
    assert next(csv_rows(Root(()), "items")) == columns


def test_schema() -> None:
    schema = json_schema(Item, "Item", "Of a test.")
    assert set(schema["properties"]) >= {"metric", "lower", "other"}
    assert not {"lower", "other"} & {*schema["required"]}
    assert [*schema["$defs"]["Part"]["properties"]] == ["size"]
    assert schema["$defs"]["Chance"]["properties"]["bounds"]["oneOf"][1] == {"type": "null"}


def test_table() -> None:
    table = table_of(
        [ITEM, FULL],
        Item,
        "score.metric",
        PathColumn("name", mark=lambda item: BETTER if item.difference > 0 else ""),
        "difference",
        PathColumn("chance.p", "t.", "p", role=Role.LABEL),
        "chance.bounds",
        "other.bounds",
    )
    assert table.columns == (
        Column("metric", "l", Role.NAME, full_heading="Metric"),
        Column("name", "l", Role.NAME, full_heading="Name"),
        Column("A - B", full_heading="A - B", is_signed=True),
        Column("t.", role=Role.LABEL, group="p", full_heading="p t."),
        *[Column("bounds", full_heading="Bounds")] * 2,
    )
    assert table.rows == (
        (
            *(Cell("R"), Cell("a", mark=BETTER), Cell("0.5"), Cell("0.25")),
            *(Cell("", ("0.1", "0.3")), Cell("-")),
        ),
        (
            *(Cell("S"), Cell("b"), Cell("-1.0"), Cell("0.50")),
            *(Cell("", ("-", "-")), Cell("", ("2.0", "3.0"))),
        ),
    )


NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Settings:
    """Values that a report holds beside others."""

    seed: Annotated[int, Shown("Seed.")]


class Effect(NamedTuple):
    """A record inside another one."""

    p: Annotated[float, Shown("p.", column="{}_p", write=2)]


@dataclass(frozen=True, slots=True)
class Single:
    """A row."""

    name: Annotated[str, Shown("Name.")]
    value: Annotated[float, Shown("Value.", write=1, schema=NUMBER_OR_NULL)]


@dataclass(frozen=True, slots=True)
class Double:
    """A row with other columns, some of them shared."""

    name: Annotated[str, Shown("Name.")]
    effect: Annotated[Effect | None, Shown("Effect.")]


@dataclass(frozen=True, slots=True)
class RootOfKinds:
    """A result with rows of two kinds."""

    settings: Annotated[Settings, Shown(is_inline=True)]
    singles: Annotated[tuple[Single, ...], Shown("Singles.")]
    doubles: Annotated[tuple[Double, ...], Shown("Doubles.")]

    @property
    def size(self) -> Annotated[int, Shown("Number of singles.", key=None, column="n")]:
        """The number of singles."""
        return len(self.singles)


KINDS = RootOfKinds(
    Settings(7),
    (Single("a", 0.5), Single("b", NAN)),
    (Double("c", Effect(0.25)), Double("d", None)),
)


def test_json_of_kinds() -> None:
    assert data_of(KINDS) == {
        "seed": 7,
        "singles": [{"name": "a", "value": 0.5}, {"name": "b", "value": None}],
        "doubles": [{"name": "c", "effect": {"p": 0.25}}, {"name": "d", "effect": None}],
    }


def test_schema_of_kinds() -> None:
    schema = json_schema(RootOfKinds, "title", "about")
    assert list(schema["properties"]) == [
        *("program", "version", "schema_version"),
        *("seed", "singles", "doubles"),
    ]
    assert schema["$defs"]["Single"]["properties"]["value"]["type"] == ["number", "null"]


def test_csv_of_two_kinds_of_rows() -> None:
    assert list(csv_rows(KINDS, "singles|doubles")) == [
        ("name", "value", "seed", "n", "effect_p"),
        ("a", 0.5, 7, 2, None),
        ("b", None, 7, 2, None),
        ("c", None, 7, 2, 0.25),
        ("d", None, 7, 2, None),
    ]


def test_csv_of_the_root() -> None:
    assert list(csv_rows(KINDS, "")) == [("seed", "n"), (7, 2)]


def test_tables_follow_paths() -> None:
    table = table_of(KINDS.doubles, Double, "name", "effect.p")
    assert [column.heading for column in table.columns] == ["name", "p"]
    assert [[cell.text for cell in row] for row in table.rows] == [["c", "0.25"], ["d", "-"]]
    (row,) = table_of([KINDS], RootOfKinds, "settings.seed").rows
    assert [cell.text for cell in row] == ["7"]
